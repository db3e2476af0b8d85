package session

import (
	"testing"

	"holdfast/core/internal/fakeserver"
)

// What happens to a conversation while its first page is read may not be in that
// page: the reading says so, as it does of what happens later.
func TestAChangeDuringTheFirstRead(t *testing.T) {
	for name, tt := range map[string]struct {
		method string
		params map[string]any
		join   bool
	}{
		"its status": {"thread/status/changed", map[string]any{"threadId": "t1", "status": map[string]any{"type": "idle"}}, true},
		"archived":   {"thread/archived", map[string]any{"threadId": "t1"}, true},
		"deleted":    {"thread/deleted", map[string]any{"threadId": "t1"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				answer := r.held("thread/items/list")
				end := r.begin(r.now().At, Select{Thread: "t1"})
				r.settle()
				r.srv.Notify(tt.method, tt.params)
				answer(result(page(entry("u1", "i1", "one"))))
				if got := end(); got == nil || !got.OK {
					t.Fatalf("select = %+v", got)
				}
				r.state(Ready)
				if h := r.now().History; h.Stale != "changed since read" || r.said() != "one" {
					t.Errorf("rows %q, stale %q", r.said(), h.Stale)
				}
				if r.now().Status.Allows(ActJoin) != tt.join {
					t.Errorf("actions = %v", r.now().Status.Actions)
				}
				if !tt.join {
					r.refused(Join{}, "deleted")
					return
				}
				r.srv.Answer("thread/items/list", page(entry("u1", "i1", "one")))
				r.must(Join{}) // which reads again
				if h := r.now().History; h.Stale != "" {
					t.Errorf("joined: stale %q", h.Stale)
				}
			})
		})
	}
}

// The status that a join itself changes is no mark, also when it then fails.
func TestAJoinMarksNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		r.must(Select{Thread: "t1"})
		r.srv.Handle("thread/resume", func(fakeserver.Request) (any, error) {
			r.srv.Notify("thread/status/changed", map[string]any{"threadId": "t1", "status": map[string]any{"type": "idle"}})
			return nil, &fakeserver.Failure{Code: -32603, Message: "no"}
		})
		r.refused(Join{}, "rejected")
		if h := r.now().History; h.Stale != "" || r.now().Thread.JoinProblem == "" {
			t.Errorf("stale %q, problem %q", h.Stale, r.now().Thread.JoinProblem)
		}
	})
}

// A conversation with a preview is not without a message, whatever the server
// says: nothing calls that the whole truth, before or after the next message.
func TestAnEmptyThreadWithAPreview(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Fail("thread/turns/list", -32600, "thread t1 is not materialized yet; thread/turns/list is unavailable before first user message")
		r.srv.Fail("thread/items/list", -32601, "thread/items/list is not supported yet")
		r.must(Select{Thread: "t1"})
		marked := func(when string) {
			t.Helper()
			if s := r.now(); s.History.Stale != string(staleEmpty) || s.Thread.Live || s.Status.Code == "live" {
				t.Errorf("%s: stale %q, live %v, %q", when, s.History.Stale, s.Thread.Live, s.Status.Text)
			}
		}
		marked("read")
		r.must(Join{})
		marked("joined")
		r.started("u2")
		r.completed("u2", message("i2", "more"))
		r.ended("u2", "completed")
		r.settle()
		if r.said() != "more" {
			t.Errorf("rows = %q", r.said())
		}
		marked("after a message")
	})
}

// The history mode that a read or a resume says is the one it is read in.
func TestTheModeChanges(t *testing.T) {
	legacy := func(from map[string]any) map[string]any {
		from["historyMode"] = "legacy"
		return from
	}
	full := turn("u1", "completed")
	full["items"] = []any{message("i1", "old one")}
	for name, begin := range map[string]func(r *rig){
		"by the read": func(r *rig) {
			r.srv.Answer("thread/read", map[string]any{"thread": legacy(row("t1", "idle"))})
			r.must(Select{Thread: "t1"})
		},
		"by a refresh, joined": func(r *rig) {
			r.live()
			r.srv.Answer("thread/read", map[string]any{"thread": legacy(row("t1", "idle"))})
			r.must(Refresh{})
		},
		"by the join": func(r *rig) {
			r.must(Select{Thread: "t1"})
			o := opened("t1")
			legacy(o["thread"].(map[string]any))
			r.srv.Answer("thread/resume", o)
			r.must(Join{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.srv.Answer("thread/turns/list", page(full))
				begin(r)
				if s := r.now(); s.Thread.Mode != "legacy" || !s.History.CommandsMayBeMissing || r.said() != "old one" {
					t.Fatalf("mode %q, read as legacy %v, rows %q", s.Thread.Mode, s.History.CommandsMayBeMissing, r.said())
				}
				if !r.now().Thread.Joined {
					return
				}
				if !r.now().Thread.Live {
					t.Error("joined, and not live")
				}
				r.started("u2") // and events go where it is read now
				r.completed("u2", message("i2", "new"))
				r.settle()
				if r.said() != "old one|new" {
					t.Errorf("rows = %q", r.said())
				}
			})
		})
	}
}
