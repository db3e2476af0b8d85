package history

import (
	"slices"

	"holdfast/core/protocol"
)

// Marks are the cursors that pages gave, kept at the rows and turns where they
// begin: one that continues towards older, one towards newer. When the rows
// beyond are given up, a walk can begin there. A page's nextCursor goes on in
// the page's own direction, its backwardsCursor in the other one; neither is
// ever used otherwise (trap 10). Rows take their marks with them.
type marks struct{ older, newer string }

// give notes the cursors of a page at its oldest and newest place.
func (k *walk) give(oldest, newest *marks, next, back *string) {
	if next != nil && *next != k.at { // it leads nowhere
		next = nil
	}
	if k.asc {
		next, back = back, next
	}
	if c := deref(next); c != "" {
		oldest.older = c
	}
	if c := deref(back); c != "" {
		newest.newer = c
	}
}

func (w *Window) markItems(k *walk, page []protocol.Entry, r protocol.ThreadItemsListResult) {
	if len(page) == 0 || k.turn != "" {
		return
	}
	at := func(e protocol.Entry) *marks {
		if r := w.rows[Key{e.TurnID, e.Item.ID}]; r != nil {
			return &r.marks
		}
		return &marks{} // the row was not taken
	}
	k.give(at(page[0]), at(page[len(page)-1]), r.NextCursor, r.BackwardsCursor)
}

func (w *Window) markTurns(k *walk, page []protocol.Turn, r protocol.ThreadTurnsListResult) {
	if len(page) == 0 {
		return
	}
	at := func(x protocol.Turn) *marks {
		if t := w.byID[x.ID]; t != nil {
			return &t.marks
		}
		return &marks{}
	}
	k.give(at(page[0]), at(page[len(page)-1]), r.NextCursor, r.BackwardsCursor)
}

// dropMarks forgets every cursor.
func (w *Window) dropMarks() {
	w.older, w.newer, w.olderTurns = nil, nil, nil
	for _, t := range w.turns {
		t.marks = marks{}
	}
	for _, r := range w.rows {
		r.marks = marks{}
	}
}

// olderFrom makes the walk that continues the rows at their old end: from the
// oldest mark, or else from the newest item of all, until it meets the rows.
func (w *Window) olderFrom() *walk {
	for _, t := range w.turns {
		if w.legacy {
			if m := t.marks.older; m != "" && len(t.rows) > 0 {
				return &walk{thread: w.thread, turns: true, view: viewSummary, at: m, along: true, met: t == w.oldest()}
			}
			continue
		}
		for _, r := range t.rows {
			if m := r.marks.older; m != "" {
				return &walk{thread: w.thread, at: m, met: r == t.rows[t.first()] && t == w.oldest()}
			}
		}
	}
	if w.legacy {
		return &walk{thread: w.thread, turns: true, view: viewSummary, along: true}
	}
	return w.itemsWalk("")
}

// newerFrom makes the walk that continues the rows at their new end, nil if no
// page ever gave a cursor for that.
func (w *Window) newerFrom() *walk {
	for _, t := range slices.Backward(w.turns) {
		if w.legacy {
			if m := t.marks.newer; m != "" && len(t.rows) > 0 {
				return &walk{thread: w.thread, turns: true, view: viewSummary, at: m, asc: true, along: true}
			}
			continue
		}
		for _, r := range slices.Backward(t.rows) {
			if m := r.marks.newer; m != "" {
				return &walk{thread: w.thread, at: m, asc: true}
			}
		}
	}
	return nil
}

// turnsFrom makes a walk over turns that reaches the one at i, from the nearest
// turn with a mark; nil if there is none.
func (w *Window) turnsFrom(i int, asc bool) *walk {
	k := &walk{thread: w.thread, turns: true, view: viewSummary, asc: asc, along: true}
	step := 1
	if asc {
		step = -1
	}
	for ; k.at == "" && i >= 0 && i < len(w.turns); i += step {
		if k.at = w.turns[i].marks.older; asc {
			k.at = w.turns[i].marks.newer
		}
	}
	if k.at == "" {
		return nil
	}
	return k
}
