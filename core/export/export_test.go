package export

import (
	"errors"
	"strings"
	"testing"
	"time"

	"holdfast/core/protocol"
)

func TestExport(t *testing.T) {
	exit := int64(1)
	items := []struct {
		turn string
		item protocol.Item
	}{
		{"u1", protocol.Item{StartedAtMs: 1, Body: protocol.UserMessage{Content: []protocol.UserInput{
			{Type: "text", Text: "# not a title\nhello"}, {Type: "localImage", Path: "/a.png"}, {Type: "image", Media: "image/png"},
		}}}},
		{"u1", protocol.Item{Body: protocol.Reasoning{Summary: []string{"thought"}}}},
		{"u1", protocol.Item{Body: protocol.CommandExecution{Command: "ls", Output: "a\x1b[31m```b\n", ExitCode: &exit}, Cuts: []protocol.Cut{{Field: "aggregatedOutput", Bytes: 9}}}},
		{"u1", protocol.Item{Body: protocol.FileChange{Changes: []protocol.FileUpdate{{Path: "x.go\n", Kind: "update", Diff: "+a"}}}}},
		{"u1", protocol.Item{Body: protocol.AgentMessage{Text: "done\u202e!"}}},
		{"u2", protocol.Item{Body: protocol.Compaction{}}},
		{"u2", protocol.Item{Type: "new/kind", Body: protocol.UnknownItem{Summary: "{}"}}},
		{"u2", protocol.Item{Body: protocol.ToolCall{Tool: "t", Arguments: "{}", Result: "r"}, Cuts: []protocol.Cut{{Field: "result", Server: true}}}},
	}
	var b strings.Builder
	w := New(&b, Head{Title: "a\nb", Folder: "/w", Product: "Holdfast", At: time.Date(2026, 11, 30, 14, 2, 0, 0, time.UTC)})
	for _, x := range items {
		w.Item(x.turn, x.item)
	}
	w.Note("the\nend")
	want := `# a b

Folder: /w  
Exported: 2026-11-30 14:02 by Holdfast  

---

## You · 1970-01-01 00:00 UTC

# not a title
hello

[localImage: /a.png]

[image]

**Thinking**

~~~
thought
~~~

**Command · exit 1**

~~~~console
$ ls
a~~~b
~~~~

> Shortened here: aggregatedOutput has 9 bytes in all.

**File update: x.go**

~~~diff
+a
~~~

## Codex

done�!

---

*The context before this was summarized.*

**new/kind**

~~~
{}
~~~

**Tool t**

~~~
{}
r
~~~

> The server shortened this (result).

> the end
`
	want = strings.ReplaceAll(want, "~", "`")
	if b.String() != want || w.Items != len(items) || w.Cut != 2 || w.Err() != nil {
		t.Errorf("%d items, %d cut, %v, written\n%s\nwant\n%s", w.Items, w.Cut, w.Err(), b.String(), want)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestAFullDisk(t *testing.T) {
	w := New(full{}, Head{})
	w.Item("u", protocol.Item{Body: protocol.AgentMessage{Text: "x"}})
	if !errors.Is(w.Err(), errFull) {
		t.Errorf("Err = %v", w.Err())
	}
}
