package history

import "holdfast/core/protocol"

// Fold hides what is between a turn's question and its answer, or shows it again.
// In a legacy thread the rows between go, as before the turn was expanded, and
// only Expand brings them back; elsewhere they stay in the window, because
// nothing but a gap would mark where they were, and the turn is marked Folded.
func (w *Window) Fold(id string, fold bool) error {
	t := w.byID[id]
	switch {
	case t == nil || len(t.rows) == 0:
		return ErrNotLoaded
	case fold && !t.ended:
		return ErrRunning
	case !w.legacy:
		t.info.Folded = fold
		w.touchTurns()
	case fold && !t.info.Summary:
		w.foldLegacy(t)
	}
	return nil
}

// foldLegacy makes the turn what its summary is: the first user message and the
// last agent message.
func (w *Window) foldLegacy(t *turn) {
	var kept []protocol.Item
	for _, k := range ends(t.rows, func(r *row) protocol.ItemBody { return r.item.Body }) {
		kept = append(kept, t.rows[k].item)
	}
	if len(kept) == 0 || len(kept) == len(t.rows) {
		return // there is nothing between
	}
	at := w.anchor.Turn == t.info.ID
	w.replace(t, kept, true)
	if at {
		w.anchor = t.rows[0].key
	}
}

// Ends gives the places of a turn's first user message and last agent message
// among its rows: what stays of it when it is folded.
func Ends(turn []*Row) []int {
	return ends(turn, func(r *Row) protocol.ItemBody { return r.Item.Body })
}

func ends[R any](rows []R, body func(R) protocol.ItemBody) (at []int) {
	first, last := -1, -1
	for i, r := range rows {
		switch body(r).(type) {
		case protocol.UserMessage:
			if first < 0 {
				first = i
			}
		case protocol.AgentMessage:
			last = i
		default: // what is folded
		}
	}
	if first >= 0 {
		at = append(at, first)
	}
	if last > first {
		at = append(at, last)
	}
	return at
}
