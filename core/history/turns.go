package history

import (
	"slices"

	"holdfast/core/protocol"
)

// A turn is what is known of one turn, and its rows.
type turn struct {
	info TurnInfo
	// rows are in start order while the turn runs; once it ended, or merged
	// with a page, in the server's completion order (ruling 8).
	rows  []*row
	ended bool
	since uint64 // the first read before or during which it became known
	// listed is the last first read that named the turn.
	listed uint64
	by     *walk // the walk that last listed it
	// whole says that nothing of the turn is missing at its old end.
	whole bool
	aside int // how many of its rows are aside
	// closed is the read whose page made the rows of this legacy turn after it ended.
	closed uint64
	marks  marks
}

// running reports whether the server said that the turn goes on.
func (t *turn) running() bool { return t.info.Status == protocol.InProgress }

// tell takes over what the server says of the turn. What it leaves out stays.
func (t *turn) tell(x protocol.Turn) {
	i := &t.info
	i.Status = x.Status
	t.ended = x.Status != "" && x.Status != protocol.InProgress
	if x.StartedAt != 0 {
		i.StartedAt = x.StartedAt
	}
	if x.CompletedAt != 0 {
		i.CompletedAt = x.CompletedAt
	}
	if x.DurationMs != 0 {
		i.DurationMs = x.DurationMs
	}
	i.Error = x.Error
}

// settle puts the completed rows into the server's order and those in flight,
// in start order, behind them (ruling 8, trap 8).
func (t *turn) settle() {
	slices.SortStableFunc(t.rows, func(a, b *row) int {
		switch {
		case a.final && b.final:
			return int(a.done - b.done)
		case a.final:
			return -1
		case b.final:
			return 1
		default:
			return 0
		}
	})
}

// turn gives the turn with this ID; one nobody mentioned before is the newest.
func (w *Window) turn(id string) *turn {
	if t := w.byID[id]; t != nil {
		return t
	}
	t := w.know(id)
	w.turns = append(w.turns, t)
	w.touchTurns()
	w.pruneTurns()
	return t
}

// know makes a turn known. Its place is the caller's.
func (w *Window) know(id string) *turn {
	t := &turn{info: TurnInfo{ID: id}, since: w.read.id}
	w.byID[id] = t
	return t
}

// Lists reports whether the last first read, of Open, Rejoin or Refresh, named
// the turn.
func (w *Window) Lists(id string) bool {
	t := w.byID[id]
	return t != nil && t.listed == w.read.id
}

// Reaches reports whether all that can come after a turn is in the window, up to
// the newest end: a row of that turn, or of an older one, is here. For "", or a
// turn that nobody knows, that is the whole history.
func (w *Window) Reaches(turn string) bool {
	if w.Busy() || w.Paging() || w.holding || w.lost || w.parked || w.cut || w.stale != "" {
		return false
	}
	if w.empty && len(w.rows) == 0 || w.older != nil && w.older.all && !w.more {
		return true
	}
	from, to := slices.Index(w.turns, w.oldest()), slices.Index(w.turns, w.byID[turn])
	return from >= 0 && to >= from
}

// Before gives the turn that stands before another one, "" if none is known.
func (w *Window) Before(turn string) string {
	if i := slices.Index(w.turns, w.byID[turn]); i > 0 {
		return w.turns[i-1].info.ID
	}
	return ""
}

// An end is where turns go that nobody knew before.
type end uint8

const (
	oldEnd  end = iota // an older page of items: before everything
	nextEnd            // a newer page: right behind the rows
	newEnd             // the newest items: at the end, or before all that were listed
	liveEnd            // events: at the end
)

// arrange makes the turns of a page known. ids are oldest first. An unknown one
// goes right before the next one of the page that is known.
func (w *Window) arrange(ids []string, at end) {
	sortAmong(w.turns, w.named(ids))
	var fresh []*turn
	place := func(i int) {
		w.turns = slices.Insert(w.turns, i, fresh...)
		fresh = nil
	}
	last := -1
	for _, id := range ids {
		if t := w.byID[id]; t != nil {
			if i := slices.Index(w.turns, t); i >= 0 {
				place(i)
				last = slices.Index(w.turns, t)
			}
			continue
		}
		fresh = append(fresh, w.know(id))
	}
	switch {
	case len(fresh) == 0:
	case at == oldEnd && last < 0:
		place(w.beforeRows())
	case at == oldEnd:
		place(last + 1)
	case at == nextEnd:
		place(max(last, slices.Index(w.turns, w.newest())) + 1)
	case at == newEnd:
		place(w.beforeNews(last))
	default:
		place(len(w.turns))
	}
	w.touchTurns()
}

// arrangeTold makes the turns known that only the events held back tell of.
// What is told late of a known turn says nothing about its place: only one
// that began meanwhile is newer than those with rows.
func (w *Window) arrangeTold() {
	had, began := w.withRows(), w.buf.began()
	ids := slices.DeleteFunc(w.buf.turns(), func(id string) bool { return w.byID[id] != nil && !began[id] })
	w.arrange(ids, liveEnd)
	w.align(had)
	for _, t := range w.named(ids) {
		if began[t.info.ID] && len(t.rows) == 0 {
			w.behindRows(t, func(x *turn) bool { return !began[x.info.ID] })
		}
	}
}

// beforeNews finds where turns go that the newest items name behind the turn at
// last, and that nobody told of: before those that the events held back tell
// of, and before the newest turns unless the one at last is among these, or
// these are all there were.
func (w *Window) beforeNews(last int) int {
	told := w.buf.turns()
	amid := last >= 0 && w.turns[last].by == w.read.walk || w.read.walk.all
	for i, t := range w.turns {
		if i > last && (slices.Contains(told, t.info.ID) || !amid && t.by == w.read.walk) {
			return i
		}
	}
	return len(w.turns)
}

// beforeRows finds where turns go that only an older page of items names:
// before the turns with rows, and before those that were listed beyond them.
func (w *Window) beforeRows() int {
	i := max(slices.Index(w.turns, w.oldest()), 0)
	for i > 0 && w.turns[i-1].listed == w.read.id {
		i--
	}
	return i
}

// forget drops the turns for which gone answers true. They have no rows.
func (w *Window) forget(gone func(*turn) bool) {
	w.turns = slices.DeleteFunc(w.turns, func(t *turn) bool {
		if len(t.rows) > 0 || t.aside > 0 || !gone(t) {
			return false
		}
		delete(w.byID, t.info.ID)
		return true
	})
	w.touchTurns()
}

// pruneTurns keeps the turns within the bound of the rows. Of those without
// rows the farthest from the rows go, never the newest of all.
func (w *Window) pruneTurns() {
	over := len(w.turns) - w.limits.Items
	if over <= 0 {
		return
	}
	i, j := 0, len(w.turns)-2
	first, last := slices.Index(w.turns, w.oldest()), slices.Index(w.turns, w.newest())
	if first < 0 {
		first, last = j, j
	}
	going := map[*turn]bool{}
	for len(going) < over && i <= j {
		old := first-i >= j-last
		t := w.turns[j]
		if old {
			t = w.turns[i]
			i++
		} else {
			j--
		}
		if len(t.rows) > 0 || t.aside > 0 {
			continue
		}
		going[t] = true
		if k := w.olderTurns; k != nil && (old || t == k.oldest) {
			w.olderTurns = nil // it has passed this one; a mark leads back to it
		}
	}
	w.forget(func(t *turn) bool { return going[t] })
}

// oldest gives the oldest turn with rows, nil if there are none.
func (w *Window) oldest() *turn {
	for _, t := range w.turns {
		if len(t.rows) > 0 {
			return t
		}
	}
	return nil
}

// newest gives the newest turn with rows, nil if there are none.
func (w *Window) newest() *turn {
	for _, t := range slices.Backward(w.turns) {
		if len(t.rows) > 0 {
			return t
		}
	}
	return nil
}

// behind counts the turns newer than t.
func (w *Window) behind(t *turn) int {
	return len(w.turns) - 1 - slices.Index(w.turns, t)
}
