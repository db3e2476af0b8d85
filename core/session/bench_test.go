package session

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"holdfast/core/history"
	"holdfast/core/protocol"
)

// A snapshot of a full window, after one row changed: at most 100 microseconds
// and 64 KiB allocated.
func BenchmarkSnapshot(b *testing.B) {
	l := newLoop(b.Context(), New(Config{Publish: func(*Snapshot) {}}))
	w := history.New("t1", "paginated", history.Limits{})
	l.view = &view{thread: "t1", known: true, window: w, attached: newAttached("t1")}
	w.StartEmpty()
	in := func(turn string) protocol.TurnRef {
		return protocol.TurnRef{ThreadRef: protocol.ThreadRef{Thread: "t1"}, Turn: turn}
	}
	for i := range 1000 {
		w.Apply(protocol.ItemCompleted{TurnRef: in(fmt.Sprint("u", i/10)), Item: protocol.Item{
			ID: fmt.Sprint("i", i), Type: "agentMessage", Body: protocol.AgentMessage{Text: strings.Repeat("text ", 200)},
		}})
	}
	w.Apply(protocol.ItemStarted{TurnRef: in("now"), Item: protocol.Item{ID: "row", Type: "agentMessage", Body: protocol.AgentMessage{}}})
	l.pub.last = l.snapshot()
	if n := len(l.pub.last.History.Rows); n != 1000 {
		b.Fatalf("%d rows, want 1000", n)
	}
	d := protocol.Delta{ItemRef: protocol.ItemRef{TurnRef: in("now"), Item: "row"}, Kind: protocol.DeltaMessage, Text: "a word ", Bytes: 7}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		w.Apply(d)
		l.pub.last = l.snapshot()
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e3, "us")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/1024, "KiB")
}
