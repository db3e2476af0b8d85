package protocol

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json/jsontext"
)

// clipString sends text through a clip with small bounds.
func clipString(t *testing.T, text string, oneByte bool) string {
	t.Helper()
	var src io.Reader = strings.NewReader(text)
	if oneByte {
		src = iotest.OneByteReader(src)
	}
	out, err := io.ReadAll(&clip{src: src, head: 16, tail: 8})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestClipLeavesShortStringsAlone(t *testing.T) {
	for _, in := range []string{
		``, `{}`, `{"a":"b","c":[1,"","\"","\\","\\\"",null]}`,
		`"exactly sixteen!"`, `"\\\\\\\\\\\\\\\\"`, `"unfinished`,
	} {
		for _, oneByte := range []bool{false, true} {
			if got := clipString(t, in, oneByte); got != in {
				t.Errorf("got %s, want %s", got, in)
			}
		}
	}
}

func TestClipCutsLongStrings(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("x", 100),
		strings.Repeat(`\n`, 100),
		strings.Repeat(`\"`, 100),
		strings.Repeat(`\\`, 101),
		strings.Repeat(`\u0041`, 100),
		strings.Repeat(`\u00e9`, 100),
		strings.Repeat(`\u20ac`, 100),
		strings.Repeat(`\ud83d\ude00`, 100),
		strings.Repeat("é", 100),
		strings.Repeat("x€😀", 100),
		strings.Repeat(`a\u0041\n`, 100),
	} {
		for shift := range 12 {
			in := `["` + strings.Repeat("p", shift) + text + `","next"]`
			for _, oneByte := range []bool{false, true} {
				checkClip(t, in, clipString(t, in, oneByte))
			}
		}
	}
}

// checkClip compares a clipped list of two strings with the whole one.
func checkClip(t *testing.T, in, out string) {
	t.Helper()
	if !jsontext.Value(out).IsValid(DecodeOptions()) {
		t.Fatalf("%s became %s, which is not JSON", in, out)
	}
	want, got := twoStrings(t, in), twoStrings(t, out)
	if got[1] != want[1] {
		t.Fatalf("%s: the next string is %q", out, got[1])
	}
	head, rest, ok := bytes.Cut([]byte(got[0]), []byte(clipMark))
	count, tail, closed := bytes.Cut(rest, []byte(clipMark))
	if !ok || !closed {
		t.Fatalf("%s: nothing left out of %d bytes", out, len(want[0]))
	}
	if len(out) > 16+12+16+40 {
		t.Errorf("%d bytes are kept: %s", len(out), out)
	}
	head = bytes.TrimSuffix(head, []byte("\uFFFD")) // half a pair
	tail = bytes.TrimPrefix(tail, []byte("\uFFFD"))
	if !strings.HasPrefix(want[0], string(head)) || !strings.HasSuffix(want[0], string(tail)) {
		t.Errorf("%q keeps %q and %q", want[0], head, tail)
	}
	true_ := int64(len(want[0])) - int64(len(got[0])) + int64(len(count)+2*len(clipMark))
	if got := string(count); got != jsontext.Int(true_).String() && !strings.Contains(out, `\ud`) {
		t.Errorf("%s says that %s bytes are left out, want %d", out, got, true_)
	}
}

func twoStrings(t *testing.T, text string) [2]string {
	t.Helper()
	d := decoderOf([]byte(text))
	var got [2]string
	for i := -1; i < 2; i++ {
		tok, err := d.ReadToken()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if i >= 0 {
			got[i] = tok.String()
		}
	}
	return got
}

// Outside of strings a number or white space is cut where nothing reads it any
// more; what is shorter, and what follows, stays as it is.
func TestClipCutsNumbersAndWhiteSpace(t *testing.T) {
	for _, c := range []struct{ piece, kept string }{
		{strings.Repeat("7", maxBare), strings.Repeat("7", maxBare)},
		{strings.Repeat("7", maxBare+1), strings.Repeat("7", maxBare)},
		{strings.Repeat("7", 200<<10), strings.Repeat("7", maxBare)},
		{strings.Repeat(" ", 200<<10) + "7", strings.Repeat(" ", maxBare) + "7"},
		{strings.Repeat("\n\t", 100<<10) + "1.5", strings.Repeat("\n\t", maxBare/2) + "1.5"},
		{strings.Repeat("[1, ", 5000) + strings.Repeat("]", 5000), strings.Repeat("[1, ", 5000) + strings.Repeat("]", 5000)},
	} {
		long := strings.Repeat("x", 100)
		in, want := `{"a":"`+long+`",`+"\r\n "+`"b":`+c.piece+`, "c" : "`+c.piece[:8]+`"}`, `{"a":"`+long+`",`+"\r\n "+`"b":`+c.kept+`, "c" : "`+c.piece[:8]+`"}`
		want = `{"a":` + clipString(t, `"`+long+`"`, false) + want[strings.Index(want, ",\r"):]
		for _, oneByte := range []bool{false, true} {
			if got := clipString(t, in, oneByte); got != want {
				t.Errorf("%d bytes became %d, want %d", len(in), len(got), len(want))
			}
		}
	}
}
