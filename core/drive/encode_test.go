package drive

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"holdfast/core/session"
)

// An element that is the same as before is not encoded again, a changed one is,
// and the section is whole each time.
func TestAnUnchangedElementIsEncodedOnce(t *testing.T) {
	var c cache[session.Operation]
	calls := map[string]int{}
	encode := func(o *session.Operation) jsontext.Value {
		calls[o.ID]++
		return raw(o.ID + o.State)
	}
	a, b := &session.Operation{ID: "a"}, &session.Operation{ID: "b"}
	got := []string{string(c.list([]*session.Operation{a, b}, encode))}
	b = &session.Operation{ID: "b", State: "!"}
	got = append(got, string(c.list([]*session.Operation{a, b}, encode)), string(c.list(nil, encode)))
	if want := `["a","b"] ["a","b!"] []`; strings.Join(got, " ") != want || calls["a"] != 1 || calls["b"] != 2 {
		t.Errorf("got %q after %v encodings, want %s", got, calls, want)
	}
}

// What is kept encoded has a bound.
func TestTheKeptEncodingsAreBounded(t *testing.T) {
	var c cache[session.Operation]
	big := raw(strings.Repeat("x", maxKept/2))
	rows := []*session.Operation{{}, {}, {}}
	got := c.list(rows, func(*session.Operation) jsontext.Value { return big })
	if len(c) != 1 || len(got) != 3*len(big)+4 {
		t.Errorf("%d are kept, the section has %d bytes", len(c), len(got))
	}
}

// An event written section by section is the event its struct says.
func TestAnEventIsItsSections(t *testing.T) {
	e := snapshotEvent{Seq: 7, State: raw("ready"), Rows: raw([]int{1}), Composer: raw(nil)}
	want, err := json.Marshal(e)
	e.Event = ""
	if got := string(e.line()); err != nil || strings.Replace(string(want), `"event":""`, `"event":"snapshot"`, 1) != got {
		t.Errorf("got %s, want %s, %v", got, want, err)
	}
}

func TestFormatCharactersAreEscaped(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "": "", "äöü €": "äöü €", "a\u202eb": `a\u202eb`, "\u0085": `\u0085`, "ä\u200f\u200eö": `ä\u200f\u200eö`, "\x7f": `\u007f`, "end\u2066": `end\u2066`,
	} {
		if got := string(escapeFormat([]byte(in))); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
