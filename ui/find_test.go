package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
	"holdfast/widgets"
	"holdfast/widgets/transcript"
)

// find opens the bar and types into it.
func (d *desk) find(text string) {
	d.press(fyne.KeyF, ctrl)
	d.write(text)
	d.drain()
}

func TestFindByKeyboard(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.press(fyne.Key3, alt)
	wantEqual(t, "focus", d.focus(), "message")
	d.find("line")
	wantEqual(t, "focus", d.focus(), "find")
	wantEqual(t, "count", d.w.find.count.String(), "1 of 9")
	wantEqual(t, "note", d.w.find.note.String(), "Searched the 4 loaded items only · Ctrl+O loads older")
	for _, c := range []struct {
		key  fyne.KeyName
		mod  fyne.KeyModifier
		want string
	}{
		{fyne.KeyReturn, 0, "2 of 9"},
		{fyne.KeyReturn, fyne.KeyModifierShift, "1 of 9"},
		{fyne.KeyReturn, fyne.KeyModifierShift, "9 of 9"},
		{fyne.KeyF3, 0, "1 of 9"},
		{fyne.KeyF3, ctrl, "9 of 9"},
	} {
		d.press(c.key, c.mod)
		wantEqual(t, "count", d.w.find.count.String(), c.want)
	}
	d.press(fyne.KeyF, ctrl) // again: all of it is selected
	d.write("no such thing")
	d.drain()
	wantEqual(t, "count", d.w.find.count.String(), "No match")
	wantEqual(t, "Next can be pressed", !d.w.find.next.Disabled(), false)
	d.press(fyne.KeyEscape, 0)
	wantEqual(t, "focus after Escape", d.focus(), "message")
	wantEqual(t, "the bar is open", d.w.find.box.Visible(), false)
	n, total := d.w.trans.Match()
	wantEqual(t, "matches that stay", n+total, 0)
	d.press(fyne.KeyF3, 0)
	wantEqual(t, "what F3 says then", d.w.notices.all()[0].Text, "Next match is not possible now. Find something first (Ctrl+F).")
}

// A step that is asked for before the text is found is made when it is; typing
// on takes it back.
func TestAStepWaitsForTheSearch(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	for want, keys := range map[string]func(){
		"2 of 9": func() { d.write("line"); d.press(fyne.KeyReturn, 0) },
		"9 of 9": func() { d.write("line"); d.press(fyne.KeyReturn, fyne.KeyModifierShift) },
		"1 of 9": func() { d.write("lin"); d.press(fyne.KeyReturn, 0); d.write("e") },
	} {
		d.press(fyne.KeyF, ctrl)
		keys()
		d.drain()
		wantEqual(t, "count", d.w.find.count.String(), want)
		d.press(fyne.KeyEscape, 0)
		d.drain()
	}
}

// The bar stands between the header and the rows in the Tab order.
//
// req: UI-2
func TestTabGoesThroughTheFindBar(t *testing.T) {
	for _, width := range []float32{1200, 360, 320} {
		d := newDesk(t, width, 740)
		d.show(reading)
		d.find("line")
		wantList(t, "Tab", d.tour(), names(d.w.order()))
		wantList(t, "the bar", names(widgets.Focusables(d.w.find.box)), []string{"find", "findPrevious", "findNext", "findClose"})
		d.wantInside(width)
		d.focusOn("findClose")
		d.press(fyne.KeyReturn, 0)
		if f := d.focus(); f == "findClose" || f == "" {
			t.Errorf("%v px: the keyboard is at %q after the bar was closed", width, f)
		}
	}
}

// What comes while the bar is open is searched too, and a draft that waits keeps
// its key.
func TestFindFollowsTheRows(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.find("needle")
	wantEqual(t, "count", d.w.find.count.String(), "No match")
	d.show(func(s *session.Snapshot) {
		v := *s.History
		v.Older = false
		v.Rows = append(v.Rows[:len(v.Rows):len(v.Rows)], row("u1", "i5", 1, protocol.AgentMessage{Text: "a needle, a needle"}))
		v.Rows[4].Cut = history.CutLocal
		s.History = &v
	})
	wantEqual(t, "count", d.w.find.count.String(), "2 matches")
	wantEqual(t, "note", d.w.find.note.String(), "Searched the whole conversation: 5 items · 1 of them in part: they are shortened here")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "count", d.w.find.count.String(), "1 of 2")
	d.core.names()
	d.show(func(s *session.Snapshot) {
		s.Drafts = &session.Drafts{Rows: []*session.Draft{{ID: "d", Thread: "t1", Text: "kept"}}}
		s.Status = &session.Status{State: session.Ready, Actions: append(s.Status.Actions, session.ActRestore)}
	})
	d.press(fyne.KeyF3, 0)
	wantList(t, "asked", d.core.names(), []string{"session.Restore"})
}

// An answer to what was looked for before is dropped.
func TestFindDropsAnOlderAnswer(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.press(fyne.KeyF, ctrl)
	d.write("lin")
	late := transcript.Search(d.w.find.rows, "lin", nil)
	d.write("x")
	d.drain()
	d.w.find.take(late)
	wantEqual(t, "count", d.w.find.count.String(), "No match")
}
