package history

import (
	"fmt"
	"strings"
	"testing"

	"holdfast/core/protocol"
)

// flood applies n events that do not join: deltas of two items in turn.
func flood(w *Window, n int) {
	for i := range n {
		w.Apply(delta("t2", fmt.Sprint("i", i%2), "x"))
	}
}

// Field case "Overflow": the buffer takes 1,024 events; one more and none is
// applied, the view says so, and a fresh read mends it.
// req: HIS-8, FLD-8
func TestEventsOverflow(t *testing.T) {
	for _, c := range []struct {
		events int
		stale  bool
	}{{1024, false}, {1025, true}} {
		w := opened(t, Limits{}, itemsOf(nil, entry("t1", agent("a", "read"))))
		fetches := w.Refresh()
		flood(w, c.events)
		wantEqual(t, fmt.Sprint(c.events, " stale at once"), w.View().Stale != "", c.stale)
		answer(t, w, fetches, itemsOf(nil, entry("t1", agent("a", "read"))), turnsOf(nil))
		if !c.stale {
			wantLines(t, w, "t1/a read", "t2/i0 "+strings.Repeat("x", 512)+"…", "t2/i1 "+strings.Repeat("x", 512)+"…")
			wantEqual(t, "stale", w.View().Stale, "")
			continue
		}
		wantLines(t, w, "t1/a read")
		wantEqual(t, "stale", w.View().Stale, staleOverflow)
		flood(w, 1) // what follows the gap is not applied either
		wantLines(t, w, "t1/a read")
		answer(t, w, w.Refresh(), itemsOf(nil, entry("t1", agent("a", "read"))), turnsOf(nil))
		wantEqual(t, "stale after a refresh", w.View().Stale, "")
		flood(w, 1)
		wantLines(t, w, "t1/a read", "t2/i0 x…")
	}
}

// The buffer takes 8 MiB of serialized events, joined, and not a byte more.
// req: HIS-8, FLD-8
func TestBytesOverflow(t *testing.T) {
	const most = 8 << 20
	size := eventBytes(delta("t2", "i", ""))
	for _, c := range []struct {
		text  int64
		stale bool
	}{{most - size, false}, {most - size + 1, true}} {
		w := New(thread, "paginated", Limits{})
		fetches := w.Open()
		for left := c.text; left > 0; left -= 1 << 20 {
			w.Apply(delta("t2", "i", strings.Repeat("y", int(min(left, 1<<20)))))
		}
		answer(t, w, fetches, itemsOf(nil), turnsOf(nil))
		wantEqual(t, fmt.Sprint(c.text, " stale"), w.View().Stale != "", c.stale)
		wantEqual(t, fmt.Sprint(c.text, " rows"), len(w.View().Rows) == 0, c.stale)
	}
}

// Adjacent deltas of one text are one event; everything else counts (ruling 5).
func TestAdjacentDeltasJoin(t *testing.T) {
	plan := func(item, text string) protocol.Notification {
		return piece("t1", item, protocol.DeltaPlan, 0, text)
	}
	for name, c := range map[string]struct {
		events []protocol.Notification
		want   int
	}{
		"one text":       {[]protocol.Notification{delta("t1", "a", "1"), delta("t1", "a", "2"), delta("t1", "a", "3")}, 1},
		"two items":      {[]protocol.Notification{delta("t1", "a", "1"), delta("t1", "b", "2")}, 2},
		"two turns":      {[]protocol.Notification{delta("t1", "a", "1"), delta("t2", "a", "2")}, 2},
		"two kinds":      {[]protocol.Notification{delta("t1", "a", "1"), plan("a", "2")}, 2},
		"two parts":      {[]protocol.Notification{piece("t1", "a", protocol.DeltaSummary, 0, "1"), piece("t1", "a", protocol.DeltaSummary, 1, "2")}, 2},
		"not adjacent":   {[]protocol.Notification{delta("t1", "a", "1"), begun("t1"), delta("t1", "a", "2")}, 3},
		"others between": {[]protocol.Notification{delta("t1", "a", "1"), protocol.TokenUsageUpdated{TurnRef: of("t1")}, delta("t1", "a", "2")}, 1},
		"two starts":     {[]protocol.Notification{started("t1", agent("a", "")), started("t1", agent("a", ""))}, 2},
	} {
		w := New(thread, "paginated", Limits{})
		w.Open()
		apply(w, c.events...)
		wantEqual(t, name, len(w.buf.events), c.want)
	}
	w := New(thread, "paginated", Limits{})
	fetches := w.Open()
	for range 20_000 { // one long answer is one event
		w.Apply(delta("t1", "a", "word "))
	}
	answer(t, w, fetches, itemsOf(nil), turnsOf(nil))
	wantLines(t, w, "t1/a "+strings.TrimSpace(strings.Repeat("word ", 20_000))+"…")
}

func TestJoinedDeltasAreMeasuredAsJSON(t *testing.T) {
	var b buffer
	b.add(delta("t", "i", ""), Limits{}.orDefault())
	empty := b.bytes
	b.add(delta("t", "i", "a\"\\\n\x01ä"), Limits{}.orDefault())
	wantEqual(t, "bytes", b.bytes-empty, int64(len(`a\"\\\n\u0001ä`)))
}

func TestHoldAndRelease(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil, entry("t1", agent("a", "read"))))
	w.Hold()
	w.Apply(completed("t1", agent("b", "between resume and its answer")))
	wantLines(t, w, "t1/a read")
	answer(t, w, w.Rejoin(ptr("i"), ptr("t")), itemsOf(nil, entry("t1", agent("a", "read"))),
		turnsOf(nil, turnOf("t1", protocol.InProgress)))
	wantLines(t, w, "t1/a read", "t1/b between resume and its answer")

	w.Hold()
	w.Apply(completed("t1", agent("c", "the resume was refused")))
	w.Release()
	wantLines(t, w, "t1/a read", "t1/b between resume and its answer", "t1/c the resume was refused")

	fetches := w.Refresh()
	w.Apply(completed("t1", agent("d", "held back")))
	w.Release()
	wantEqual(t, "rows while a read is open", len(w.View().Rows), 3)
	answer(t, w, fetches, itemsOf(nil, entry("t1", agent("d", "held back"))), turnsOf(nil))
	wantLines(t, w, "t1/d held back")
}
