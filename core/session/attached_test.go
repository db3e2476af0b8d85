package session

import (
	"slices"
	"testing"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/ledger"
	"holdfast/core/protocol"
	"holdfast/core/stamp"
)

// The product changes no attachments (the contract has no such method); one
// that did would go through mutate as everything else. Its uncertain end stays
// listed, a fresh list says what there is, and nothing is sent again: not by the
// loss, the selection, the join or the list, and nothing but the user hides it.
//
// req: LED-8
func TestAnUncertainChangeOfAttachments(t *testing.T) {
	add := protocol.Mutation[map[string]any, protocol.Empty]{Method: "thread/attachment/add"}
	for name, there := range map[string][]any{"it was done": {record("a1", "k")}, "it was not": {}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.live()
				r.srv.Handle(add.Method, func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
				r.s.box.put(delivery{event: stamp.At(r.now().At, event(func(l *loop) {
					mutate(l, add, map[string]any{"threadId": "t1"}, sending[protocol.Empty]{entry: ledger.Entry{Thread: "t1"}, at: l.link.stamp()})
				}))}, false)
				r.settle()
				r.srv.Answer(listMethod, pageTo(nil, there...))
				lists := r.count(listMethod)
				r.srv.Link().Drop()
				r.settle()
				r.must(Select{Thread: "t1"})
				r.must(Join{})
				if r.count(listMethod) != lists+1 {
					t.Errorf("%d fresh lists, want one", r.count(listMethod)-lists)
				}
				r.must(ListAttachments{})
				if ids, stale := r.attached(); len(ids) != len(there) || stale != "" {
					t.Errorf("listed are %q, stale %q", ids, stale)
				}
				time.Sleep(time.Hour)
				r.settle()
				o := r.op(add.Method)
				if o.State != "OutcomeUnknown" || o.Proof != "" {
					t.Errorf("the record says %s, %q: a list is no proof of who did it", o.State, o.Proof)
				}
				if n := r.count(add.Method); n != 1 {
					t.Errorf("it was sent %d times", n)
				}
				r.must(Review{Op: o.ID, Action: "dismiss"})
				if slices.ContainsFunc(r.now().Operations.Rows, func(x *Operation) bool { return x.ID == o.ID }) {
					t.Error("it is still listed after it was dismissed")
				}
			})
		})
	}
}
