//go:build e2e

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"holdfast/core/realserver"
	"holdfast/tools/internal/screen"
)

// A person sits before the window: every step fails the test when it cannot be
// done.
type person struct {
	t    *testing.T
	w    *screen.Window
	cmd  *exec.Cmd
	name string // of the pictures
	out  string
}

// sitDown starts the program on a home.
func sitDown(t *testing.T, h *realserver.Home, name string, flags ...string) *person {
	t.Helper()
	state := filepath.Join(t.TempDir(), "state.json")
	cmd := program(t, h, t.TempDir(), append(flags, "--state-file", state)...)
	w, err := screen.Start(cmd, state)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended, unless the test failed
	root, err := realserver.Root()
	if err != nil {
		t.Fatal(err)
	}
	return &person{t: t, w: w, cmd: cmd, name: name, out: filepath.Join(root, "out", "e2e")}
}

// program is the built program on a home, with settings of its own in a folder.
func program(t *testing.T, h *realserver.Home, own string, flags ...string) *exec.Cmd {
	t.Helper()
	root, err := realserver.Root()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "bin", "holdfast")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v: run `make build`", err)
	}
	args := append([]string{"--codex", h.Codex, "--codex-home", h.Dir, "--cwd", h.Work}, flags...)
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), path, args...)
	cmd.Env = append(h.Env(), "XDG_CONFIG_HOME="+own, "XDG_CACHE_HOME="+own, "XDG_STATE_HOME="+own, "XDG_DATA_HOME="+own)
	return cmd
}

// sees waits until the window shows what is wanted.
func (p *person) sees(what string, want func(screen.Shown) bool) screen.Shown {
	p.t.Helper()
	s, err := p.w.Until(p.t.Context(), what, want)
	if err != nil {
		p.picture("failed")
		p.t.Fatal(err)
	}
	return s
}

func (p *person) presses(keys ...string) {
	p.t.Helper()
	if err := screen.Press(p.t.Context(), keys...); err != nil {
		p.t.Fatal(err)
	}
}

// types types into the message, and waits until it is all there.
func (p *person) types(text string) {
	p.t.Helper()
	if err := screen.Type(p.t.Context(), text); err != nil {
		p.t.Fatal(err)
	}
	p.sees("the text "+text, func(s screen.Shown) bool { return s.Composer == len(text) })
}

// movesTo puts the keyboard on a conversation of the list.
func (p *person) movesTo(title string) {
	p.t.Helper()
	if err := p.w.MoveTo(p.t.Context(), title); err != nil {
		p.picture("failed")
		p.t.Fatal(err)
	}
}

// insists presses a key again and again until the window shows what is
// wanted: for keys that it may rightly ignore at first (ruling 40).
func (p *person) insists(key, what string, want func(screen.Shown) bool) {
	p.t.Helper()
	for range 20 {
		p.presses(key)
		if p.w.Within(p.t.Context(), screen.Moment, want) {
			return
		}
	}
	p.picture("failed")
	s, err := p.w.Now()
	p.t.Fatalf("%s never led to: %s; the window shows %+v, %v", key, what, s, err)
}

// tabsTo moves the keyboard with Tab until the thing of that name has it.
func (p *person) tabsTo(name string) {
	p.t.Helper()
	for range 60 {
		s, err := p.w.Now()
		if err != nil {
			p.t.Fatal(err)
		}
		if s.Focus == name {
			return
		}
		p.presses("Tab")
		p.sees("a move of the keyboard from "+s.Focus, func(now screen.Shown) bool { return now.Focus != s.Focus })
	}
	p.picture("failed")
	p.t.Fatalf("Tab never reaches %q", name)
}

// picture keeps a picture of the display.
func (p *person) picture(stage string) {
	p.t.Helper()
	if err := screen.Shot(p.t.Context(), filepath.Join(p.out, p.name+"-"+stage+".png")); err != nil {
		p.t.Error(err)
	}
}

// leaves waits for the program's end.
func (p *person) leaves() {
	p.t.Helper()
	if err := p.w.End(p.t.Context()); err != nil {
		p.picture("failed")
		// One that hangs says where.
		_ = p.cmd.Process.Signal(syscall.SIGQUIT)
		p.t.Fatal(err, p.w.End(p.t.Context()))
	}
}
