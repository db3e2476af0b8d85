package history

import (
	"errors"
	"fmt"
	"testing"

	"holdfast/core/protocol"
)

// A failed first read keeps the rows, marks them stale with the reason, and a
// refresh mends it.
// req: HIS-10
func TestAFailedReadKeepsTheRowsStale(t *testing.T) {
	page := itemsOf(ptr("c"), entry("t1", agent("a", "read")))
	for name, begin := range map[string]func(w *Window) []Fetch{
		"refresh": (*Window).Refresh,
		"rejoin":  func(w *Window) []Fetch { return w.Rejoin(ptr("i"), ptr("t")) },
		"open":    (*Window).Open,
	} {
		for _, itemsFail := range []bool{true, false} {
			w := opened(t, Limits{}, page, turnOf("t1", protocol.Completed))
			fetches := begin(w)
			w.Apply(completed("t1", agent("b", "held back")))
			for _, f := range fetches {
				switch {
				case (f.Items != nil) == itemsFail:
					w.Failed(f, Failure{Reason: "the answer timed out"})
				case f.Items != nil:
					w.GotItems(f, page)
				default:
					w.GotTurns(f, turnsOf(nil, turnOf("t1", protocol.Completed)))
				}
			}
			wantLines(t, w, "t1/a read")
			wantEqual(t, name+": stale", w.View().Stale, "the answer timed out")
			wantEqual(t, name+": busy", w.Busy(), false)
			w.Apply(completed("t1", agent("c", "not followed")))
			wantLines(t, w, "t1/a read")
			answer(t, w, w.Refresh(), page, turnsOf(nil, turnOf("t1", protocol.Completed)))
			wantEqual(t, name+": stale after a refresh", w.View().Stale, "")
			w.Apply(completed("t2", agent("c", "followed")))
			wantLines(t, w, "t1/a read", "t2/c followed")
		}
	}
}

// Field case "Empty thread": nothing yet is no failure, but only on the exact
// texts and for a thread that is not ephemeral (ruling 15).
//
// req: FLD-6
func TestVerdicts(t *testing.T) {
	none := Failure{Reason: "-"}
	for name, c := range map[string]struct {
		turns, items Failure
		empty        bool
		stale        string
	}{
		"nothing yet":    {Failure{Kind: NotMaterialized}, Failure{Kind: Unsupported}, true, ""},
		"no items yet":   {Failure{Kind: NotMaterialized}, none, true, ""},
		"ephemeral":      {Failure{Kind: Ephemeral}, Failure{Kind: Unsupported}, false, "the history of an ephemeral conversation cannot be read"},
		"items alone":    {none, Failure{Kind: Unsupported}, false, "the items could not be read: the server does not list them"},
		"turns alone":    {Failure{Reason: "no"}, none, false, "no"},
		"both":           {Failure{Reason: "no"}, Failure{Reason: "nor this"}, false, "no"},
		"only one known": {Failure{Kind: NotMaterialized}, Failure{Reason: "timeout"}, false, "timeout"},
		"no words":       {Failure{}, Failure{}, false, "the turns could not be read"},
	} {
		w := New(thread, "paginated", Limits{})
		for _, f := range w.Open() {
			why := c.turns
			if f.Items != nil {
				why = c.items
			}
			switch {
			case why != none:
				w.Failed(f, why)
			case f.Items != nil:
				w.GotItems(f, itemsOf(nil))
			default:
				w.GotTurns(f, turnsOf(nil))
			}
		}
		v := w.View()
		wantEqual(t, name, [2]any{v.Empty, v.Stale}, [2]any{c.empty, c.stale})
	}
}

// An empty conversation is asked again after its first message.
//
// req: FLD-6
func TestEmptyIsAskedAgain(t *testing.T) {
	w := New(thread, "paginated", Limits{})
	for _, f := range w.Open() {
		w.Failed(f, Failure{Kind: map[bool]FailureKind{true: Unsupported, false: NotMaterialized}[f.Items != nil]})
	}
	wantEqual(t, "empty", w.View().Empty, true)
	fetches := w.Refresh()
	wantEqual(t, "asked again", len(fetches), 2)
	answer(t, w, fetches, itemsOf(nil, entry("t1", user("u", "c", "hi"))), turnsOf(nil, turnOf("t1", protocol.InProgress)))
	wantEqual(t, "empty", w.View().Empty, false)
	wantLines(t, w, "t1/u hi")

	for _, f := range w.Refresh() { // and what the server does not have is not shown
		w.Failed(f, Failure{Kind: map[bool]FailureKind{true: Unsupported, false: NotMaterialized}[f.Items != nil]})
	}
	wantEqual(t, "empty again", [2]any{w.View().Empty, len(w.View().Turns)}, [2]any{true, 0})
}

// A thread started here takes live rows at once, and asking too early loses
// none of them.
func TestStartEmpty(t *testing.T) {
	w := New(thread, "paginated", Limits{})
	w.StartEmpty()
	wantEqual(t, "empty", w.View().Empty, true)
	apply(w, begun("t1"), completed("t1", user("u", "c", "hi")), delta("t1", "a", "hel"))
	wantEqual(t, "empty", w.View().Empty, false)
	fetches := w.Refresh()
	w.Apply(delta("t1", "a", "lo"))
	for _, f := range fetches {
		w.Failed(f, Failure{Kind: map[bool]FailureKind{true: Unsupported, false: NotMaterialized}[f.Items != nil]})
	}
	wantLines(t, w, "t1/u hi", "t1/a hello…")
	v := w.View()
	wantEqual(t, "view", [3]any{v.Empty, v.Stale, v.Newest}, [3]any{false, "", "t1"})
}

// Turns were cut off: nothing of before may be shown as complete.
func TestRevertedDropsEverything(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(ptr("c"), entry("t1", agent("a", "1"))), turnOf("t1", protocol.Completed))
	fetches := w.Refresh()
	apply(w, completed("t2", agent("b", "2")), reverted())
	wantEqual(t, "busy", w.Busy(), false)
	answer(t, w, fetches, itemsOf(nil, entry("t1", agent("a", "late"))), turnsOf(nil))
	wantEqual(t, "view", *w.View(), View{Rows: []*Row{}, Stale: StaleChanged, Turns: map[string]TurnInfo{}})
	answer(t, w, w.Refresh(), itemsOf(nil, entry("t0", agent("z", "left"))), turnsOf(nil))
	wantLines(t, w, "t0/z left")
	wantEqual(t, "stale", w.View().Stale, "")
}

// A join keeps what was paged in, if the page it reads reaches back to it.
func TestRejoinKeepsWhatItTouches(t *testing.T) {
	reading := func() *Window {
		w := opened(t, Limits{}, itemsOf(ptr("c1"), entry("t2", agent("c", "3")), entry("t2", agent("d", "4"))),
			turnOf("t1", protocol.Completed), turnOf("t2", protocol.Completed))
		fetches, err := w.Older(Key{})
		w.GotItems(one(t, fetches, err), itemsOf(ptr("c2"), entry("t1", agent("a", "1")), entry("t2", agent("b", "2"))))
		return w
	}
	turns := turnsOf(ptr("u1"), turnOf("t2", protocol.Completed), turnOf("t3", protocol.InProgress))

	w := reading()
	old := w.View()
	fetches := w.Rejoin(ptr("i9"), ptr("u9"))
	wantEqual(t, "turns", *fetches[0].Turns, protocol.ThreadTurnsListParams{
		ThreadID: thread, Cursor: "u9", Limit: 50, SortDirection: "desc", ItemsView: "summary",
	})
	wantEqual(t, "items", *fetches[1].Items, protocol.ThreadItemsListParams{
		ThreadID: thread, Cursor: protocol.PageCursor("i9"), Limit: 100, SortDirection: "desc",
	})
	w.Apply(delta("t3", "f", "mid"))
	answer(t, w, fetches, itemsOf(ptr("n1"), entry("t2", agent("c", "3")), entry("t2", agent("d", "4")), entry("t3", agent("e", "5"))), turns)
	wantLines(t, w, "t1/a 1", "t2/b 2", "t2/c 3", "t2/d 4", "t3/e 5", "t3/f mid…")
	for i, r := range old.Rows {
		wantEqual(t, "row pointer", w.View().Rows[i], r)
	}
	more, err := w.Older(Key{})
	wantEqual(t, "older goes on", one(t, more, err).Items.Cursor, protocol.PageCursor("c2"))

	// The page does not reach back: what lies between is not known, so what was
	// paged in goes, and paging begins at the page.
	w = reading()
	answer(t, w, w.Rejoin(nil, nil), itemsOf(ptr("n1"), entry("t3", agent("e", "5"))), turns)
	wantLines(t, w, "t3/e 5")
	more, err = w.Older(Key{})
	wantEqual(t, "older begins anew", one(t, more, err).Items.Cursor, protocol.PageCursor("n1"))
	wantEqual(t, "newest", w.View().Newest, "t3")

	// Turns that were cut off meanwhile go, in rows and in turns.
	w = reading()
	answer(t, w, w.Rejoin(nil, nil), itemsOf(nil, entry("t1", agent("a", "1"))), turnsOf(nil, turnOf("t1", protocol.Completed)))
	wantLines(t, w, "t1/a 1")
	wantEqual(t, "turns", w.View().Turns, map[string]TurnInfo{"t1": {ID: "t1", Status: protocol.Completed}})
}

// A refresh begins anew: only the newest page stays, and its cursor.
func TestRefreshReplaces(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(ptr("c1"), entry("t1", agent("b", "2"))), turnOf("t1", protocol.Completed))
	fetches, err := w.Older(Key{})
	w.GotItems(one(t, fetches, err), itemsOf(nil, entry("t1", agent("a", "1"))))
	fetches = w.Refresh()
	wantLines(t, w, "t1/a 1", "t1/b 2")
	answer(t, w, fetches, itemsOf(ptr("n1"), entry("t1", agent("b", "2"))), turnsOf(nil, turnOf("t1", protocol.Completed)))
	wantLines(t, w, "t1/b 2")
	wantEqual(t, "older", w.View().Older, true)
}

// What streamed without a gap survives a re-read; after a gap it does not.
func TestInFlightSurvivesOnlyWithoutAGap(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(w *Window)
		want    []string
	}{
		"live":        {func(w *Window) { w.SetLive(true) }, []string{"t1/a 1", "t1/b half and half…"}},
		"not live":    {func(*Window) {}, []string{"t1/a 1", "t1/b  and half…"}},
		"live, stale": {func(w *Window) { w.SetLive(true); w.MarkStale("an event was lost") }, []string{"t1/a 1", "t1/b  and half…"}},
	} {
		w := opened(t, Limits{}, itemsOf(nil, entry("t1", agent("a", "1"))), turnOf("t1", protocol.InProgress))
		w.Apply(delta("t1", "b", "half"))
		c.prepare(w)
		fetches := w.Refresh()
		w.Apply(delta("t1", "b", " and half"))
		answer(t, w, fetches, itemsOf(nil, entry("t1", agent("a", "1"))), turnsOf(nil, turnOf("t1", protocol.InProgress)))
		got := lines(w.View())
		for i := range got {
			if i == 1 && name != "live" {
				wantEqual(t, name, got[i], "t1/b and half…")
				continue
			}
			wantEqual(t, name, got[i], c.want[i])
		}
		wantEqual(t, name+": rows", len(got), 2)
	}
}

func TestMarkStale(t *testing.T) {
	page := itemsOf(nil, entry("t1", agent("a", "1")))
	w := opened(t, Limits{}, page)
	before := w.View()
	w.MarkStale("")
	wantEqual(t, "nothing to say", w.View() == before, true)
	w.MarkStale("changed since read")
	wantEqual(t, "marked", w.View().Stale, "changed since read")
	fetches := w.Refresh()
	wantEqual(t, "while reading", w.View().Stale, "changed since read")
	answer(t, w, fetches, page, turnsOf(nil))
	wantEqual(t, "after", w.View().Stale, "")
	fetches = w.Refresh()
	w.MarkStale("changed since read")
	answer(t, w, fetches, page, turnsOf(nil))
	wantEqual(t, "marked during the read", w.View().Stale, "changed since read")
}

// Off screen only what is in flight stays, and coming back is without a gap.
func TestPark(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(ptr("c"), entry("t1", agent("a", "1"))), turnOf("t1", protocol.InProgress))
	w.SetLive(true)
	apply(w, delta("t1", "b", "half"), delta("t1", "x", "soon done"))
	w.Park()
	wantLines(t, w, "t1/b half…", "t1/x soon done…")
	if _, err := w.Older(Key{}); !errors.Is(err, ErrNoMore) {
		t.Fatalf("older while parked: %v", err)
	}
	apply(w, delta("t1", "b", " way"), completed("t1", agent("x", "done")), completed("t1", agent("y", "unseen")), delta("t1", "z", "new"))
	wantLines(t, w, "t1/b half way…", "t1/z new…")
	fetches := w.Open()
	w.Apply(completed("t1", agent("z", "new and done")))
	answer(t, w, fetches, itemsOf(nil, entry("t1", agent("a", "1")), entry("t1", agent("x", "done")), entry("t1", agent("y", "unseen"))),
		turnsOf(nil, turnOf("t1", protocol.InProgress)))
	wantLines(t, w, "t1/a 1", "t1/x done", "t1/y unseen", "t1/b half way…", "t1/z new and done")

	w.MarkStale("an event was lost")
	w.Park() // what is in flight may have a hole: it goes too
	wantLines(t, w)
}

// A parked window that is given up keeps nothing, takes nothing, and is read
// anew by Open.
func TestGiveUp(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil, entry("u1", agent("a", "1"))), turnOf("u1", protocol.InProgress))
	w.SetLive(true)
	w.GiveUp() // on screen: not possible
	if w.Broken() != "" {
		t.Fatalf("it was given up on screen: %q", w.Broken())
	}
	w.Park()
	w.Apply(delta("u1", "m9", "in flight"))
	if w.Held() != int64(len("in flight")) {
		t.Fatalf("it holds %d bytes", w.Held())
	}
	w.GiveUp()
	w.Apply(delta("u1", "m9", ", lost"))
	if w.Held() != 0 || len(w.View().Rows) != 0 || w.Broken() == "" {
		t.Errorf("it holds %d bytes, %d rows, broken %q", w.Held(), len(w.View().Rows), w.Broken())
	}
	w.Open()
	if w.Broken() != "" || !w.Busy() {
		t.Errorf("after Open: broken %q, busy %v", w.Broken(), w.Busy())
	}
}

// What is in flight and is given up, at a bound or after a gap, is missing
// until it is completed or its turn ends, and the view says so all the while.
// req: HIS-8
func TestWhatIsGivenUpInFlightIsSaidToBeMissing(t *testing.T) {
	page := itemsOf(nil, entry("t1", agent("a", "1")))
	running := turnsOf(nil, turnOf("t1", protocol.InProgress))
	for name, giveUp := range map[string]func(w *Window){
		"a refresh after a gap": func(w *Window) {
			w.MarkStale("an event was lost")
			answer(t, w, w.Refresh(), page, running)
		},
		"off screen, past the bytes": func(w *Window) {
			w.Park()
			w.GiveUp()
			answer(t, w, w.Open(), page, running)
		},
		"off screen, past the rows": func(w *Window) {
			w.Park()
			for i := range 25 {
				w.Apply(started("t1", agent(fmt.Sprint("m", i), "x")))
			}
			answer(t, w, w.Open(), page, running)
			answer(t, w, w.Refresh(), page, running)
		},
	} {
		for _, end := range []protocol.Notification{completed("t1", agent("b", "all of it")), ended("t1", protocol.Interrupted)} {
			w := opened(t, Limits{Items: 10}, page, turnOf("t1", protocol.InProgress))
			w.SetLive(true)
			w.Apply(delta("t1", "b", "half"))
			wantEqual(t, name+": before", w.View().Stale, "")
			giveUp(w)
			wantEqual(t, name+": given up", w.View().Stale, staleMissing)
			w.Apply(delta("t1", "b", " and half"))
			wantEqual(t, name+": half", w.View().Stale, staleMissing)
			w.Apply(end)
			if _, item := end.(protocol.ItemCompleted); !item || name != "off screen, past the rows" {
				wantEqual(t, name+": ended", w.View().Stale, "")
			}
		}
	}
}
