package history

import (
	"slices"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// Newer asks for the next newer page after rows were given up at the newest
// end. The anchor is the row to keep, the newest one if there is no such row.
func (w *Window) Newer(anchor Key) ([]Fetch, error) {
	switch {
	case w.Busy() || w.Paging():
		return nil, ErrBusy
	case !w.cut:
		return nil, ErrNoMore
	case w.lost:
		return nil, ErrRefresh
	}
	if w.newer == nil || w.newer.ended {
		if w.newer = w.newerFrom(); w.newer == nil {
			return nil, ErrRefresh
		}
	}
	w.hold(anchor, w.newest(), true)
	w.forgetListed()
	return []Fetch{w.ask(w.newer, forNewer, w.page())}, nil
}

// newerItems puts a newer page behind the rows.
func (w *Window) newerItems(f Fetch, page []protocol.Entry, r protocol.ThreadItemsListResult) []Fetch {
	fresh := w.unknown(page)
	if !w.makeRoom(len(fresh), w.weight(fresh), false) {
		return w.half(f)
	}
	grown := w.placeNewer(w.kept(page, fresh))
	w.notice(f.walk.advance(r.NextCursor))
	w.markItems(f.walk, page, r)
	if f.walk.all {
		w.reachEnd()
	} else if !grown {
		return w.follow(f, w.page())
	}
	return w.cover(forCover, true)
}

// placeNewer puts the page's items behind what their turns have, and reports
// whether any is new there.
func (w *Window) placeNewer(page []protocol.Entry) (grown bool) {
	had, ids := w.withRows(), turnsOfPage(page)
	w.arrange(ids, nextEnd)
	cut := slices.IndexFunc(had, func(t *turn) bool { return len(t.rows) == 0 }) // only aside
	if cut < 0 {
		cut = len(had)
	}
	w.align(slices.Concat(had[:cut], without(w.named(ids), had[:cut]), without(had[cut:], w.named(ids))))
	for _, e := range page {
		t, k := w.byID[e.TurnID], Key{e.TurnID, e.Item.ID}
		r := w.rows[k]
		if r == nil || r.aside {
			if r == nil {
				r = &row{key: k}
				w.rows[k] = r
				delete(w.gone, k)
			}
			w.takeBack(t, func(x *row) bool { return x == r })
			w.high++
			r.done = w.high
			t.rows = append(t.rows, r)
			grown = true
		}
		w.fill(r, e.Item)
	}
	w.touchTurns()
	return grown
}

// reachEnd ends the cut, unless something was completed that is neither listed
// nor aside: then the end is not reached yet.
func (w *Window) reachEnd() {
	if k := w.beyond.key; k != (Key{}) {
		if r := w.rows[k]; r == nil || r.aside {
			w.notice(words.T("The server does not list the newest rows yet. Load newer again in a moment."))
			return
		}
	}
	w.unstash()
}

// newerLegacy puts a newer page of summaries behind the rows.
func (w *Window) newerLegacy(f Fetch, page []protocol.Turn, r protocol.ThreadTurnsListResult) []Fetch {
	for _, x := range page {
		if t := w.byID[x.ID]; t != nil && x.Status != protocol.InProgress {
			w.dropAside(t, func(*row) bool { return true })
		}
	}
	fresh := slices.DeleteFunc(slices.Clone(page), func(x protocol.Turn) bool {
		t := w.byID[x.ID]
		return t != nil && (len(t.rows) > 0 || t.aside > 0)
	})
	rows, size := w.turnsWeight(fresh)
	if !w.makeRoom(rows, size, false) {
		return w.half(f)
	}
	w.listTurns(f.walk, page)
	for _, x := range fresh {
		w.replace(w.byID[x.ID], x.Items, true)
	}
	w.notice(f.walk.advance(r.NextCursor))
	w.markTurns(f.walk, page, r)
	if f.walk.all {
		w.reachEnd()
	} else if len(fresh) == 0 {
		return w.follow(f, w.page())
	}
	return nil
}
