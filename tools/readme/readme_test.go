package readme

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/core/profile"
	"holdfast/tools/internal/tree"
)

// how says how a command is run, where running it plainly would not do.
type how struct {
	instead string                       // run this instead
	check   func(t *testing.T, r result) // judge it otherwise than by its exit status
}

var special = map[string]how{
	// The test is part of make test, so it can only ask what make would do.
	"make test":    {instead: "make -n test"},
	"make mutants": {instead: "make -n mutants"},
	// A bound that this machine misses now is not the README's fault.
	"make bench": {check: wantFigures},
	// A person closes the window; here a key does.
	"make run":  {check: wantDemoNamed},
	"make demo": {check: wantPictures},
}

// result is what a command left.
type result struct {
	dir, out string
	err      error
}

func TestCommands(t *testing.T) {
	c := newCopy(t)
	for _, command := range commands(t, "sh") {
		t.Run(command, func(t *testing.T) {
			h := special[command]
			run := command
			if h.instead != "" {
				run = h.instead
			}
			r := c.run(t, run)
			if h.check != nil {
				h.check(t, r)
			} else if r.err != nil {
				t.Errorf("%v\n%s", r.err, r.out)
			}
		})
	}
}

// TestRunOpensTheWindow runs the second command where there is a display, and closes the window as a person does.
func TestRunOpensTheWindow(t *testing.T) {
	c := newCopy(t)
	r := c.run(t, `tools/xvfb sh -c '
		make run >run.log 2>&1 & make=$!
		for i in $(seq 600); do xdotool search --onlyvisible --name Holdfast >window && break; sleep 0.2; done
		xdotool windowfocus --sync "$(head -n 1 window)" key alt+F4 || { cat run.log; kill $make; exit 1; }
		wait $make; status=$?; cat run.log; exit $status'`)
	if r.err != nil {
		t.Errorf("%v\n%s", r.err, r.out)
	}
}

// TestSettings loads the profiles that the README shows.
func TestSettings(t *testing.T) {
	for _, text := range blocks(t, "toml") {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := profile.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range f.Profiles {
			names = append(names, p.Name)
		}
		if want := []string{"local", "workstation", "shared"}; !slices.Equal(names, want) || f.Use != "local" {
			t.Errorf("profiles %q, using %q, want %q using local", names, f.Use, want)
		}
	}
}

// TestTargets looks up every make target that the text names.
func TestTargets(t *testing.T) {
	makefile := read(t, "Makefile")
	for _, m := range regexp.MustCompile("`make ([a-z0-9]+)").FindAllStringSubmatch(read(t, "README.md"), -1) {
		if !strings.Contains(makefile, "\n"+m[1]+":") {
			t.Errorf("there is no target %s", m[1])
		}
	}
}

func wantDemoNamed(t *testing.T, r result) {
	var exit *exec.ExitError
	if !errors.As(r.err, &exit) || !strings.Contains(r.out, "make demo") {
		t.Errorf("without a display: %v, want a failure that names make demo\n%s", r.err, r.out)
	}
}

func wantPictures(t *testing.T, r result) {
	var pictures []string
	for line := range strings.Lines(r.out) {
		if path := strings.TrimSpace(line); strings.HasPrefix(path, "out/demo/") {
			if _, err := os.Stat(filepath.Join(r.dir, path)); err != nil {
				t.Error(err)
			}
			pictures = append(pictures, path)
		}
	}
	if r.err != nil || len(pictures) < 5 {
		t.Errorf("%v, and %d pictures\n%s", r.err, len(pictures), r.out)
	}
}

// figures are those that make bench is asked for here: the others take minutes.
var figures = []string{"window_usable", "awaiting_selection", "open_3000", "decode", "frame_31mb"}

func wantFigures(t *testing.T, r result) {
	for _, name := range figures {
		if !regexp.MustCompile(`(?m)^` + name + ` [0-9.]+ [A-Za-z/]+ [<>]=[0-9.]+$`).MatchString(r.out) {
			t.Errorf("no figure for %s\n%s", name, r.out)
		}
	}
}

// treeCopy is the tree as a new user has it, and an environment without what a developer's may hold.
type treeCopy struct {
	dir string
	env []string
}

func newCopy(t *testing.T) *treeCopy {
	t.Helper()
	c := &treeCopy{dir: t.TempDir()}
	if err := tree.Copy(t.Context(), root, c.dir); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	codex := filepath.Join(c.dir, ".tools", "codex", "0.159.1", "node_modules", ".bin")
	for _, v := range os.Environ() {
		switch name, _, _ := strings.Cut(v, "="); {
		case strings.HasPrefix(name, "XDG_"), strings.HasPrefix(name, "CODEX"), strings.HasPrefix(name, "MAKE"),
			slices.Contains([]string{"HOME", "PATH", "DISPLAY", "WAYLAND_DISPLAY", "CGO_ENABLED", "MFLAGS"}, name):
		default:
			c.env = append(c.env, v)
		}
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		c.env = append(c.env, name+"="+strings.TrimSpace(string(out)))
	}
	c.env = append(c.env, "HOME="+home, "CODEX_HOME="+filepath.Join(home, ".codex"), "FUZZTIME=1s", "SEQUENCES=1000", "BENCH="+strings.Join(figures, " "),
		"PATH="+codex+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := os.Mkdir(filepath.Join(home, ".codex"), 0o700); err != nil {
		t.Fatal(err)
	}
	return c
}

// run runs a line in the copy as a shell does.
func (c *treeCopy) run(t *testing.T, line string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir, cmd.Env = c.dir, c.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w", line, err)
	}
	return result{c.dir, string(out), err}
}

// commands are the lines of the README's blocks of that kind.
func commands(t *testing.T, kind string) []string {
	t.Helper()
	var all []string
	for _, block := range blocks(t, kind) {
		for line := range strings.Lines(block) {
			if line = strings.TrimSpace(line); line != "" {
				all = append(all, line)
			}
		}
	}
	return all
}

// blocks are the fenced blocks of that kind; there must be some.
func blocks(t *testing.T, kind string) []string {
	t.Helper()
	var all []string
	for _, m := range regexp.MustCompile("(?s)```"+kind+"\n(.*?)```").FindAllStringSubmatch(read(t, "README.md"), -1) {
		all = append(all, m[1])
	}
	if len(all) == 0 {
		t.Fatalf("the README has no %s block", kind)
	}
	return all
}

var root = filepath.Join("..", "..")

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
