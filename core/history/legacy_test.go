package history

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"holdfast/core/protocol"
)

// legacyTurn is a turn as turns/list gives it: made-up item IDs.
func legacyTurn(id, status string, items ...protocol.Item) protocol.Turn {
	for i := range items {
		items[i].ID = "item-" + string(rune('1'+i))
	}
	return turnOf(id, status, items...)
}

func legacyWindow(t *testing.T, l Limits, r protocol.ThreadTurnsListResult) *Window {
	t.Helper()
	w := New(thread, Legacy, l)
	w.GotTurns(one(t, w.Open(), nil), r)
	return w
}

// A legacy thread has no items to list: summaries are rows, keyed by position
// (ruling 6).
func TestLegacySummariesAreRows(t *testing.T) {
	w := legacyWindow(t, Limits{}, turnsOf(ptr("u1"),
		legacyTurn("t1", protocol.Completed, user("", "c1", "hi"), agent("", "hello")),
		legacyTurn("t2", protocol.Completed, user("", "c2", "and"), agent("", "so on"))))
	wantLines(t, w, "t1/0 hi", "t1/1 hello", "t2/0 and", "t2/1 so on")
	v := w.View()
	wantEqual(t, "view", [3]bool{v.CommandsMayBeMissing, v.Older, v.Turns["t1"].Summary}, [3]bool{true, true, true})
	wantEqual(t, "client IDs", w.TakeClientIDs(), []string{"c1", "c2"})

	fetches, err := w.Older(Key{})
	f := one(t, fetches, err)
	wantEqual(t, "older", *f.Turns, protocol.ThreadTurnsListParams{
		ThreadID: thread, Cursor: "u1", Limit: 50, SortDirection: "desc", ItemsView: "summary",
	})
	w.GotTurns(f, turnsOf(nil, legacyTurn("t0", protocol.Completed, user("", "", "first"))))
	wantLines(t, w, "t0/0 first", "t1/0 hi", "t1/1 hello", "t2/0 and", "t2/1 so on")
	wantEqual(t, "older at the end", w.View().Older, false)
}

// Expand passes the newer turns, then puts the full turn in the place of its
// summary.
func TestLegacyExpand(t *testing.T) {
	w := legacyWindow(t, Limits{}, turnsOf(nil,
		legacyTurn("t1", protocol.Completed, user("", "", "hi"), agent("", "bye")),
		legacyTurn("t2", protocol.Completed, user("", "", "x")),
		legacyTurn("t3", protocol.Completed, user("", "", "y"))))
	fetches, err := w.Expand("t1")
	f := one(t, fetches, err)
	wantEqual(t, "seek", *f.Turns, protocol.ThreadTurnsListParams{
		ThreadID: thread, Limit: 2, SortDirection: "desc", ItemsView: "notLoaded",
	})
	// The server clamps as it likes: what it passed is what counts (trap 13).
	f = one(t, w.GotTurns(f, turnsOf(ptr("s1"), legacyTurn("t3", protocol.Completed))), nil)
	wantEqual(t, "seek on", *f.Turns, protocol.ThreadTurnsListParams{
		ThreadID: thread, Cursor: "s1", Limit: 1, SortDirection: "desc", ItemsView: "notLoaded",
	})
	f = one(t, w.GotTurns(f, turnsOf(ptr("s2"), legacyTurn("t2", protocol.Completed))), nil)
	wantEqual(t, "the turn", *f.Turns, protocol.ThreadTurnsListParams{
		ThreadID: thread, Cursor: "s2", Limit: 1, SortDirection: "desc", ItemsView: "full",
	})
	w.GotTurns(f, turnsOf(nil, legacyTurn("t1", protocol.Completed,
		user("", "", "hi"), command("", "ls", "out"), agent("", "bye"))))
	wantLines(t, w, "t1/0 hi", "t1/1 ls\nout", "t1/2 bye", "t2/0 x", "t3/0 y")
	wantEqual(t, "summary", w.View().Turns["t1"].Summary, false)
	if fetches, err := w.Expand("t1"); err != nil || fetches != nil {
		t.Fatalf("got %d fetches and %v for a full turn, want nothing", len(fetches), err)
	}
	fetches, err = w.Expand("t3") // the newest needs no seeking
	wantEqual(t, "newest", one(t, fetches, err).Turns.ItemsView, "full")
}

// A list that is not what it was ends the search with a notice.
func TestLegacyExpandLosesTheTurn(t *testing.T) {
	for name, answers := range map[string][]protocol.ThreadTurnsListResult{
		"passed it": {turnsOf(ptr("s1"), legacyTurn("t1", protocol.Completed), legacyTurn("t2", protocol.Completed))},
		"gone":      {turnsOf(ptr("s1"), legacyTurn("t2", protocol.Completed)), turnsOf(nil)},
	} {
		w := legacyWindow(t, Limits{}, turnsOf(nil,
			legacyTurn("t1", protocol.Completed, user("", "", "hi")), legacyTurn("t2", protocol.Completed, user("", "", "x"))))
		fetches, err := w.Expand("t1")
		for _, r := range answers {
			fetches = w.GotTurns(one(t, fetches, err), r)
		}
		wantEqual(t, name+": fetches", len(fetches), 0)
		wantEqual(t, name+": notices", len(w.TakeNotices()), 1)
		wantLines(t, w, "t1/0 hi", "t2/0 x")
	}
	// New turns that nobody told of are passed as well.
	w := legacyWindow(t, Limits{}, turnsOf(nil, legacyTurn("t1", protocol.Completed, user("", "", "hi"))))
	fetches, err := w.Expand("t1")
	f := one(t, w.GotTurns(one(t, fetches, err), turnsOf(ptr("s1"), legacyTurn("t2", protocol.Completed))), nil)
	wantEqual(t, "on", *f.Turns, protocol.ThreadTurnsListParams{
		ThreadID: thread, Cursor: "s1", Limit: 1, SortDirection: "desc", ItemsView: "full",
	})
}

// A turn that streamed live and is then read is replaced as a whole: its live
// item IDs are not history's.
func TestLegacyLiveTurnIsReplaced(t *testing.T) {
	w := legacyWindow(t, Limits{}, turnsOf(nil, legacyTurn("t1", protocol.Completed, user("", "", "old"))))
	w.SetLive(true)
	apply(w, begun("t2"), completed("t2", user("uuid", "c", "hi")), completed("t2", command("call_1", "ls", "out")),
		delta("t2", "msg_1", "bye"))
	wantLines(t, w, "t1/0 old", "t2/uuid hi", "t2/call_1 ls\nout", "t2/msg_1 bye…")

	// While it runs, its own rows say more than a summary.
	read := func(status string) {
		w.GotTurns(one(t, w.Refresh(), nil), turnsOf(nil,
			legacyTurn("t1", protocol.Completed, user("", "", "old")),
			legacyTurn("t2", status, user("", "c", "hi"), agent("", "bye"))))
	}
	read(protocol.InProgress)
	wantLines(t, w, "t1/0 old", "t2/uuid hi", "t2/call_1 ls\nout", "t2/msg_1 bye…")
	apply(w, completed("t2", agent("msg_1", "bye")), ended("t2", protocol.Completed, agent("item-3", "bye")))
	wantLines(t, w, "t1/0 old", "t2/uuid hi", "t2/call_1 ls\nout", "t2/msg_1 bye")
	read(protocol.Completed)
	wantLines(t, w, "t1/0 old", "t2/0 hi", "t2/1 bye")
	if _, err := w.Expand("nope"); !errors.Is(err, ErrNotLoaded) {
		t.Fatalf("got %v, want %v", err, ErrNotLoaded)
	}
}

// Joined in the middle of a turn: what was read and then comes live, under
// another ID, is one row.
func TestLegacyJoinInTheMiddle(t *testing.T) {
	w := legacyWindow(t, Limits{}, turnsOf(nil, legacyTurn("t1", protocol.InProgress, user("", "c", "hi"))))
	fetches := w.Rejoin(nil, ptr("u"))
	apply(w, started("t1", user("uuid", "c", "hi")), completed("t1", user("uuid", "c", "hi")),
		delta("t1", "msg_1", "first"), completed("t1", agent("msg_1", "first")), delta("t1", "msg_2", "sec"))
	w.GotTurns(one(t, fetches, nil), turnsOf(nil,
		legacyTurn("t1", protocol.InProgress, user("", "c", "hi"), agent("", "first"))))
	wantLines(t, w, "t1/0 hi", "t1/1 first", "t1/msg_2 sec…")
	if _, err := w.Expand("t1"); !errors.Is(err, ErrRunning) {
		t.Fatalf("got %v, want %v", err, ErrRunning)
	}
	// The same words again are another message.
	apply(w, completed("t1", agent("msg_2", "first")), completed("t1", user("uuid2", "d", "hi")))
	wantLines(t, w, "t1/0 hi", "t1/1 first", "t1/msg_2 first", "t1/uuid2 hi")
}

// Only at the seam of a read is equal text the same message.
func TestLegacyEqualTextLater(t *testing.T) {
	w := legacyWindow(t, Limits{}, turnsOf(nil, legacyTurn("t1", protocol.InProgress, user("", "c", "hi"), agent("", "yes"))))
	apply(w, completed("t1", agent("msg_1", "yes")))
	wantLines(t, w, "t1/0 hi", "t1/1 yes", "t1/msg_1 yes")
}

// A join keeps the full turns and the older pages that it touches.
func TestLegacyRejoin(t *testing.T) {
	summary := legacyTurn("t1", protocol.Completed, user("", "", "hi"), agent("", "bye"))
	w := legacyWindow(t, Limits{}, turnsOf(ptr("u1"), summary))
	fetches, err := w.Older(Key{})
	w.GotTurns(one(t, fetches, err), turnsOf(ptr("u2"), legacyTurn("t0", protocol.Completed, user("", "", "zero"))))
	fetches, err = w.Expand("t1")
	w.GotTurns(one(t, fetches, err), turnsOf(nil, legacyTurn("t1", protocol.Completed,
		user("", "", "hi"), command("", "ls", ""), agent("", "bye"))))
	w.GotTurns(one(t, w.Rejoin(nil, ptr("u")), nil), turnsOf(ptr("n1"), summary,
		legacyTurn("t2", protocol.Completed, user("", "", "two"))))
	wantLines(t, w, "t0/0 zero", "t1/0 hi", "t1/1 ls", "t1/2 bye", "t2/0 two")
	fetches, err = w.Older(Key{})
	wantEqual(t, "older goes on", one(t, fetches, err).Turns.Cursor, "u2")
	w.GotTurns(fetches[0], turnsOf(nil))

	w.GotTurns(one(t, w.Rejoin(nil, ptr("u")), nil), turnsOf(ptr("n1"), legacyTurn("t9", protocol.Completed, user("", "", "nine"))))
	wantLines(t, w, "t9/0 nine")
}

func TestLegacyBounds(t *testing.T) {
	pair := func(id string) protocol.Turn {
		return legacyTurn(id, protocol.Completed, user("", "", id), agent("", id))
	}
	w := legacyWindow(t, Limits{Items: 5}, turnsOf(ptr("u1"), pair("t2"), pair("t3")))
	fetches, err := w.Older(Key{})
	f := one(t, fetches, err)
	wantEqual(t, "asks for", f.Turns.Limit, 1)
	w.GotTurns(f, turnsOf(nil, pair("t1")))
	wantLines(t, w, "t1/0 t1", "t1/1 t1", "t2/0 t2", "t2/1 t2")
	wantEqual(t, "newer", w.View().Newer, true)

	// A full turn that does not fit leaves the summary.
	w = legacyWindow(t, Limits{Items: 3}, turnsOf(nil, pair("t1")))
	fetches, err = w.Expand("t1")
	w.GotTurns(one(t, fetches, err), turnsOf(nil, legacyTurn("t1", protocol.Completed,
		user("", "", "t1"), command("", "a", ""), command("", "b", ""), agent("", "t1"))))
	wantLines(t, w, "t1/0 t1", "t1/1 t1")

	// The first page is halved.
	w = New(thread, Legacy, Limits{Items: 3})
	f = one(t, w.Open(), nil)
	wantEqual(t, "first", f.Turns.Limit, 3)
	f = one(t, w.GotTurns(f, turnsOf(nil, pair("t1"), pair("t2"))), nil)
	wantEqual(t, "half", f.Turns.Limit, 1)
	w.GotTurns(f, turnsOf(nil, pair("t2")))
	wantLines(t, w, "t2/0 t2", "t2/1 t2")
}

func TestLegacyEmpty(t *testing.T) {
	w := New(thread, Legacy, Limits{})
	w.Failed(one(t, w.Open(), nil), Failure{Kind: NotMaterialized})
	wantEqual(t, "empty", w.View().Empty, true)
	w.Failed(one(t, w.Refresh(), nil), Failure{Reason: "broken"})
	wantEqual(t, "stale", w.View().Stale, "broken")
}

// A join keeps the older walk, and what that brings still stands before what is
// here; the order is what Expand counts on.
// req: HIS-7
func TestLegacyOlderAfterAJoin(t *testing.T) {
	var l listing
	var want []string
	for i := range 120 {
		id := fmt.Sprintf("t%03d", i)
		l.turns = append(l.turns, turnOf(id, protocol.Completed, user("0", "", "q"), agent("1", "a")))
		want = append(want, id+"/0 q", id+"/1 a")
	}
	for name, cursor := range map[string]*string{"no cursor": nil, "a cursor": ptr("120")} {
		w := New(thread, Legacy, Limits{})
		l.serve(t, w, w.Open(), true)
		l.serve(t, w, w.Rejoin(nil, cursor), true)
		for from := 70; ; from = max(0, from-50) {
			wantEqual(t, name, lines(w.View()), want[2*from:])
			if from == 0 {
				break
			}
			fetches, err := w.Older(Key{})
			l.serve(t, w, []Fetch{one(t, fetches, err)}, true)
		}
		fetches, err := w.Expand("t119")
		wantEqual(t, name+": the newest turn is asked for at once", one(t, fetches, err).why, forWhole)
	}
}

// What is completed while a running legacy turn is read is shown once and in
// order, however much of it the page's summary has; a turn that ended meanwhile
// is what its summary says.
// req: HIS-7
func TestLegacyCompletionsDuringAJoin(t *testing.T) {
	end := func(status string) []protocol.Notification {
		if status == protocol.InProgress {
			return nil
		}
		return []protocol.Notification{ended("t1", status)}
	}
	for status, want := range map[string][]string{
		protocol.InProgress:  {"t1/0 q", "t1/a A", "t1/b B", "t1/1 C"},
		protocol.Completed:   {"t1/0 q", "t1/1 C"},
		protocol.Interrupted: {"t1/0 q", "t1/1 C"},
	} {
		w := New(thread, Legacy, Limits{})
		first := turnsOf(nil, legacyTurn("t1", protocol.InProgress, user("", "c", "q")))
		answer(t, w, w.Open(), protocol.ThreadItemsListResult{}, first)
		fetches := w.Rejoin(nil, nil)
		apply(w, completed("t1", agent("a", "A")), completed("t1", agent("b", "B")), completed("t1", agent("c", "C")))
		apply(w, end(status)...)
		answer(t, w, fetches, protocol.ThreadItemsListResult{}, turnsOf(nil, legacyTurn("t1", status, user("", "c", "q"), agent("", "C"))))
		wantLines(t, w, want...)
		wantEqual(t, status+": a summary", w.View().Turns["t1"].Summary, true)
		if status != protocol.InProgress { // the rest is there to be asked for
			more, err := w.Expand("t1")
			full := turnsOf(nil, legacyTurn("t1", status, user("", "c", "q"), agent("", "A"), agent("", "B"), agent("", "C")))
			w.GotTurns(one(t, more, err), full)
			wantLines(t, w, "t1/0 q", "t1/1 A", "t1/2 B", "t1/3 C")
		}
	}
}

// A turn that is nearer to the newest than was thought is still found.
func TestLegacyExpandFindsATurnThatIsNearer(t *testing.T) {
	w := New(thread, Legacy, Limits{})
	answer(t, w, w.Open(), protocol.ThreadItemsListResult{}, turnsOf(nil, legacyTurn("t1", protocol.Completed, agent("", "B"))))
	w.Apply(begun("t2")) // which the server does not list
	fetches, err := w.Expand("t1")
	fetches = w.GotTurns(one(t, fetches, err), turnsOf(nil, turnOf("t1", protocol.Completed)))
	w.GotTurns(one(t, fetches, nil), turnsOf(nil, legacyTurn("t1", protocol.Completed, agent("", "A"), agent("", "B"))))
	wantLines(t, w, "t1/0 A", "t1/1 B")
}

// A user message of a client that gives no client ID, completed while its turn
// is read, is the row of the page; the same words in a later one are not.
// req: HIS-7
func TestLegacyUserMessageWithoutAClientID(t *testing.T) {
	for name, c := range map[string]struct {
		live []protocol.Notification
		want []string
	}{
		"once": {[]protocol.Notification{completed("t1", user("u", "", "hi"))}, []string{"t1/0 hi"}},
		"with its start": {
			[]protocol.Notification{begun("t1"), started("t1", user("u", "", "hi")), completed("t1", user("u", "", "hi"))},
			[]string{"t1/0 hi"},
		},
		"said twice": {
			[]protocol.Notification{completed("t1", user("u", "", "hi")), completed("t1", user("v", "", "hi"))},
			[]string{"t1/0 hi", "t1/v hi"},
		},
		"other words":  {[]protocol.Notification{completed("t1", user("u", "", "ho"))}, []string{"t1/0 hi", "t1/u ho"}},
		"with such ID": {[]protocol.Notification{completed("t1", user("u", "c", "hi"))}, []string{"t1/0 hi", "t1/u hi"}},
	} {
		w := New(thread, Legacy, Limits{})
		fetches := w.Open()
		apply(w, c.live...)
		answer(t, w, fetches, protocol.ThreadItemsListResult{}, turnsOf(nil, legacyTurn("t1", protocol.InProgress, user("", "", "hi"))))
		if got := lines(w.View()); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	w := New(thread, Legacy, Limits{})
	answer(t, w, w.Open(), protocol.ThreadItemsListResult{}, turnsOf(nil, legacyTurn("t1", protocol.InProgress, user("", "", "hi"))))
	w.Apply(completed("t1", user("v", "", "hi"))) // said again later
	wantLines(t, w, "t1/0 hi", "t1/v hi")
}
