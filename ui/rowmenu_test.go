package ui

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
	"holdfast/widgets"
)

// menuIDs are the rows of the open menu.
func (d *desk) menuIDs() []string {
	list, ok := d.c.Focused().(*widgets.RowList)
	if !ok {
		return nil
	}
	var ids []string
	for _, r := range list.Rows() {
		ids = append(ids, r.ID)
	}
	return ids
}

// choose presses Enter on a row of the open menu.
func (d *desk) choose(id string) {
	d.t.Helper()
	at := slices.Index(d.menuIDs(), id)
	if at < 0 {
		d.t.Fatalf("the menu has no %q: %q", id, d.menuIDs())
	}
	d.press(fyne.KeyHome, 0)
	for range at {
		d.press(fyne.KeyDown, 0)
	}
	d.press(fyne.KeyReturn, 0)
	d.drain()
}

// rowsToCopy are a message with code and links, a command, one that was
// shortened, and a patch of two files.
func rowsToCopy(s *session.Snapshot) {
	joined(s)
	cut := row("u1", "cut", 1, protocol.CommandExecution{Command: "cat big", Output: "begin…end", Status: "completed"})
	cut.Cut, cut.Bytes = history.CutLocal, 1<<20
	s.History = &history.View{Rows: []*history.Row{
		row("u1", "msg", 1, protocol.AgentMessage{Text: "See **[this](https://example.com/a)** and [that](https://example.com/b):\n\n```go\nfunc a() {}\n```\n\nor\n\n```\n``b``\n```\n\x1b[31m"}),
		row("u1", "cmd", 1, protocol.CommandExecution{Command: "printf '\\033[31mred'\n", Output: "\x1b[31mred\x1b[0m\n```\n", Status: "completed", ExitCode: number(0)}),
		cut,
		row("u1", "patch", 1, protocol.FileChange{Changes: []protocol.FileUpdate{{Path: "a.go", Kind: "add", Diff: "package a\n"}, {Path: "b.go", Kind: "update", Diff: "@@ -1 +1 @@\n-b\n+c\n"}}}),
	}}
}

func TestRowMenuByKeyboard(t *testing.T) {
	for _, c := range []struct {
		down int
		ids  []string
		copy string
		want string
	}{
		{0, []string{"text", "markdown", "code0", "code1", "code", "link0", "link1"}, "text", "See this (https://example.com/a) and that (https://example.com/b):\n\nfunc a() {}\n\nor\n\n``b``\n\n\ufffd[31m"},
		{0, nil, "markdown", "See **[this](https://example.com/a)** and [that](https://example.com/b):\n\n```go\nfunc a() {}\n```\n\nor\n\n```\n``b``\n```\n\ufffd[31m"},
		{0, nil, "code0", "func a() {}"},
		{0, nil, "code", "func a() {}\n\n``b``"},
		{1, []string{"text", "markdown", "code", "output", "fold"}, "code", "printf '\\033[31mred'\n"},
		{1, nil, "output", "red\n```"},
		{1, nil, "markdown", "```sh\nprintf '\\033[31mred'\n```\n\n````\nred\n```\n````"},
		{2, []string{"text", "markdown", "code", "whole", "note0", "fold"}, "text", "cat big\nbegin…end"},
		{4, []string{"text", "markdown", "code", "fold"}, "markdown", "`b.go`\n\n```diff\n@@ -1 +1 @@\n-b\n+c\n```"},
	} {
		d := newDesk(t, 1200, 800)
		d.show(rowsToCopy)
		d.c.Capture()
		d.press(fyne.Key2, alt)
		d.press(fyne.KeyHome, 0)
		for range c.down {
			d.press(fyne.KeyDown, 0)
		}
		d.press(desktop.KeyMenu, 0)
		wantEqual(t, "dialog", d.dialog(), "row")
		if c.ids != nil {
			wantList(t, "the menu", d.menuIDs(), c.ids)
		}
		d.choose(c.copy)
		if got := d.w.app.Clipboard().Content(); got != c.want {
			t.Errorf("row %d, %s: copied %q, want %q", c.down, c.copy, got, c.want)
		}
		wantEqual(t, "focus after the menu", d.focus(), "transcript")
	}
}

func TestRowMenuOtherWays(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(rowsToCopy)
	d.c.Capture()
	d.press(fyne.Key2, alt)
	d.down(fyne.KeyF10, fyne.KeyModifierShift)
	d.typed(fyne.KeyF10, 0)
	wantEqual(t, "dialog on Shift+F10", d.dialog(), "row")
	d.press(fyne.KeyEscape, 0)
	d.up(fyne.KeyF10)
	d.press(fyne.KeyF10, 0)
	wantEqual(t, "dialog on F10 alone", d.dialog(), "")
	d.w.trans.TappedSecondary(&fyne.PointEvent{Position: fyne.NewPos(60, 30)})
	wantEqual(t, "dialog on a right click", d.dialog(), "row")
	d.press(fyne.KeyEscape, 0)
	d.show(func(s *session.Snapshot) { s.History = &history.View{Empty: true} })
	d.press(desktop.KeyMenu, 0)
	wantEqual(t, "dialog without a row", d.dialog(), "")
}

// What is not held here is read from the server, whole or not at all.
func TestCopyTheFullOutput(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(rowsToCopy)
	d.c.Capture()
	d.w.app.Clipboard().SetContent("before")
	ask := func(more string, r session.Result) string {
		d.w.trans.FocusRow(d.w.from.prefix + "u1\x00cut")
		d.core.names()
		d.w.openRowMenu()
		d.choose("whole")
		whole, ok := d.core.asked[0].(session.Whole)
		if !ok || whole.Row.Item != "cut" {
			t.Fatalf("asked %+v", d.core.asked[0])
		}
		if _, err := whole.To.Write([]byte(more)); err != nil {
			t.Fatal(err)
		}
		d.core.done[0](r)
		d.drain()
		return d.w.app.Clipboard().Content()
	}
	wantEqual(t, "clipboard after a refusal", ask("half", session.Result{Error: "lost"}), "before")
	wantEqual(t, "what is said", d.w.notices.all()[0].Text, "Not copied. lost")
	wantEqual(t, "clipboard", ask("all of it\x1b", session.Result{OK: true}), "all of it\ufffd")
}
