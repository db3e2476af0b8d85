package protocol

import (
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// A repeated reads as text repeated n times, without holding it.
type repeated struct {
	text string
	n    int
	at   int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) && r.n > 0 {
		c := copy(p[n:], r.text[r.at:])
		n += c
		if r.at += c; r.at == len(r.text) {
			r.at = 0
			r.n--
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// A gauge notes the largest heap seen while its source is read.
type gauge struct {
	io.Reader
	peak uint64
	n    int
}

func (g *gauge) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	if g.n += n; g.n > 256<<10 {
		g.n = 0
		g.peak = max(g.peak, heap())
	}
	return n, err
}

func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// pageReader is an items page in which each item holds n times text.
func pageReader(items int, before, text string, n int, after string) io.Reader {
	parts := []io.Reader{strings.NewReader(`{"data":[`)}
	for i := range items {
		comma := ","
		if i == 0 {
			comma = ""
		}
		parts = append(parts, strings.NewReader(comma+fmt.Sprintf(before, i)), &repeated{text: text, n: n}, strings.NewReader(after))
	}
	return io.MultiReader(append(parts, strings.NewReader(`],"nextCursor":null}`))...)
}

const (
	agentBefore   = `{"turnId":"t","item":{"type":"agentMessage","id":"m%d","text":"`
	agentAfter    = `","phase":null}}`
	commandBefore = `{"turnId":"t","item":{"type":"commandExecution","id":"c%d","command":"x","cwd":"/","status":"completed","aggregatedOutput":"`
	commandAfter  = `","exitCode":0}}`
)

func TestPagesAreDecodedAsAStream(t *testing.T) {
	const line = "0123456789 abcdefghijklmnopqrstu\\n" // 33 bytes decoded
	for _, c := range []struct {
		name          string
		items         int
		before, after string
		lines         int
		kept, bytes   int64
	}{
		{"messages of 1 MiB are whole", 16, agentBefore, agentAfter, 31775, 31775 * 33, 31775 * 33},
		{"outputs of 1 MiB are cut", 100, commandBefore, commandAfter, 31775, maxField + 2, 31775*33 + 2},
		{"an output of 200 MiB is cut", 1, commandBefore, commandAfter, 6_355_000, maxField + 2, 6_355_000*33 + 2},
		{"a message of 200 MiB is cut", 1, agentBefore, agentAfter, 6_355_000, maxMessage, 6_355_000 * 33},
	} {
		t.Run(c.name, func(t *testing.T) {
			runtime.GC()
			base := heap()
			g := &gauge{Reader: pageReader(c.items, c.before, line, c.lines, c.after)}
			var r ThreadItemsListResult
			if err := json.UnmarshalDecode(NewDecoder(g), &r); err != nil {
				t.Fatal(err)
			}
			if len(r.Data) != c.items {
				t.Fatalf("%d items, want %d", len(r.Data), c.items)
			}
			var kept int64
			for _, e := range r.Data {
				n := int64(PlainLen(e.Item))
				if n > c.kept || n < c.kept-8 || e.Item.Bytes != c.bytes {
					t.Fatalf("%d of %d bytes kept, want about %d of %d", n, e.Item.Bytes, c.kept, c.bytes)
				}
				kept += n
			}
			if over := int64(g.peak) - int64(base) - kept; over > 64<<20 {
				t.Errorf("%d MiB above what is kept, want at most 64", over>>20)
			} else {
				t.Logf("%d MiB above the %d MiB kept", over>>20, kept>>20)
			}
		})
	}
}

// A page of more text than a window holds is over, and none of it stays.
func TestAPageOfTooMuchText(t *testing.T) {
	runtime.GC()
	base := heap()
	g := &gauge{Reader: pageReader(100, agentBefore, "0123456789abcdef", 1<<16, agentAfter)}
	var r ThreadItemsListResult
	if err := json.UnmarshalDecode(NewDecoder(g), &r); err != nil {
		t.Fatal(err)
	}
	if over := int64(g.peak) - int64(base); over > 64<<20 || !r.Over || len(r.Data) != 0 {
		t.Errorf("over %v with %d items, %d MiB at the peak, want at most 64", r.Over, len(r.Data), over>>20)
	}
}

// Payloads are measured as they pass by, whatever they are.
//
// req: ATT-2
func TestPayloadsAreNotHeld(t *testing.T) {
	const before = `{"id":"a%d","attachmentType":"note","identityKey":"k","createdAt":7,"payload":`
	for _, c := range []struct {
		name        string
		records     int
		begin, text string
		n           int
		end         string
		bytes       int64
	}{
		{"a string of 200 MiB", 1, `"`, "0123456789abcdef", 200 << 16, `"`, 200<<20 + 2},
		{"a list of 114 MB", 1, "[1", `,"0123456789abcdef"`, 6_000_000, "]", 3 + 6_000_000*19},
		{"a hundred of 1 MiB", 100, `{"a":"`, "0123456789abcdef", 1 << 16, `"}`, 1<<20 + 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			runtime.GC()
			base := heap()
			g := &gauge{Reader: pageReader(c.records, before+c.begin, c.text, c.n, c.end+"}")}
			var r ThreadAttachmentListResult
			if err := json.UnmarshalDecode(NewDecoder(g), &r); err != nil {
				t.Fatal(err)
			}
			if len(r.Data) != c.records || r.Data[0].Bytes != c.bytes || r.Data[0].Problem == "" {
				t.Errorf("%d records, the first %+v, want %d of %d bytes", len(r.Data), r.Data[0], c.records, c.bytes)
			}
			if over := int64(g.peak) - int64(base); over > 64<<20 {
				t.Errorf("%d MiB, want at most 64", over>>20)
			} else {
				t.Logf("%d MiB", over>>20)
			}
		})
	}
}

func TestALargeToolResultIsNotHeld(t *testing.T) {
	const before = `{"turnId":"t","item":{"type":"mcpToolCall","id":"m%d","tool":"t","result":{"content":[],"structuredContent":[1`
	runtime.GC()
	base := heap()
	g := &gauge{Reader: pageReader(1, before, `,"0123456789abcdef"`, 6_000_000, `]}}}`)}
	var r ThreadItemsListResult
	if err := json.UnmarshalDecode(NewDecoder(g), &r); err != nil {
		t.Fatal(err)
	}
	if got, want := r.Data[0].Item.Bytes, int64(len("t\n[1]")+6_000_000*19); got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
	if over := int64(g.peak) - int64(base); over > 64<<20 {
		t.Errorf("%d MiB for a result of 114 MB", over>>20)
	}
}
