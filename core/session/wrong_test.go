package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/core/internal/fakeserver"
)

// A wrong answer at any step of an attempt ends it with a sentence that says at
// which step, and something to do; none is tried again by itself, the draft
// stays apart and nothing but the handshake has left. Without its list a
// connection is a connection.
//
// req: REC-12
func TestWrongAnswersInAnAttempt(t *testing.T) {
	unreadable := []any{"x", []any{}, map[string]any{"userAgent": 7, "account": 7, "data": 7}}
	for _, tc := range []struct {
		name   string
		method string
		answer any // nil: the error
		state  State
		says   string
	}{
		{"initialize is refused", "initialize", nil, ManualReconnect, "initialize failed: the server refused: no such luck"},
		{"initialize says nothing", "initialize", []any{nil}, Confirmation, "did not say which version"},
		{"initialize names no version", "initialize", map[string]any{"userAgent": "x", "codexHome": "/c"}, Confirmation, "did not say which version"},
		{"initialize names an old version", "initialize", map[string]any{"userAgent": "holdfast/0.1.0 (x)", "codexHome": "/c"}, Confirmation, "Codex 0.1.0 is too old"},
		{"initialize cannot be read", "initialize", unreadable, ManualReconnect, "initialize failed: the server's answer could not be read"},
		{"the account is refused", "account/read", nil, ManualReconnect, "reading the account failed: the server refused: no such luck"},
		{"the account cannot be read", "account/read", unreadable, ManualReconnect, "reading the account failed: the server's answer could not be read"},
		{"the account says nothing", "account/read", []any{nil}, ManualReconnect, "reading the account failed: the server's answer could not be read"},
		{"the list is refused", "thread/list", nil, AwaitingSelection, "no such luck"},
		{"the list says nothing", "thread/list", []any{nil}, AwaitingSelection, "could not be read"},
		{"the list cannot be read", "thread/list", unreadable, AwaitingSelection, "could not be read"},
	} {
		answers, many := tc.answer.([]any)
		if !many {
			answers = []any{tc.answer}
		}
		for _, answer := range answers {
			bubble(t, func(r *rig) {
				r.live()
				r.must(SetDraft{Text: text("mine")})
				if tc.answer == nil {
					r.srv.Fail(tc.method, -32600, "no such luck")
				} else {
					r.srv.Answer(tc.method, answer)
				}
				sent := len(r.srv.Methods())
				r.srv.Link().Drop()
				time.Sleep(time.Hour)
				r.settle()
				now := r.now()
				said := now.Status.Text + " " + now.Threads.Problem
				if now.Status.State != tc.state || !strings.Contains(said, tc.says) || len(now.Status.Actions) == 0 {
					t.Errorf("%s %v: %v, %q, %v; want %v, %q", tc.name, answer, now.Status.State, said, now.Status.Actions, tc.state, tc.says)
				}
				if len(now.Drafts.Rows) != 1 || now.Drafts.Rows[0].Text != "mine" || now.Composer.Text != "" {
					t.Errorf("%s: drafts %+v, composer %q", tc.name, now.Drafts.Rows, now.Composer.Text)
				}
				handshake := []string{"initialize", "initialized", "account/read", "thread/list", "model/list"}
				for i, m := range r.srv.Methods()[sent:] {
					if !slices.Contains(handshake, m) || i >= len(handshake) {
						t.Errorf("%s: %q was sent", tc.name, r.srv.Methods()[sent:])
						break
					}
				}
			})
		}
	}
}

// Answers in another order than the questions, to questions that were given up,
// twice, or to none that was asked: each finds its own question or nothing.
//
// req: REC-4
func TestAnswersOutOfOrder(t *testing.T) {
	bubble(t, func(r *rig) {
		reads := []string{"thread/read", "thread/turns/list", "thread/items/list"}
		held := map[string][]fakeserver.Request{}
		for _, m := range reads {
			r.srv.Handle(m, func(q fakeserver.Request) (any, error) {
				held[m] = append(held[m], q)
				return nil, fakeserver.Silent
			})
		}
		answer := func(q fakeserver.Request, thread string) {
			results := map[string]any{
				"thread/read": map[string]any{"thread": row(thread, "idle")}, "thread/turns/list": page(turn("u1", "completed")),
				"thread/items/list": page(entry("u1", "i1", "of "+thread)),
			}
			r.srv.Link().Say(map[string]any{"id": q.ID, "result": results[q.Method]})
		}
		first := r.begin(r.now().At, Select{Thread: "t1"})
		r.settle()
		second := r.begin(r.now().At, Select{Thread: "t2"})
		r.settle()
		if got := first(); got == nil || got.OK {
			t.Errorf("the selection that was given up: %+v", got)
		}
		r.srv.Link().Say(map[string]any{"id": 9999, "result": map[string]any{}}) // nobody asked
		for _, m := range slices.Backward(reads) {
			answer(held[m][1], "t2")
			answer(held[m][0], "t1") // its question was given up
			answer(held[m][1], "t1") // it is answered already
		}
		r.settle()
		if got := second(); got == nil || !got.OK {
			t.Errorf("the selection: %+v", got)
		}
		r.state(Ready)
		if th := r.now().Thread; r.said() != "of t2" || th.ID != "t2" || th.Title != "about t2" {
			t.Errorf("rows %q, thread %+v", r.said(), th)
		}
		if !said(r.now(), "dropped-frame") {
			t.Errorf("nothing says that frames were dropped: %+v", r.now().Notices.Rows)
		}
	})
}

// An answer that comes after its attempt was cancelled makes no connection.
//
// req: REC-4, REC-9
func TestAnAnswerToACancelledAttempt(t *testing.T) {
	for _, method := range []string{"initialize", "account/read", "thread/list"} {
		bubble(t, func(r *rig) {
			var held fakeserver.Request
			r.srv.Handle(method, func(q fakeserver.Request) (any, error) { held = q; return nil, fakeserver.Silent })
			r.srv.Link().Drop()
			r.settle()
			link := r.srv.Link()
			r.must(Cancel{})
			link.Say(map[string]any{"id": held.ID, "result": map[string]any{
				"userAgent": "holdfast/0.159.1 (fake)", "codexHome": "/c", "account": nil, "requiresOpenaiAuth": false, "data": []any{},
			}})
			time.Sleep(time.Hour)
			r.settle()
			r.state(ManualReconnect)
			if now := r.now(); now.Status.Code != "cancelled" || !link.Closed() || r.srv.Link() != link || now.Server.PID != 0 {
				t.Errorf("%s: %+v, closed %v", method, now.Status, link.Closed())
			}
		})
	}
}
