package session

import (
	"encoding/json"
	"testing"
	"time"

	"holdfast/core/internal/fakeserver"
)

// held keeps the answer to a method back; what it gives sends one.
func (r *rig) held(method string) func(answer map[string]any) {
	var id json.RawMessage
	r.srv.Handle(method, func(q fakeserver.Request) (any, error) {
		id = q.ID
		return nil, fakeserver.Silent
	})
	return func(answer map[string]any) {
		answer["id"] = id
		r.srv.Link().Say(answer)
		r.settle()
	}
}

func result(v any) map[string]any { return map[string]any{"result": v} }

func refusing(text string) map[string]any {
	return map[string]any{"error": map[string]any{"code": -32603, "message": text}}
}

// The answer that names a turn may come after its end, and after the ends of
// others: no turn runs then.
func TestAStartAnsweredAfterItsEnd(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		answer := r.held("turn/start")
		r.must(SetDraft{Text: text("go")})
		end := r.begin(r.now().At, Send{})
		r.settle()
		for _, x := range []string{"a", "b"} {
			r.started(x)
			r.ended(x, "completed")
		}
		answer(result(map[string]any{"turn": turn("a", "inProgress")}))
		if got := end(); got == nil || !got.OK {
			t.Fatalf("send = %+v", got)
		}
		if s := r.now().Status; !s.Allows(ActSend) || s.Allows(ActStop) {
			t.Errorf("actions = %v: no turn runs", s.Actions)
		}
	})
}

// A turn that a read of an idle conversation does not show any more is over,
// also when its end was never said.
func TestARefreshEndsATurnThatIsGone(t *testing.T) {
	cut := func(r *rig) {
		r.srv.Notify("thread/reverted", map[string]any{"threadId": "t1"})
		r.srv.Notify("thread/status/changed", map[string]any{"threadId": "t1", "status": map[string]any{"type": "idle"}})
	}
	tests := map[string]struct {
		before func(*rig)
		status string
		turns  map[string]any
		runs   bool
	}{
		"reverted":                 {cut, "idle", page(turn("u1", "completed")), false},
		"gone without a word":      {func(*rig) {}, "idle", page(turn("u1", "completed")), false},
		"listed as ended":          {func(*rig) {}, "idle", page(turn("u2", "interrupted"), turn("u1", "completed")), false},
		"ended, and not the first": {func(*rig) {}, "active", page(turn("u3", "completed"), turn("u2", "failed")), false},
		"not listed yet":           {func(*rig) {}, "active", page(turn("u1", "completed")), true},
		"listed as running":        {func(*rig) {}, "idle", page(turn("u2", "inProgress"), turn("u1", "completed")), true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.live()
				r.started("u2")
				r.settle()
				tt.before(r)
				r.settle()
				r.srv.Answer("thread/read", map[string]any{"thread": row("t1", tt.status)})
				r.srv.Answer("thread/turns/list", tt.turns)
				r.must(Refresh{})
				if s := r.now().Status; s.Allows(ActSend) == tt.runs || s.Allows(ActStop) != tt.runs {
					t.Errorf("actions = %v, a turn runs: %v", s.Actions, tt.runs)
				}
				if got := r.now().Thread.TurnStatus == "inProgress"; got != tt.runs {
					t.Errorf("turn %s is %q", r.now().Thread.Turn, r.now().Thread.TurnStatus)
				}
			})
		})
	}
}

// A turn that begins after a conversation was read as idle runs, though the
// read's end comes later.
func TestATurnThatBeginsDuringARefreshRuns(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.started("u2")
		r.settle()
		answer := r.held("thread/items/list")
		r.srv.Answer("thread/turns/list", page(turn("u1", "completed")))
		r.begin(r.now().At, Refresh{})
		r.settle()
		r.started("u3")
		answer(result(page(entry("u1", "i1", "one"))))
		if s := r.now().Status; !s.Allows(ActStop) || r.now().Thread.Turn != "u3" {
			t.Errorf("actions = %v, turn %q", s.Actions, r.now().Thread.Turn)
		}
	})
}

// A steer that is answered after its turn's end was not taken, as one that was
// answered before (ruling 2).
func TestASteerAnsweredAfterTheEnd(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.started("u2")
		r.settle()
		answer := r.held("turn/steer")
		r.must(SetDraft{Text: text("and also")})
		r.begin(r.now().At, Steer{})
		r.settle()
		r.ended("u2", "completed")
		r.started("u3")
		r.ended("u3", "completed")
		answer(result(map[string]any{"turnId": "u2"}))
		if o := r.op("turn/steer"); o.State != "Confirmed" || o.Proof != "accepted, not taken" || o.Seen {
			t.Errorf("steer = %+v", o)
		}
		r.must(Review{Op: r.op("turn/steer").ID, Action: "restore"})
		if got := r.now().Composer.Text; got != "and also" {
			t.Errorf("composer = %q", got)
		}
	})
}

// A turn whose end is known does not run again: the event is late, or comes
// twice.
func TestALateStartOfATurnThatEnded(t *testing.T) {
	for name, turns := range map[string][]string{"its own": {"u2"}, "one of the history": {"u1"}, "both, twice": {"u2", "u1", "u2"}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.live()
				r.started("u2")
				r.ended("u2", "completed")
				r.settle()
				for _, x := range turns {
					r.started(x)
				}
				r.settle()
				if s := r.now().Status; !s.Allows(ActSend) || s.Allows(ActStop) {
					t.Errorf("actions = %v: no turn runs", s.Actions)
				}
				r.started("u3")
				r.settle()
				if s := r.now().Status; s.Allows(ActSend) || !s.Allows(ActStop) {
					t.Errorf("actions = %v: a turn runs", s.Actions)
				}
			})
		})
	}
}

// A turn whose end never comes, though the conversation is idle, is read anew by
// itself; one that ends in time is not.
func TestATurnWhoseEndIsLost(t *testing.T) {
	for name, lost := range map[string]bool{"lost": true, "in time": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.live()
				r.started("u2")
				r.settle()
				before := r.count("thread/turns/list")
				r.srv.Answer("thread/turns/list", page(turn("u2", "completed"), turn("u1", "completed")))
				r.srv.Notify("thread/status/changed", map[string]any{"threadId": "t1", "status": map[string]any{"type": "idle"}})
				if !lost {
					r.ended("u2", "completed")
				}
				time.Sleep(endGrace - time.Second)
				if s := r.now().Status; s.Allows(ActStop) != lost {
					t.Errorf("before the grace is over: %v", s.Actions)
				}
				time.Sleep(time.Second)
				r.settle()
				if s := r.now().Status; !s.Allows(ActSend) || s.Allows(ActStop) {
					t.Errorf("after it: %v", s.Actions)
				}
				if read := r.count("thread/turns/list") > before; read != lost {
					t.Errorf("read anew: %v", read)
				}
			})
		})
	}
}
