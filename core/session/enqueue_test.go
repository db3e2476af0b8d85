package session

import (
	"strings"
	"testing"
)

// A message is queued with all that goes along with it, once, and through the
// ledger; refused, it is back in the composer.
func TestEnqueueTakesTheComposer(t *testing.T) {
	wide(t, func(r *rig) {
		r.live()
		r.started("u2")
		r.settle()
		r.srv.Answer("thread/queue/add", map[string]any{"queuedSubmission": map[string]any{"id": "q1", "input": []any{}}})
		r.srv.Answer("thread/queue/list", map[string]any{"data": []any{
			map[string]any{"id": "q1", "input": []any{map[string]any{"type": "text", "text": "then this"}}},
			map[string]any{"id": "q2", "input": []any{map[string]any{"type": "text", "text": "a"}, map[string]any{"type": "localImage", "path": "/a.png"}}},
		}})
		r.must(SetDraft{Text: text("then this"), Blocks: &[]string{"a block"}})
		r.must(Enqueue{})
		sent := r.srv.Requests("thread/queue/add")
		if len(sent) != 1 || !strings.Contains(string(sent[0].Params), `"then this"`) || !strings.Contains(string(sent[0].Params), `"a block"`) {
			t.Errorf("sent %+v, want the text and its block, once", sent)
		}
		if c := r.now().Composer; c.Text != "" || len(c.Blocks) != 0 {
			t.Errorf("the composer still holds %+v", c)
		}
		if o := r.op("thread/queue/add"); o.State != "Confirmed" || o.Text != "then this\na block" {
			t.Errorf("the record is %+v", o)
		}
		if q := r.now().Queue.Entries; len(q) != 2 || !q[0].TextOnly || q[1].TextOnly {
			t.Errorf("the queue is %+v, want one of text only and one with more", q)
		}

		r.srv.Fail("thread/queue/add", -32600, "the queue is full")
		r.must(SetDraft{Text: text("one too many")})
		if x := r.do(Enqueue{}); x == nil || x.OK {
			t.Errorf("a refused message was queued: %+v", x)
		}
		if c := r.now().Composer; c.Text != "one too many" || !strings.Contains(c.Problem, "full") {
			t.Errorf("the composer holds %q, problem %q", c.Text, c.Problem)
		}
		if o := r.op("thread/queue/add"); o.State != "Rejected" {
			t.Errorf("the record is %+v", o)
		}
	})
}

// Without a queue nothing leaves, and the message stays.
func TestEnqueueWithoutAQueue(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.started("u2")
		r.settle()
		r.must(SetDraft{Text: text("then this")})
		if x := r.do(Enqueue{}); x == nil || x.OK {
			t.Errorf("queued without a queue: %+v", x)
		}
		if n, c := r.count("thread/queue/add"), r.now().Composer; n != 0 || c.Text != "then this" {
			t.Errorf("%d sent, the composer holds %q", n, c.Text)
		}
	})
}
