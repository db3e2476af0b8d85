package recovery

import (
	"reflect"
	"testing"
	"time"
)

var epoch = time.Unix(1_800_000_000, 0)

func run(t *testing.T, s State, now time.Time, evs ...Event) (State, []Effect) {
	t.Helper()
	var all []Effect
	for _, e := range evs {
		var fx []Effect
		s, fx = Step(s, e, Env{Now: now, Scale: 1})
		all = append(all, fx...)
	}
	return s, all
}

func TestOneConnectionFromStartToLoss(t *testing.T) {
	s, fx := run(t, State{}, epoch, Connect{}, Connect{}, Up{}, Up{}, Listed{})
	if want := []Effect{Dial{1}, ListThreads{}}; !reflect.DeepEqual(fx, want) {
		t.Errorf("effects = %v, want %v: one attempt, one list", fx, want)
	}
	if want := (State{Phase: Online}); s != want {
		t.Errorf("state = %+v, want %+v", s, want)
	}
	s, fx = run(t, s, epoch, Lost{Cause: CauseTemporary, Why: "reset"}, Lost{Cause: CauseAuth, Why: "late"})
	if want := (State{Cause: CauseTemporary, Why: "reset"}); s != want {
		t.Errorf("state = %+v, want %+v: the second signal changes nothing", s, want)
	}
	if want := []Effect{Abandon{}}; !reflect.DeepEqual(fx, want) {
		t.Errorf("effects = %v, want %v", fx, want)
	}
}

// The attempt ends at its 45 seconds, not a nanosecond before.
func TestAttemptDeadline(t *testing.T) {
	s, _ := run(t, State{}, epoch, Connect{})
	at := epoch.Add(45 * time.Second)
	if !s.Wake().Equal(at) {
		t.Errorf("wake = %v, want %v", s.Wake(), at)
	}
	early, fx := run(t, s, at.Add(-time.Nanosecond), Tick{})
	if early != s || fx != nil {
		t.Errorf("just before: %+v %v", early, fx)
	}
	over, fx := run(t, s, at, Tick{})
	if over.Phase != Offline || over.Cause != CauseTemporary || !reflect.DeepEqual(fx, []Effect{Abandon{}}) {
		t.Errorf("at the deadline: %+v %v", over, fx)
	}
}

func TestWhereEachEventLeads(t *testing.T) {
	connecting, _ := run(t, State{}, epoch, Connect{})
	for _, tc := range []struct {
		name string
		from State
		ev   Event
		want Cause
	}{
		{"rejected token", connecting, Fail{Cause: CauseAuth}, CauseAuth},
		{"refused port", connecting, Fail{Cause: CauseTemporary}, CauseTemporary},
		{"cancelled", connecting, Cancel{}, CauseCancelled},
		{"target changed while connecting", connecting, TargetChanged{}, CauseTarget},
		{"target changed while online", State{Phase: Online}, TargetChanged{}, CauseTarget},
		{"lost while listing", State{Phase: Listing}, Lost{Cause: CauseTemporary}, CauseTemporary},
	} {
		got, fx := run(t, tc.from, epoch, tc.ev)
		if got.Phase != Offline || got.Cause != tc.want || !reflect.DeepEqual(fx, []Effect{Abandon{}}) {
			t.Errorf("%s: %+v %v, want offline with cause %d", tc.name, got, fx, tc.want)
		}
	}
}
