package measure

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
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
		before, err := requests.before(begin, "thread/items/list")
		if err != nil {
			b.Fatal(err)
		}
		b.Logf("requests before the first rows: %v", before)
		b.ReportMetric(float64(end.Sub(begin).Microseconds())/1000, "ms")
		b.ReportMetric(float64(len(before)), "requests")
	}
}

// BenchmarkOpen100000 selects a conversation of 100,000 items: how much longer its first rows take than the server takes
// for the same requests, asked again side by side by a client that does nothing with the answers.
func BenchmarkOpen100000(b *testing.B) {
	home := realserver.New(b, realserver.Target, fakemodel.Config{})
	giant.Into(home)
	server := home.ListenWS()
	requests := count(b, server.URL)
	other := server.Client(seed.Quiet)
	for b.Loop() {
		d := drive(b, requests.URL)
		d.until(func() bool { return d.state() == "awaiting-selection" })
		id := d.thread(realserver.GiantName)
		begin := time.Now()
		d.send(fmt.Sprintf(`{"do":"select","thread":%q}`, id))
		d.until(func() bool { return d.rows() > 0 })
		end := time.Now()
		took := end.Sub(begin)
		alone := again(b, other, requests.sent(begin, end))
		b.Logf("the first rows took %v, the server %v", took, alone)
		b.ReportMetric(float64((took-alone).Microseconds())/1000, "ms")
	}
}

// again makes requests once more, all at once as the client did, and returns how long the last answer took.
func again(b *testing.B, c *seed.Client, list []request) time.Duration {
	b.Helper()
	begin := time.Now()
	var all sync.WaitGroup
	for _, r := range list {
		all.Go(func() {
			if _, err := c.Call(b.Context(), r.method, json.RawMessage(r.params)); err != nil {
				b.Errorf("%s: %v", r.method, err)
			}
		})
	}
	all.Wait()
	return time.Since(begin)
}
