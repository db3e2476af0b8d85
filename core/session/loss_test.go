package session

import (
	"io"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"holdfast/core/internal/fakeserver"
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

// What is in flight at a loss is uncertain from the very snapshot that shows the
// loss: a message, an answer to a request, a name. What was answered stays as it
// was.
//
// req: LED-2
func TestWhatIsInFlightAtALoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var seen []string
		r := newRig(t, func(c *Config) {
			publish := c.Publish
			c.Publish = func(s *Snapshot) {
				mu.Lock()
				defer mu.Unlock()
				if s.Status.State == Reconnecting && s.Operations != nil {
					line := ""
					for _, o := range s.Operations.Rows {
						line += o.Kind + " " + o.State + "\n"
					}
					seen = append(seen, line)
				}
				publish(s)
			}
		})
		defer r.end()
		r.live()
		r.command(1)
		r.settle()
		for _, method := range []string{"turn/start", "thread/name/set"} {
			r.srv.Handle(method, func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
		}
		r.must(SetDraft{Text: text("typed")})
		for _, in := range []Intent{Send{}, Rename{Name: "new"}, Answer{Request: r.now().Requests.Cards[0].ID, Decision: "accept"}} {
			r.s.Do(r.now().At, in, nil)
		}
		r.settle()
		seen = nil
		r.srv.Refuse(refusedDial())
		r.srv.Link().Drop()
		r.settle()
		want := "thread/resume Confirmed\nturn/start OutcomeUnknown\nthread/name/set OutcomeUnknown\n" +
			"item/commandExecution/requestApproval OutcomeUnknown\n"
		if len(seen) == 0 {
			t.Fatal("no snapshot shows the loss")
		}
		for _, got := range seen {
			if got != want {
				t.Errorf("a snapshot of the loss shows\n%s\nwant\n%s", got, want)
			}
		}
	})
}
