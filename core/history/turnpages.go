package history

import (
	"slices"

	"holdfast/core/protocol"
)

// How much of a turn a page of turns holds.
const (
	viewSummary   = "summary"
	viewFull      = "full"
	viewNotLoaded = "notLoaded"
)

// GotTurns takes a page of turns, and gives the reads that follow from it. Of a
// paginated thread it gives status and times, never rows.
func (w *Window) GotTurns(f Fetch, r protocol.ThreadTurnsListResult) []Fetch {
	f, ok := w.take(f)
	if !ok || f.Turns == nil {
		return nil
	}
	page := oldestTurnFirst(r.Data)
	for _, t := range page {
		w.noteClients(t.Items)
	}
	var next []Fetch
	switch f.why {
	case forFirst:
		next = w.firstTurns(f, page, r.NextCursor)
		return append(next, w.finish()...)
	case forOlder:
		next = w.olderLegacy(f, page, r.NextCursor)
	case forCover, forFirstCover:
		next = w.covered(f, page, r.NextCursor)
		if f.First() {
			return append(next, w.finish()...)
		}
	case forSeek:
		next = w.passed(f, page, r.NextCursor)
	case forWhole:
		next = w.wholeLegacy(f, page, r.NextCursor)
	case forExpand: // a read of items
	}
	w.settled()
	return next
}

func oldestTurnFirst(page []protocol.Turn) []protocol.Turn {
	seen := make(map[string]bool, len(page))
	out := make([]protocol.Turn, 0, len(page))
	for i := len(page) - 1; i >= 0; i-- {
		if !seen[page[i].ID] {
			seen[page[i].ID] = true
			out = append(out, page[i])
		}
	}
	return out
}

// firstTurns takes the newest page of turns.
func (w *Window) firstTurns(f Fetch, page []protocol.Turn, next *string) []Fetch {
	if w.legacy {
		return w.firstLegacy(f, page, next)
	}
	w.listTurns(f.walk, page)
	w.notice(f.walk.advance(next))
	w.olderTurns = f.walk
	return nil
}

// listTurns takes the order and the facts of a page's turns. Only a newest page
// may say that a turn goes on which was known to have ended.
func (w *Window) listTurns(k *walk, page []protocol.Turn) {
	newest := k.oldest == nil
	w.listBlock(k, page)
	for _, x := range page {
		t := w.byID[x.ID]
		t.listed, t.by = w.read.id, k
		if newest || !t.ended {
			t.tell(x)
		}
	}
	if len(page) > 0 {
		k.oldest = w.byID[page[0].ID]
	}
	w.touchTurns()
}

// listBlock puts the page's turns, which follow each other without a gap, right
// before those that the same walk listed already. A turn outside that came
// before any of them still does.
func (w *Window) listBlock(k *walk, page []protocol.Turn) {
	var block, listed, before, after []*turn
	in := map[*turn]bool{}
	for _, x := range page {
		t := w.byID[x.ID]
		if t == nil {
			t = &turn{info: TurnInfo{ID: x.ID}}
			w.byID[x.ID] = t
		}
		if t.by != k {
			block, in[t] = append(block, t), true
		}
	}
	edge := -1
	for i, t := range w.turns {
		if in[t] || t.by == k {
			edge = i
		}
		if t.by == k {
			listed = append(listed, t)
		}
	}
	for i, t := range w.turns {
		switch {
		case in[t] || t.by == k:
		case i < edge || edge < 0:
			before = append(before, t)
		default:
			after = append(after, t)
		}
	}
	w.turns = slices.Concat(before, block, listed, after)
}

// unlisted reports whether the turn has rows and its facts are not known.
func (t *turn) unlisted() bool { return len(t.rows) > 0 && t.info.Status == "" }

// cover asks for the turns of rows that a page brought, if the turns read so
// far do not reach back to them.
func (w *Window) cover(why purpose) []Fetch {
	if w.olderTurns == nil || w.olderTurns.ended || w.legacy || !slices.ContainsFunc(w.turns, (*turn).unlisted) {
		return nil
	}
	return []Fetch{w.ask(w.olderTurns, why, turnsPage)}
}

// covered takes such turns, and goes on while that tells of turns with rows.
func (w *Window) covered(f Fetch, page []protocol.Turn, next *string) []Fetch {
	told := slices.ContainsFunc(page, func(x protocol.Turn) bool {
		t := w.byID[x.ID]
		return t != nil && t.unlisted()
	})
	w.listTurns(f.walk, page)
	w.notice(f.walk.advance(next))
	w.pruneTurns()
	if !f.First() {
		w.settleEnded()
	}
	if !told || !slices.ContainsFunc(w.turns, (*turn).unlisted) {
		return nil
	}
	return w.follow(f, turnsPage)
}
