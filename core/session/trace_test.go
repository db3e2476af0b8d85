package session

import (
	"testing"

	"holdfast/core/internal/fakeserver"
)

const notYet, noTrace, notTaken = "accepted, not yet seen in history", "accepted, no trace in history", "accepted, not taken"

// ourMessage is a user message of ours in a page.
func ourMessage(turn, client string) map[string]any {
	return map[string]any{"turnId": turn, "item": map[string]any{"type": "userMessage", "id": "m" + turn, "clientId": client, "content": []any{}}}
}

// accepted sends one message in a certain way, which the server accepts.
func (r *rig) accepted(how string) *Operation {
	r.t.Helper()
	r.live()
	r.must(SetDraft{Text: text("mine")})
	method := "turn/start"
	switch how {
	case "send":
		r.srv.Answer(method, map[string]any{"turn": turn("u2", "inProgress")})
		r.must(Send{})
	case "retry":
		r.srv.Answer(method, map[string]any{"turn": turn("u3", "inProgress")})
		r.started("u2")
		r.completed("u2", map[string]any{"type": "userMessage", "id": "m", "content": []any{map[string]any{"type": "text", "text": "mine"}}})
		r.ended("u2", "failed")
		r.settle()
		r.must(Retry{})
	case "steer":
		method = "turn/steer"
		r.srv.Answer(method, map[string]any{"turnId": "u2"})
		r.started("u2")
		r.settle()
		r.must(Steer{})
	case "enqueue", "queue":
		method = "thread/queue/add"
		r.srv.Answer(method, map[string]any{"queuedSubmission": map[string]any{"id": "q1", "input": []any{}}})
		if how == "enqueue" {
			r.must(Enqueue{})
			break
		}
		r.must(EditQueue{Op: "add", Text: "mine"})
	}
	if o := r.op(method); o.State != "Confirmed" || o.Proof != notYet || o.Gone != NotGone {
		r.t.Fatalf("%+v, want it accepted and not seen", o)
	}
	return r.op(method)
}

// back selects the conversation over the next connection, and joins it.
func (r *rig) back() {
	r.t.Helper()
	r.srv.Link().Drop()
	r.settle()
	r.must(Confirm{})
	r.live()
}

// A message that was accepted and is not in a history that was read over a later
// connection, where it would have to be, left no trace, whatever way it was sent
// (ruling 2). Where it may still be, that is not said.
func TestAcceptedWithoutATrace(t *testing.T) {
	pages := func(turns, items map[string]any) func(*rig) {
		return func(r *rig) {
			r.srv.Answer("thread/turns/list", turns)
			r.srv.Answer("thread/items/list", items)
		}
	}
	gone := pages(page(turn("u1", "completed")), page(entry("u1", "i1", "one")))
	taken := pages(page(turn("u2", "interrupted"), turn("u1", "completed")), page(entry("u2", "i2", "two"), entry("u1", "i1", "one")))
	running := pages(page(turn("u2", "inProgress"), turn("u1", "completed")), page(entry("u1", "i1", "one")))
	here := pages(page(turn("u2", "completed"), turn("u1", "completed")), page(ourMessage("u2", "client-1"), entry("u1", "i1", "one")))
	active := func(r *rig) {
		gone(r)
		r.srv.Answer("thread/read", map[string]any{"thread": row("t1", "active")})
		r.srv.Handle("thread/resume", func(q fakeserver.Request) (any, error) {
			o := opened(threadOf(q))
			o["thread"] = row(threadOf(q), "active")
			return o, nil
		})
	}
	waiting := func(r *rig) {
		gone(r)
		r.srv.Answer("thread/queue/list", map[string]any{"data": []any{map[string]any{"id": "q1", "clientUserMessageId": "client-1", "input": []any{}}}})
	}
	far := func(n string) map[string]any { // a page that more lies beyond
		p := page(entry("u9", "i9", "nine"))
		p["nextCursor"] = n
		return p
	}
	short := pages(page(turn("u9", "completed"), turn("u2", "completed"), turn("u1", "completed")), far("older"))
	for name, tt := range map[string]struct {
		how    string
		server func(*rig)
		want   string
		gone   Gone
	}{
		"a message":                        {"send", gone, noTrace, NoTrace},
		"a message tried again":            {"retry", gone, noTrace, NoTrace},
		"a steer with its turn":            {"steer", gone, noTrace, NoTrace},
		"a steer without it":               {"steer", taken, notTaken, NotTaken},
		"a queued message":                 {"enqueue", gone, noTrace, NoTrace},
		"a queued text":                    {"queue", gone, noTrace, NoTrace},
		"a queued message that waits":      {"enqueue", waiting, notYet, NotGone},
		"a queue that cannot be read":      {"queue", func(r *rig) { gone(r); r.srv.Fail("thread/queue/list", -32600, "no") }, notYet, NotGone},
		"a message whose turn is there":    {"send", taken, noTrace, NoTrace},
		"a turn that runs":                 {"send", running, notYet, NotGone},
		"a conversation that works":        {"send", active, notYet, NotGone},
		"a history that was not read":      {"send", func(r *rig) { r.srv.Fail("thread/items/list", -32603, "no") }, notYet, NotGone},
		"a history that does not reach it": {"send", short, notYet, NotGone},
		"a message that is there":          {"send", here, "accepted, by item", NotGone},
	} {
		t.Run(name, func(t *testing.T) {
			wide(t, func(r *rig) {
				id := r.accepted(tt.how).ID
				tt.server(r)
				r.srv.Link().Drop()
				r.settle()
				r.must(Confirm{})
				r.do(Select{Thread: "t1"})
				r.do(Join{})
				o := r.opOf(id)
				if tt.want == "accepted, by item" { // an answer proves more
					tt.want = "by answer"
				}
				if o.State != "Confirmed" || o.Proof != tt.want || o.Gone != tt.gone {
					t.Errorf("%+v, want %q", o, tt.want)
				}
			})
		})
	}
}

// It is looked for again when older pages come, and when the history is read
// anew; seen after all, it is there.
func TestAcceptedAndLookedForAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.accepted("send").ID
		r.srv.Answer("thread/turns/list", page(turn("u9", "completed"), turn("u1", "completed")))
		first := page(entry("u9", "i9", "nine"))
		first["nextCursor"] = "older"
		r.srv.Answer("thread/items/list", first)
		r.back()
		if o := r.opOf(id); o.Proof != notYet {
			t.Errorf("before the page that would hold it: %+v", o)
		}
		r.srv.Answer("thread/items/list", page(entry("u1", "i1", "one")))
		r.must(Older{})
		if o := r.opOf(id); o.Proof != noTrace || o.State != "Confirmed" {
			t.Errorf("after the page that would hold it: %+v", o)
		}
		r.must(Review{Op: id, Action: "restore"})
		if o, c := r.opOf(id), r.now().Composer; !o.Restored || c.Text != "mine" {
			t.Errorf("restored: %+v, composer %q", o, c.Text)
		}
		r.completed("u9", ourMessage("u9", "client-1")["item"].(map[string]any))
		r.settle()
		if o := r.opOf(id); o.Proof != "accepted, by item" || !o.Seen || o.Gone != NotGone {
			t.Errorf("seen after all: %+v", o)
		}
	})
}

// Over the connection it was accepted on, and of what nobody answered, a read
// that lacks a message says nothing (LED-4).
func TestAbsenceThatSaysNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.accepted("send").ID
		r.ended("u2", "completed")
		r.settle()
		r.must(Refresh{})
		if o := r.opOf(id); o.Proof != notYet {
			t.Errorf("over its own connection: %+v", o)
		}
		r.srv.Handle("turn/start", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
		r.must(SetDraft{Text: text("nobody answers")})
		r.begin(r.now().At, Send{})
		r.settle()
		unknown := r.op("turn/start").ID
		r.back()
		if o := r.opOf(unknown); o.State != "OutcomeUnknown" || o.Proof != "" || o.Gone != NotGone {
			t.Errorf("uncertain: %+v", o)
		}
		if o := r.opOf(id); o.Proof != noTrace {
			t.Errorf("accepted: %+v", o)
		}
	})
}
