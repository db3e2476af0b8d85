package session

import (
	"io"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

// A loss that shows in a write of the reads is a loss, and nothing else: no snapshot in
// between says that the conversation could not be read over a connection that
// is gone.
//
// req: HIS-10
func TestALossIsNotAFailedRead(t *testing.T) {
	for range 30 {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var seen []State
			r := newRig(t, func(c *Config) {
				publish := c.Publish
				c.Publish = func(s *Snapshot) {
					mu.Lock()
					seen = append(seen, s.Status.State)
					mu.Unlock()
					publish(s)
				}
			})
			r.srv.Link().BreakWrites(io.ErrClosedPipe)
			end := r.begin(r.now().At, Select{Thread: "t1"})
			r.settle()
			if got := end(); got == nil || got.Code != "lost" {
				t.Errorf("select = %+v, want that the connection was lost", got)
			}
			r.state(AwaitingSelection)
			mu.Lock()
			if slices.Contains(seen, HistoryRefresh) {
				t.Errorf("states %v", seen)
			}
			mu.Unlock()
			r.end()
		})
	}
}
