package session

import (
	"fmt"
	"strings"
	"testing"
)

// Files are looked for in the conversation's folder, also while it is only read,
// and nothing that leads out of it is offered.
func TestFindFiles(t *testing.T) {
	bubble(t, func(r *rig) {
		var got []File
		find := FindFiles{Query: "par", To: func(f []File) { got = f }}
		r.refused(find, "no-selection")
		r.must(Select{Thread: "t1"})
		file := func(kind, path string) any {
			return map[string]any{"root": "/w", "path": path, "match_type": kind, "file_name": "x", "score": 1}
		}
		all := []any{file("file", "parser.go"), file("directory", "src/par"), file("file", "../secret"), file("file", "/etc/passwd"), file("file", "")}
		for i := range maxFiles {
			all = append(all, file("file", fmt.Sprint("more/", i)))
		}
		r.srv.Answer("fuzzyFileSearch", map[string]any{"files": all})
		r.must(find)
		if len(got) != maxFiles || got[0] != (File{Path: "parser.go"}) || got[1] != (File{Path: "src/par", Folder: true}) || got[2].Path != "more/0" {
			t.Errorf("found %d, first %+v; want %d inside the folder", len(got), got[:min(3, len(got))], maxFiles)
		}
		sent := r.srv.Requests("fuzzyFileSearch")
		if len(sent) != 1 || !strings.Contains(string(sent[0].Params), `"query":"par","roots":["`) {
			t.Errorf("asked %+v", sent)
		}
		got = nil
		r.srv.Fail("fuzzyFileSearch", -32603, "no")
		r.refused(find, "read-failed")
		if got != nil {
			t.Errorf("found %+v although it failed", got)
		}
		if x := r.now().Status.State; x != Ready {
			t.Errorf("state %v after a search that failed, want ready", x)
		}
	})
}

// A search that a loss cuts off ends too, so that the next one can be asked.
func TestFindFilesEndsWithTheConnection(t *testing.T) {
	bubble(t, func(r *rig) {
		r.must(Select{Thread: "t1"})
		r.hold("fuzzyFileSearch", map[string]any{"files": []any{}})
		end := r.begin(r.now().At, FindFiles{Query: "par", To: func([]File) { t.Error("found after the loss") }})
		r.settle()
		if end() != nil {
			t.Fatal("it ended without an answer")
		}
		r.srv.Link().Drop()
		r.settle()
		if x := end(); x == nil || x.OK {
			t.Errorf("after the loss: %+v, want a refusal", x)
		}
	})
}
