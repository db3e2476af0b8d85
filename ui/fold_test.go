package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
)

// turnRows are a question, two rows between and an answer.
func turnRows(turn string) []*history.Row {
	return []*history.Row{
		row(turn, "a", 1, protocol.UserMessage{Content: []protocol.UserInput{{Type: "text", Text: "ask"}}}),
		row(turn, "b", 2, protocol.CommandExecution{Command: "ls", Status: "completed"}),
		row(turn, "c", 3, protocol.AgentMessage{Text: "meanwhile"}),
		row(turn, "d", 4, protocol.AgentMessage{Text: "answer"}),
	}
}

func folding(legacy bool, t history.TurnInfo, rows []*history.Row) func(*session.Snapshot) {
	return with(joined, func(s *session.Snapshot) {
		s.History = &history.View{Rows: rows, Turns: map[string]history.TurnInfo{t.ID: t}, CommandsMayBeMissing: legacy}
	})
}

// words are the texts of the notes under each row of the transcript, with what
// they offer.
func (d *desk) notes() (out []string) {
	for _, r := range d.w.rows.rows {
		for _, n := range r.Notes {
			out = append(out, n.Text.String()+" · "+n.Do.String())
		}
	}
	return out
}

// A folded turn shows its question and its answer, and says how much is hidden;
// the keyboard folds it and opens it again.
func TestATurnFolds(t *testing.T) {
	info := history.TurnInfo{ID: "u1", Status: "completed"}
	d := newDesk(t, 1200, 800)
	d.show(folding(false, info, turnRows("u1")))
	d.c.Capture()
	wantEqual(t, "rows", len(d.w.rows.rows), 4)
	d.core.names()
	d.press(fyne.KeyU, shiftCtrl)
	wantEqual(t, "asked", d.core.asked[0].(session.Fold), session.Fold{Turn: "u1"})
	info.Folded = true
	d.show(folding(false, info, turnRows("u1")))
	wantEqual(t, "rows", len(d.w.rows.rows), 3)
	wantList(t, "notes", d.notes(), []string{"2 rows folded · Show again"})
	d.press(fyne.Key2, fyne.KeyModifierAlt)
	d.press(fyne.KeyEnd, 0)
	d.core.names()
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "asked", d.core.asked[0].(session.Fold), session.Fold{Turn: "u1", Open: true})
	d.core.names()
	d.press(fyne.KeyU, shiftCtrl) // the same, by its own key
	wantEqual(t, "asked", d.core.asked[0].(session.Fold), session.Fold{Turn: "u1", Open: true})
}

// A turn of an older conversation comes as a summary, offers the rest, and then
// to fold again.
func TestATurnOfAnOlderConversation(t *testing.T) {
	info := history.TurnInfo{ID: "u1", Status: "completed", Summary: true}
	d := newDesk(t, 1200, 800)
	rows := turnRows("u1")
	d.show(folding(true, info, []*history.Row{rows[0], rows[3]}))
	d.c.Capture()
	press := func(note string) session.Intent {
		t.Helper()
		wantList(t, "notes", d.notes(), []string{note})
		d.press(fyne.Key2, fyne.KeyModifierAlt)
		d.press(fyne.KeyEnd, 0)
		d.core.names()
		d.press(fyne.KeyReturn, 0)
		return d.core.asked[0]
	}
	wantEqual(t, "asked", press("question and answer · Show the whole turn"), session.Intent(session.Expand{Turn: "u1"}))
	info.Summary = false
	d.show(folding(true, info, rows))
	wantEqual(t, "asked", press("the whole turn · Fold it again"), session.Intent(session.Fold{Turn: "u1"}))
	info.Status = "inProgress" // a turn that runs offers nothing
	d.show(folding(true, info, rows))
	wantList(t, "notes", d.notes(), nil)
}

// An empty conversation is empty, and no error.
//
// req: FLD-6
func TestAnEmptyConversationIsNoError(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(with(joined, func(s *session.Snapshot) { s.History = &history.View{Empty: true} }))
	wantEqual(t, "words", d.w.emptyText(d.w.snap)[0].String(), "Nothing yet.")
	wantEqual(t, "banner", d.w.banner.Visible(), false)
	wantEqual(t, "notices", len(d.w.notices.all()), 0)
}
