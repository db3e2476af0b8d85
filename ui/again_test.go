package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
	"holdfast/widgets"
)

// asked gives the intents without drafts, and forgets them.
func (d *desk) intents() []session.Intent {
	var out []session.Intent
	for _, in := range d.core.asked {
		if _, draft := in.(session.SetDraft); !draft {
			out = append(out, in)
		}
	}
	return out
}

// last answers the newest intent.
func (d *desk) answer(r session.Result) {
	d.core.done[len(d.core.done)-1](r)
	d.drain()
}

// Going back to a message is asked about first, names what goes, and begins at
// Cancel.
// req: UI-2
func TestEditAndSendAgain(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.c.Capture()
	d.press(fyne.Key2, alt)
	d.press(fyne.KeyHome, 0)
	d.core.names()
	d.press(fyne.KeyE, ctrl)
	wantEqual(t, "dialog", d.dialog(), "revert")
	wantEqual(t, "the keyboard begins at", d.focus(), "cancel")
	if got := texts(widgets.Top(d.c)); !strings.Contains(got, "for good") {
		t.Errorf("the dialog says %q", got)
	}
	d.press(fyne.KeyEscape, 0)
	wantList(t, "asked without a yes", d.core.names(), nil)
	d.press(fyne.KeyE, ctrl)
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	in := d.intents()
	if len(in) != 1 || in[0] != (session.Revert{Turn: firstTurn(d.snap)}) {
		t.Errorf("asked %+v", in)
	}
	d.answer(session.Result{OK: true})
	wantEqual(t, "the keyboard is at", d.focus(), "message")

	d.show(running)
	d.core.names()
	d.press(fyne.KeyE, ctrl)
	wantEqual(t, "dialog while a turn runs", d.dialog(), "")
	wantList(t, "asked while a turn runs", d.core.names(), nil)
}

func firstTurn(s *session.Snapshot) string {
	for _, r := range s.History.Rows {
		if _, is := r.Item.Body.(protocol.UserMessage); is {
			return r.Key.Turn
		}
	}
	return ""
}

func TestRetryOnlyAfterAFailure(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.core.names()
	d.press(fyne.KeyU, ctrl)
	wantList(t, "asked although it did not fail", d.core.names(), nil)
	d.show(func(s *session.Snapshot) { th := *s.Thread; th.TurnStatus = protocol.Failed; s.Thread = &th })
	d.press(fyne.KeyU, ctrl)
	wantList(t, "asked", d.core.names(), []string{"session.Retry"})
}

func TestReviewByKeyboard(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.core.names()
	d.press(fyne.KeyI, ctrl)
	wantList(t, "the Tab order", d.tabs(4), []string{"kind", "cancel", "start", "kind"})
	d.focusIn("kind")
	d.press(fyne.KeyDown, 0)
	wantList(t, "the Tab order of a branch", d.tabs(4), []string{"kind", "what", "cancel", "start"})
	d.focusIn("start")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "what is missing has the keyboard", d.focus(), "what")
	d.write("main")
	d.press(fyne.KeyReturn, 0)
	if in := d.intents(); len(in) != 1 || in[0] != (session.StartReview{Kind: "baseBranch", Value: "main"}) {
		t.Errorf("asked %+v", in)
	}
}

// The turn's diff is the server's; without one it is made of the file changes.
func TestAllChangesOfTheTurn(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(func(s *session.Snapshot) {
		joined(s)
		th := *s.Thread
		th.Turn, th.Diff = "u9", &session.TurnDiff{Turn: "u9", Text: "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n", Bytes: 99}
		s.Thread = &th
	})
	d.press(fyne.KeyD, ctrl)
	wantEqual(t, "dialog", d.dialog(), "diff")
	if got := texts(widgets.Top(d.c)); !strings.Contains(got, "+1 −1 · shortened") {
		t.Errorf("the dialog says %q", got)
	}
	d.press(fyne.KeyEscape, 0)
	d.show(func(s *session.Snapshot) {
		th, h := *s.Thread, *s.History
		th.Diff = nil
		h.Rows = []*history.Row{{Key: history.Key{Turn: "u9", Item: "f"}, State: history.Final, Item: protocol.Item{Body: protocol.FileChange{Changes: []protocol.FileUpdate{{Path: "a.go", Kind: "update", Diff: "+z\n"}}}}}}
		s.Thread, s.History = &th, &h
	})
	d.press(fyne.KeyD, ctrl)
	if got := texts(widgets.Top(d.c)); !strings.Contains(got, "+1 −0") {
		t.Errorf("the dialog says %q", got)
	}
}

func TestServersAreListed(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.core.names()
	d.press(fyne.KeyJ, shiftCtrl)
	in := d.intents()
	if len(in) != 1 {
		t.Fatalf("asked %+v", in)
	}
	in[0].(session.ListServers).To([]session.MCPServer{{Name: "a", Auth: "oAuth", ToolCount: 2, Tools: []string{"x", "y"}}, {Name: "b", Problem: "no answer"}})
	d.answer(session.Result{OK: true})
	wantEqual(t, "servers", listed(d), "a b")
	d.press(fyne.KeyEscape, 0)
	d.press(fyne.KeyJ, shiftCtrl)
	d.answer(session.Result{Code: "read-failed", Error: "It could not be read."})
	if got := texts(widgets.Top(d.c)); !strings.Contains(got, "It could not be read.") {
		t.Errorf("the dialog says %q", got)
	}
}

// An export goes to a file that is named, never over one that is there, and says
// whether it is whole.
func TestExportByKeyboard(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	d := newDesk(t, 1200, 800)
	d.show(joined)
	for _, tc := range []struct {
		name   string
		result session.Result
		want   string
		kept   bool
	}{
		{"whole.md", session.Result{OK: true}, "Saved 5 bytes to", true},
		{"part.md", session.Result{Code: "incomplete", Error: "A turn is running."}, "It is not all of the conversation: A turn is running.", true},
		{"none.md", session.Result{Code: "not-written", Error: "It is full."}, "Not saved. It is full.", false},
	} {
		d.w.notices.local = nil
		d.core.names()
		d.press(fyne.KeyS, ctrl)
		wantEqual(t, "dialog", d.dialog(), "export")
		wantEqual(t, "the keyboard begins at", d.focus(), "file")
		path := filepath.Join(home, tc.name)
		d.c.Focused().(*widgets.Field).SetText(path)
		d.press(fyne.KeyReturn, 0)
		d.drain()
		in := d.intents()
		if _, err := in[0].(session.Export).To.Write([]byte("# x\n\n")); err != nil {
			t.Fatal(err)
		}
		d.answer(tc.result)
		var said []string
		for _, n := range d.w.notices.local {
			said = append(said, n.Text)
		}
		if got := strings.Join(said, "\n"); !strings.Contains(got, tc.want) || len(said) != 1 {
			t.Errorf("%s: it says %q, want %q alone", tc.name, got, tc.want)
		}
		if _, err := os.Stat(path); (err == nil) != tc.kept {
			t.Errorf("%s: %v, kept %v", tc.name, err, tc.kept)
		}
	}
	d.core.names()
	d.press(fyne.KeyS, ctrl)
	d.c.Focused().(*widgets.Field).SetText(filepath.Join(home, "whole.md"))
	d.press(fyne.KeyReturn, 0)
	d.drain()
	wantEqual(t, "dialog", d.dialog(), "export")
	wantEqual(t, "the keyboard is at", d.focus(), "file")
	wantList(t, "asked", d.core.names(), nil)
	if got := texts(widgets.Top(d.c)); !strings.Contains(got, "There is such a file already") {
		t.Errorf("the dialog says %q", got)
	}
}
