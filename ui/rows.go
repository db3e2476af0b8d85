package ui

import (
	"fmt"
	"iter"
	"time"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets/transcript"
)

// The actions that notes of rows offer, and what begins an operation's key.
const (
	actionReview = "review"
	actionExpand = "expand"
	actionWhole  = "whole"
	actionFold   = "fold"
	actionUnfold = "unfold"
	operationKey = "\x00op"
)

// rowMaker turns a view into rows of the transcript. It keeps what it made: a
// row is made again only when its revision changed. One goroutine at a time
// uses it.
type rowMaker struct {
	view   *history.View
	ops    *session.Operations
	from   origin
	made   map[history.Key]madeRow
	rows   []*transcript.Row
	opRows map[*session.Operation]*transcript.Row
}

type madeRow struct {
	row  *history.Row
	rows []*transcript.Row
}

func newRowMaker() *rowMaker {
	return &rowMaker{made: map[history.Key]madeRow{}, opRows: map[*session.Operation]*transcript.Row{}}
}

// build gives the rows of a snapshot; from says whose they are.
func (m *rowMaker) build(s *session.Snapshot) []*transcript.Row {
	from := m.from.next(s)
	same := from.prefix == m.from.prefix
	m.from = from
	if s.History == m.view && s.Operations == m.ops && same {
		return m.rows
	}
	if !same {
		m.made = map[history.Key]madeRow{}
	}
	m.view, m.ops, m.rows = s.History, s.Operations, nil
	if s.History == nil {
		return nil
	}
	prefix := from.prefix
	made := make(map[history.Key]madeRow, len(s.History.Rows))
	if s.History.CommandsMayBeMissing {
		m.rows = append(m.rows, &transcript.Row{
			Key: prefix + "legacy", Form: transcript.Mark,
			Head: safetext.Trusted("An older conversation: commands and their output may be missing."),
		})
	}
	for turn, rows := range byTurn(s.History.Rows) {
		t := s.History.Turns[turn]
		shown := shownOf(t, rows)
		for _, r := range shown {
			x, ok := m.made[r.Key]
			if !ok || x.row != r {
				x = madeRow{row: r, rows: itemRows(prefix, r)}
			}
			made[r.Key] = x
			m.rows = append(m.rows, x.rows...)
		}
		m.rows = append(m.rows, foldMark(prefix, t, s.History.CommandsMayBeMissing, len(rows)-len(shown), len(shown))...)
		m.rows = append(m.rows, turnEnd(prefix, t)...)
	}
	m.made = made
	m.rows = append(m.rows, m.operations(s)...)
	return m.rows
}

// byTurn gives the rows of each turn, in order.
func byTurn(rows []*history.Row) iter.Seq2[string, []*history.Row] {
	return func(yield func(string, []*history.Row) bool) {
		for begin, i := 0, 1; i <= len(rows); i++ {
			if i < len(rows) && rows[i].Key.Turn == rows[begin].Key.Turn {
				continue
			}
			if !yield(rows[begin].Key.Turn, rows[begin:i]) {
				return
			}
			begin = i
		}
	}
}

// turnEnd says how a turn ended, where that is not plain.
func turnEnd(prefix string, t history.TurnInfo) []*transcript.Row {
	row := &transcript.Row{Key: prefix + t.ID + "\x00end", Form: transcript.Mark}
	switch {
	case t.Error != nil:
		row.Form = transcript.Failure
		row.Head = line("The turn failed. %s", t.Error.Message)
		if t.Error.Details != "" {
			row.Body = []safetext.Doc{safetext.Plain(t.Error.Details)}
		}
	case t.Status == "failed":
		row.Form, row.Head = transcript.Failure, safetext.Trusted("The turn failed. Send a message to go on.")
	case t.Status == "interrupted":
		row.Head = safetext.Trusted("The turn was interrupted.")
	default:
		return nil
	}
	row.Version = uint64(len(t.Status))
	return []*transcript.Row{row}
}

// operations shows what was sent and is not seen in the history yet.
func (m *rowMaker) operations(s *session.Snapshot) []*transcript.Row {
	var out []*transcript.Row
	kept := map[*session.Operation]*transcript.Row{}
	if m.from.thread == nil {
		return nil
	}
	for _, o := range s.Operations.Rows {
		if o.Thread != m.from.thread.ID || o.Seen || o.Text == "" {
			continue
		}
		if o.Kind != "turn/start" && o.Kind != "turn/steer" && o.Gone == session.NotGone {
			continue
		}
		note, shown := operationNote(o)
		if !shown {
			continue
		}
		row, ok := m.opRows[o]
		if !ok {
			row = &transcript.Row{
				Key: operationKey + o.ID, Version: uint64(len(o.State))<<8 | uint64(len(o.Proof)), Form: transcript.User,
				Who: safetext.Trusted("You"), When: safetext.MakeLine(clock(o.At)),
				Body: []safetext.Doc{safetext.Plain(o.Text)}, Partial: true, Notes: []transcript.Note{note},
			}
		}
		kept[o] = row
		out = append(out, row)
	}
	m.opRows = kept
	return out
}

func operationNote(o *session.Operation) (transcript.Note, bool) {
	review := transcript.Note{Tone: transcript.Warn, Action: actionReview, Do: safetext.Trusted("Review")}
	switch o.State {
	case "InFlight":
		return transcript.Note{Text: safetext.Trusted("Sending…")}, true
	case "OutcomeUnknown":
		review.Text = safetext.Trusted("Sent, no answer. It may have run.")
		return review, true
	case "Confirmed":
		switch o.Gone {
		case session.NoTrace:
			review.Text = safetext.Trusted("Accepted, but there is no trace of it in the history.")
		case session.NotTaken:
			review.Text = safetext.Trusted("Accepted, but its turn ended without it.")
		case session.NotGone:
			review.Tone = transcript.Dim
			review.Text = safetext.Trusted("Accepted, not yet seen in the history.")
		}
		return review, true
	}
	return transcript.Note{}, false
}

// itemRows gives the rows of one item: one, or one for each file of a patch.
func itemRows(prefix string, r *history.Row) []*transcript.Row {
	key := prefix + r.Key.Turn + "\x00" + r.Key.Item
	rows := bodyRows(r.Item)
	for i, row := range rows {
		row.Key, row.Version = key, r.Rev
		if i > 0 {
			row.Key = fmt.Sprintf("%s\x00%d", key, i)
		}
		row.Partial = r.State == history.Partial
	}
	if len(rows) > 0 {
		last := rows[len(rows)-1]
		last.Notes = append(last.Notes, cutNotes(r)...)
	}
	return rows
}

// cutNotes says what is missing of a row, and who cut it.
func cutNotes(r *history.Row) []transcript.Note {
	switch r.Cut {
	case history.CutLocal:
		n := transcript.Note{Text: line("shortened here · %s", bytesWord(r.Bytes))}
		if r.State == history.Final { // one that grows is not listed yet
			n.Action, n.Do = actionWhole, safetext.Trusted("Show all")
		}
		notes := []transcript.Note{n}
		for _, c := range r.Item.Cuts {
			if c.Server { // what is left of it is shortened once more
				return append(notes, transcript.Note{Text: safetext.Trusted("cut by the server")})
			}
		}
		return notes
	case history.CutServer:
		return []transcript.Note{{Text: safetext.Trusted("cut by the server")}}
	case history.CutNone:
	}
	return nil
}

// when is the time of an item, "" where the server does not say.
func when(it protocol.Item) safetext.Line {
	ms := it.StartedAtMs
	if ms == 0 {
		ms = it.CompletedAtMs
	}
	if ms == 0 {
		return safetext.Line{}
	}
	return safetext.MakeLine(clock(time.UnixMilli(ms)))
}
