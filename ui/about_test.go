package ui

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
	"holdfast/widgets"
)

func TestAboutByKeyboard(t *testing.T) {
	d := newDesk(t, 700, 700)
	d.show(func(s *session.Snapshot) {
		joined(s)
		s.Server = &session.Server{Version: "0.159.1", Platform: "linux"}
	})
	d.press(fyne.KeyF1, ctrl)
	wantEqual(t, "dialog", d.dialog(), "about")
	if got := texts(widgets.Top(d.c)); !strings.Contains(got, "Codex 0.159.1 linux") || !strings.Contains(got, "Fyne v2") {
		t.Errorf("the dialog says %q", got)
	}
	wantList(t, "the Tab order", d.tabs(4), []string{"cancel", "diagnostics", "licences", "cancel"})
	d.focusIn("licences")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "licence")
	d.press(fyne.KeyEscape, 0)
	wantEqual(t, "dialog", d.dialog(), "about")
	wantEqual(t, "the keyboard is at", d.focus(), "licences")
}

// A bundle is written to a file that is named, whole or not at all.
func TestDiagnosticsByKeyboard(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	d := newDesk(t, 700, 700)
	d.show(joined)
	d.press(fyne.KeyF1, shiftCtrl)
	wantEqual(t, "dialog without a maker", d.dialog(), "")
	for name, fails := range map[string]error{"a.zip": nil, "b.zip": errors.New("no room")} {
		d.w.opts.Diagnostics = func(to io.Writer, _, state string) error {
			_, err := io.WriteString(to, state)
			return errors.Join(err, fails)
		}
		d.press(fyne.KeyF1, shiftCtrl)
		path := filepath.Join(home, name)
		d.c.Focused().(*widgets.Field).SetText(path)
		d.press(fyne.KeyReturn, 0)
		d.drain()
		text, err := os.ReadFile(path)
		if (err == nil) != (fails == nil) || err == nil && string(text) != d.snap.Status.State.String() {
			t.Errorf("%s holds %q, %v", name, text, err)
		}
	}
}

// A window in which nothing is chosen says what it is connected to and what to
// do; without an account it offers the demonstration.
func TestAnEmptyWindowExplainsItself(t *testing.T) {
	d := newDesk(t, 1200, 800)
	say := func() string {
		var out []string
		for _, l := range d.w.emptyText(d.w.snap) {
			out = append(out, l.String())
		}
		return strings.Join(out, "\n")
	}
	wantEqual(t, "before anything", say(), "No conversation is selected.")
	d.show(func(s *session.Snapshot) {
		s.Status = &session.Status{State: session.AwaitingSelection, Actions: []session.Action{session.ActSelect}}
		s.Server = &session.Server{Version: "0.159.1", Endpoint: "stdio"}
	})
	for _, want := range []string{"Connected to Codex 0.159.1 · stdio.", "(Alt+1)", "Ctrl+N", "Join (Ctrl+J)", "F1 lists all keys"} {
		if got := say(); !strings.Contains(got, want) {
			t.Errorf("it says %q, want %q in it", got, want)
		}
	}
	d.show(func(s *session.Snapshot) { s.Account = &session.Account{Known: true, Needed: true} })
	if got := say(); !strings.Contains(got, "holdfast demo") || !strings.Contains(got, "Ctrl+Shift+I") {
		t.Errorf("without an account it says %q", got)
	}
}
