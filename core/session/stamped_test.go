package session

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
	"testing/synctest"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/stamp"
	"holdfast/core/transport"
)

// A lateRead is a read of one conversation and an answer to it that would have
// an effect, wherever it were believed.
type lateRead struct {
	method string
	prep   func(*rig) // what the other reads answer
	result map[string]any
}

// lateReads are the reads of a conversation: metadata, pages of turns and of
// items, and pages of attachments. Each answer changes the list or leads to
// another request.
func lateReads() []lateRead {
	more := func(next string, data ...any) map[string]any {
		x := page(data...)
		x["nextCursor"] = next
		return x
	}
	none := func(*rig) {}
	return []lateRead{
		{"thread/read", none, map[string]any{"thread": row("t1", "active")}},
		{"thread/turns/list", none, more("c", turn("u9", "completed"))},
		{"thread/items/list", func(r *rig) {
			r.srv.Answer("thread/turns/list", more("c", turn("u9", "completed")))
		}, page(entry("u1", "i1", "one"))},
		{"thread/attachment/list", none, more("c", record("a1", "k1"))},
	}
}

// A held request waits for its answer.
type held struct {
	link *fakeserver.Link
	id   json.RawMessage
}

// hold keeps the first answer to a method back; later ones are the usual.
func (r *rig) hold(method string, usual any) *held {
	h := &held{}
	r.srv.Handle(method, func(q fakeserver.Request) (any, error) {
		if h.id == nil {
			h.id, h.link = q.ID, r.srv.Link()
			return nil, fakeserver.Silent
		}
		return usual, nil
	})
	return h
}

// seen is all that a late answer could change.
func (r *rig) seen() []any {
	s := r.now()
	return []any{*s.Threads, s.Thread, s.History, s.Attachments, *s.Status, *s.Notices, len(r.srv.Methods())}
}

// Every read of a conversation is stamped with what it was asked under, and its
// answer is opened by that generation alone: after another selection, or when
// another owner has appeared on the same connection, it changes nothing and
// leads to nothing. The same answer in time does.
//
// req: CON-1
func TestEveryReadIsOfItsGeneration(t *testing.T) {
	usual := map[string]any{
		"thread/read": map[string]any{"thread": row("t2", "idle")}, "thread/turns/list": page(turn("u1", "completed")),
		"thread/items/list": page(entry("u1", "i1", "one")), "thread/attachment/list": page(),
	}
	for _, next := range []struct {
		name    string
		do      func(*rig)
		effects bool
	}{
		{"in time", func(*rig) {}, true},
		{"another selection", func(r *rig) { r.must(Select{Thread: "t2"}) }, false},
		{"another owner", func(r *rig) {
			r.srv.Answer("account/read", map[string]any{"account": map[string]any{"type": "chatgpt", "email": "b@c"}, "requiresOpenaiAuth": false})
			r.srv.Notify("account/updated", map[string]any{"authMode": "chatgpt"})
			r.settle()
			if r.now().Thread != nil {
				r.t.Fatal("the selection outlives its owner")
			}
		}, false},
	} {
		for _, c := range lateReads() {
			t.Run(next.name+"/"+c.method, func(t *testing.T) {
				bubble(t, func(r *rig) {
					c.prep(r)
					h := r.hold(c.method, usual[c.method])
					r.do(Select{Thread: "t1"})
					if h.id == nil {
						t.Fatalf("%s was not asked", c.method)
					}
					next.do(r)
					r.settle()
					before := r.seen()
					h.link.Say(map[string]any{"id": h.id, "result": c.result})
					r.settle()
					if changed := !reflect.DeepEqual(r.seen(), before); changed != next.effects {
						t.Errorf("the answer changed something: %v, want %v\nbefore %+v\nafter  %+v", changed, next.effects, before, r.seen())
					}
				})
			})
		}
	}
}

// What was done in a view is refused once that view is gone, also where the
// connection is the same: the conversation that a returning connection closed,
// and the empty place that a selection filled (DRIVE.md, at).
func TestAtIsOfOneView(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		back := r.held("account/read")
		r.srv.Link().Drop()
		r.settle()
		lost := r.now().At
		if r.now().Thread == nil || r.now().Status.State != Reconnecting {
			t.Fatalf("%v, and the conversation is %+v", r.now().Status.State, r.now().Thread)
		}
		back(result(map[string]any{"requiresOpenaiAuth": false}))
		r.state(AwaitingSelection)
		refusedAt := func(at stamp.Stamp) {
			t.Helper()
			if got := r.doAt(at, SetDraft{Text: text("typed")}); got == nil || got.Code != "stale" {
				t.Errorf("draft = %+v, want it refused as stale", got)
			}
		}
		refusedAt(lost)
		none := r.now().At
		r.must(Select{Thread: "t2"})
		refusedAt(none)
		if got := r.doAt(r.now().At, SetDraft{Text: text("typed")}); got == nil || !got.OK {
			t.Errorf("draft in the view that is shown = %+v", got)
		}
	})
}

// A slowConn is a link that takes its time to end.
type slowConn struct {
	transport.Conn
	end chan struct{}
}

func (c slowConn) Close() error {
	<-c.end
	return c.Conn.Close()
}

// What was frozen by a loss is not typed into from before it, however long the
// next attempt waits for the old link to end.
func TestAtFromBeforeALoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		r := newRig(t, func(c *Config) {
			dial := c.Dial
			c.Dial = func(ctx context.Context, target transport.Target) (transport.Conn, error) {
				conn, err := dial(ctx, target)
				return slowConn{conn, end}, err
			}
		})
		r.live()
		r.must(SetDraft{Text: text("frozen")})
		live := r.now().At
		r.srv.Link().Drop()
		r.settle()
		r.state(Reconnecting)
		if got := r.doAt(live, SetDraft{Text: text("frozen and more")}); got == nil || got.Code != "stale" {
			t.Errorf("draft = %+v, want it refused as stale", got)
		}
		close(end)
		r.settle()
		r.end()
	})
}
