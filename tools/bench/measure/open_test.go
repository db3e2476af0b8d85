package measure

import (
	"fmt"
	"testing"
	"time"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
)

// BenchmarkOpen3000 selects a conversation of 3,000 items on the real server: the time to its first rows, and how many
// requests came before them.
func BenchmarkOpen3000(b *testing.B) {
	home := realserver.New(b, realserver.Target, fakemodel.Config{})
	realserver.Long3000.Into(home)
	requests := count(b, home.ListenWS().URL)
	for b.Loop() {
		d := drive(b, requests.URL)
		d.until(func() bool { return d.state() == "awaiting-selection" })
		id := d.thread("Three thousand items")
		begin := time.Now()
		d.send(fmt.Sprintf(`{"do":"select","thread":%q}`, id))
		d.until(func() bool { return d.rows() > 0 })
		end := time.Now()
		before := requests.between(begin, end)
		b.Logf("requests before the first rows: %v", before)
		b.ReportMetric(float64(end.Sub(begin).Microseconds())/1000, "ms")
		b.ReportMetric(float64(len(before)), "requests")
	}
}
