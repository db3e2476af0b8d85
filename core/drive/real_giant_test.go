package drive_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// A page of items may hold a MiB of output for each command, in one frame. The
// rows keep a part of each, say so, and tell the true length (ruling 9).
func TestAPageOfGiantOutputs(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		// Where it is in a hurry the server leaves out some of an output itself.
		const commands, bound = 12, 128 << 10
		h := realserver.New(t, version, fakemodel.Config{Sandbox: "danger-full-access", Approval: "never"})
		srv := h.ListenWS()
		var steps []fakemodel.Step
		for range commands {
			steps = append(steps, fakemodel.Call{Name: "exec_command", Arguments: object{
				"cmd": "head -c 1048576 /dev/zero | tr '\\0' x", "yield_time_ms": 30_000,
			}})
		}
		thread, err := srv.Maker().Make(h.Context(), seed.Thread{Turns: []seed.Turn{{
			Ask: "print much", Answers: []fakemodel.Script{fakemodel.Answer(steps...), fakemodel.Say("printed")},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		s := begin(t, remote(h, srv))
		s.untilState("awaiting-selection")
		s.run(object{"do": "select", "thread": thread})
		found, cut := 0, 0
		dir := t.TempDir()
		for _, r := range s.list("rows") {
			if r["kind"] != "commandExecution" {
				continue
			}
			found++
			if bytes := r["bytes"].(float64); (bytes > bound+1024) != (r["cut"] == "local") {
				t.Errorf("%v bytes, cut %v, want a local cut of what is over %d", bytes, r["cut"], bound)
			}
			if r["cut"] == "local" {
				cut++
			}
			if n := len(s.texts[key(r)]); n > 64<<10 || n < 32<<10 {
				t.Errorf("%d bytes in the snapshot, want about 64 KiB", n)
			}
			n := s.send(line(t, object{"do": "row", "turn": r["turn"], "item": r["item"]}))
			s.done(n)
			if text := s.rows[n]["text"].(string); len(text) > bound+4096 || !strings.HasSuffix(strings.TrimSpace(text), "xxx") {
				t.Errorf("the row keeps %d bytes and ends %q", len(text), text[max(0, len(text)-20):])
			}
			file := filepath.Join(dir, r["item"].(string))
			n = s.send(line(t, object{"do": "row", "turn": r["turn"], "item": r["item"], "file": file}))
			s.done(n)
			got, err := os.ReadFile(file)
			if err != nil || float64(len(got)) != r["bytes"] || s.rows[n]["file"] != file || s.rows[n]["bytes"] != r["bytes"] {
				t.Errorf("%d bytes in the file, %v, event %v, want %v bytes", len(got), err, s.rows[n], r["bytes"])
			}
		}
		if found != commands || cut == 0 {
			t.Errorf("%d commands, %d of them cut, want %d and some", found, cut, commands)
		}
		s.quit()
	})
}
