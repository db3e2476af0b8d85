package session

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/transport"
)

func refusedDial() error {
	return &transport.Error{Kind: transport.Unavailable, Text: "connection refused at ws://127.0.0.1:4500"}
}

// The whole course of a loss: the draft is kept apart, the list is read anew,
// nothing is selected or resumed, and Restore needs a confirmation and a
// selection.
//
// req: REC-14, DRF-1, DRF-4, DRF-5, FLD-4
func TestDraftIsolation(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.must(SetDraft{Text: text("abc"), Model: text("m1"), Effort: text("low"), Skill: text("s"), Images: &[]string{"/x.png"}})
		owner, lists := r.now().Generations.Owner, r.count("thread/list")
		r.srv.Link().Drop()
		r.settle()
		r.state(AwaitingSelection)
		now := r.now()
		if now.Generations.Owner == owner || now.Thread != nil || r.count("thread/resume") != 1 || r.count("thread/list") != lists+1 {
			t.Errorf("owner %d, thread %+v, %d resumes", now.Generations.Owner, now.Thread, r.count("thread/resume"))
		}
		if r.said() != "one" || now.History.Stale == "" {
			t.Errorf("rows %q, stale %q: they stay until the next selection", r.said(), now.History.Stale)
		}
		if now.Composer.Text != "" || len(now.Drafts.Rows) != 1 || now.Server.Confirmed {
			t.Fatalf("composer %q, %d drafts, confirmed %v", now.Composer.Text, len(now.Drafts.Rows), now.Server.Confirmed)
		}
		d := now.Drafts.Rows[0]
		if d.Text != "abc" || d.Title != "about t1" || d.Thread != "t1" || d.Model != "m1" || d.Effort != "low" || d.Skill != "s" || d.Images[0] != "/x.png" {
			t.Errorf("draft = %+v", d)
		}
		r.refused(Restore{Draft: d.ID}, "not-yet")
		r.must(Select{Thread: "t2"})
		if got := r.do(Restore{Draft: d.ID}); got.Error != "To restore the draft, first confirm the connection." {
			t.Errorf("restore without a confirmation: %+v", got)
		}
		r.must(Confirm{})
		if !r.now().Status.Allows(ActRestore) {
			t.Errorf("actions = %v", r.now().Status.Actions)
		}
		r.must(Restore{Draft: d.ID})
		if c := r.now().Composer; c.Text != "abc" || c.Model != "m1" || c.Skill != "s" || c.Images[0] != "/x.png" || c.Thread != "t2" {
			t.Errorf("composer = %+v", c)
		}
		r.refused(Restore{Draft: d.ID}, "no-draft")
		for _, m := range []string{"turn/start", "turn/steer", "thread/start"} {
			if r.count(m) != 0 {
				t.Errorf("%s was sent", m)
			}
		}
		if th := r.now().Thread; th.Joined {
			t.Error("restoring joined")
		}
	})
}

// Restoring into a composer that is not empty asks where.
//
// req: DRF-5
func TestRestoreAsksWhere(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.must(SetDraft{Text: text("old")})
		r.srv.Link().Drop()
		r.settle()
		r.must(Select{Thread: "t1"})
		r.must(Confirm{})
		r.must(SetDraft{Text: text("new")})
		id := r.now().Drafts.Rows[0].ID
		r.refused(Restore{Draft: id}, "composer-not-empty")
		if len(r.now().Drafts.Rows) != 1 || r.now().Composer.Text != "new" {
			t.Error("a refused restore changed something")
		}
		r.must(Restore{Draft: id, Mode: "before"})
		if got := r.now().Composer.Text; got != "old\nnew" {
			t.Errorf("composer = %q", got)
		}
	})
}

// Two losses, two conversations, text typed while offline and while nothing is
// selected: each is a draft of its own, none is lost.
//
// req: DRF-1
func TestEveryTextBecomesADraftOfItsOwn(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.must(SetDraft{Text: text("in t1")})
		r.must(SetDraft{Thread: text("t2"), Text: text("in t2")})
		seen := r.now().Composer.Rev
		r.srv.Refuse(refusedDial())
		r.srv.Link().Drop()
		r.settle()
		if got := r.do(SetDraft{Thread: text("t1"), Rev: &seen, Text: text("in t1, a key too late")}); !got.OK {
			t.Errorf("late text: %+v", got)
		}
		r.must(SetDraft{Text: text("while offline")})
		r.srv.Refuse(nil)
		time.Sleep(5 * time.Second)
		r.settle()
		r.must(SetDraft{Text: text("with nothing selected")})
		r.must(Select{Thread: "t1"})
		var got []string
		for _, d := range r.now().Drafts.Rows {
			got = append(got, d.Thread+":"+d.Text)
		}
		want := "t1:in t1, a key too late|t2:in t2|t1:while offline|:with nothing selected"
		if strings.Join(got, "|") != want {
			t.Errorf("drafts = %q, want %q", got, want)
		}
		r.must(Discard{Draft: r.now().Drafts.Rows[1].ID})
		if n := len(r.now().Drafts.Rows); n != 3 {
			t.Errorf("%d drafts after one was discarded", n)
		}
	})
}

// Five and out on a fake clock, with a peer that refuses: no sixth attempt in
// the next hour; one explicit Reconnect is one attempt.
//
// req: REC-1, REC-11, FLD-1
func TestFiveAttemptsThenNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dials []time.Duration
		var start time.Time
		var srv *fakeserver.Server
		r := newRig(t, func(c *Config) {
			dial := c.Dial
			c.Dial = countingDial(dial, func() {
				if !start.IsZero() {
					dials = append(dials, time.Since(start).Round(time.Millisecond))
				}
			})
		})
		srv = r.srv
		defer r.end()
		srv.Refuse(refusedDial())
		start = time.Now()
		srv.Link().Drop()
		time.Sleep(time.Hour)
		synctest.Wait()
		want := []time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second, 15 * time.Second}
		if len(dials) != len(want) {
			t.Fatalf("attempts at %v, want %v", dials, want)
		}
		for i := range want {
			if dials[i] != want[i] {
				t.Errorf("attempts at %v, want %v", dials, want)
				break
			}
		}
		r.settle()
		r.state(ManualReconnect)
		if got := r.now().Status.Text; !strings.HasPrefix(got, "Not connected. Five attempts failed: connection refused at ws://127.0.0.1:4500.") {
			t.Errorf("text = %q", got)
		}
		r.refused(Reconnect{}, "not-connected")
		if len(dials) != len(want)+1 {
			t.Errorf("an explicit Reconnect made %d attempts", len(dials)-len(want))
		}
	})
}

// Signed out at the second attempt: recovery stops, the draft is still there
// and not in the composer.
//
// req: REC-9, FLD-3
func TestLoginChangedDuringRecovery(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.must(SetDraft{Text: text("mine")})
		r.srv.Refuse(refusedDial())
		r.srv.Link().Drop()
		r.settle()
		r.srv.Answer("account/read", map[string]any{"account": nil, "requiresOpenaiAuth": true})
		r.srv.Refuse(nil)
		time.Sleep(2 * time.Second)
		r.settle()
		r.state(SignInRequired)
		if now := r.now(); now.Composer.Text != "" || len(now.Drafts.Rows) != 1 || !now.Status.Allows(ActSignIn) {
			t.Errorf("composer %q, drafts %d, actions %v", now.Composer.Text, len(now.Drafts.Rows), now.Status.Actions)
		}
		lists := r.count("thread/list")
		time.Sleep(time.Hour)
		r.settle()
		if r.count("thread/list") != lists {
			t.Error("something went on by itself")
		}
	})
}

// Terminal failures end the episode at once and lead where they belong.
//
// req: REC-9, REC-12
func TestWhereFailuresLead(t *testing.T) {
	for kind, want := range map[transport.FailKind]State{
		transport.Auth: SignInRequired, transport.Permission: ManualReconnect, transport.InvalidProfile: Confirmation,
		transport.ServerIdentity: Confirmation, transport.TargetChanged: Confirmation, transport.Unknown: ManualReconnect,
	} {
		bubble(t, func(r *rig) {
			r.srv.Refuse(&transport.Error{Kind: kind, Text: "it failed"})
			r.srv.Link().Drop()
			time.Sleep(10 * time.Minute)
			r.settle()
			r.state(want)
			if now := r.now(); now.Status.Attempt > 1 {
				t.Errorf("%v: attempt %d", kind, now.Status.Attempt)
			}
		})
	}
}

// A target that changed while connected asks for a decision; the loss that
// follows begins no episode.
//
// req: REC-5, REC-9
func TestTargetChangedWhileConnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := make(chan struct{})
		r := newRig(t, func(c *Config) {
			c.CheckTarget = func(Target) Change {
				select {
				case <-gone:
					return Change{Why: "the token file is gone"}
				default:
					return Change{}
				}
			}
		})
		defer r.end()
		r.live()
		close(gone)
		time.Sleep(watchEvery)
		r.settle()
		r.state(Confirmation)
		r.refused(Send{}, "not-now")
		r.must(Confirm{})
		time.Sleep(time.Minute)
		r.settle()
		r.state(Ready) // confirmed once is confirmed
		r.s.Do(r.now().At, ProfileEdited{}, nil)
		r.settle()
		r.srv.Link().Drop()
		time.Sleep(time.Minute)
		r.settle()
		r.state(Confirmation)
		if r.now().Server.PID != 0 || !r.now().Status.Allows(ActReconnect) {
			t.Errorf("status = %+v", r.now().Status)
		}
	})
}

// Another account after the reconnect must be confirmed.
//
// req: REC-9, REC-15
func TestAnotherAccountMustBeConfirmed(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.command(1)
		r.settle()
		r.srv.Answer("account/read", map[string]any{"account": map[string]any{"type": "chatgpt", "email": "b@example.com"}, "requiresOpenaiAuth": true})
		r.srv.Notify("account/updated", map[string]any{"authMode": "chatgpt"})
		r.settle()
		r.state(AwaitingSelection)
		now := r.now()
		if now.Server.Confirmed || now.Thread != nil || len(now.Requests.Cards) != 0 || now.History != nil {
			t.Errorf("confirmed %v, thread %v, %d cards, history %v", now.Server.Confirmed, now.Thread, len(now.Requests.Cards), now.History)
		}
		for _, x := range now.Threads.Rows {
			if x.Joined {
				t.Errorf("%s is shown as joined", x.ID)
			}
		}
		r.must(Confirm{})
		if !r.now().Server.Confirmed {
			t.Error("not confirmed")
		}
	})
}

// The machine slept: the link is probed at once, and a dead one is a loss.
func TestSleepAndWake(t *testing.T) {
	for _, dead := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var skew time.Duration
			ch := make(chan time.Duration, 1)
			r := newRig(t, func(c *Config) {
				c.Wall = func() time.Time {
					select {
					case skew = <-ch:
					default:
					}
					return time.Now().Add(skew)
				}
			})
			defer r.end()
			r.live()
			r.srv.Mute(dead)
			before := r.count("account/read")
			ch <- 2 * time.Hour
			time.Sleep(watchEvery)
			r.settle()
			if r.count("account/read") != before+1 {
				t.Fatalf("dead %v: %d probes", dead, r.count("account/read")-before)
			}
			time.Sleep(probeLimit)
			r.settle()
			if want := map[bool]State{false: Ready, true: Reconnecting}[dead]; r.now().Status.State != want {
				t.Errorf("dead %v: state %v, want %v", dead, r.now().Status.State, want)
			}
		})
	}
}

// A defect of ours ends the loop in order, and every text can be copied.
func TestPanicKeepsTheText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.breaks = true
		r.live()
		r.must(SetDraft{Text: text("precious")})
		r.s.box.put(delivery{event: stampedPanic(r)}, false)
		<-r.over
		now := r.now()
		if now.Status.Code != "internal-error" || len(now.Drafts.Rows) != 1 || now.Drafts.Rows[0].Text != "precious" {
			t.Errorf("status %+v, drafts %+v", now.Status, now.Drafts.Rows)
		}
		if got := r.begin(now.At, Send{})(); got == nil || got.Code != "ended" {
			t.Errorf("an intent after it: %+v", got)
		}
		r.stop()
	})
}

// An uncertain message can be put back and dismissed; sending it again is a
// Send of its own.
//
// req: LED-7
func TestReviewRestoresText(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.srv.Handle("turn/start", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
		r.must(SetDraft{Text: text("perhaps sent")})
		r.s.Do(r.now().At, Send{}, nil)
		r.settle()
		r.refused(Review{Op: r.op("turn/start").ID, Action: "restore"}, "in-flight")
		r.srv.Link().Drop()
		r.settle()
		op := r.op("turn/start")
		r.must(Select{Thread: "t1"})
		r.must(Review{Op: op.ID, Action: "restore"})
		if got := r.now().Composer.Text; got != "perhaps sent" {
			t.Errorf("composer = %q", got)
		}
		r.must(Review{Op: op.ID, Action: "dismiss"})
		if n := r.count("turn/start"); n != 1 {
			t.Errorf("%d turn/start", n)
		}
		for _, o := range r.now().Operations.Rows {
			if o.ID == op.ID {
				t.Error("it is still listed")
			}
		}
	})
}

// A connection that ends the moment it is made is lost, not usable: whichever
// of the two is noticed first.
//
// req: REC-4
func TestLostTheMomentItIsMade(t *testing.T) {
	for range 50 {
		bubble(t, func(r *rig) {
			r.srv.Refuse(&transport.Error{Kind: transport.Permission, Text: "not allowed"})
			r.srv.Link().Drop()
			r.settle()
			r.srv.Refuse(nil)
			r.srv.Handle("account/read", func(q fakeserver.Request) (any, error) {
				l := r.srv.Link()
				l.Say(map[string]any{"id": q.ID, "result": map[string]any{"account": nil, "requiresOpenaiAuth": false}})
				l.Drop()
				return nil, fakeserver.Silent
			})
			r.refused(Reconnect{}, "not-connected")
			r.state(ManualReconnect)
			if pid := r.now().Server.PID; pid != 0 {
				t.Errorf("process %d is shown", pid)
			}
		})
	}
}
