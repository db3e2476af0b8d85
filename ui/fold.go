package ui

import (
	"slices"

	"holdfast/core/history"
	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets/transcript"
)

// foldKey is the end of the key of the row that tells of a folded turn.
const foldKey = "\x00fold"

// shownOf gives what is seen of a turn: all of it, or its question and answer
// when it is folded.
func shownOf(t history.TurnInfo, rows []*history.Row) []*history.Row {
	if !t.Folded {
		return rows
	}
	ends := history.Ends(rows)
	var out []*history.Row
	for i, r := range rows {
		if slices.Contains(ends, i) {
			out = append(out, r)
		}
	}
	return out
}

// foldMark is the row under a turn that says what of it is not seen, and offers
// the rest: of an older conversation's turn too, which comes as a summary first.
func foldMark(prefix string, t history.TurnInfo, legacy bool, hidden, shown int) []*transcript.Row {
	var n transcript.Note
	switch {
	case hidden > 0:
		n = transcript.Note{Text: safetext.MakeLine(words.N(hidden, "1 row folded", "%d rows folded")), Action: actionUnfold, Do: safetext.Trusted("Show again")}
	case legacy && t.Summary:
		n = transcript.Note{Text: safetext.Trusted("question and answer"), Action: actionExpand, Do: safetext.Trusted("Show the whole turn")}
	case legacy && shown > 2 && t.Status != "" && t.Status != "inProgress":
		n = transcript.Note{Text: safetext.Trusted("the whole turn"), Action: actionFold, Do: safetext.Trusted("Fold it again")}
	default:
		return nil
	}
	version := uint64(hidden) << 2
	if t.Summary {
		version++
	}
	return []*transcript.Row{{Key: prefix + t.ID + foldKey, Version: version, Form: transcript.Agent, Notes: []transcript.Note{n}}}
}

// foldTurn folds the turn of the row with the keyboard, or opens it again.
func (w *Window) foldTurn() {
	h := w.snap.History
	if h == nil {
		return
	}
	turn := rowKey(w.from.prefix, w.trans.FocusedKey()).Turn
	if _, known := h.Turns[turn]; !known {
		_, last := w.inView()
		turn = last.Turn
	}
	switch t := h.Turns[turn]; {
	case t.Folded:
		w.ask(session.Fold{Turn: turn, Open: true})
	case t.Summary:
		w.ask(session.Expand{Turn: turn})
	default:
		w.ask(session.Fold{Turn: turn})
	}
}
