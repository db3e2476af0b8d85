package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// tried are the cases that every run of the tests tries: one or two of each
// kind, none that takes long. "go run ./tools/hostile try" tries them all.
var tried = []string{
	"behaves", "http 302", "http 401", "version holdfast/0.1", "command ends", "close frame at once",
	"frame: binary", "frame: not JSON", "frame: unknown ids", "frame: nested 100,000 deep", "frame: results null", "frame: every answer twice",
	"cursor thread/list: alternates", "cursor model/list: never ends, empty pages", "cursor thread/items/list: of a number",
	"page: 100,000 threads", "page: items without ids", "answer: another thread is resumed",
	"text: controls", "text: bidi", "text: links",
	"event: threads never seen", "event: completed twice, of another type", "event: wrong kinds everywhere", "event: the thread is deleted",
	"request: ids of every kind", "request: 10,000 questions", "request: resolved before asked",
	"field: account/read account.type", "drop: at request 7", "drop: after answer 9",
}

// Against a server that misbehaves drive does not hang, crash, lose text, send
// anything twice, write a raw control character or grow.
func TestHostileServers(t *testing.T) {
	drive := filepath.Join(t.TempDir(), "holdfast-headless")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", drive, "holdfast/cmd/holdfast-headless")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	all := cases()
	for _, name := range tried {
		i := slices.IndexFunc(all, func(c *testCase) bool { return c.name == name })
		if i < 0 {
			t.Errorf("there is no case %q", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			all[i].env = append(all[i].env, "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home)
			for _, w := range try(t.Context(), drive, all[i]).wrong {
				t.Error(w)
			}
		})
	}
}

// A trial notices what it is there to notice.
func TestATrialSeesWhatIsWrong(t *testing.T) {
	for name, tt := range map[string]struct {
		lines []string
		want  int
	}{
		"nothing":    {[]string{`{"event":"hello"}`, `{"event":"done","cmd":1,"ok":true}`}, 0},
		"twice done": {[]string{`{"event":"done","cmd":1}`, `{"event":"done","cmd":1}`}, 1},
		"no JSON":    {[]string{`{`}, 1},
		"a control":  {[]string{"{\"event\":\"x\",\"y\":\"\x1b\"}"}, 2},
		"a bidi":     {[]string{"{\"event\":\"x\",\"y\":\"\u202e\"}"}, 1},
	} {
		tr := &trial{dones: map[int]obj{}, state: obj{}}
		for _, l := range tt.lines {
			tr.fold([]byte(l))
		}
		if len(tr.said) != tt.want {
			t.Errorf("%s: %q, want %d complaints", name, tr.said, tt.want)
		}
	}
}
