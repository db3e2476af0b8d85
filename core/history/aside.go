package history

import "slices"

// While the newest rows are given up, the rows kept aside stand behind the
// window's new end: everything in flight, which goes on growing, and what the
// running turn completed, which the server may not list yet.

// A completion is a completed item that is not held.
type completion struct {
	key  Key
	done int64
}

// aside bounds what is kept aside: a part of the window's own bounds.
func (l Limits) aside() (rows int, bytes int64) { return max(l.Items/4, 1), max(l.Bytes/4, 1) }

// cutOff says that the window does not reach the newest end any more.
func (w *Window) cutOff() {
	if w.cut {
		return
	}
	w.cut = true
	for _, t := range w.turns {
		if t.ended {
			continue
		}
		t.settle() // what is cut off is cut off in the server's order
		n := slices.IndexFunc(t.rows, func(r *row) bool { return !r.final })
		if n < 0 {
			continue
		}
		for _, r := range t.rows[n:] {
			w.putAside(t, r)
		}
		clear(t.rows[n:])
		t.rows = t.rows[:n]
	}
	w.trimAside()
	w.touchTurns()
}

// putAside keeps a row that its turn's list gives up.
func (w *Window) putAside(t *turn, r *row) {
	r.aside = true
	t.aside++
	w.aside = append(w.aside, r)
}

// takeBack takes rows of t from aside.
func (w *Window) takeBack(t *turn, which func(*row) bool) (rows []*row) {
	if t.aside == 0 {
		return nil
	}
	w.aside = slices.DeleteFunc(w.aside, func(r *row) bool {
		if r.key.Turn != t.info.ID || !which(r) {
			return false
		}
		r.aside = false
		t.aside--
		rows = append(rows, r)
		return true
	})
	return rows
}

// trimAside keeps what is aside within its bounds. What was completed goes
// first, and the newest of it is remembered: the end is not reached before the
// server lists that one.
func (w *Window) trimAside() {
	most, mostBytes := w.limits.aside()
	var size int64
	for _, r := range w.aside {
		size += r.size
	}
	for len(w.aside) > most || size > mostBytes {
		r := w.aside[0]
		for _, x := range w.aside[1:] {
			if x.final && (!r.final || x.done < r.done) {
				r = x
			}
		}
		size -= r.size
		w.takeBack(w.byID[r.key.Turn], func(x *row) bool { return x == r })
		if w.mayGrow(r) {
			w.gone[r.key] = struct{}{}
		}
		if r.final && r.done > w.beyond.done {
			w.beyond = completion{r.key, r.done}
		}
		w.unlink(r)
	}
}

// unstash puts what is aside behind the rows: the window is at the newest end.
func (w *Window) unstash() {
	if !w.cut {
		return
	}
	for _, t := range w.turns {
		w.append(t, w.takeBack(t, func(*row) bool { return true }))
	}
	w.cut, w.newer, w.beyond = false, nil, completion{}
	w.touchTurns()
}

// forgetListed drops what is aside of turns that have ended: a page asked for
// from now on lists it.
func (w *Window) forgetListed() {
	for _, t := range w.turns {
		if t.ended {
			w.dropAside(t, func(*row) bool { return true })
		}
	}
	if t := w.byID[w.beyond.key.Turn]; t == nil || t.ended {
		w.beyond = completion{}
	}
}

func (w *Window) dropAside(t *turn, which func(*row) bool) {
	for _, r := range w.takeBack(t, which) {
		w.unlink(r)
	}
}
