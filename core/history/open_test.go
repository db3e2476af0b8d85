package history

import (
	"errors"
	"testing"

	"holdfast/core/protocol"
)

// req: HIS-2
func TestOpenAsksForTheNewestFiftyTurns(t *testing.T) {
	for _, mode := range []string{"paginated", Legacy} {
		var got []protocol.ThreadTurnsListParams
		for _, f := range New(thread, mode, Limits{}).Open() {
			if f.Turns != nil {
				got = append(got, *f.Turns)
			}
		}
		want := []protocol.ThreadTurnsListParams{{
			ThreadID: thread, Limit: 50, SortDirection: "desc", ItemsView: "summary",
		}}
		wantEqual(t, mode, got, want)
	}
}

// req: HIS-3
func TestOpenAsksForTheNewestHundredItems(t *testing.T) {
	var got []protocol.ThreadItemsListParams
	for _, f := range New(thread, "paginated", Limits{}).Open() {
		if f.Items != nil {
			got = append(got, *f.Items)
		}
	}
	want := []protocol.ThreadItemsListParams{{ThreadID: thread, Limit: 100, SortDirection: "desc"}}
	wantEqual(t, "items request", got, want)
}

// req: HIS-3
func TestItemsAreGroupedByTurnAndMergedByID(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil,
		entry("t1", agent("a", "one")), entry("t2", agent("a", "two")),
		entry("t1", agent("b", "three")), entry("t2", agent("b", "four")),
		entry("t2", agent("b", "four")),
	))
	wantLines(t, w, "t1/a one", "t1/b three", "t2/a two", "t2/b four")
}

func TestTheTurnsPageMakesNoRows(t *testing.T) {
	failed := turnOf("t2", protocol.Failed, agent("y", "never a row"))
	failed.Error = &protocol.TurnError{Message: "quota"}
	failed.StartedAt, failed.CompletedAt, failed.DurationMs = 10, 12, 2000
	w := opened(t, Limits{}, itemsOf(nil, entry("t1", agent("a", "one"))),
		turnOf("t1", protocol.Completed, agent("x", "never a row")), failed)
	wantLines(t, w, "t1/a one")
	v := w.View()
	wantEqual(t, "newest", v.Newest, "t2")
	wantEqual(t, "turns", v.Turns, map[string]TurnInfo{
		"t1": {ID: "t1", Status: protocol.Completed},
		"t2": {
			ID: "t2", Status: protocol.Failed, StartedAt: 10, CompletedAt: 12, DurationMs: 2000,
			Error: &protocol.TurnError{Message: "quota"},
		},
	})
}

func TestTheTwoPagesMayComeInEitherOrder(t *testing.T) {
	items := itemsOf(nil, entry("t1", agent("a", "one")), entry("t3", agent("b", "new turn")))
	turns := turnsOf(nil, turnOf("t1", protocol.Completed), turnOf("t2", protocol.Interrupted))
	for _, itemsFirst := range []bool{true, false} {
		w := New(thread, "paginated", Limits{})
		fetches := w.Open()
		if (fetches[0].Items != nil) != itemsFirst {
			fetches[0], fetches[1] = fetches[1], fetches[0]
		}
		answer(t, w, fetches[:1], items, turns)
		wantEqual(t, "busy after one", w.Busy(), true)
		answer(t, w, fetches[1:], items, turns)
		wantEqual(t, "busy after both", w.Busy(), false)
		wantLines(t, w, "t1/a one", "t3/b new turn")
		wantEqual(t, "newest", w.View().Newest, "t3")
	}
}

// The cursor of a page continues its own listing only (trap 10).
// req: HIS-4
func TestOlderContinuesTheReturnedCursor(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(ptr("c1"), entry("t2", agent("c", "3"))), turnOf("t2", protocol.Completed))
	var cursors []protocol.ThreadItemsListParams
	for _, next := range []*string{ptr("c2"), nil} {
		fetches, err := w.Older(Key{})
		f := one(t, fetches, err)
		cursors = append(cursors, *f.Items)
		id := "b"
		if next == nil {
			id = "a"
		}
		w.GotItems(f, itemsOf(next, entry("t1", agent(id, id))))
	}
	wantEqual(t, "requests", cursors, []protocol.ThreadItemsListParams{
		{ThreadID: thread, Limit: 100, SortDirection: "desc", Cursor: protocol.PageCursor("c1")},
		{ThreadID: thread, Limit: 100, SortDirection: "desc", Cursor: protocol.PageCursor("c2")},
	})
	wantLines(t, w, "t1/a a", "t1/b b", "t2/c 3")
	if _, err := w.Older(Key{}); !errors.Is(err, ErrNoMore) {
		t.Fatalf("got %v, want %v", err, ErrNoMore)
	}
	wantEqual(t, "older", w.View().Older, false)
}

// req: HIS-4
func TestExpandPagesTheCutTurn(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(ptr("all-1"), entry("t1", agent("c", "3")), entry("t2", agent("d", "4"))))
	fetches, err := w.Expand("t1")
	f := one(t, fetches, err)
	wantEqual(t, "first", *f.Items, protocol.ThreadItemsListParams{
		ThreadID: thread, TurnID: "t1", Limit: 100, SortDirection: "desc",
	})
	f = one(t, w.GotItems(f, itemsOf(ptr("t1-1"), entry("t1", agent("b", "2")), entry("t1", agent("c", "3")))), nil)
	wantEqual(t, "second", *f.Items, protocol.ThreadItemsListParams{
		ThreadID: thread, TurnID: "t1", Limit: 100, SortDirection: "desc", Cursor: protocol.PageCursor("t1-1"),
	})
	if next := w.GotItems(f, itemsOf(nil, entry("t1", agent("a", "1")), entry("t9", agent("z", "another turn")))); next != nil {
		t.Fatalf("got %d more fetches, want none", len(next))
	}
	wantLines(t, w, "t1/a 1", "t1/b 2", "t1/c 3", "t2/d 4")

	// The walk over the whole thread has its own cursor still, and what the
	// expansion brought comes once.
	fetches, err = w.Older(Key{})
	f = one(t, fetches, err)
	wantEqual(t, "older", f.Items.Cursor, protocol.PageCursor("all-1"))
	w.GotItems(f, itemsOf(nil, entry("t0", agent("y", "0")), entry("t1", agent("a", "1")), entry("t1", agent("b", "2"))))
	wantLines(t, w, "t0/y 0", "t1/a 1", "t1/b 2", "t1/c 3", "t2/d 4")
}

func TestExpandWhatIsNotCut(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(ptr("c"), entry("t1", agent("a", "1")), entry("t2", agent("b", "2"))),
		turnOf("t0", protocol.Completed))
	for turn, want := range map[string]error{"t2": nil, "t0": ErrNotLoaded, "nope": ErrNotLoaded} {
		if fetches, err := w.Expand(turn); !errors.Is(err, want) || fetches != nil {
			t.Errorf("%s: got %d fetches and %v, want none and %v", turn, len(fetches), err, want)
		}
	}
}

// Every continuation is a string an answer gave; a turn's expansion begins
// without a cursor. The regression version knows nothing else.
// req: HIS-5
func TestOnlyReturnedStringsContinue(t *testing.T) {
	for _, version := range []protocol.Version{protocol.Regression, protocol.Target} {
		w := New(thread, "paginated", Limits{})
		given := map[protocol.ItemsCursor]bool{{}: true, protocol.PageCursor("r1"): true}
		n := 0
		page := func(f Fetch) []Fetch {
			if f.Items == nil {
				return w.GotTurns(f, turnsOf(nil))
			}
			if !given[f.Items.Cursor] {
				t.Fatalf("%v: cursor %+v was never returned", version, f.Items.Cursor)
			}
			if anchor, ok := protocol.ItemAnchor(version, "i1"); ok && f.Items.Cursor == anchor {
				t.Fatalf("%v: an item anchor continues", version)
			}
			n++
			next := string(rune('a' + n))
			given[protocol.PageCursor(next)] = true
			if n%4 == 0 {
				return w.GotItems(f, itemsOf(nil))
			}
			return w.GotItems(f, itemsOf(&next, entry("t1", agent(next, next))))
		}
		walk := func(fetches []Fetch, err error) {
			if err != nil {
				t.Fatal(err)
			}
			for len(fetches) > 0 {
				fetches = append(page(fetches[0]), fetches[1:]...)
			}
		}
		walk(w.Open(), nil)
		walk(w.Expand("t1"))
		walk(w.Rejoin(ptr("r1"), nil), nil)
		walk(w.Older(Key{}))
		wantEqual(t, "pages", n, 6)
	}
}

// A cursor belongs to the generation it was given in (trap 10).
func TestTrap10CursorsAreDropped(t *testing.T) {
	page := itemsOf(ptr("c1"), entry("t1", agent("b", "2")))
	for name, drop := range map[string]func(w *Window){
		"reverted": func(w *Window) { w.Apply(reverted()) },
		"refresh failed": func(w *Window) {
			for _, f := range w.Refresh() {
				w.Failed(f, Failure{Reason: "no"})
			}
		},
	} {
		w := opened(t, Limits{}, page)
		drop(w)
		if _, err := w.Older(Key{}); !errors.Is(err, ErrRefresh) {
			t.Errorf("%s: got %v, want %v", name, err, ErrRefresh)
		}
	}
}

// An answer that was under way when its cursor was dropped changes nothing.
func TestLateAnswersAreDropped(t *testing.T) {
	for name, drop := range map[string]func(w *Window){
		"reverted": func(w *Window) { w.Apply(reverted()) },
		"refresh": func(w *Window) {
			answer(t, w, w.Refresh(), itemsOf(nil, entry("t1", agent("b", "2"))), turnsOf(nil))
		},
	} {
		w := opened(t, Limits{}, itemsOf(ptr("c1"), entry("t1", agent("b", "2"))))
		fetches, err := w.Older(Key{})
		f := one(t, fetches, err)
		drop(w)
		want := lines(w.View())
		w.GotItems(f, itemsOf(nil, entry("t1", agent("a", "late"))))
		wantEqual(t, name, lines(w.View()), want)
	}
	w := opened(t, Limits{}, itemsOf(ptr("c1"), entry("t1", agent("b", "2"))))
	fetches, err := w.Older(Key{})
	f := one(t, fetches, err)
	w.GotItems(f, itemsOf(nil, entry("t1", agent("a", "1"))))
	w.GotItems(f, itemsOf(nil, entry("t1", agent("x", "twice answered"))))
	wantLines(t, w, "t1/a 1", "t1/b 2")
}

// nextCursor decides, not the number of rows (trap 13).
func TestTrap13BelieveTheCursorNotTheCount(t *testing.T) {
	short := opened(t, Limits{}, itemsOf(ptr("c1"), entry("t1", agent("a", "1"))))
	wantEqual(t, "older after one row with a cursor", short.View().Older, true)
	empty := opened(t, Limits{}, itemsOf(ptr("c1")))
	wantEqual(t, "older after no row with a cursor", empty.View().Older, true)
	var hundred []protocol.Entry
	for i := range 100 {
		hundred = append(hundred, entry("t1", agent(string(rune('A'+i)), "x")))
	}
	full := opened(t, Limits{}, itemsOf(nil, hundred...))
	wantEqual(t, "older after a hundred rows without one", full.View().Older, false)
}

// A cursor that leads nowhere ends paging with a notice, and never loops.
func TestBrokenCursorsEndPaging(t *testing.T) {
	for name, next := range map[string][]string{
		"empty":          {"c1", ""},
		"same again":     {"c1", "c1"},
		"an earlier one": {"c1", "c2", "c1"},
	} {
		w := opened(t, Limits{}, itemsOf(&next[0], entry("t1", agent("z", "z"))))
		for i, c := range next[1:] {
			wantEqual(t, name+": older", w.View().Older, true)
			fetches, err := w.Older(Key{})
			w.GotItems(one(t, fetches, err), itemsOf(&c, entry("t1", agent(string(rune('a'+i)), "x"))))
		}
		wantEqual(t, name+": older at the end", w.View().Older, false)
		wantEqual(t, name+": notices", len(w.TakeNotices()), 1)
		if _, err := w.Older(Key{}); !errors.Is(err, ErrNoMore) {
			t.Errorf("%s: got %v, want %v", name, err, ErrNoMore)
		}
	}
}

// However many pages of nothing new the server invents, one press ends.
func TestPagesOfNothingEnd(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(ptr("0"), entry("t1", agent("a", "1"))))
	fetches, err := w.Older(Key{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; len(fetches) > 0 && n < 1000; n++ {
		fetches = w.GotItems(fetches[0], itemsOf(ptr(string(rune('b'+n))), entry("t1", agent("a", "1"))))
	}
	wantEqual(t, "requests", n, maxSteps+1)
	wantEqual(t, "paging", w.Paging(), false)
}

func TestOlderReadsTheTurnsOfItsRows(t *testing.T) {
	w := New(thread, "paginated", Limits{})
	answer(t, w, w.Open(), itemsOf(ptr("i1"), entry("t3", agent("c", "3"))),
		turnsOf(ptr("u1"), turnOf("t3", protocol.Completed)))
	fetches, err := w.Older(Key{})
	next := w.GotItems(one(t, fetches, err), itemsOf(nil, entry("t1", agent("a", "1")), entry("t2", agent("b", "2"))))
	f := one(t, next, nil)
	wantEqual(t, "request", *f.Turns, protocol.ThreadTurnsListParams{
		ThreadID: thread, Cursor: "u1", Limit: 50, SortDirection: "desc", ItemsView: "summary",
	})
	f = one(t, w.GotTurns(f, turnsOf(ptr("u2"), turnOf("t2", protocol.Failed))), nil)
	wantEqual(t, "more", w.GotTurns(f, turnsOf(nil, turnOf("t0", protocol.Completed), turnOf("t1", protocol.Interrupted), turnOf("t3", protocol.InProgress))), nil)
	got := map[string]string{}
	for id, info := range w.View().Turns {
		got[id] = info.Status
	}
	wantEqual(t, "turns", got, map[string]string{
		"t0": protocol.Completed, "t1": protocol.Interrupted, "t2": protocol.Failed, "t3": protocol.Completed,
	})
}

func TestOneReadAtATime(t *testing.T) {
	w := New(thread, "paginated", Limits{})
	first := w.Open()
	if _, err := w.Older(Key{}); !errors.Is(err, ErrBusy) {
		t.Fatalf("older while opening: got %v", err)
	}
	answer(t, w, first, itemsOf(ptr("c"), entry("t1", agent("a", "1"))), turnsOf(nil))
	fetches, err := w.Older(Key{})
	f := one(t, fetches, err)
	wantEqual(t, "paging", w.Paging(), true)
	if _, err := w.Expand("t1"); !errors.Is(err, ErrBusy) {
		t.Fatalf("expand while paging: got %v", err)
	}
	w.Failed(f, Failure{Reason: "timeout"})
	wantEqual(t, "stale after a failed page", w.View().Stale, "")
	fetches, err = w.Older(Key{})
	wantEqual(t, "asked again", one(t, fetches, err).Items.Cursor, protocol.PageCursor("c"))
}

// A page of turns that is too long is asked for again at the same cursor, with
// half the limit, and nothing is called unreadable (ruling 9).
func TestAPageOfTurnsThatIsTooLong(t *testing.T) {
	for _, mode := range []string{"paginated", Legacy} {
		w := New(thread, mode, Limits{})
		fetches := w.Open()
		if mode != Legacy {
			w.GotItems(fetches[1], itemsOf(nil, entry("t1", agent("a", "1"))))
		}
		f := fetches[0]
		for _, limit := range []int{25, 12, 6, 3, 1} {
			f = one(t, w.GotTurns(f, protocol.ThreadTurnsListResult{Over: true}), nil)
			want := *fetches[0].Turns
			want.Limit = limit
			wantEqual(t, mode+": asked again", *f.Turns, want)
		}
		again := w.GotTurns(f, turnsOf(ptr("c"), legacyTurn("t1", protocol.Completed, agent("", "1"))))
		wantEqual(t, mode+": rows, stale, fetches", [3]any{len(w.View().Rows), w.View().Stale, len(again)}, [3]any{1, "", 0})

		f = w.Refresh()[0] // and one turn that is too long alone has its own reason
		for range 6 {
			if next := w.GotTurns(f, protocol.ThreadTurnsListResult{Over: true}); len(next) == 1 {
				f = next[0]
			}
		}
		if mode != Legacy {
			for _, f := range w.open {
				w.GotItems(f, itemsOf(nil))
			}
		}
		wantEqual(t, mode+": reason", w.View().Stale, "the newest turn does not fit the window")
	}
}

// A turn of more items than can be kept does not fit: it is not shown in part.
func TestALegacyTurnThatIsTooLong(t *testing.T) {
	w := New(thread, Legacy, Limits{})
	w.GotTurns(w.Open()[0], turnsOf(nil, legacyTurn("t1", protocol.Completed, user("", "", "q"), agent("", "a"))))
	fetches, err := w.Expand("t1")
	full := legacyTurn("t1", protocol.Completed, agent("", "1"))
	full.Over = 1000
	w.GotTurns(one(t, fetches, err), turnsOf(nil, full))
	wantLines(t, w, "t1/0 q", "t1/1 a")
	wantEqual(t, "full", w.View().Full, true)
}
