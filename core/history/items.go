package history

import (
	"math"
	"slices"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// GotItems takes a page of items, and gives the reads that follow from it.
func (w *Window) GotItems(f Fetch, r protocol.ThreadItemsListResult) []Fetch {
	f, ok := w.take(f)
	if !ok || f.Items == nil {
		return nil
	}
	if r.Over {
		return w.over(f)
	}
	w.unread(r.Unread)
	entries := inOrder(f, r.Data)
	for _, e := range entries {
		w.noteClient(e.Item)
	}
	var next []Fetch
	switch f.why {
	case forFirst:
		next = w.firstItems(f, entries, r)
		return append(next, w.finish()...)
	case forOlder:
		next = w.olderItems(f, entries, r)
	case forNewer:
		next = w.newerItems(f, entries, r)
	case forExpand:
		next = w.turnItems(f, entries, r.NextCursor)
	case forFirstCover, forCover, forSeek, forWhole: // reads of turns
	}
	w.settled()
	return next
}

// staleUnread is why a history with a row that cannot be read is not complete.
const staleUnread = string(words.Key("the server lists something that cannot be read"))

// unread marks the view when a page held what cannot be read: what is shown
// beside it is right, and not all there is.
func (w *Window) unread(n int) {
	if n == 0 {
		return
	}
	w.stale, w.mark = staleUnread, staleUnread
	w.touch()
}

// over takes a page that is longer than could be read: a smaller one is asked
// for in its place.
func (w *Window) over(f Fetch) []Fetch {
	if f.First() && f.limit <= 1 {
		w.read.items = &Failure{Reason: words.T("the newest page does not fit the window")}
		return w.finish()
	}
	next := w.half(f)
	w.settled()
	return next
}

// inOrder gives a page oldest first. What the server lists twice counts once, and
// what it lists of another turn than the one asked for not at all.
func inOrder(f Fetch, page []protocol.Entry) []protocol.Entry {
	seen := make(map[Key]bool, len(page))
	out := make([]protocol.Entry, 0, len(page))
	for _, e := range page {
		k := Key{e.TurnID, e.Item.ID}
		if seen[k] || f.walk.turn != "" && f.walk.turn != e.TurnID {
			continue
		}
		seen[k] = true
		out = append(out, e)
	}
	if !f.walk.asc {
		slices.Reverse(out)
	}
	return out
}

// firstItems takes the newest page.
func (w *Window) firstItems(f Fetch, page []protocol.Entry, r protocol.ThreadItemsListResult) []Fetch {
	if len(page) > w.limits.Items || w.weight(page) > w.limits.Bytes {
		if f.limit > 1 {
			return w.half(f)
		}
		w.read.items = &Failure{Reason: words.T("the newest page does not fit the window")}
		return nil
	}
	w.read.got = len(page) > 0
	touches := w.read.join && w.touches(page)
	w.unlisted(page)
	w.unstash()
	w.mergeNewest(page, touches)
	w.notice(f.walk.advance(r.NextCursor))
	w.markItems(f.walk, page, r)
	if !touches {
		f.walk.met = true
		w.older = f.walk
		w.goesOn(f.walk)
	}
	w.anchor = Key{}
	w.evict()
	return nil
}

// weight is what the items will keep.
func (w *Window) weight(page []protocol.Entry) (n int64) {
	for _, e := range page {
		n += min(textBytes(e.Item.Body), w.limits.item())
	}
	return n
}

// touches reports whether the page reaches back to a row that is here: then no
// row is missing between what is here and the page.
func (w *Window) touches(page []protocol.Entry) bool {
	if len(page) == 0 {
		return false
	}
	r := w.rows[Key{page[0].TurnID, page[0].Item.ID}]
	return r != nil && r.final && !r.aside
}

// unlisted marks the view when a completed item is neither held nor listed. Where
// the page lists it, or one that was completed after it, nothing is missing.
func (w *Window) unlisted(page []protocol.Entry) {
	if w.beyond.key == (Key{}) {
		return
	}
	reached := func(e protocol.Entry) bool {
		k := Key{e.TurnID, e.Item.ID}
		r := w.rows[k]
		return k == w.beyond.key || r != nil && r.final && r.done > w.beyond.done
	}
	if !slices.ContainsFunc(page, reached) {
		w.mark = staleUnlisted
	}
}

// mergeNewest makes the page the new end of the window. Older rows stay if it
// touches them; rows it does not list stay if they are in flight, or completed
// too late to be listed, in a turn that a gapless stream says is running.
func (w *Window) mergeNewest(page []protocol.Entry, touches bool) {
	w.arrangeTold()
	first, last := -1, -1
	if n := len(page); n > 0 {
		first = slices.Index(w.turns, w.byID[page[0].TurnID])
		if last = slices.Index(w.turns, w.byID[page[n-1].TurnID]); last < 0 {
			last = len(w.turns) // a turn nobody knew is newer than all
		}
	}
	listed := byTurn(page)
	after := map[*turn][]*row{}
	for i, t := range w.turns {
		known := w.oldestKnown(t, listed[t.info.ID])
		cut := w.dropRowsKeeping(t, func(r *row) fate {
			unlisted := r.done > known || known == math.MaxInt64 && i > last && r.final && t.running()
			switch {
			case isListed(r, listed):
				return stays
			case touches && i < first, touches && i == first && r.final && r.done < known:
				return stays
			case w.read.gapless && !t.ended && (!r.final || unlisted):
				return follows
			default:
				return goes
			}
		})
		if len(cut) > 0 {
			after[t] = cut
		}
	}
	had := slices.DeleteFunc(slices.Clone(w.turns), func(t *turn) bool { return len(t.rows) == 0 && len(after[t]) == 0 })
	w.place(page, had, true)
	for _, t := range w.turns {
		w.append(t, after[t])
	}
	w.touchTurns()
}

// A fate is what a new first page makes of a row.
type fate uint8

const (
	stays   fate = iota
	follows      // behind the rows of the page
	goes
)

// dropRowsKeeping sorts the rows of t, and gives those that follow the page.
func (w *Window) dropRowsKeeping(t *turn, of func(*row) fate) (after []*row) {
	var kept []*row
	for _, r := range t.rows {
		switch of(r) {
		case stays:
			kept = append(kept, r)
		case follows:
			after = append(after, r)
		case goes:
			w.unlink(r)
		}
	}
	t.rows = kept
	return after
}

// append puts rows behind those of t, the completed ones first.
func (w *Window) append(t *turn, rows []*row) {
	if len(rows) == 0 {
		return
	}
	tail := turn{rows: rows}
	tail.settle()
	for _, r := range tail.rows {
		if r.final {
			w.high++
			r.done = w.high
		}
	}
	t.rows = append(t.rows, tail.rows...)
}

func byTurn(page []protocol.Entry) map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for _, e := range page {
		if m[e.TurnID] == nil {
			m[e.TurnID] = map[string]bool{}
		}
		m[e.TurnID][e.Item.ID] = true
	}
	return m
}

func isListed(r *row, listed map[string]map[string]bool) bool { return listed[r.key.Turn][r.key.Item] }

// oldestKnown is the first completion in t that the page lists as well; what
// was completed before it in t is older than the page.
func (w *Window) oldestKnown(t *turn, listed map[string]bool) int64 {
	known := int64(math.MaxInt64)
	for _, r := range t.rows {
		if r.final && listed[r.key.Item] {
			known = min(known, r.done)
		}
	}
	return known
}

// place puts the page's items into their turns in the page's order: behind what
// the turn has, or with newest false before it. Rows that exist keep their
// content if it is the same, and with newest false their place. had are the turns
// that had rows.
func (w *Window) place(page []protocol.Entry, had []*turn, newest bool) {
	ids := turnsOfPage(page)
	if newest {
		w.arrange(ids, newEnd)
		w.align(w.newestOrder(had, w.named(ids), byTurn(page)))
	} else {
		w.arrange(ids, oldEnd)
		w.align(slices.Concat(without(w.named(ids), had), had))
		w.low -= int64(len(page))
	}
	moved := map[*turn][]*row{}
	for i, e := range page {
		t := w.byID[e.TurnID]
		t.listed = w.read.id
		r := w.rows[Key{e.TurnID, e.Item.ID}]
		switch {
		case r == nil:
			r = &row{key: Key{e.TurnID, e.Item.ID}}
			w.rows[r.key] = r
			delete(w.gone, r.key)
		case !newest && r.final:
			w.fill(r, e.Item)
			continue
		}
		if newest {
			w.high++
			r.done = w.high
		} else {
			r.done = w.low + int64(i)
		}
		w.fill(r, e.Item)
		moved[t] = append(moved[t], r)
	}
	for t, rows := range moved {
		rest := slices.DeleteFunc(t.rows, func(r *row) bool { return slices.Contains(rows, r) })
		t.rows = append(rest, rows...)
		if !newest {
			t.settle()
		}
	}
	w.touchTurns()
}

// turnsOfPage gives the turns of the items, in order.
func turnsOfPage(page []protocol.Entry) (ids []string) {
	for _, e := range page {
		if n := len(ids); n == 0 || ids[n-1] != e.TurnID {
			ids = append(ids, e.TurnID)
		}
	}
	return ids
}

// olderItems puts an older page before the rows.
func (w *Window) olderItems(f Fetch, whole []protocol.Entry, r protocol.ThreadItemsListResult) []Fetch {
	page := w.beyondOld(f.walk, whole)
	fresh := w.unknown(page)
	if !w.makeRoom(len(fresh), w.weight(fresh), true) {
		return w.half(f)
	}
	w.place(w.kept(page, fresh), w.withRows(), false)
	w.notice(f.walk.advance(r.NextCursor))
	w.markItems(f.walk, whole, r)
	w.goesOn(f.walk)
	if len(fresh) == 0 {
		return w.follow(f, w.page())
	}
	return w.cover(forCover, false)
}

// turnItems puts items of one turn before its rows, and goes on until nothing
// of the turn is missing.
func (w *Window) turnItems(f Fetch, page []protocol.Entry, next *string) []Fetch {
	page = w.beyondOld(f.walk, page)
	fresh := w.unknown(page)
	if !w.makeRoom(len(fresh), w.weight(fresh), true) {
		return w.half(f)
	}
	w.place(w.kept(page, fresh), w.withRows(), false)
	w.notice(f.walk.advance(next))
	if f.walk.ended {
		if t := w.byID[f.walk.turn]; t != nil {
			t.whole = f.walk.all
		}
		return nil
	}
	if len(fresh) > 0 && w.exceeds(w.page(), 0) {
		return nil // going on would push rows out
	}
	return w.follow(f, w.page())
}

// beyondOld gives what of the page lies beyond the old end of the rows, of all or
// of one turn: a walk that began before that end passes over what is newer.
func (w *Window) beyondOld(k *walk, page []protocol.Entry) []protocol.Entry {
	if k.met {
		return page
	}
	end, ok := w.oldEnd(w.byID[k.turn])
	if !ok { // nothing completed is here: all that is listed is older
		k.met = true
		return page
	}
	for i, e := range page {
		if end == (Key{e.TurnID, e.Item.ID}) {
			k.met = true
			return page[:i]
		}
	}
	return nil
}

// oldEnd is the oldest completed row, of that turn or, if it is nil, of all.
func (w *Window) oldEnd(t *turn) (Key, bool) {
	for _, x := range w.turns {
		if len(x.rows) == 0 || t != nil && x != t {
			continue
		}
		if r := x.rows[x.first()]; r.final {
			return r.key, true
		}
	}
	return Key{}, false
}

// kept leaves out what the window held and gave up to make room for the page.
func (w *Window) kept(page, fresh []protocol.Entry) []protocol.Entry {
	isFresh := make(map[Key]bool, len(fresh))
	for _, e := range fresh {
		isFresh[Key{e.TurnID, e.Item.ID}] = true
	}
	return slices.DeleteFunc(slices.Clone(page), func(e protocol.Entry) bool {
		k := Key{e.TurnID, e.Item.ID}
		return !isFresh[k] && w.rows[k] == nil
	})
}

// unknown gives the items of the page that the window does not hold.
func (w *Window) unknown(page []protocol.Entry) (fresh []protocol.Entry) {
	for _, e := range page {
		if w.rows[Key{e.TurnID, e.Item.ID}] == nil {
			fresh = append(fresh, e)
		}
	}
	return fresh
}
