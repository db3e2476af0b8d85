package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/protocol"
)

// as says whose account the server answers with, and that it may have changed.
func (r *rig) as(email string) {
	r.srv.Answer("account/read", map[string]any{"account": map[string]any{"type": "chatgpt", "email": email, "planType": "pro"}, "requiresOpenaiAuth": true})
	r.srv.Notify("account/updated", map[string]any{"authMode": "chatgpt"})
	r.settle()
}

// What is refused after another account signed in is a draft of the old one: it
// never gets into a composer of the other by itself.
//
// req: DRF-4, REC-15
func TestWhatIsRefusedForAnotherOwnerIsADraft(t *testing.T) {
	tests := map[string]struct {
		method string
		out    Intent
	}{
		"a message":        {"turn/start", Send{}},
		"a steer":          {"turn/steer", Steer{}},
		"a queued message": {"thread/queue/add", Enqueue{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			wide(t, func(r *rig) {
				r.as("a@x")
				r.live()
				if tt.method != "turn/start" {
					r.started("u2")
					r.settle()
				}
				answer := r.held(tt.method)
				r.must(SetDraft{Text: text("of a")})
				end := r.begin(r.now().At, tt.out)
				r.settle()
				r.as("b@x")
				answer(refusing("no"))
				if got := end(); got == nil || got.Code != "rejected" {
					t.Fatalf("%s = %+v", tt.method, got)
				}
				r.must(Select{Thread: "t1"})
				d := r.now().Drafts.Rows
				if len(d) != 1 || d[0].Text != "of a" || d[0].Thread != "t1" || d[0].Title != "about t1" || r.now().Composer.Text != "" {
					t.Fatalf("composer %q, drafts %+v", r.now().Composer.Text, d)
				}
				r.refused(Restore{Draft: d[0].ID}, "not-yet")
				r.refused(Review{Op: r.op(tt.method).ID, Action: "restore"}, "not-yet")
				r.must(Confirm{})
				r.must(Restore{Draft: d[0].ID})
				if got := r.now().Composer.Text; got != "of a" {
					t.Errorf("composer = %q", got)
				}
			})
		})
	}
}

// What waits for its turn behind unanswered requests, and longer than it may,
// was not sent, and its reason says so: the connection is up. The texts come
// back in the order they had, before what was typed since.
//
// req: LED-6
func TestWhatWaitedTooLongComesBackInOrder(t *testing.T) {
	wide(t, func(r *rig) {
		r.live()
		r.started("u2")
		r.settle()
		stuck := make(chan struct{})
		r.srv.Handle("thread/queue/add", func(fakeserver.Request) (any, error) {
			<-stuck // the link takes no more
			return nil, fakeserver.Silent
		})
		var ends []func() *Result
		for n := range 4 {
			r.must(SetDraft{Text: text(fmt.Sprintf("message %d", n))})
			ends = append(ends, r.begin(r.now().At, Enqueue{}))
			r.settle()
		}
		r.must(SetDraft{Text: text("typed since")})
		time.Sleep(protocol.Deadline("thread/queue/add"))
		r.settle()
		close(stuck)
		for n, end := range ends {
			want := Result{Code: "outcome-unknown", Error: "No answer came. It may have been done."}
			if n > 0 {
				want = Result{Code: "not-sent", Error: "Nothing was sent: it waited too long behind others that the server did not answer."}
			}
			if got := end(); got == nil || got.Code != want.Code || got.Error != want.Error {
				t.Fatalf("message %d: %+v, want %+v", n, got, want)
			}
		}
		r.state(Ready)
		if got, want := r.now().Composer.Text, "message 1\nmessage 2\nmessage 3\ntyped since"; got != want {
			t.Errorf("composer = %q, want %q", got, want)
		}
	})
}

// What is said of a changed account is what is true of it.
//
// req: REC-9
func TestWhatIsSaidOfAChangedAccount(t *testing.T) {
	bubble(t, func(r *rig) {
		said := func() string {
			var out []string
			for _, n := range r.now().Notices.Rows {
				if n.Code == "account-changed" {
					out = append(out, n.Text)
				}
			}
			return strings.Join(out, "|")
		}
		r.as("a@x")
		r.as("b@x")
		if got, want := said(), "Another account is signed in on the server now. Confirm the connection before you go on."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		r.srv.Answer("account/read", map[string]any{"account": nil, "requiresOpenaiAuth": true})
		r.srv.Notify("account/updated", map[string]any{"authMode": nil})
		r.settle()
		if got, want := said(), "No account is signed in on the server any more. Confirm the connection before you go on."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
	})
}
