package session

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A found is what a look at the target finds, as the test says.
type found struct {
	mu sync.Mutex // time.Sleep in a bubble orders no memory
	is Change
}

func (f *found) set(c Change) { f.mu.Lock(); defer f.mu.Unlock(); f.is = c }

func (f *found) get(Target) Change { f.mu.Lock(); defer f.mu.Unlock(); return f.is }

// Each edit of the profile is asked about, also one after another was confirmed.
//
// req: REC-9
func TestEachEditOfTheProfileIsAskedAbout(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		for range 3 {
			r.must(ProfileEdited{})
			r.state(Confirmation)
			if r.now().Server.Confirmed {
				t.Error("it counts as confirmed")
			}
			r.must(Confirm{})
			r.state(Ready)
		}
		r.must(ProfileEdited{})
		r.srv.Link().Drop()
		time.Sleep(time.Hour)
		r.settle()
		r.state(Confirmation)
		if r.now().Status.Attempt != 0 {
			t.Errorf("attempt %d after an edit that nobody confirmed", r.now().Status.Attempt)
		}
	})
}

// What a look at the target finds is asked about once while it lasts: another
// edit, or the same again after it was gone, is asked about anew.
//
// req: REC-9
func TestWhatWasConfirmedIsAskedAboutOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f found
		r := newRig(t, func(c *Config) { c.CheckTarget = f.get })
		defer r.end()
		r.live()
		for i, step := range []struct {
			is   Change
			want State
		}{
			{Change{Why: "the profile was edited", Rev: "1"}, Confirmation},
			{Change{Why: "the profile was edited", Rev: "1"}, Ready},
			{Change{Why: "the profile was edited", Rev: "2"}, Confirmation},
			{Change{Why: "the token file is gone"}, Confirmation},
			{Change{}, Ready},
			{Change{Why: "the token file is gone"}, Confirmation},
			{Change{Why: "the token file is gone"}, Ready},
		} {
			f.set(step.is)
			time.Sleep(2 * watchEvery)
			r.settle()
			if got := r.now().Status.State; got != step.want {
				t.Errorf("step %d: %v, want %v", i, got, step.want)
			}
			if step.want == Confirmation {
				r.must(Confirm{})
			}
		}
	})
}

// A target that changes while an episode runs ends it at once, in a wait and in
// an attempt; the draft stays apart, and what helps is offered.
//
// req: REC-5, REC-9
func TestATargetThatChangesDuringAnEpisode(t *testing.T) {
	for name, tc := range map[string]struct {
		hangs bool // the attempt; else the wait
		later bool // it is found when the next attempt is due
		edit  func(r *rig, f *found)
		why   string
	}{
		"edited in a wait":              {false, false, func(r *rig, _ *found) { r.must(ProfileEdited{}) }, "The profile has edits"},
		"edited in an attempt":          {true, false, func(r *rig, _ *found) { r.must(ProfileEdited{}) }, "The profile has edits"},
		"found before the next attempt": {false, true, func(_ *rig, f *found) { f.set(Change{Why: "the token file is gone"}) }, "The token file is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var f found
				r := newRig(t, func(c *Config) { c.CheckTarget = f.get })
				defer r.end()
				r.live()
				r.must(SetDraft{Text: text("mine")})
				if tc.hangs {
					r.srv.Mute(true)
				} else {
					r.srv.Refuse(refusedDial())
				}
				r.srv.Link().Drop()
				r.settle()
				r.state(Reconnecting)
				tc.edit(r, &f)
				if !tc.later {
					r.settle()
					r.state(Confirmation)
				}
				r.srv.Mute(false)
				r.srv.Refuse(nil) // an attempt would succeed
				time.Sleep(time.Hour)
				r.settle()
				r.state(Confirmation)
				now := r.now()
				if !strings.HasPrefix(now.Status.Text, tc.why) || !now.Status.Allows(ActReconnect) || !now.Status.Allows(ActProfile) {
					t.Errorf("text %q, actions %v", now.Status.Text, now.Status.Actions)
				}
				if now.Composer.Text != "" || len(now.Drafts.Rows) != 1 || now.Drafts.Rows[0].Text != "mine" {
					t.Errorf("composer %q, drafts %+v", now.Composer.Text, now.Drafts.Rows)
				}
				r.must(Reconnect{}) // asked for: it goes where it went before
				r.state(AwaitingSelection)
			})
		})
	}
}

// Applying a profile is done at once, also when what it leads to does not answer:
// the state says how the attempt goes. One that is not known changes nothing.
//
// req: REC-9
func TestApplyingAProfileIsDoneAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) {
			c.Profiles = func(name string) (Target, error) {
				if name != "far" {
					return Target{}, errors.New("there is no such profile")
				}
				return Target{Profile: name}, nil
			}
		})
		defer r.end()
		r.live()
		r.refused(ApplyProfile{Name: "none"}, "bad-profile")
		r.state(Ready)
		r.srv.Mute(true)
		r.must(ApplyProfile{Name: "far"})
		r.state(Reconnecting)
		if got := r.now().Server; got.Profile != "far" || got.Confirmed {
			t.Errorf("the server is %+v", got)
		}
		time.Sleep(time.Minute)
		r.settle()
		r.state(ManualReconnect)
	})
}

// After a switch of the profile nothing was lost: what is shown is of another
// server, and says so.
func TestWhatIsShownAfterASwitchOfProfile(t *testing.T) {
	bubble(t, func(r *rig) {
		r.configure(func(c *Config) { c.Profiles = func(string) (Target, error) { return Target{}, nil } })
		r.live()
		r.must(ApplyProfile{Name: "other"})
		h := r.now().History
		if h == nil || len(h.Rows) == 0 || h.Stale != "it is of the profile before" {
			t.Errorf("shown: %+v", h)
		}
	})
}
