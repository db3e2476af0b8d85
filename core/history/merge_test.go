package history

import (
	"reflect"
	"testing"

	"holdfast/core/protocol"
)

// Field case "Deltas before the page": delta, completion and page in each of
// the six orders give one row.
// req: HIS-7, FLD-7
func TestCompletionWinsInEveryOrder(t *testing.T) {
	for _, live := range []bool{false, true} {
		for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			w := New(thread, "paginated", Limits{})
			w.SetLive(live)
			fetches := w.Open()
			for _, what := range order {
				switch what {
				case 0:
					w.Apply(delta("t1", "9", "Hel"))
				case 1:
					w.Apply(completed("t1", agent("9", "Hello")))
				case 2:
					answer(t, w, fetches, itemsOf(nil, entry("t1", agent("9", "Hello"))),
						turnsOf(nil, turnOf("t1", protocol.InProgress)))
				}
			}
			if got := lines(w.View()); !reflect.DeepEqual(got, []string{"t1/9 Hello"}) {
				t.Errorf("live %v, order %v: got %q", live, order, got)
			}
			wantEqual(t, "state", w.View().Rows[0].State, Final)
		}
	}
}

// The same without a read between: a late delta never changes a final row.
// req: HIS-7
func TestLateEventsDoNotChangeAFinalRow(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil, entry("t1", agent("a", "paged"))), turnOf("t1", protocol.InProgress))
	apply(w, completed("t1", agent("b", "live")))
	before := w.View()
	apply(w,
		delta("t1", "a", "late"), started("t1", agent("a", "")), delta("t1", "b", "late"), started("t1", agent("b", "")))
	wantLines(t, w, "t1/a paged", "t1/b live")
	for i, r := range w.View().Rows {
		wantEqual(t, "row pointer", r, before.Rows[i])
	}
}

// req: HIS-7
func TestEventsAreHeldBackUntilBothPagesAreMerged(t *testing.T) {
	w := New(thread, "paginated", Limits{})
	fetches := w.Open()
	apply(w, begun("t2"), started("t2", agent("b", "")), delta("t2", "b", "stre"), delta("t2", "b", "am"))
	wantLines(t, w)
	answer(t, w, fetches[:1], itemsOf(nil), turnsOf(nil, turnOf("t1", protocol.Completed)))
	wantLines(t, w)
	answer(t, w, fetches[1:], itemsOf(nil, entry("t1", agent("a", "read"))), turnsOf(nil))
	wantLines(t, w, "t1/a read", "t2/b stream…")
	wantEqual(t, "newest", w.View().Newest, "t2")
}

// Rows are keyed by turn and item: the same item ID comes back in another turn,
// and other threads' events concern other windows (trap 12).
// req: HIS-7
func TestKeys(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil, entry("t1", agent("a", "one"))))
	child := protocol.ItemCompleted{
		TurnRef: protocol.TurnRef{ThreadRef: protocol.ThreadRef{Thread: "child"}, Turn: "t1"},
		Item:    agent("z", "of a sub-agent"),
	}
	apply(w, completed("t2", agent("a", "two")), child, completed("t2", agent("b", "two")))
	wantLines(t, w, "t1/a one", "t2/a two", "t2/b two")
	apply(w, completed("t2", agent("c", "two")), completed("t3", agent("a", "three")))
	wantLines(t, w, "t1/a one", "t2/a two", "t2/b two", "t2/c two", "t3/a three")
}

// Deltas may come for an item whose start was never seen (trap 7).
func TestTrap7DeltasWithoutAStart(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil), turnOf("t1", protocol.InProgress))
	apply(w, delta("t1", "a", "of the middle"))
	wantLines(t, w, "t1/a of the middle…")
	apply(w, delta("t1", "a", " on"), completed("t1", agent("a", "from the start of the middle on")))
	wantLines(t, w, "t1/a from the start of the middle on")
}

func TestEveryKindOfDelta(t *testing.T) {
	inFlight := protocol.CommandExecution{Status: protocol.InProgress, Output: "x"}
	for _, c := range []struct {
		kind protocol.DeltaKind
		want protocol.Item
	}{
		{protocol.DeltaMessage, protocol.Item{ID: "i", Type: "agentMessage", Body: protocol.AgentMessage{Text: "x"}}},
		{protocol.DeltaPlan, protocol.Item{ID: "i", Type: "plan", Body: protocol.Plan{Text: "x"}}},
		{protocol.DeltaSummary, protocol.Item{ID: "i", Type: "reasoning", Body: protocol.Reasoning{Summary: []string{"x"}}}},
		{protocol.DeltaReasoning, protocol.Item{ID: "i", Type: "reasoning", Body: protocol.Reasoning{Content: []string{"x"}}}},
		{protocol.DeltaOutput, protocol.Item{ID: "i", Type: "commandExecution", Body: inFlight}},
	} {
		w := opened(t, Limits{}, itemsOf(nil))
		apply(w, piece("t1", "i", c.kind, 0, "x"))
		got := w.View().Rows[0].Item
		got.Bytes = 0
		wantEqual(t, "item", got, c.want)
		// A delta of a kind that the item has no text for changes nothing.
		before := w.View().Rows[0]
		apply(w, piece("t1", "i", (c.kind+2)%5, 0, "wrong"), piece("t1", "i", protocol.DeltaPatch, 0, "wrong"))
		if c.kind != protocol.DeltaSummary {
			wantEqual(t, "row", w.View().Rows[0], before)
		}
	}
}

func TestStartedTextIsContinued(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil))
	apply(w, started("t1", agent("a", "Once ")), delta("t1", "a", "upon"))
	apply(w, started("t1", command("c", "ls", "")), piece("t1", "c", protocol.DeltaOutput, 0, "file"))
	apply(w, delta("t1", "b", "seen "), started("t1", agent("b", "")), delta("t1", "b", "whole"))
	wantLines(t, w, "t1/a Once upon…", "t1/c ls\nfile…", "t1/b seen whole…")
}

func TestReasoningPartsKeepTheirOrder(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil))
	for _, p := range []struct {
		kind protocol.DeltaKind
		part int
		text string
	}{
		{protocol.DeltaSummary, 1, "b"},
		{protocol.DeltaReasoning, 0, "x"},
		{protocol.DeltaSummary, 0, "a"},
		{protocol.DeltaSummary, 1, "b"},
		{protocol.DeltaSummary, 7, "c"},
	} {
		apply(w, piece("t1", "r", p.kind, p.part, p.text))
	}
	got := w.View().Rows[0].Item.Body
	wantEqual[protocol.ItemBody](t, "body", got, protocol.Reasoning{
		Summary: []string{"a", "bb", "c"}, Content: []string{"x"},
	})
	for i := range 2 * maxParts { // hostile: no end of parts, but an end of streams
		apply(w, piece("t1", "r", protocol.DeltaSummary, 10+i, "y"))
	}
	body, _ := w.View().Rows[0].Item.Body.(protocol.Reasoning)
	wantEqual(t, "parts", len(body.Summary)+len(body.Content), maxParts)
}

func TestPatchReplacesTheFiles(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil))
	patch := func(diff string) protocol.Notification {
		return protocol.PatchUpdated{
			ItemRef: protocol.ItemRef{TurnRef: of("t1"), Item: "f"},
			Changes: []protocol.FileUpdate{{Path: "p", Kind: "update", Diff: diff}},
		}
	}
	apply(w, patch("one"), patch("two"))
	wantEqual[protocol.ItemBody](t, "body", w.View().Rows[0].Item.Body, protocol.FileChange{
		Status: protocol.InProgress, Changes: []protocol.FileUpdate{{Path: "p", Kind: "update", Diff: "two"}},
	})
}

// A turn's rows are in start order while it runs, and in the order of
// completion once it ended (trap 8, ruling 8).
func TestTrap8OrderOfCompletion(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil))
	apply(w, begun("t1"),
		started("t1", command("c", "sleep", "")), started("t1", agent("a", "")),
		completed("t1", agent("a", "talk")), started("t1", agent("b", "")),
		completed("t1", command("c", "sleep", "")), completed("t1", agent("b", "done")))
	wantLines(t, w, "t1/c sleep", "t1/a talk", "t1/b done")
	apply(w, ended("t1", protocol.Completed))
	wantLines(t, w, "t1/a talk", "t1/c sleep", "t1/b done")
	apply(w, completed("t1", agent("z", "late")))
	wantLines(t, w, "t1/a talk", "t1/c sleep", "t1/b done", "t1/z late")
}

// A running turn takes the server's order when it merges with a page, and
// keeps what is in flight behind it.
func TestTrap8PagesBringTheServersOrder(t *testing.T) {
	w := New(thread, "paginated", Limits{})
	w.StartEmpty()
	apply(w, begun("t1"),
		started("t1", command("slow", "sleep", "")), started("t1", command("c", "ls", "")),
		completed("t1", agent("a", "talk")), completed("t1", command("c", "ls", "")), delta("t1", "d", "more"),
		completed("t1", agent("e", "too new for the page")))
	answer(t, w, w.Refresh(),
		itemsOf(nil, entry("t1", agent("a", "talk")), entry("t1", command("c", "ls", ""))),
		turnsOf(nil, turnOf("t1", protocol.InProgress)))
	wantLines(t, w, "t1/a talk", "t1/c ls", "t1/e too new for the page", "t1/slow sleep…", "t1/d more…")
}

// What was in flight when its turn ended is gone (trap 9).
func TestTrap9ItemsInFlightVanish(t *testing.T) {
	for _, status := range []string{protocol.Completed, protocol.Interrupted, protocol.Failed} {
		w := opened(t, Limits{}, itemsOf(nil))
		apply(w, begun("t1"), completed("t1", user("u", "", "go")),
			started("t1", agent("a", "")), delta("t1", "a", "half"), ended("t1", status))
		wantLines(t, w, "t1/u go")
		// Nothing brings it back but its completion.
		apply(w, delta("t1", "a", " more"), started("t1", agent("a", "")))
		wantLines(t, w, "t1/u go")
		wantEqual(t, "status", w.View().Turns["t1"].Status, status)
	}
	// The same when a re-read says that the turn ended.
	w := New(thread, "paginated", Limits{})
	w.StartEmpty()
	apply(w, begun("t1"), delta("t1", "a", "half"))
	answer(t, w, w.Refresh(), itemsOf(nil, entry("t1", user("u", "", "go"))),
		turnsOf(nil, turnOf("t1", protocol.Interrupted)))
	wantLines(t, w, "t1/u go")
}

// turn/completed carries the last agent message: it completes a row in flight,
// stands in for a completion that was missed, and changes no final row.
func TestTurnCompletedCarriesTheLastMessage(t *testing.T) {
	for name, before := range map[string][]protocol.Notification{
		"in flight": {delta("t1", "a", "do")},
		"missed":    nil,
		"final":     {completed("t1", agent("a", "done"))},
	} {
		w := opened(t, Limits{}, itemsOf(nil))
		apply(w, before...)
		apply(w, ended("t1", protocol.Completed, agent("a", "done")))
		if got := lines(w.View()); !reflect.DeepEqual(got, []string{"t1/a done"}) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestEqualMessagesStayTwoRows(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil, entry("t1", user("u1", "c", "again"))))
	apply(w, completed("t1", user("u2", "c", "again")))
	wantLines(t, w, "t1/u1 again", "t1/u2 again")
}

func TestTurnFacts(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil), turnOf("t1", protocol.Completed))
	begin := turnOf("t2", protocol.InProgress)
	begin.StartedAt = 100
	apply(w, protocol.TurnStarted{ThreadRef: protocol.ThreadRef{Thread: thread}, Turn: begin})
	wantEqual(t, "newest", w.View().Newest, "t2")
	end := turnOf("t2", protocol.Failed)
	end.CompletedAt, end.DurationMs, end.Error = 103, 3000, &protocol.TurnError{Message: "no network"}
	apply(w, protocol.TurnCompleted{ThreadRef: protocol.ThreadRef{Thread: thread}, Turn: end}, begun("t2"))
	wantEqual(t, "turn", w.View().Turns["t2"], TurnInfo{
		ID: "t2", Status: protocol.Failed, StartedAt: 100, CompletedAt: 103, DurationMs: 3000,
		Error: &protocol.TurnError{Message: "no network"},
	})
}

// Times that one source leaves out do not erase those of another.
func TestTimesStay(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil))
	begin, end := agent("a", ""), agent("a", "x")
	begin.StartedAtMs, end.CompletedAtMs = 10, 20
	apply(w, started("t1", begin), completed("t1", end))
	row := w.View().Rows[0]
	wantEqual(t, "times", [2]int64{row.Item.StartedAtMs, row.Item.CompletedAtMs}, [2]int64{10, 20})
	w.SetLive(true)
	answer(t, w, w.Refresh(), itemsOf(nil, entry("t1", agent("a", "x"))), turnsOf(nil, turnOf("t1", protocol.InProgress)))
	wantEqual(t, "row after a page without times", w.View().Rows[0], row)
}

func TestOtherNotificationsChangeNothing(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil, entry("t1", agent("a", "1"))))
	before := w.View()
	ref := protocol.ThreadRef{Thread: thread}
	apply(w, nil, protocol.TokenUsageUpdated{TurnRef: of("t1")}, protocol.ThreadStatusChanged{ThreadRef: ref},
		protocol.Unknown{Method: "thread/goal/cleared"}, protocol.ThreadNameUpdated{ThreadRef: ref, Name: "n"},
		protocol.ReasoningPartAdded{ItemRef: protocol.ItemRef{TurnRef: of("t1"), Item: "r"}})
	wantEqual(t, "view", w.View() == before, true)
}

func TestClientIDs(t *testing.T) {
	w := New(thread, "paginated", Limits{})
	fetches := w.Open()
	child := protocol.ItemCompleted{
		TurnRef: protocol.TurnRef{ThreadRef: protocol.ThreadRef{Thread: "child"}, Turn: "t1"},
		Item:    user("u", "of another thread", "x"),
	}
	apply(w, child, started("t1", user("u1", "held back", "x")), completed("t1", user("u1", "held back", "x")))
	answer(t, w, fetches, itemsOf(nil, entry("t1", user("u0", "in a page", "x")), entry("t1", user("u9", "", "x"))),
		turnsOf(nil, turnOf("t1", protocol.InProgress, user("u8", "in a turn", "x"))))
	apply(w, completed("t1", user("u2", "live", "x")), ended("t1", protocol.Completed, user("u3", "at the end", "x")))
	wantEqual(t, "seen", w.TakeClientIDs(), []string{"held back", "in a turn", "in a page", "live", "at the end"})
	wantEqual(t, "seen since", w.TakeClientIDs(), []string(nil))
	w.Apply(reverted())
	apply(w, completed("t1", user("u4", "out of sync", "x")))
	wantEqual(t, "seen out of sync", w.TakeClientIDs(), []string{"out of sync"})
}
