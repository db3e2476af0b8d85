package session

import (
	"fmt"
	"testing"

	"holdfast/core/internal/fakeserver"
)

// joinMany joins conversations j0 and so on; in the first busy of them a turn
// runs.
func (r *rig) joinMany(n, busy int) {
	r.t.Helper()
	r.srv.Answer("thread/unsubscribe", map[string]any{"status": "unsubscribed"})
	for i := range n {
		id := fmt.Sprintf("j%d", i)
		r.must(Select{Thread: id})
		r.must(Join{})
		if i < busy {
			r.runs(id)
		}
	}
}

func (r *rig) runs(thread string) {
	r.srv.Notify("turn/started", map[string]any{"threadId": thread, "turn": turn("of "+thread, "inProgress")})
	r.settle()
}

func (r *rig) left() string {
	var all string
	for _, q := range r.srv.Requests("thread/unsubscribe") {
		all += threadOf(q) + " "
	}
	return all
}

// Eight conversations that are all busy stay, and a ninth is refused before
// anything is sent; one that has ended makes room.
func TestNoNinthJoinBesideEightBusyOnes(t *testing.T) {
	bubble(t, func(r *rig) {
		r.joinMany(maxJoined, maxJoined)
		r.must(Select{Thread: "t1"})
		resumes := r.count("thread/resume")
		r.refused(Join{}, "joined-full")
		r.refused(NewThread{}, "joined-full")
		r.refused(Fork{Thread: "t2"}, "joined-full")
		if r.count("thread/resume") != resumes || r.count("thread/start")+r.count("thread/fork") != 0 || r.left() != "" {
			t.Errorf("sent %v", r.srv.Methods())
		}
		r.srv.Notify("turn/completed", map[string]any{"threadId": "j3", "turn": turn("of j3", "completed")})
		r.settle()
		r.must(Join{})
		if got := r.left(); got != "j3 " {
			t.Errorf("left %q", got)
		}
		r.runs("t1")
		r.must(Select{Thread: "j0"})
		r.srv.Notify("turn/completed", map[string]any{"threadId": "j0", "turn": turn("of j0", "completed")})
		r.settle()
		r.must(NewThread{}) // it takes the place of the one on screen
		if got := r.left(); got != "j3 j0 " {
			t.Errorf("left %q", got)
		}
	})
}

// If the last idle one gets busy while a ninth is being joined, the first whose
// turn ends is left.
func TestANinthJoinIsMadeUpFor(t *testing.T) {
	bubble(t, func(r *rig) {
		r.joinMany(maxJoined, maxJoined-1)
		r.must(Select{Thread: "t1"})
		r.srv.Handle("thread/resume", func(fakeserver.Request) (any, error) {
			r.srv.Notify("turn/started", map[string]any{"threadId": "j7", "turn": turn("of j7", "inProgress")})
			return opened("t1"), nil
		})
		r.must(Join{})
		if got := r.left(); got != "" {
			t.Errorf("left %q, and all are busy", got)
		}
		r.srv.Notify("turn/completed", map[string]any{"threadId": "j5", "turn": turn("of j5", "completed")})
		r.settle()
		if got := r.left(); got != "j5 " {
			t.Errorf("left %q", got)
		}
	})
}
