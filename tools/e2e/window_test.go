//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"holdfast/core/realserver"
)

// deadline bounds every wait for the window.
const deadline = 30 * time.Second

// A shown is what the state file says.
type shown struct {
	State    string `json:"state"`
	Title    string `json:"title"`
	Banner   string `json:"banner"`
	Thread   string `json:"thread"`
	Joined   bool   `json:"joined"`
	Live     bool   `json:"live"`
	Access   string `json:"access"`
	Turn     string `json:"turn"`
	Threads  int    `json:"threads"`
	Listed   string `json:"listed"`
	Rows     int    `json:"rows"`
	LastRow  string `json:"lastRow"`
	LastHash string `json:"lastHash"`
	Composer int    `json:"composer"`
	Main     string `json:"main"`
	Cards    int    `json:"cards"`
	Card     string `json:"card"`
	Answered bool   `json:"answered"`
	Dialog   string `json:"dialog"`
	Focus    string `json:"focus"`
	Theme    string `json:"theme"`
	Width    float64
	Narrow   bool `json:"narrow"`
	Drawer   bool `json:"drawer"`
}

// A window is the program while it runs.
type window struct {
	t     *testing.T
	state string
	errs  *bytes.Buffer
	gone  chan error
}

// open starts the program on a home.
func open(t *testing.T, h *realserver.Home, flags ...string) *window {
	t.Helper()
	root, err := realserver.Root()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(root, "bin", "holdfast")
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("%v: run `make build`", err)
	}
	own := t.TempDir()
	w := &window{t: t, state: filepath.Join(own, "state.json"), errs: &bytes.Buffer{}, gone: make(chan error, 1)}
	args := append([]string{
		"--codex", h.Codex, "--codex-home", h.Dir, "--cwd", h.Work, "--state-file", w.state,
	}, flags...)
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(h.Env(), "XDG_CONFIG_HOME="+own, "XDG_CACHE_HOME="+own, "XDG_STATE_HOME="+own, "XDG_DATA_HOME="+own)
	cmd.Stdout, cmd.Stderr = w.errs, w.errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { w.gone <- cmd.Wait() }()
	return w
}

// now reads the state file; a zero shown while there is none yet.
func (w *window) now() shown {
	var s shown
	data, err := os.ReadFile(w.state)
	if err != nil {
		return s
	}
	if err := json.Unmarshal(data, &s); err != nil {
		w.t.Errorf("state file: %v in %q", err, data)
	}
	return s
}

// until waits until the window shows what is wanted.
func (w *window) until(what string, want func(shown) bool) shown {
	w.t.Helper()
	over := time.NewTimer(deadline)
	defer over.Stop()
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for {
		if s := w.now(); want(s) {
			return s
		}
		select {
		case err := <-w.gone:
			w.t.Fatalf("the window ended (%v) before: %s\n%s", err, what, w.errs)
		case <-over.C:
			shot(w.t, "failed-"+w.t.Name())
			w.t.Fatalf("no sign of: %s\nit shows %+v", what, w.now())
		case <-poll.C:
		}
	}
}

// retry presses keys again and again until the window shows what is wanted:
// for keys that it may rightly ignore at first.
func (w *window) retry(what string, keys string, want func(shown) bool) {
	w.t.Helper()
	for range 20 {
		press(w.t, keys)
		over := time.NewTimer(700 * time.Millisecond)
		poll := time.NewTicker(20 * time.Millisecond)
		for waiting := true; waiting; {
			if want(w.now()) {
				over.Stop()
				poll.Stop()
				return
			}
			select {
			case <-over.C:
				waiting = false
			case <-poll.C:
			}
		}
		poll.Stop()
	}
	w.t.Fatalf("%s never led to: %s\nit shows %+v", keys, what, w.now())
}

// tabTo moves the keyboard with Tab until the thing of that name has it.
func (w *window) tabTo(name string) {
	w.t.Helper()
	for range 60 {
		before := w.now().Focus
		if before == name {
			return
		}
		press(w.t, "Tab")
		w.until("a move of the focus from "+before, func(s shown) bool { return s.Focus != before })
	}
	w.t.Fatalf("Tab never reaches %q; it is at %+v", name, w.now())
}

// ends waits for the program's end.
func (w *window) ends() {
	w.t.Helper()
	over := time.NewTimer(deadline)
	defer over.Stop()
	select {
	case err := <-w.gone:
		if err != nil {
			w.t.Errorf("the window ended with %v\n%s", err, w.errs)
		}
	case <-over.C:
		w.t.Fatalf("the window does not end; it shows %+v", w.now())
	}
}
