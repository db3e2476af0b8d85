package itemtext

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

const pageOfItems = `{"data":[
 {"turnId":"u1","item":{"type":"agentMessage","id":"i1","text":"not this one"}},
 {"turnId":"u1","item":{"type":"commandExecution","id":"i2","command":"ls -l","cwd":"/w","status":"completed",
   "commandActions":[{"type":"listFiles","command":"ls","path":"/w"}],"aggregatedOutput":"a\tb\nc \"d\" \u00e9 \ud83d\ude00 \ud800x","exitCode":0}},
 {"turnId":"u1","item":{"id":"i3","type":"fileChange","status":"completed","changes":[
   {"path":"a.go","kind":{"type":"update","move_path":"b.go"},"diff":"+x\n-y"},{"path":"c","kind":{"type":"add"},"diff":"z"}]}},
 {"turnId":"u1","item":{"type":"mcpToolCall","id":"i4","server":"s","tool":"t","status":"completed","arguments":{"a":[1,"x\"y"], "b":null},
   "result":{"content":[{"type":"text","text":"one"},{"type":"image","data":"AAAA","mimeType":"image/png"}],"structuredContent":null},"error":null}},
 {"turnId":"u1","item":{"type":"userMessage","id":"i5","clientId":"c","content":[{"type":"text","text":"hello"},{"type":"image","url":"data:AAAA"}]}},
 {"turnId":"u1","item":{"type":"reasoning","id":"i6","summary":["s1","s2"],"content":["c1"]}},
 {"turnId":"u1","item":{"type":"somethingNew","id":"i7","text":"new","deep":{"a":[true,1.5e3]}}},
 {"turnId":"u1","item":{"type":"imageGeneration","id":"i8","revisedPrompt":"a cat","result":"AAAA","savedPath":"/p"}},
 {"item":{"id":"i9","text":"type last","type":"agentMessage"},"turnId":"u1"},
 {"turnId":"u2","item":{"type":"agentMessage","id":"i2","text":"of another turn"}}
],"nextCursor":"c2","backwardsCursor":null}`

func TestFromItems(t *testing.T) {
	for _, c := range []struct{ turn, item, want string }{
		{"u1", "i1", "not this one"},
		{"u1", "i2", "ls -l\na\tb\nc \"d\" é 😀 \uFFFDx"},
		{"u1", "i3", "a.go\n[update]\nb.go\n+x\n-y\nc\n[add]\nz"},
		{"u1", "i4", "s\nt\n{\"a\":[1,\"x\\\"y\"],\"b\":null}\none\n[image]"},
		{"u1", "i5", "hello\n[image]"},
		{"u1", "i6", "s1\ns2\nc1"},
		{"u1", "i7", "text: \"new\"\ndeep: {\"a\":[true,1.5e3]}"},
		{"u1", "i8", "a cat\n/p"},
		{"u1", "i9", "type last"},
		{"u2", "i2", "of another turn"},
	} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(pageOfItems), "by bytes": iotest.OneByteReader(strings.NewReader(pageOfItems)),
			"as a member": strings.NewReader(" : " + pageOfItems + `,"more":1}`),
		} {
			var out strings.Builder
			got, err := FromItems(r, c.turn, c.item, &out)
			if err != nil || !got.Found || got.Next == nil || *got.Next != "c2" || out.String() != c.want {
				t.Errorf("%s %s/%s: %q, %+v, %v, want %q", name, c.turn, c.item, out.String(), got, err, c.want)
			}
		}
	}
}

func TestWhatIsNotThere(t *testing.T) {
	var out strings.Builder
	got, err := FromItems(strings.NewReader(pageOfItems), "u1", "i0", &out)
	if err != nil || got.Found || got.Next == nil || out.Len() > 0 {
		t.Errorf("%+v, %v, %q", got, err, out.String())
	}
	got, err = FromItems(strings.NewReader(`{"data":[],"nextCursor":null}`), "u1", "i9", &out)
	if err != nil || got != (Page{}) {
		t.Errorf("%+v, %v", got, err)
	}
}

// A server that sorts its names writes text before the ID: the place counts then.
func TestFromItemsAt(t *testing.T) {
	const page = `{"data":[{"item":{"aggregatedOutput":"a","command":"x","id":"i1","type":"commandExecution"},"turnId":"u1"},
	 {"item":{"aggregatedOutput":"b","command":"y","id":"i2","type":"commandExecution"},"turnId":"u1"}],"nextCursor":"c"}`
	if _, err := FromItems(strings.NewReader(page), "u1", "i2", io.Discard); !errors.Is(err, ErrOrder) {
		t.Errorf("by its ID: %v, want %v", err, ErrOrder)
	}
	for i, want := range []string{"a\nx", "b\ny", ""} {
		var out strings.Builder
		got, err := FromItemsAt(strings.NewReader(page), i, &out)
		if err != nil || got.Found != (want != "") || out.String() != want || *got.Next != "c" {
			t.Errorf("%d: %q, %+v, %v, want %q", i, out.String(), got, err, want)
		}
	}
}

func TestFromTurn(t *testing.T) {
	const page = `{"data":[{"id":"u1","status":"completed","items":[
	 {"type":"userMessage","id":"x","content":[{"type":"text","text":"q"}]},{"type":"agentMessage","id":"x","text":"a"}]}],"nextCursor":null}`
	for i, want := range []string{"q", "a"} {
		var out strings.Builder
		if got, err := FromTurn(strings.NewReader(page), "u1", i, &out); err != nil || !got.Found || out.String() != want {
			t.Errorf("%d: %q, %+v, %v, want %q", i, out.String(), got, err, want)
		}
	}
	for _, c := range []struct {
		turn  string
		index int
	}{{"u1", 2}, {"u2", 0}} {
		if got, err := FromTurn(strings.NewReader(page), c.turn, c.index, io.Discard); err != nil || got.Found {
			t.Errorf("%v: %+v, %v", c, got, err)
		}
	}
}

func TestBadPages(t *testing.T) {
	item := func(s string) string { return `{"data":[{"turnId":"u1","item":` + s + `}]}` }
	for _, c := range []struct {
		name, page string
		want       error
	}{
		{"a torn string", `{"data":[{"turnId":"u1","item":{"type":"agentMessage","id":"i1","text":"abc`, io.ErrUnexpectedEOF},
		{"a torn list", `{"data":[`, io.ErrUnexpectedEOF},
		{"text before the ID", item(`{"type":"agentMessage","text":"x","id":"i1"}`), ErrOrder},
		{"a bad escape", item(`{"type":"agentMessage","id":"i1","text":"\x"}`), errSyntax},
		{"a bad point", item(`{"type":"agentMessage","id":"i1","text":"\uzzzz"}`), errSyntax},
		{"a long ID", item(`{"type":"agentMessage","id":"` + strings.Repeat("x", maxShort+1) + `"}`), errShort},
		{"no colon", `{"data" []}`, errSyntax},
	} {
		if _, err := FromItems(strings.NewReader(c.page), "u1", "i1", io.Discard); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	long := item(`{"type":"agentMessage","id":"` + strings.Repeat("x", maxShort) + `"}`)
	if got, err := FromItems(strings.NewReader(long), "u1", strings.Repeat("x", maxShort), io.Discard); err != nil || !got.Found {
		t.Errorf("an ID at the bound: %+v, %v", got, err)
	}
}

// full is a writer that takes no more than left bytes.
type full struct{ left int }

var errFull = errors.New("full")

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestASinkThatFails(t *testing.T) {
	page := `{"data":[{"turnId":"u1","item":{"type":"agentMessage","id":"i1","text":"` + strings.Repeat("x", 1<<20) + `"}}]}`
	if got, err := FromItems(strings.NewReader(page), "u1", "i1", &full{1 << 19}); !errors.Is(err, ErrSink) || !errors.Is(err, errFull) || got.Found {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := FromItems(strings.NewReader(page), "u1", "i1", &full{1 << 20}); err != nil || !got.Found {
		t.Errorf("%+v, %v", got, err)
	}
}

// A text of 100 MB passes through without being held (ruling 9).
func TestNothingIsHeld(t *testing.T) {
	const size = 100 << 20
	page := func() io.Reader {
		return io.MultiReader(strings.NewReader(`{"data":[{"turnId":"u1","item":{"type":"agentMessage","id":"i1","text":"`),
			io.LimitReader(letters{}, size), strings.NewReader(`"}}],"nextCursor":null}`))
	}
	var n counter
	allocated := testing.Benchmark(func(b *testing.B) {
		n = 0
		if got, err := FromItems(page(), "u1", "i1", &n); err != nil || !got.Found {
			b.Fatalf("%+v, %v", got, err)
		}
	}).AllocedBytesPerOp()
	if n != size || allocated > 1<<20 {
		t.Errorf("%d bytes came through, %d were allocated", n, allocated)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// Whatever comes, it ends, and what is well formed is copied as it is decoded.
func FuzzFromItems(f *testing.F) {
	f.Add(pageOfItems)
	f.Add(`{"data":[{"turnId":"u1","item":{"type":"agentMessage","id":"i1","text":"\ud83d\u"}}]}`)
	f.Add(`[[[[{"a":"\"`)
	f.Fuzz(func(t *testing.T, page string) {
		var a, b strings.Builder
		p, err := FromItems(strings.NewReader(page), "u1", "i1", &a)
		q, err2 := FromItems(iotest.OneByteReader(strings.NewReader(page)), "u1", "i1", &b)
		if p.Found != q.Found || (err == nil) != (err2 == nil) || a.String() != b.String() {
			t.Errorf("%+v %v %q by bytes is %+v %v %q", p, err, a.String(), q, err2, b.String())
		}
	})
}
