package recovery

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

var epoch = time.Unix(1_800_000_000, 0)

// A clock steps a machine through time.
type clock struct {
	t      *testing.T
	s      State
	env    Env
	log    []string      // effects with the time since the beginning
	answer func() Event  // what every Dial leads to, nil for nothing
	after  time.Duration // how long an attempt takes to end so
}

func newClock(t *testing.T) *clock { return &clock{t: t, env: Env{Now: epoch, Unit: 0.5}} }

func (c *clock) step(ev Event) {
	next, fx := Step(c.s, ev, c.env)
	c.s = next
	for _, e := range fx {
		if _, isDial := e.(Dial); isDial {
			c.log = append(c.log, fmt.Sprintf("%T@%v", e, c.env.Now.Sub(epoch)))
			if c.answer != nil {
				c.env.Now = c.env.Now.Add(c.after)
				c.step(c.answer())
			}
		}
	}
}

// run lets time pass until nothing waits, or for an hour.
func (c *clock) run() {
	for end := c.env.Now.Add(time.Hour); ; {
		w := c.s.Wake()
		if w.IsZero() || w.After(end) {
			c.env.Now = end
			return
		}
		if w.After(c.env.Now) {
			c.env.Now = w
		}
		c.step(Tick{})
	}
}

func online(t *testing.T) *clock {
	c := newClock(t)
	c.step(Connect{})
	c.step(Up{})
	c.step(Listed{})
	if c.s.Phase != Online {
		t.Fatalf("state = %+v", c.s)
	}
	c.env.Now = c.env.Now.Add(time.Minute)
	epochShift(c)
	return c
}

// epochShift makes the loss the beginning.
func epochShift(c *clock) { c.log = nil; c.env.Now = epoch; c.s.Since = epoch.Add(-time.Hour) }

func refused() Event { return Fail{Cause: CauseTemporary, Why: "connection refused"} }

// Five and out: attempts at 0, 1, 2, 4, 8 seconds after each other, no sixth in
// the next hour.
//
// req: REC-11, FLD-1
func TestFiveAndOut(t *testing.T) {
	for unit, want := range map[float64][]string{
		0.5:  {"Dial@0s", "Dial@1s", "Dial@3s", "Dial@7s", "Dial@15s"},
		0:    {"Dial@0s", "Dial@800ms", "Dial@2.4s", "Dial@5.6s", "Dial@12s"},
		0.75: {"Dial@0s", "Dial@1.1s", "Dial@3.3s", "Dial@7.7s", "Dial@16.5s"},
	} {
		c := online(t)
		c.env.Unit, c.answer = unit, refused
		c.step(Lost{Cause: CauseTemporary, Why: "reset"})
		c.run()
		got := make([]string, len(c.log))
		for i, l := range c.log {
			got[i] = l[len("recovery."):]
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("unit %v: %v, want %v", unit, got, want)
		}
		if c.s.Phase != Offline || c.s.Cause != CauseTemporary || c.s.Attempt != MaxAttempts {
			t.Errorf("unit %v: ends in %+v", unit, c.s)
		}
	}
}

// An attempt that hangs ends at 45 seconds; five of them and their waits take
// between 237 and 243 seconds.
//
// req: REC-11, FLD-2
func TestAttemptsThatHang(t *testing.T) {
	for _, unit := range []float64{0, 0.5, 0.999} {
		c := online(t)
		c.env.Unit = unit
		c.step(Lost{Cause: CauseTemporary})
		start := c.env.Now
		var ended time.Time
		for c.s.Recovering() {
			c.env.Now = c.s.Wake()
			c.step(Tick{})
			ended = c.env.Now
		}
		if took := ended.Sub(start); took < 237*time.Second || took > 243*time.Second {
			t.Errorf("unit %v: the episode took %v", unit, took)
		}
		if len(c.log) != MaxAttempts {
			t.Errorf("unit %v: %d attempts", unit, len(c.log))
		}
	}
}

// When the end of each attempt takes long to come (a child that will not go),
// the five minutes end the episode with fewer than five attempts.
//
// req: REC-11, FLD-2
func TestEpisodeDeadline(t *testing.T) {
	c := online(t)
	c.answer, c.after = refused, 80*time.Second
	c.step(Lost{Cause: CauseTemporary})
	c.run()
	if n := len(c.log); n >= MaxAttempts || n < 3 {
		t.Errorf("%d attempts", n)
	}
	if c.s.Phase != Offline || c.s.Cause != CauseTemporary {
		t.Errorf("ends in %+v", c.s)
	}
}

// The last attempt gets no more than what is left of the episode.
func TestAttemptGetsWhatIsLeft(t *testing.T) {
	s := State{Phase: Waiting, Attempt: 3, Max: 5, WaitTo: epoch, End: epoch.Add(10 * time.Second)}
	s, _ = Step(s, Tick{}, Env{Now: epoch})
	if got := s.Until.Sub(epoch); got != 10*time.Second {
		t.Errorf("the attempt may take %v, want 10s", got)
	}
	s = State{Phase: Connecting, Attempt: 3, Max: 5, Until: epoch, End: epoch.Add(4 * time.Second)}
	s, _ = Step(s, Tick{}, Env{Now: epoch, Unit: 0.5})
	if s.Phase != Offline {
		t.Errorf("a wait of 4 s that reaches the end in 4 s goes on: %+v", s)
	}
}

// Eight signals of one loss make one episode.
//
// req: REC-1, REC-8
func TestManySignalsOneEpisode(t *testing.T) {
	c := online(t)
	before := c.s.Episode
	c.step(Lost{Cause: CauseTemporary, Why: "reset"})
	first := c.s
	for range 7 {
		c.step(Lost{Cause: CauseTemporary, Why: "reset again"})
	}
	if c.s != first {
		t.Errorf("state %+v, want it as after the first: %+v", c.s, first)
	}
	if c.s.Episode != before+1 || len(c.log) != 1 || c.s.Attempt != 1 {
		t.Errorf("episode %d → %d, dials %v, attempt %d", before, c.s.Episode, c.log, c.s.Attempt)
	}
}

// A loss after a recovery is a new episode, counted from zero.
func TestSecondLossIsANewEpisode(t *testing.T) {
	c := online(t)
	c.step(Lost{Cause: CauseTemporary})
	c.step(refused())
	c.env.Now = c.s.Wake()
	c.step(Tick{})
	c.step(Up{})
	c.step(Listed{})
	c.env.Now = c.env.Now.Add(time.Minute)
	c.step(Lost{Cause: CauseTemporary})
	if c.s.Attempt != 1 || c.s.Phase != Connecting {
		t.Errorf("state = %+v", c.s)
	}
}

// What is not temporary ends the episode at once, wherever it is.
//
// req: REC-9, REC-12
func TestTerminalEndsAtOnce(t *testing.T) {
	for _, cause := range []Cause{CauseAuth, CauseTarget, CauseCancelled, CauseOther} {
		c := online(t)
		c.step(Lost{Cause: cause, Why: "w"})
		if c.s.Phase != Offline || c.s.Cause != cause || len(c.log) != 0 {
			t.Errorf("loss by %d: %+v, dials %v", cause, c.s, c.log)
		}
		c = online(t)
		c.answer = func() Event { return Fail{Cause: cause, Why: "w"} }
		c.step(Lost{Cause: CauseTemporary})
		c.run()
		if c.s.Phase != Offline || c.s.Cause != cause || len(c.log) != 1 {
			t.Errorf("attempt failed by %d: %+v, dials %v", cause, c.s, c.log)
		}
	}
}

// A target that changed ends the episode before its next attempt.
//
// req: REC-5, REC-9
func TestTargetIsCheckedBeforeEachAttempt(t *testing.T) {
	c := online(t)
	c.answer = refused
	c.step(Lost{Cause: CauseTemporary})
	c.env.Target = "The token file is gone."
	c.run()
	if c.s.Phase != Offline || c.s.Cause != CauseTarget || len(c.log) != 1 || c.s.Why != c.env.Target {
		t.Errorf("%+v, dials %v", c.s, c.log)
	}
}

// Cancel ends an episode, in a wait and in an attempt; a first connection and
// an explicit Reconnect are one attempt.
func TestCancelAndExplicitAttempts(t *testing.T) {
	c := online(t)
	c.step(Lost{Cause: CauseTemporary})
	c.step(refused())
	c.step(Cancel{})
	if c.s.Phase != Offline || c.s.Cause != CauseCancelled {
		t.Errorf("cancel while waiting: %+v", c.s)
	}
	c.answer = refused
	c.log = nil
	c.step(Connect{})
	c.run()
	if len(c.log) != 1 || c.s.Phase != Offline || c.s.Cause != CauseTemporary {
		t.Errorf("an explicit attempt: %+v, dials %v", c.s, c.log)
	}
}

// A loss before the list was read goes on with the same episode, so a server
// that dies there cannot be called without end.
func TestLossWhileListing(t *testing.T) {
	c := online(t)
	c.answer = func() Event { return Up{} }
	c.step(Lost{Cause: CauseTemporary})
	for i := 0; c.s.Phase == Listing && i < 20; i++ {
		c.step(Lost{Cause: CauseTemporary, Why: "closed"})
		if c.s.Phase == Waiting {
			c.env.Now = c.s.Wake()
			c.step(Tick{})
		}
	}
	if len(c.log) != MaxAttempts || c.s.Phase != Offline {
		t.Errorf("%d attempts, %+v", len(c.log), c.s)
	}
}

// A server that dies right after every connection is not called without end.
//
// req: REC-11
func TestShortLivedConnections(t *testing.T) {
	c := online(t)
	dials := 0
	for range 50 {
		c.step(Lost{Cause: CauseTemporary, Why: "closed"})
		if c.s.Phase != Connecting {
			break
		}
		dials++
		c.step(Up{})
		c.step(Listed{})
	}
	if dials != MaxAttempts || c.s.Phase != Offline {
		t.Errorf("%d connections, %+v", dials, c.s)
	}
}

// Every episode has a number of its own, whatever happens in whatever order: it
// grows by one where an episode begins and nowhere else, and a number that was
// given is never given again.
//
// req: REC-2
func TestEpisodesAreNumberedOnce(t *testing.T) {
	events := []Event{
		Connect{},
		Up{},
		Listed{},
		Fail{Cause: CauseTemporary},
		Fail{Cause: CauseAuth},
		Lost{Cause: CauseTemporary},
		Lost{Cause: CauseOther},
		Cancel{},
		TargetChanged{},
		Tick{},
	}
	begins := func(s State, ev Event) bool {
		switch ev := ev.(type) {
		case Connect:
			return s.Phase == Offline || s.Phase == Waiting
		case Lost:
			return s.Phase == Online && ev.Cause == CauseTemporary
		default:
			return false
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	var s State
	env := Env{Now: epoch, Unit: 0.5}
	for range 100_000 {
		ev := events[random.IntN(len(events))]
		env.Now = env.Now.Add(time.Duration(random.Int64N(int64(time.Minute))))
		next, _ := Step(s, ev, env)
		want := s.Episode
		if begins(s, ev) {
			want++
		}
		if next.Episode != want {
			t.Fatalf("%T in %+v: episode %d, want %d", ev, s, next.Episode, want)
		}
		s = next
	}
	if s.Episode < 1000 {
		t.Errorf("only %d episodes: the walk no longer sees what it watches", s.Episode)
	}
}

// An attempt that is due waits for the bridge before it to end: it begins then,
// whatever the wait was, and not after the episode's end.
//
// req: REC-7, REC-11
func TestAnAttemptWaitsForTheBridgeBefore(t *testing.T) {
	for _, ends := range []time.Duration{0, time.Second, EpisodeDeadline - 1, EpisodeDeadline} {
		c := online(t)
		c.env.Ending = true
		c.step(Lost{Cause: CauseTemporary, Why: "reset"})
		c.step(Tick{})
		if c.s.Phase != Waiting || !c.s.Held || !c.s.Wake().Equal(c.s.End) || len(c.log) != 0 {
			t.Fatalf("while it ends: %+v, dials %v", c.s, c.log)
		}
		c.env.Now, c.env.Ending = epoch.Add(ends), false
		c.step(Tick{})
		if dialled := len(c.log) == 1; dialled != (ends < EpisodeDeadline) || c.s.Held {
			t.Errorf("it ends after %v: %+v, dials %v", ends, c.s, c.log)
		}
	}
}
