package history

import (
	"fmt"
	"slices"
	"testing"

	"holdfast/core/protocol"
)

// A listing answers both methods in pages, whose cursors are positions. The
// two lists are its own, oldest first, and need not agree.
type listing struct {
	items []protocol.Entry
	turns []protocol.Turn
}

// numbered is a listing of this many turns of some items each.
func numbered(turns, each int) (l listing) {
	for i := range turns {
		id := fmt.Sprintf("t%03d", i)
		l.turns = append(l.turns, turnOf(id, protocol.Completed))
		for j := range each {
			l.items = append(l.items, entry(id, agent(fmt.Sprint("i", j), "x")))
		}
	}
	return l
}

// before gives the newest part of list that a descending page at a cursor holds.
func before[E any](list []E, at string, limit int) (page []E, next *string) {
	end := len(list)
	if at != "" {
		_, _ = fmt.Sscan(at, &end)
	}
	begin := max(0, end-limit)
	if begin > 0 {
		next = ptr(fmt.Sprint(begin))
	}
	return list[begin:end], next
}

// serve answers reads, and those that follow from them. The turns are answered
// first, or last.
func (l listing) serve(t *testing.T, w *Window, fetches []Fetch, turnsFirst bool) {
	t.Helper()
	for len(fetches) > 0 {
		i := slices.IndexFunc(fetches, func(f Fetch) bool { return (f.Turns != nil) == turnsFirst })
		f := fetches[max(i, 0)]
		fetches = slices.Delete(fetches, max(i, 0), max(i, 0)+1)
		if f.walk.asc || f.walk.turn != "" {
			t.Fatalf("an unexpected read %+v", f)
		}
		if f.Turns != nil {
			page, next := before(l.turns, f.walk.at, f.limit)
			fetches = append(fetches, w.GotTurns(f, turnsOf(next, page...))...)
			continue
		}
		page, next := before(l.items, f.walk.at, f.limit)
		fetches = append(fetches, w.GotItems(f, itemsOf(next, page...))...)
	}
}

// wantRun checks that the rows are the newest of the items, in their order.
func (l listing) wantRun(t *testing.T, what string, w *Window) {
	t.Helper()
	var got, want []Key
	for _, r := range w.View().Rows {
		got = append(got, r.Key)
	}
	for _, e := range l.items[len(l.items)-len(got):] {
		want = append(want, Key{e.TurnID, e.Item.ID})
	}
	wantEqual(t, what, got, want)
}

// The order of the items holds, whatever turns the turns' listing leaves out:
// some, or the newest.
// req: HIS-7
func TestTheTurnsListingDoesNotMoveRows(t *testing.T) {
	for name, c := range map[string]struct {
		turns, each int
		out         func(i int) bool
	}{
		"one in the middle":    {80, 5, func(i int) bool { return i == 61 }},
		"the oldest with rows": {80, 5, func(i int) bool { return i == 60 }},
		"one of the next page": {80, 5, func(i int) bool { return i == 55 }},
		"every third":          {80, 5, func(i int) bool { return i%3 == 0 }},
		"all":                  {80, 5, func(int) bool { return true }},
		"the newest":           {400, 3, func(i int) bool { return i == 399 }},
		"as many as a page":    {400, 3, func(i int) bool { return i >= 366 }},
		"many more":            {400, 3, func(i int) bool { return i >= 340 }},
		"all but the oldest":   {90, 5, func(i int) bool { return i > 2 }},
	} {
		for _, turnsFirst := range []bool{true, false} {
			l, n := numbered(c.turns, c.each), -1
			l.turns = slices.DeleteFunc(l.turns, func(protocol.Turn) bool { n++; return c.out(n) })
			w := New(thread, "paginated", Limits{})
			l.serve(t, w, w.Open(), turnsFirst)
			l.wantRun(t, name, w)
			for range 3 {
				if fetches, err := w.Older(Key{}); err == nil {
					l.serve(t, w, fetches, turnsFirst)
					l.wantRun(t, name+": older", w)
				}
			}
			l.serve(t, w, w.Rejoin(nil, nil), turnsFirst)
			l.wantRun(t, name+": joined", w)
		}
	}
}

// A turn that began during a read is newer than those with rows, also than one
// that the turns' listing leaves out.
func TestABegunTurnIsNewerThanOneThatIsNotListed(t *testing.T) {
	for _, turnsFirst := range []bool{true, false} {
		l := numbered(3, 1)
		l.turns = append(l.turns[:2], turnOf("new", protocol.InProgress))
		w := New(thread, "paginated", Limits{})
		fetches := w.Open()
		apply(w, begun("new"), completed("new", agent("a", "live")))
		l.serve(t, w, fetches, turnsFirst)
		wantLines(t, w, "t000/i0 x", "t001/i0 x", "t002/i0 x", "new/a live")
		wantEqual(t, "newest", w.View().Newest, "new")
	}
}

// What is told late of a turn that ended moves neither it nor the turn that
// began before it was told.
func TestLateEventsMoveNoTurn(t *testing.T) {
	l := numbered(3, 1)
	w := New(thread, "paginated", Limits{})
	l.serve(t, w, w.Open(), true)
	w.SetLive(true)
	fetches := w.Refresh()
	apply(w, begun("new"), delta("t001", "i0", "late"), completed("new", agent("a", "live")), delta("t000", "i0", "late"))
	l.serve(t, w, fetches, true)
	wantLines(t, w, "t000/i0 x", "t001/i0 x", "t002/i0 x", "new/a live")
	wantEqual(t, "newest", w.View().Newest, "new")
}
