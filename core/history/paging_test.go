package history

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"holdfast/core/protocol"
)

// A shelf is a server with one long paginated conversation. Its cursors name a
// place and a direction, and belong to that direction only.
type shelf struct {
	t     *testing.T
	items []protocol.Entry // oldest first
	asked []string
}

// shelfOf holds n items, of turns of that many each.
func shelfOf(t *testing.T, n, perTurn, size int) *shelf {
	s := &shelf{t: t}
	for i := range n {
		text := fmt.Sprintf("%d %s", i, strings.Repeat("x", size))
		s.items = append(s.items, entry(fmt.Sprint("t", i/perTurn), agent(fmt.Sprint("i", i), text)))
	}
	return s
}

func (s *shelf) place(cursor, direction string, otherwise int) int {
	if cursor == "" {
		return otherwise
	}
	at, ok := strings.CutPrefix(cursor, direction)
	n, err := strconv.Atoi(at)
	if !ok || err != nil {
		s.t.Fatalf("cursor %q goes on %s", cursor, direction)
	}
	return n
}

func (s *shelf) page(f Fetch) (r protocol.ThreadItemsListResult) {
	p := f.Items
	s.asked = append(s.asked, fmt.Sprint(p.SortDirection, p.Limit))
	begin, end := 0, len(s.items)
	if p.SortDirection == ascending {
		begin = s.place(f.walk.at, ascending, 0)
		end = min(end, begin+p.Limit)
		r.Data = append(r.Data, s.items[begin:end]...)
		if end < len(s.items) {
			r.NextCursor = ptr(fmt.Sprint(ascending, end))
		}
		r.BackwardsCursor = ptr(fmt.Sprint(descending, begin+1))
		return r
	}
	end = s.place(f.walk.at, descending, end)
	begin = max(0, end-p.Limit)
	for i := end - 1; i >= begin; i-- {
		r.Data = append(r.Data, s.items[i])
	}
	if begin > 0 {
		r.NextCursor = ptr(fmt.Sprint(descending, begin))
	}
	r.BackwardsCursor = ptr(fmt.Sprint(ascending, end-1))
	return r
}

// turns is a page of turns, of as many as were asked for. A cursor names the
// oldest turn of the rest, or the newest.
func (s *shelf) turns(f Fetch) (r protocol.ThreadTurnsListResult) {
	var list []protocol.Turn
	for _, e := range s.items {
		if n := len(list); n == 0 || list[n-1].ID != e.TurnID {
			list = append(list, turnOf(e.TurnID, protocol.Completed))
		}
	}
	p := f.Turns
	if p.SortDirection == ascending {
		begin := s.place(p.Cursor, ascending, 0)
		end := min(len(list), begin+p.Limit)
		r.Data = append(r.Data, list[begin:end]...)
		if end < len(list) {
			r.NextCursor = ptr(fmt.Sprint(ascending, end))
		}
		r.BackwardsCursor = ptr(fmt.Sprint(descending, begin+1))
		return r
	}
	end := s.place(p.Cursor, descending, len(list))
	begin := max(0, end-p.Limit)
	r = turnsOf(nil, list[begin:end]...)
	if begin > 0 {
		r.NextCursor = ptr(fmt.Sprint(descending, begin))
	}
	r.BackwardsCursor = ptr(fmt.Sprint(ascending, max(end-1, 0)))
	return r
}

// perform answers every read.
func (s *shelf) perform(w *Window, fetches []Fetch) {
	for len(fetches) > 0 {
		f := fetches[0]
		if f.Items != nil {
			fetches = append(fetches[1:], w.GotItems(f, s.page(f))...)
		} else {
			fetches = append(fetches[1:], w.GotTurns(f, s.turns(f))...)
		}
	}
}

func (s *shelf) open(l Limits) *Window {
	w := New(thread, "paginated", l)
	s.perform(w, w.Open())
	return w
}

// load presses Load older, or newer.
func (s *shelf) load(w *Window, ask func(Key) ([]Fetch, error), anchor Key) {
	s.t.Helper()
	fetches, err := ask(anchor)
	if err != nil {
		s.t.Fatal(err)
	}
	s.perform(w, fetches)
}

// wantRun checks that the rows are the items from first to last, and nothing
// else.
func (s *shelf) wantRun(w *Window, first, last int) {
	s.t.Helper()
	v := w.View()
	got := []int{-1, -1, len(v.Rows)}
	for i, r := range v.Rows {
		n, _ := strconv.Atoi(r.Key.Item[1:])
		if i == 0 {
			got[0] = n
		}
		if n != got[0]+i {
			s.t.Fatalf("row %d is item %d, after item %d", i, n, got[0]+i-1)
		}
		got[1] = n
	}
	wantEqual(s.t, "run", got, []int{first, last, last - first + 1})
	wantEqual(s.t, "older and newer", [2]bool{v.Older, v.Newer}, [2]bool{first > 0, last < len(s.items)-1})
}

// 3,000 items by pages of 100: Load older 25 times holds at most 1,000 and
// never the less the row under the eye; Load newer leads back to the end.
// req: HIS-6, FLD-9
func TestWindowOfAThousand(t *testing.T) {
	s := shelfOf(t, 3000, 30, 100)
	w := s.open(Limits{})
	for n := 1; n <= 25; n++ {
		eye := w.View().Rows[0]
		s.load(w, w.Older, Key{})
		first := 2900 - 100*n
		s.wantRun(w, first, min(2999, first+999))
		if got := w.View().Rows[100]; got != eye {
			t.Fatalf("after page %d the row that was first is not where the page ended", n)
		}
	}
	for last := 1399; last < 2999; {
		eye := w.View().Rows[999]
		s.load(w, w.Newer, Key{})
		grown := min(100, 2999-last)
		if last == 1399 {
			grown = 99 // backwardsCursor includes its anchor
		}
		last += grown
		s.wantRun(w, last-999, last)
		if got := w.View().Rows[999-grown]; got != eye {
			t.Fatalf("at %d the row that was last is not where the page begins", last)
		}
	}
	if _, err := w.Newer(Key{}); !errors.Is(err, ErrNoMore) {
		t.Fatalf("got %v, want %v", err, ErrNoMore)
	}
}

// However far the walk, and however many turns: what every turn with rows came
// to is known, and no more turns are kept than rows may be.
// req: HIS-6
func TestEveryTurnIsKnownHoweverFar(t *testing.T) {
	s := shelfOf(t, 8000, 20, 1)
	w := s.open(Limits{Items: 200})
	known := func(page int) {
		t.Helper()
		v := w.View()
		for _, r := range v.Rows {
			if v.Turns[r.Key.Turn].Status != protocol.Completed {
				t.Fatalf("page %d: nothing is known of turn %s", page, r.Key.Turn)
			}
		}
		if len(v.Turns) > 200 || v.Newest != "t399" {
			t.Fatalf("page %d: %d turns, the newest is %s", page, len(v.Turns), v.Newest)
		}
	}
	for range 2 {
		for page := 1; w.View().Older; page++ {
			s.load(w, w.Older, Key{})
			known(page)
		}
		s.wantRun(w, 0, 199)
		for page := 1; w.View().Newer; page++ {
			s.load(w, w.Newer, Key{})
			known(-page)
		}
		s.wantRun(w, 7800, 7999)
	}
	wantEqual(t, "notices", w.TakeNotices(), nil)
}

// The bound on text holds in the same way, and the row under the eye stays.
// req: HIS-6, FLD-9
func TestWindowOfSixteenMebibytes(t *testing.T) {
	s := shelfOf(t, 400, 10, 100<<10) // 40 MiB
	w := s.open(Limits{})
	walk := func(ask func(Key) ([]Fetch, error), more func(*View) bool, place func(*View) int) (pages int) {
		for ; more(w.View()); pages++ {
			v := w.View()
			eye := v.Rows[place(v)].Key
			s.load(w, ask, eye)
			held, kept := false, int64(0)
			for _, r := range w.View().Rows {
				held = held || r.Key == eye
				kept += r.Kept
			}
			if !held || kept > 16<<20 || kept < 6<<20 {
				t.Fatalf("page %d: %d bytes are held, the row under the eye %v", pages, kept, held)
			}
		}
		return pages
	}
	walk(w.Older, func(v *View) bool { return v.Older }, func(*View) int { return 7 })
	s.wantRun(w, 0, len(w.View().Rows)-1)
	walk(w.Newer, func(v *View) bool { return v.Newer }, func(v *View) int { return len(v.Rows) - 7 })
	s.wantRun(w, 400-len(w.View().Rows), 399)
}

// What streams while the newest rows are not here joins the last newer page,
// once and in order.
// req: HIS-6
func TestWhatStreamedMeanwhileFollowsTheLastPage(t *testing.T) {
	s := shelfOf(t, 12, 4, 1)
	w := s.open(Limits{Items: 8})
	w.SetLive(true)
	for range 4 {
		s.load(w, w.Older, Key{})
	}
	apply(w, begun("live"), started("live", agent("i12", "")), delta("live", "i12", "12 be"))
	before := w.View()
	wantEqual(t, "newer", before.Newer, true)
	apply(w, delta("live", "i12", "gun"))
	if w.View() != before {
		t.Error("what grows beyond the end made another view")
	}
	apply(w, started("live", agent("i13", "")), completed("live", agent("i13", "13 done")))
	s.items = append(s.items, entry("live", agent("i13", "13 done")))
	for w.View().Newer {
		s.load(w, w.Newer, Key{})
	}
	got := lines(w.View())
	wantEqual(t, "the end", got[len(got)-3:], []string{"t2/i11 11 x", "live/i13 13 done", "live/i12 12 begun…"})
	apply(w, completed("live", agent("i12", "12 begun")), ended("live", protocol.Completed))
	got = lines(w.View())
	wantEqual(t, "completed", got[len(got)-2:], []string{"live/i13 13 done", "live/i12 12 begun"})
}

// The end is not reached before the server lists what was completed and could
// not be kept.
// req: HIS-6
func TestTheEndWaitsForWhatIsNotListed(t *testing.T) {
	s := shelfOf(t, 12, 4, 1)
	w := s.open(Limits{Items: 8}) // two rows may be aside
	w.SetLive(true)
	for range 4 {
		s.load(w, w.Older, Key{})
	}
	apply(w, begun("live"))
	var unlisted []protocol.Entry
	for i := 12; i < 16; i++ {
		e := entry("live", agent(fmt.Sprint("i", i), fmt.Sprint(i)))
		unlisted = append(unlisted, e)
		apply(w, completed(e.TurnID, e.Item))
	}
	for range 10 {
		s.load(w, w.Newer, Key{})
	}
	wantEqual(t, "newer", w.View().Newer, true)
	wantEqual(t, "notices", len(w.TakeNotices()) > 0, true)
	s.items = append(s.items, unlisted[:2]...)
	s.load(w, w.Newer, Key{}) // one row a page
	wantEqual(t, "still", w.View().Newer, true)
	s.load(w, w.Newer, Key{})
	s.items = append(s.items, unlisted[2:]...)
	s.wantRun(w, 8, 15)
}

// A refresh from far away from the end says that something is not listed yet only
// where nothing that was completed later is listed.
// req: HIS-8
func TestARefreshFarFromTheEnd(t *testing.T) {
	for listed, want := range map[bool]string{true: "", false: staleUnlisted} {
		s := shelfOf(t, 1200, 100, 100)
		w := s.open(Limits{Items: 800}) // 200 rows may be aside, and a page has 100
		w.SetLive(true)
		for range 10 {
			s.load(w, w.Older, Key{})
		}
		apply(w, begun("live"))
		for i := 1200; i < 1500; i++ {
			e := entry("live", agent(fmt.Sprint("i", i), fmt.Sprint(i)))
			apply(w, completed(e.TurnID, e.Item))
			if listed {
				s.items = append(s.items, e)
			}
		}
		wantEqual(t, "newer", w.View().Newer, true)
		s.perform(w, w.Refresh())
		wantEqual(t, fmt.Sprintf("listed %v: stale", listed), w.View().Stale, want)
	}
}

// With the eye near the old end, live rows push out the newest.
// req: HIS-6
func TestLiveRowsKeepTheAnchor(t *testing.T) {
	s := shelfOf(t, 16, 4, 1)
	w := s.open(Limits{Items: 16})
	w.SetLive(true)
	wantEqual(t, "older", w.View().Older, false)
	w.SetAnchor(Key{"t0", "i1"})
	apply(w, begun("live"), completed("live", agent("i16", "16")), completed("live", agent("i17", "17")))
	v := w.View()
	wantEqual(t, "first row and ends", [3]any{v.Rows[0].Key.Item, v.Older, v.Newer}, [3]any{"i0", false, true})
	w.SetAnchor(Key{})
	s.items = append(s.items, entry("live", agent("i16", "16")), entry("live", agent("i17", "17")))
	s.perform(w, w.Refresh())
	s.wantRun(w, 2, 17)
	apply(w, completed("live", agent("i18", "18")))
	s.items = append(s.items, entry("live", agent("i18", "18")))
	s.wantRun(w, 3, 18)
}

// A refresh is the way to the end at once.
func TestRefreshJumpsToTheEnd(t *testing.T) {
	s := shelfOf(t, 300, 10, 1)
	w := s.open(Limits{Items: 110})
	w.SetLive(true)
	apply(w, begun("live"), delta("live", "i300", "300 beg"))
	s.load(w, w.Older, Key{})
	s.load(w, w.Older, Key{})
	wantEqual(t, "newer", w.View().Newer, true)
	apply(w, delta("live", "i300", "un"))
	s.perform(w, w.Refresh())
	v := w.View()
	wantEqual(t, "view", [3]any{v.Newer, v.Older, v.Rows[0].Key.Item}, [3]any{false, true, "i200"})
	got := lines(v)
	wantEqual(t, "in flight", got[len(got)-1], "live/i300 300 begun…")
}

// Both ends of a legacy thread, by whole turns.
func TestLegacyBothWays(t *testing.T) {
	var all []protocol.Turn
	for i := range 40 {
		all = append(all, legacyTurn(fmt.Sprint("t", i), protocol.Completed,
			user("", "", fmt.Sprint("q", i)), agent("", fmt.Sprint("a", i))))
	}
	s := &shelf{t: t}
	perform := func(w *Window, fetches []Fetch, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for len(fetches) > 0 {
			f := fetches[0]
			var r protocol.ThreadTurnsListResult
			if f.Turns.SortDirection == ascending {
				begin := s.place(f.Turns.Cursor, ascending, 0)
				end := min(len(all), begin+f.Turns.Limit)
				r.Data = append(r.Data, all[begin:end]...)
				if end < len(all) {
					r.NextCursor = ptr(fmt.Sprint(ascending, end))
				}
				r.BackwardsCursor = ptr(fmt.Sprint(descending, begin+1))
			} else {
				end := s.place(f.Turns.Cursor, descending, len(all))
				begin := max(0, end-f.Turns.Limit)
				r = turnsOf(nil, all[begin:end]...)
				if begin > 0 {
					r.NextCursor = ptr(fmt.Sprint(descending, begin))
				}
				r.BackwardsCursor = ptr(fmt.Sprint(ascending, end-1))
			}
			fetches = append(w.GotTurns(f, r), fetches[1:]...)
		}
	}
	want := func(w *Window, first, last int) {
		t.Helper()
		var lines2 []string
		for i := first; i <= last; i++ {
			lines2 = append(lines2, fmt.Sprintf("t%d/0 q%d", i, i), fmt.Sprintf("t%d/1 a%d", i, i))
		}
		wantLines(t, w, lines2...)
		wantEqual(t, "older and newer", [2]bool{w.View().Older, w.View().Newer}, [2]bool{first > 0, last < len(all)-1})
	}
	w := New(thread, Legacy, Limits{Items: 21}) // ten turns
	perform(w, w.Open(), nil)
	want(w, 30, 39)
	for w.View().Older {
		fetches, err := w.Older(Key{})
		perform(w, fetches, err)
	}
	want(w, 0, 9)
	fetches, err := w.Expand("t3")
	perform(w, fetches, err)
	wantEqual(t, "expanded", w.View().Turns["t3"].Summary, false)
	for w.View().Newer {
		fetches, err := w.Newer(Key{})
		perform(w, fetches, err)
	}
	want(w, 30, 39)
}

// Whatever is loaded at either end, the anchor stays: a page that does not fit
// beside it is refused, and the window says that it is full.
// req: HIS-6
func TestTheAnchorIsNeverGivenUp(t *testing.T) {
	s := shelfOf(t, 2000, 10, 1)
	w := s.open(Limits{Items: 200})
	for range 6 {
		s.load(w, w.Older, Key{})
	}
	first, last := w.View().Rows[0].Key, w.View().Rows[len(w.View().Rows)-1].Key
	s.load(w, w.Newer, first)
	wantEqual(t, "newer beside the oldest", [2]any{w.View().Rows[0].Key, w.View().Full}, [2]any{first, true})
	s.load(w, w.Older, last)
	got := w.View().Rows
	wantEqual(t, "older beside the newest", [2]any{got[len(got)-1].Key, w.View().Full}, [2]any{last, true})
	s.load(w, w.Older, got[len(got)-26].Key)
	wantEqual(t, "older with room", [3]any{w.View().Full, w.View().Rows[25].Key == first, len(w.View().Rows)}, [3]any{false, true, 200})
}

// A listing that breaks off at a broken cursor does not look like the beginning
// of the conversation: the view says for good that it is not all.
// req: HIS-8
func TestAListingThatBreaksOffIsMarked(t *testing.T) {
	for reason, cursors := range map[string][2]string{
		whyNoCursor:   {"c", ""},
		whyLongCursor: {"c", strings.Repeat("c", protocol.MaxCursor+1)},
		whyRepeated:   {"c", "c"},
	} {
		for _, mode := range []string{"paginated", Legacy} {
			w := New(thread, mode, Limits{})
			page := func(i int) (protocol.ThreadItemsListResult, protocol.ThreadTurnsListResult) {
				turn := fmt.Sprint("t", 2-i)
				items := itemsOf(&cursors[i], entry(turn, agent("a", "x")))
				if mode == Legacy {
					return items, turnsOf(&cursors[i], legacyTurn(turn, protocol.Completed, agent("", "x")))
				}
				return items, turnsOf(nil, turnOf("t1", protocol.Completed), turnOf("t2", protocol.Completed))
			}
			items, turns := page(0)
			answer(t, w, w.Open(), items, turns)
			wantEqual(t, mode+": before", w.View().Stale, "")
			fetches, err := w.Older(Key{})
			f := one(t, fetches, err)
			if items, turns = page(1); mode == Legacy {
				w.GotTurns(f, turns)
			} else {
				w.GotItems(f, items)
			}
			v := w.View()
			wantEqual(t, mode+": rows, older, stale", [3]any{len(v.Rows), v.Older, v.Stale}, [3]any{2, false, reason})
			w.Apply(begun("t3")) // it stays, and does not stop what streams in
			w.Apply(delta("t3", "m", "live"))
			v = w.View()
			wantEqual(t, mode+": live rows, stale", [2]any{len(v.Rows), v.Stale}, [2]any{3, reason})
			items, turns = page(0)
			answer(t, w, w.Refresh(), items, turns)
			wantEqual(t, mode+": after a refresh", [2]any{w.View().Older, w.View().Stale}, [2]any{true, ""})
		}
	}
}

// Nor does a broken cursor look like the newest end.
func TestABrokenCursorIsNotTheNewestEnd(t *testing.T) {
	w := opened(t, Limits{Items: 4}, itemsOf(ptr("c"), entry("t1", agent("c", "3")), entry("t1", agent("d", "4"))), turnOf("t1", protocol.Completed))
	fetches, err := w.Older(Key{})
	back := itemsOf(nil, entry("t1", agent("a", "1")))
	back.BackwardsCursor = ptr("n")
	w.GotItems(one(t, fetches, err), back)
	w.Apply(completed("t2", agent("e", "5")))
	w.SetAnchor(Key{"t1", "a"})
	w.Apply(completed("t2", agent("f", "6")))
	wantEqual(t, "newer", w.View().Newer, true)
	fetches, err = w.Newer(Key{})
	w.GotItems(one(t, fetches, err), itemsOf(ptr(""), entry("t1", agent("c", "3"))))
	wantEqual(t, "newer still, and a notice", [2]any{w.View().Newer, len(w.TakeNotices())}, [2]any{true, 1})
}
