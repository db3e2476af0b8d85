package play

import (
	"slices"
	"testing"
	"time"

	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// How much longer than a bare dial and initialize it takes from a dropped
// socket to a usable connection, while the server lives. Both are measured in
// turn on one server.
func BenchmarkRecoveryOverhead(b *testing.B) {
	r := start(b, Plan{Seed: 1, Version: realserver.Target, Kind: "ws", Timing: 1})
	var ours, bare []time.Duration
	for b.Loop() {
		for i := range 15 {
			was := r.watch.View().Generations.Connection
			began := time.Now()
			r.world.proxy.Reset()
			if !r.until(patience, func() bool {
				v := r.watch.View()
				return v.Generations.Connection > was && v.State == "awaiting-selection"
			}) {
				b.Fatal("it does not connect: ", r.watch.View().Text)
			}
			ours = append(ours, time.Since(began))
			began = time.Now()
			c := r.world.server.Client(seed.All)
			bare = append(bare, time.Since(began))
			_ = c.Close()
			if i%4 == 3 { // five that are lost at once would end the attempts
				r.until(5100*time.Millisecond, func() bool { return false })
			}
		}
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2].Microseconds()) / 1000
	}
	b.ReportMetric(median(ours)-median(bare), "ms")
	b.ReportMetric(median(ours), "recovery-ms")
	b.ReportMetric(median(bare), "bare-ms")
}
