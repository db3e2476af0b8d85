package history

import (
	"fmt"
	"strings"
	"testing"

	"holdfast/core/protocol"
)

// fullWindow holds a thousand items of a hundred turns, and one in flight.
func fullWindow(b *testing.B) *Window {
	b.Helper()
	check := broken
	broken = nil // invariants are for tests, not for times
	b.Cleanup(func() { broken = check })
	var entries []protocol.Entry
	var turns []protocol.Turn
	for i := range 999 {
		turn := fmt.Sprint("t", i/10)
		if i%10 == 0 {
			turns = append(turns, turnOf(turn, protocol.Completed))
		}
		entries = append(entries, entry(turn, agent(fmt.Sprint("i", i), strings.Repeat("text ", 200))))
	}
	w := New(thread, "paginated", Limits{})
	for _, f := range w.Open() {
		if f.Turns != nil {
			w.GotTurns(f, turnsOf(nil, turns...))
		} else {
			w.GotItems(f, itemsOf(nil, entries...))
		}
	}
	w.Apply(delta("now", "row", "begins "))
	if n := len(w.View().Rows); n != 1000 {
		b.Fatalf("%d rows, want 1000", n)
	}
	return w
}

// One delta to a row of 1 MiB: at most 50 microseconds.
func BenchmarkDelta(b *testing.B) {
	for name, size := range map[string]int{"short": 10, "1MiB": 1<<20 - 100_000} {
		b.Run(name, func(b *testing.B) {
			w := fullWindow(b)
			w.Apply(delta("now", "row", strings.Repeat("x", size)))
			d := delta("now", "row", "a word ")
			b.ReportAllocs()
			for b.Loop() {
				w.Apply(d)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e3, "us")
		})
	}
}

// One delta and a view of it, as a row of 1 MiB streams at 30 views a second.
func BenchmarkDeltaAndView(b *testing.B) {
	w := fullWindow(b)
	w.Apply(delta("now", "row", strings.Repeat("x", 1<<20-100_000)))
	d := delta("now", "row", "a word ")
	b.ReportAllocs()
	for b.Loop() {
		w.Apply(d)
		w.View()
	}
}

// A view of a full window after one change: at most 100 microseconds and
// 64 KiB allocated.
func BenchmarkView(b *testing.B) {
	w := fullWindow(b)
	it := agent("row", "done")
	w.Apply(completed("now", it))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		it.Body = protocol.AgentMessage{Text: fmt.Sprint(i)}
		w.Apply(completed("now", it))
		w.View()
	}
}

// A thousand buffered events that do not join, merged into a full window: at
// most 5 milliseconds.
func BenchmarkMergeThousand(b *testing.B) {
	var events []protocol.Notification
	for i := range 250 {
		id := fmt.Sprint("new", i)
		events = append(events, started("later", agent(id, "")), delta("later", id, "so it "),
			completed("later", agent(id, "so it goes")), begun("later"))
	}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		w := fullWindow(b)
		w.Hold()
		apply(w, events...)
		b.StartTimer()
		w.Release()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ms")
}
