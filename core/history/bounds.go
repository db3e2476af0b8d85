package history

import "slices"

// The window is one run of rows without a gap. Over a bound it gives up rows
// at the end that is farther from the anchor, never the anchor itself (HIS-6).

// SetAnchor says which row the user looks at, so that what streams in pushes
// out rows at the other end. The zero Key follows the newest row.
func (w *Window) SetAnchor(k Key) { w.anchor = k }

// hold makes k the anchor of a page that is asked for; without such a row the
// first completed one of the turn is it, or the last one.
func (w *Window) hold(k Key, otherwise *turn, last bool) {
	if w.full {
		w.full = false
		w.touch()
	}
	if r := w.rows[k]; r != nil && !r.aside {
		w.anchor = k
		return
	}
	w.anchor = Key{}
	if otherwise == nil {
		return
	}
	for _, r := range otherwise.rows {
		if r.final {
			if w.anchor = r.key; !last {
				return
			}
		}
	}
}

// exceeds reports whether that much more would break a bound.
func (w *Window) exceeds(rows int, bytes int64) bool {
	return len(w.rows)+rows > w.limits.Items || w.bytes+bytes > w.limits.Bytes
}

// makeRoom gives up rows at one end until that much more fits. When not even
// all rows up to the anchor are enough, nothing changes.
func (w *Window) makeRoom(rows int, bytes int64, newest bool) bool {
	if !w.exceeds(rows, bytes) {
		return true
	}
	n, size := w.spare(newest)
	if len(w.rows)-n+rows > w.limits.Items || w.bytes-size+bytes > w.limits.Bytes {
		return false
	}
	for w.exceeds(rows, bytes) {
		if dropped := newest && w.dropNewest() || !newest && w.dropOldest(); !dropped {
			return false
		}
	}
	return true
}

// spare counts what can be given up at one end. Of a running turn that may
// leave something aside.
func (w *Window) spare(newest bool) (rows int, bytes int64) {
	var kept int
	var keptBytes int64
	count := func(t *turn, r *row) {
		rows++
		bytes += r.size
		if newest && (t.running() || !r.final) {
			kept++
			keptBytes += r.size
		}
	}
	turns, at := w.turns, w.byID[w.anchor.Turn]
	if i := slices.Index(turns, at); i >= 0 {
		j := slices.IndexFunc(at.rows, func(r *row) bool { return r.key == w.anchor })
		switch {
		case w.legacy || j < 0:
		case newest:
			for _, r := range at.rows[j+1:] {
				count(at, r)
			}
		default:
			for _, r := range at.rows[:j] {
				count(at, r)
			}
		}
		if newest {
			turns = turns[i+1:]
		} else {
			turns = turns[:i]
		}
	}
	for _, t := range turns {
		for _, r := range t.rows {
			count(t, r)
		}
	}
	most, mostBytes := w.limits.aside()
	return rows - min(kept, most), bytes - min(keptBytes, mostBytes)
}

// evict pushes rows out until the window keeps its bounds, where live rows came
// in.
func (w *Window) evict() {
	for w.exceeds(0, 0) {
		if w.nearOld() && w.dropNewest() || w.dropOldest() || w.dropNewest() {
			continue
		}
		if w.anchor == (Key{}) {
			w.loseSync(staleOverflow) // nothing is left to push out
			break
		}
		w.anchor = Key{} // it is in flight itself, between rows in flight
	}
	if len(w.gone) > w.limits.Items {
		clear(w.gone)
		w.loseSync(staleOverflow)
	}
}

// nearOld reports whether the newest end is the one to give up: an older page
// is on its way, or the anchor is nearer to the old end.
func (w *Window) nearOld() bool {
	for _, f := range w.open {
		switch f.why {
		case forOlder, forExpand, forSeek, forWhole:
			return true
		case forNewer:
			return false
		case forFirst, forFirstCover, forCover:
		}
	}
	if r := w.rows[w.anchor]; r == nil || r.aside {
		return false
	}
	before, after, met := 0, 0, false
	for _, t := range w.turns {
		n := len(t.rows)
		switch {
		case t.info.ID == w.anchor.Turn:
			i := slices.IndexFunc(t.rows, func(r *row) bool { return r.key == w.anchor })
			before, after, met = before+i, n-i-1, true
		case met:
			after += n
		default:
			before += n
		}
	}
	return after > before
}

// dropOldest gives up the oldest row, or turn of a legacy thread. A row in
// flight that goes comes back completed, at the new end.
func (w *Window) dropOldest() bool {
	t := w.oldest()
	if t == nil {
		return false
	}
	i, n := t.first(), 1
	if w.legacy && w.newest() != t {
		i, n = 0, len(t.rows)
	}
	going := t.rows[i : i+n]
	if slices.ContainsFunc(going, func(r *row) bool { return r.key == w.anchor }) {
		return false
	}
	for _, r := range going {
		w.unlink(r)
		if w.mayGrow(r) {
			w.gone[r.key] = struct{}{}
		}
		if !r.final {
			continue
		}
		w.more, w.older, t.whole = true, nil, false
		w.abandonPaging(forOlder, forExpand, forCover) // it continues rows that are gone
	}
	t.rows = slices.Delete(t.rows, i, i+n)
	if w.legacy {
		t.info.Summary, w.infos = len(t.rows) > 0, nil
	}
	w.touch()
	return true
}

// mayGrow reports whether deltas of a row that goes must not begin it again:
// one in flight, or one whose last deltas may come late.
func (w *Window) mayGrow(r *row) bool { return !r.final || r.done == w.high }

// first finds the row that is the oldest in the server's order.
func (t *turn) first() (at int) {
	for i, r := range t.rows {
		if x := t.rows[at]; r.final && (!x.final || r.done < x.done) {
			at = i
		}
	}
	return at
}

// hasFinal reports whether a completed row is in the window.
func (w *Window) hasFinal() bool {
	for _, t := range w.turns {
		for _, r := range t.rows {
			if r.final {
				return true
			}
		}
	}
	return false
}

// dropNewest gives up the newest row, or turn of a legacy thread. What is in
// flight goes aside, and so does what the running turn completed: the server
// lists it by the time its turn has ended.
func (w *Window) dropNewest() bool {
	if t := w.newest(); t == nil || t.rows[len(t.rows)-1].key == w.anchor {
		return false
	}
	if r := w.rows[w.anchor]; r != nil && !r.final || !w.hasFinal() {
		return false // nothing completed follows
	}
	w.cutOff()
	t := w.newest()
	if t == nil || t.rows[len(t.rows)-1].key == w.anchor || w.legacy && t.info.ID == w.anchor.Turn {
		return false
	}
	n := len(t.rows) - 1
	if w.legacy {
		n = 0
	}
	for _, r := range t.rows[n:] {
		if t.running() {
			w.putAside(t, r)
		} else {
			w.unlink(r)
		}
	}
	clear(t.rows[n:])
	t.rows, w.newer = t.rows[:n], nil
	w.abandonPaging(forNewer)
	w.trimAside()
	w.touch()
	return true
}
