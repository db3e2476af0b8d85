package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
)

// longTalk is a conversation of several pages.
func longTalk(s *session.Snapshot) {
	joined(s)
	v := *s.History
	v.Rows = nil
	for i := range 12 {
		v.Rows = append(v.Rows,
			row("u1", fmt.Sprint("q", i), 1, protocol.UserMessage{Content: []protocol.UserInput{{Type: "text", Text: fmt.Sprintf("Question %d", i)}}}),
			row("u1", fmt.Sprint("a", i), 1, protocol.AgentMessage{Text: strings.Repeat("An answer in several lines. ", 20)}))
	}
	s.History = &v
}

// answers adds two rows at the end.
func answers(s *session.Snapshot) {
	v := *s.History
	v.Rows = append(slices.Clone(v.Rows),
		row("u1", "n1", 1, protocol.CommandExecution{Command: "go test ./...", Status: "completed", ExitCode: number(0)}),
		row("u1", "n2", 1, protocol.AgentMessage{Text: "All tests pass."}))
	s.History = &v
}

// The keyboard stays in the message while one reads up and comes back.
func TestNewRowsAreSaidAndReached(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(longTalk)
	d.c.Capture()
	d.press(fyne.Key3, alt)
	d.press(fyne.KeyUp, alt)
	d.press(fyne.KeyUp, alt)
	wantEqual(t, "at the end after Alt+Up", d.w.trans.AtEnd(), false)
	d.show(answers)
	wantEqual(t, "the button shows", d.w.news.Visible(), true)
	wantEqual(t, "the button", d.w.news.AccessibilityLabel(), "2 new items, Alt+End")
	wantList(t, "Tab", d.tour(), names(d.w.order()))
	d.press(fyne.Key3, alt)
	d.press(fyne.KeyEnd, alt)
	d.drain()
	wantEqual(t, "at the end after Alt+End", d.w.trans.AtEnd(), true)
	wantEqual(t, "the button shows", d.w.news.Visible(), false)
	wantEqual(t, "focus", d.focus(), "message")
}

// Much that is new is read from its first row on.
func TestNewRowsFromTheFirst(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(longTalk)
	d.c.Capture()
	d.press(fyne.KeyUp, alt)
	d.press(fyne.KeyUp, alt)
	d.show(func(s *session.Snapshot) {
		v := *s.History
		v.Rows = slices.Clone(v.Rows)
		for i := range 9 {
			v.Rows = append(v.Rows, row("u2", fmt.Sprint("n", i), 1, protocol.AgentMessage{Text: strings.Repeat("More. ", 90)}))
		}
		s.History = &v
	})
	d.focusOn("end")
	for _, c := range []struct {
		end   bool
		focus string
	}{{false, "end"}, {true, "transcript"}} {
		d.press(fyne.KeyReturn, 0)
		d.drain()
		wantEqual(t, "at the end", d.w.trans.AtEnd(), c.end)
		wantEqual(t, "focus", d.focus(), c.focus)
	}
}

// Who sends wants to see the answer.
func TestSendingGoesToTheEnd(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(longTalk)
	d.c.Capture()
	d.press(fyne.KeyUp, alt)
	d.press(fyne.KeyUp, alt)
	d.press(fyne.Key3, alt)
	d.press(fyne.KeyReturn, ctrl) // nothing is written: nothing happens
	wantEqual(t, "at the end", d.w.trans.AtEnd(), false)
	d.write("go on")
	d.press(fyne.KeyReturn, ctrl)
	wantEqual(t, "at the end after Ctrl+Enter", d.w.trans.AtEnd(), true)
}

// The button goes when it was pressed, and the keyboard is at the rows.
func TestTheButtonOfNewRows(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(longTalk)
	d.c.Capture()
	d.press(fyne.KeyUp, alt)
	d.press(fyne.KeyUp, alt)
	d.show(answers)
	d.wantInside(360)
	d.focusOn("end")
	d.press(fyne.KeyReturn, 0)
	d.drain()
	wantEqual(t, "at the end", d.w.trans.AtEnd(), true)
	wantEqual(t, "focus", d.focus(), "transcript")
}

// A page that was loaded below is not new.
func TestLoadedRowsAreNotNew(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(longTalk)
	d.c.Capture()
	d.press(fyne.KeyUp, alt)
	d.press(fyne.KeyUp, alt)
	d.show(func(s *session.Snapshot) { v := *s.History; v.Newer = true; s.History = &v })
	d.show(answers)
	wantEqual(t, "new rows", d.w.trans.News(), 0)
	d.show(func(s *session.Snapshot) {
		reading(s)
		s.Thread.ID = "t2"
		s.History = &history.View{Rows: sampleView().Rows[:1]}
	})
	wantEqual(t, "new rows of another conversation", d.w.trans.News(), 0)
}

// Of new rows that were let go no number is known: there are more than are here,
// and the way to the newest reads them again.
func TestNewRowsThatWereLetGo(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(longTalk)
	d.c.Capture()
	d.press(fyne.KeyUp, alt)
	d.press(fyne.KeyUp, alt)
	d.show(answers)
	d.show(func(s *session.Snapshot) {
		v := *s.History
		v.Newer = true
		s.History = &v
		st := *s.Status
		st.Actions = append(slices.Clone(st.Actions), session.ActRefresh)
		s.Status = &st
	})
	d.drain()
	wantEqual(t, "the button", d.w.news.AccessibilityLabel(), "2+ new items, Alt+End")
	refreshed := func() bool { return slices.Contains(d.core.names(), "session.Refresh") }
	refreshed()
	for range 3 {
		d.press(fyne.KeyEnd, alt)
		d.c.Capture()
		d.drain()
		if refreshed() {
			wantEqual(t, "at the end", d.w.trans.AtEnd(), true)
			return
		}
	}
	t.Error("the newest were not read again")
}
