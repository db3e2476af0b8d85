package history

import (
	"slices"

	"holdfast/core/protocol"
	"holdfast/core/words"
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
	if r.Over {
		return w.overTurns(f)
	}
	w.unread(r.Unread)
	page := turnsInOrder(f, r.Data)
	for _, t := range page {
		w.noteClients(t.Items)
	}
	var next []Fetch
	switch f.why {
	case forFirst:
		next = w.firstTurns(f, page, r)
		return append(next, w.finish()...)
	case forOlder:
		next = w.olderLegacy(f, page, r)
	case forNewer:
		next = w.newerLegacy(f, page, r)
	case forCover, forFirstCover:
		next = w.covered(f, page, r)
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

// overTurns takes a page of turns that is longer than could be read: a smaller
// one is asked for in its place (ruling 9).
func (w *Window) overTurns(f Fetch) []Fetch {
	switch {
	case f.limit > 1 || w.legacy && !f.First():
		next := w.half(f)
		w.settled()
		return next
	case f.why == forFirst:
		w.read.turns = &Failure{Reason: words.T("the newest turn does not fit the window")}
	}
	if f.First() {
		return w.finish()
	}
	return nil
}

// turnsInOrder gives a page oldest first, each turn once.
func turnsInOrder(f Fetch, page []protocol.Turn) []protocol.Turn {
	seen := make(map[string]bool, len(page))
	out := make([]protocol.Turn, 0, len(page))
	for _, x := range page {
		if !seen[x.ID] {
			seen[x.ID] = true
			out = append(out, x)
		}
	}
	if !f.walk.asc {
		slices.Reverse(out)
	}
	return out
}

// firstTurns takes the newest page of turns.
func (w *Window) firstTurns(f Fetch, page []protocol.Turn, r protocol.ThreadTurnsListResult) []Fetch {
	if w.legacy {
		return w.firstLegacy(f, page, r)
	}
	w.olderTurns = f.walk
	had := w.withRows()
	w.listTurns(f.walk, page)
	w.advanceTurns(f.walk, page, r)
	w.align(had)
	w.arrangeTold()
	return nil
}

// advanceTurns moves on to the next page of turns. Once the walk from the
// newest has listed them all, one it did not list is newer than those, unless
// rows say where it belongs.
func (w *Window) advanceTurns(k *walk, page []protocol.Turn, r protocol.ThreadTurnsListResult) {
	w.notice(k.advance(r.NextCursor))
	w.markTurns(k, page, r)
	if k != w.olderTurns || r.NextCursor != nil {
		return
	}
	rows := slices.ContainsFunc(w.turns, func(t *turn) bool { return t.by == k && len(t.rows) > 0 })
	i := slices.IndexFunc(w.turns, func(t *turn) bool { return t.by == k })
	j := len(w.turns)
	for ; j > 0 && w.turns[j-1].by != k; j-- {
	}
	if i > 0 {
		newer := slices.DeleteFunc(slices.Clone(w.turns[:i]), func(t *turn) bool {
			return len(t.rows) > 0 && (rows || t.since < w.read.id)
		})
		w.turns = slices.Concat(without(w.turns[:i], newer), w.turns[i:j], newer, w.turns[j:])
	}
}

// listTurns takes the order and the facts of a page's turns. Only a newest page
// may say that a turn goes on which was known to have ended.
func (w *Window) listTurns(k *walk, page []protocol.Turn) {
	newest := k.oldest == nil && !k.along
	// A walk goes on beyond turns that a later one, of a join, listed again.
	over := k.oldest != nil && !slices.ContainsFunc(w.turns, func(t *turn) bool { return t.by == k })
	if k.along = k.along || over; k.along {
		w.listAlong(k, page)
	} else {
		w.listBlock(k, page)
	}
	for _, x := range page {
		t := w.byID[x.ID]
		t.listed = w.read.id
		if !k.along {
			t.by = k
		}
		if newest || !t.ended {
			t.tell(x)
		}
	}
	if len(page) > 0 {
		k.oldest = w.byID[page[0].ID]
	}
	w.touchTurns()
}

// listAlong puts the page's turns among those that are known.
func (w *Window) listAlong(k *walk, page []protocol.Turn) {
	ids := make([]string, len(page))
	for i, x := range page {
		ids[i] = x.ID
	}
	if k.asc {
		w.arrange(ids, nextEnd)
		return
	}
	w.arrange(ids, oldEnd)
}

// listBlock puts the page's turns, which follow each other without a gap, right
// before those that the same walk listed already. A turn outside that came
// before any of them still does, and one with rows before what is news to all.
func (w *Window) listBlock(k *walk, page []protocol.Turn) {
	var block, listed, before, after []*turn
	in := map[*turn]bool{}
	news := false // the newest of the page became known by it
	for _, x := range page {
		t := w.byID[x.ID]
		if news = t == nil && k.oldest == nil; t == nil {
			t = w.know(x.ID)
		}
		if t.by != k {
			block, in[t] = append(block, t), true
		}
	}
	edge := -1
	for i, t := range w.turns {
		if in[t] || t.by == k || news && len(t.rows) > 0 && t.since < w.read.id && !t.running() {
			edge = i
		}
		if t.by == k {
			listed = append(listed, t)
		}
	}
	for i, t := range w.turns {
		switch {
		case in[t] || t.by == k:
		case i <= edge || edge < 0:
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
// far do not reach them.
func (w *Window) cover(why purpose, asc bool) []Fetch {
	if w.legacy {
		return nil
	}
	i := slices.IndexFunc(w.turns, (*turn).unlisted)
	if i < 0 {
		return nil
	}
	k := w.olderTurns
	if !asc {
		for i = len(w.turns) - 1; !w.turns[i].unlisted(); i-- {
		}
	}
	if asc || k == nil {
		k = w.turnsFrom(i, asc)
	}
	if k == nil || k.ended {
		return nil
	}
	return []Fetch{w.ask(k, why, turnsPage)}
}

// maxMisses bounds the pages of turns that tell nothing of what is looked for:
// it may be newer than they are.
const maxMisses = 2

// covered takes such turns, and goes on while that tells of turns with rows.
func (w *Window) covered(f Fetch, page []protocol.Turn, r protocol.ThreadTurnsListResult) []Fetch {
	told := slices.ContainsFunc(page, func(x protocol.Turn) bool {
		t := w.byID[x.ID]
		return t != nil && t.unlisted()
	})
	had := w.withRows()
	w.listTurns(f.walk, page)
	w.advanceTurns(f.walk, page, r)
	w.align(had)
	w.pruneTurns()
	if !f.First() {
		w.settleEnded()
	}
	if !told && f.step >= maxMisses || !slices.ContainsFunc(w.turns, (*turn).unlisted) {
		return nil
	}
	return w.follow(f, turnsPage)
}
