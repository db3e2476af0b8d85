package session

import (
	"testing"
	"time"

	"holdfast/core/protocol"
)

// A sign-in that nobody answers ends as unknown after its minute, and an account
// that appears later is not taken for our own.
func TestASignInWithoutAnAnswer(t *testing.T) {
	for name, way := range map[string]struct {
		method string
		in     Intent
	}{
		"signing in":  {"account/login/start", SignIn{Key: "sk-x"}},
		"signing out": {"account/logout", SignOut{}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.srv.Answer("account/read", map[string]any{"account": nil, "requiresOpenaiAuth": way.method != "account/logout"})
				r.srv.Notify("account/updated", map[string]any{"authMode": nil})
				r.settle()
				r.held(way.method)
				end := r.begin(r.now().At, way.in)
				time.Sleep(protocol.MutationDeadline - time.Second)
				r.settle()
				if got := end(); got != nil {
					t.Fatalf("before its minute: %+v", got)
				}
				time.Sleep(2 * time.Second)
				r.settle()
				if got := end(); got == nil || got.Code != "outcome-unknown" || r.op(way.method).State != "OutcomeUnknown" {
					t.Fatalf("after its minute: %+v, %+v", got, r.op(way.method))
				}
				if !r.now().Server.Confirmed {
					t.Fatal("nothing has changed yet, and it has to be confirmed")
				}
				r.as("somebody@example.com")
				if r.now().Server.Confirmed || r.count(way.method) != 1 {
					t.Errorf("confirmed %v, sent %d times", r.now().Server.Confirmed, r.count(way.method))
				}
			})
		})
	}
}
