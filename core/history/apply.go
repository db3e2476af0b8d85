package history

import (
	"reflect"
	"slices"

	"holdfast/core/protocol"
)

// merge applies one event of this thread to the rows.
func (w *Window) merge(n protocol.Notification) {
	switch n := n.(type) {
	case protocol.TurnStarted:
		w.turnStarted(n.Turn)
	case protocol.TurnCompleted:
		w.turnCompleted(n.Turn)
	case protocol.ItemStarted:
		w.itemStarted(n.Turn, n.Item)
	case protocol.ItemCompleted:
		w.itemCompleted(n.Turn, n.Item)
	case protocol.Delta:
		w.delta(n)
	case protocol.PatchUpdated:
		w.patched(n)
	default: // Apply lets nothing else through
	}
	if w.cut {
		w.trimAside()
	}
	w.evict()
}

func (w *Window) turnStarted(x protocol.Turn) {
	t := w.turn(x.ID)
	if t.ended {
		return
	}
	t.tell(x)
	w.touchTurns()
}

// turnCompleted ends a turn: what was never completed vanishes (trap 9), the
// rest takes the server's order.
func (w *Window) turnCompleted(x protocol.Turn) {
	t := w.turn(x.ID)
	t.tell(x)
	t.ended = true
	for _, it := range x.Items {
		w.adopt(t, it)
	}
	w.endTurn(t)
	w.touchTurns()
}

func (w *Window) endTurn(t *turn) {
	w.findEnded()
	w.dropRows(t, func(r *row) bool { return !r.final })
	if w.cut && !w.Paging() {
		w.dropAside(t, func(*row) bool { return true }) // the server lists it by now
	}
	for k := range w.gone {
		if k.Turn == t.info.ID {
			delete(w.gone, k)
		}
	}
	t.settle()
	w.touch()
}

// adopt takes an item of turn/completed: the last agent message, whose own
// completion may have been missed. It makes no row in a turn that rows of newer
// turns follow, nor in a legacy thread, where its ID may be made up.
func (w *Window) adopt(t *turn, it protocol.Item) {
	k := Key{t.info.ID, it.ID}
	r := w.rows[k]
	_, gone := w.gone[k]
	switch {
	case w.parked:
	case r != nil && !r.final:
		w.complete(r, it)
	case r == nil && !w.legacy && !gone && w.isNewest(t):
		w.complete(w.newRow(t, it.ID), it)
	}
}

// isNewest reports whether no row of a newer turn follows those of t.
func (w *Window) isNewest(t *turn) bool {
	for _, x := range slices.Backward(w.turns) {
		if x == t || len(x.rows) > 0 {
			return x == t
		}
	}
	return false
}

func (w *Window) itemStarted(turn string, it protocol.Item) {
	r, t := w.growing(turn, it.ID)
	if r == nil {
		if t == nil || w.twin(t, it) != nil {
			return
		}
		r = w.newRow(t, it.ID)
	}
	r.seed(squeeze(it, w.limits.item()))
	w.changed(r)
}

// growing finds the row that a start or a delta may change. Without one it
// gives the turn to make it in, or neither: a completed item never changes by
// what comes late, and an ended turn gets no new rows in flight.
func (w *Window) growing(turn, item string) (*row, *turn) {
	k := Key{turn, item}
	if r := w.rows[k]; r != nil {
		if r.final {
			return nil, nil
		}
		return r, nil
	}
	if _, gone := w.gone[k]; gone {
		return nil, nil
	}
	if t := w.turn(turn); !t.ended {
		return nil, t
	}
	return nil, nil
}

// delta appends to a row. One for an item that nobody saw start begins a row
// that stays partial until the item is completed (trap 7).
func (w *Window) delta(d protocol.Delta) {
	if d.Kind == protocol.DeltaPatch { // the patch itself comes as a whole
		return
	}
	r, t := w.growing(d.Turn, d.Item)
	if r == nil {
		if t == nil {
			return
		}
		r = w.newRow(t, d.Item)
		r.seed(blank(d.Item, d.Kind))
		w.changed(r)
	}
	if !streams(r.item.Body, d.Kind) {
		return
	}
	s := r.part(d.Kind, d.Part)
	had := s.kept()
	if r.size+int64(len(d.Text)) > w.limits.item() {
		s.skip(max(d.Bytes, int64(len(d.Text))))
	} else {
		s.append(d.Text, d.Bytes)
	}
	w.grew(r, s.kept()-had)
}

// patched replaces the files of a file change.
func (w *Window) patched(n protocol.PatchUpdated) {
	r, t := w.growing(n.Turn, n.Item)
	if r == nil {
		if t == nil {
			return
		}
		r = w.newRow(t, n.Item)
		r.seed(blank(n.Item, protocol.DeltaPatch))
	}
	b, ok := r.item.Body.(protocol.FileChange)
	if !ok {
		return
	}
	b.Changes = n.Changes
	it := r.item
	it.Body, it.Cuts = b, n.Cuts
	r.seed(squeeze(it, w.limits.item()))
	w.changed(r)
}

// itemCompleted makes a row final, whatever came before (HIS-7).
func (w *Window) itemCompleted(turn string, it protocol.Item) {
	t, k := w.turn(turn), Key{turn, it.ID}
	r := w.rows[k]
	twin := w.twin(t, it)
	if w.parked || twin != nil || w.covers(t) {
		if r != nil && !r.final {
			w.dropRows(t, func(x *row) bool { return x == r })
		}
		if twin != nil {
			w.takeTwin(t, twin)
		}
		w.gone[k] = struct{}{} // a late delta does not begin it again
		w.found(k)
		return
	}
	delete(w.gone, k)
	if r == nil {
		r = w.newRow(t, it.ID)
	}
	w.complete(r, it)
}

// complete gives a row its final content, and its place in the order of
// completion if it had none.
func (w *Window) complete(r *row, it protocol.Item) {
	if !r.final {
		w.high++
		r.done = w.high
	}
	w.fill(r, it)
}

// fill sets the content of a final row. Times the server leaves out stay.
func (w *Window) fill(r *row, it protocol.Item) {
	w.found(r.key)
	it = squeeze(it, w.limits.item())
	if it.StartedAtMs == 0 {
		it.StartedAtMs = r.item.StartedAtMs
	}
	if it.CompletedAtMs == 0 {
		it.CompletedAtMs = r.item.CompletedAtMs
	}
	if r.final && reflect.DeepEqual(r.item, it) {
		return
	}
	r.final, r.item, r.parts, r.base = true, it, nil, 0
	w.changed(r)
}

// newRow puts a row in flight at the end of its turn, and a turn without rows
// behind those that have some.
func (w *Window) newRow(t *turn, item string) *row {
	if len(t.rows)+t.aside == 0 && !w.legacy {
		w.behindRows(t, func(*turn) bool { return true })
	}
	r := &row{key: Key{t.info.ID, item}}
	w.rows[r.key] = r
	w.empty = false
	if w.cut {
		w.putAside(t, r)
		return r
	}
	t.rows = append(t.rows, r)
	return r
}

// changed says that the row is another one now, and weighs it.
func (w *Window) changed(r *row) { w.grew(r, r.weigh()-r.size) }

// grew says that the row changed and keeps n bytes more.
func (w *Window) grew(r *row, n int64) {
	w.rev++
	r.rev = w.rev
	r.size += n
	w.bytes += n
	if !r.aside {
		w.touch()
	}
}

// dropRows removes the rows of t for which gone answers true.
func (w *Window) dropRows(t *turn, gone func(*row) bool) {
	kept := t.rows[:0:0]
	for _, r := range t.rows {
		if gone(r) {
			w.unlink(r)
			continue
		}
		kept = append(kept, r)
	}
	t.rows = kept
	w.dropAside(t, gone)
	w.touch()
}

// unlink forgets a row; its turn's list is the caller's.
func (w *Window) unlink(r *row) {
	w.lose(r)
	delete(w.rows, r.key)
	w.bytes -= r.size
	r.size = 0
}

// clear forgets every row and turn.
func (w *Window) clear() {
	w.missing = nil
	w.turns, w.byID, w.rows, w.gone = nil, map[string]*turn{}, map[Key]*row{}, map[Key]struct{}{}
	w.bytes, w.full, w.more, w.empty, w.broke = 0, false, false, false, ""
	w.older, w.newer, w.olderTurns = nil, nil, nil
	w.anchor, w.cut, w.aside, w.beyond = Key{}, false, nil, completion{}
	w.touchTurns()
}
