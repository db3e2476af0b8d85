package session

import (
	"testing"
	"time"

	"holdfast/core/internal/fakeserver"
)

// The text of an entry that is added or edited and was refused, because the
// queue is full or the entry is gone, is in front of what is being typed; an
// uncertain one stays with its operation. Nothing is sent twice.
//
// req: LED-3, FLD-14
func TestWhereAQueuedTextGoes(t *testing.T) {
	for _, op := range []string{"add", "update"} {
		method := "thread/queue/" + op
		for _, tc := range []struct {
			name     string
			happens  func(r *rig)
			state    string
			composer string
		}{
			{"it is taken", func(r *rig) {
				r.srv.Answer(method, map[string]any{"entry": map[string]any{"id": "e1", "input": []any{}}})
			}, "Confirmed", "since"},
			{"the entry is gone, or the queue full", func(r *rig) { r.srv.Fail(method, -32600, "no such entry") }, "Rejected", "queued\nsince"},
			{"no answer comes", func(r *rig) {
				r.srv.Handle(method, func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
			}, "OutcomeUnknown", "since"},
		} {
			wide(t, func(r *rig) {
				r.live()
				r.srv.Mute(true)
				r.s.Do(r.now().At, EditQueue{Op: op, Entry: "e1", Text: "queued"}, nil)
				r.settle()
				r.must(SetDraft{Text: text("since")})
				tc.happens(r)
				r.srv.Mute(false)
				r.srv.Again(method)
				time.Sleep(2 * time.Minute)
				r.settle()
				if got := r.now().Composer.Text; r.op(method).State != tc.state || got != tc.composer || r.count(method) != 1 {
					t.Errorf("%s, %s: %s, composer %q, sent %d times; want %s, %q", op, tc.name, r.op(method).State, got, r.count(method), tc.state, tc.composer)
				}
			})
		}
	}
}
