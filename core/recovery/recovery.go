package recovery

import (
	"time"

	"holdfast/core/words"
)

// Bounds of an episode (REC-11).
const (
	// MaxAttempts is how often one episode tries.
	MaxAttempts = 5
	// AttemptDeadline bounds one attempt: transport, handshake, initialize and
	// the first account read.
	AttemptDeadline = 45 * time.Second
	// EpisodeDeadline bounds a whole episode, waits included, on the monotonic
	// clock.
	EpisodeDeadline = 5 * time.Minute
)

// delays stand before the attempts; all but the first vary by a fifth.
var delays = [MaxAttempts]time.Duration{0, 1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}

const jitter = 0.2

// A connection that is lost within shortLived of becoming usable, MaxAttempts
// times in a row, is not worth another episode: a server that dies at once
// would else be called without end.
const shortLived = 5 * time.Second

// A Phase is what the connection is doing.
type Phase uint8

// The phases.
const (
	Offline    Phase = iota // nothing runs; Cause says what ended it
	Waiting                 // an episode waits for its next attempt
	Connecting              // an attempt runs
	Listing                 // initialized; the conversation list is being read
	Online                  // usable
)

// A Cause is why the connection is offline.
type Cause uint8

// The causes.
const (
	CauseNone      Cause = iota
	CauseTemporary       // a loss, or an attempt that failed for a while
	CauseAuth            // 401 or 403 of the endpoint
	CauseTarget          // the target changed or cannot be validated
	CauseCancelled       // the user ended it
	CauseOther           // anything else: never retried (REC-12)
)

// State is the whole coordinator. It is a plain value: copy it, compare it,
// print it.
type State struct {
	Phase Phase
	Cause Cause
	// Episode counts episodes; it is never used again (REC-2).
	Episode uint64
	Attempt int // 1-based; 0 before the first
	// Held says that the next attempt is due and waits for the bridge before it
	// to end.
	Held bool
	// Max is how many attempts the episode has: five, or one that was asked for.
	Max    int
	WaitTo time.Time // start the next attempt then
	Until  time.Time // deadline of the running attempt
	End    time.Time // deadline of the episode
	Why    string    // the newest failure, for people; holds no secret
	// Since is when it became usable; Short counts connections in a row that
	// were lost at once.
	Since time.Time
	Short int
}

// An Event is something that happened.
//
//sumtype:decl
type Event interface{ event() }

type (
	// Connect asks for one attempt: the first connection or an explicit
	// Reconnect.
	Connect struct{}
	// Up says that the attempt finished initialize and the account read.
	Up struct{}
	// Listed says that the conversation list was read, or could not be.
	Listed struct{}
	// Fail says that the attempt ended without a connection.
	Fail struct {
		Cause Cause
		Why   string
	}
	// Lost says that the connection ended.
	Lost struct {
		Cause Cause
		Why   string
	}
	// Cancel is the user's.
	Cancel struct{}
	// TargetChanged ends whatever runs; nothing is tried until asked for.
	TargetChanged struct{ Why string }
	// Tick says that time passed.
	Tick struct{}
)

func (Connect) event()       {}
func (Up) event()            {}
func (Listed) event()        {}
func (Fail) event()          {}
func (Lost) event()          {}
func (Cancel) event()        {}
func (TargetChanged) event() {}
func (Tick) event()          {}

// An Effect is a request to the loop.
//
//sumtype:decl
type Effect interface{ effect() }

type (
	// Dial starts an attempt; it replaces any attempt before it.
	Dial struct{ Attempt int }
	// Abandon ends the running attempt or connection.
	Abandon struct{}
	// ListThreads reads the conversation list (REC-14).
	ListThreads struct{}
)

func (Dial) effect()        {}
func (Abandon) effect()     {}
func (ListThreads) effect() {}

// Env is what a step may know about the world.
type Env struct {
	// Now is read from the monotonic clock: a changed wall clock moves nothing.
	Now time.Time
	// Unit is uniform in [0,1), for the jitter.
	Unit float64
	// Scale divides every delay; 0 and 1 change nothing.
	Scale int
	// Target says, before a wait and before an attempt, why the target is no
	// longer the one the episode set out for; "" while it is (REC-5).
	Target string
	// Ending says that the bridge before has not ended yet.
	Ending bool
}

func (e Env) scaled(d time.Duration) time.Duration { return d / time.Duration(max(e.Scale, 1)) }

// Wake is when Step wants a Tick, or zero.
func (s State) Wake() time.Time {
	switch s.Phase {
	case Waiting:
		if s.Held {
			return s.End
		}
		return s.WaitTo
	case Connecting:
		return s.Until
	case Offline, Listing, Online:
	}
	return time.Time{}
}

// Connected reports whether requests may leave.
func (s State) Connected() bool { return s.Phase == Listing || s.Phase == Online }

// Recovering reports whether an episode runs.
func (s State) Recovering() bool { return s.Phase == Waiting || s.Phase == Connecting }

// Step is the machine. An event that has no meaning in a state changes nothing:
// of many signals of one loss the first begins the only episode (REC-1).
func Step(s State, ev Event, env Env) (State, []Effect) {
	switch ev := ev.(type) {
	case Connect:
		if s.Phase == Offline || s.Phase == Waiting {
			return s.episode(1, env).dial(env)
		}
	case Up:
		if s.Phase == Connecting {
			s.Phase = Listing
			return s, []Effect{ListThreads{}}
		}
	case Listed:
		if s.Phase == Listing {
			return State{Phase: Online, Episode: s.Episode, Since: env.Now, Short: s.Short}, nil
		}
	case Fail:
		if s.Phase == Connecting {
			return s.failed(ev.Cause, ev.Why, env)
		}
	case Lost:
		return s.lost(ev, env)
	case Cancel:
		if s.Recovering() || s.Phase == Listing {
			return s.offline(CauseCancelled, words.T("the attempt was cancelled"))
		}
	case TargetChanged:
		return s.offline(CauseTarget, ev.Why)
	case Tick:
		return s.tick(env)
	}
	return s, nil
}

// episode begins an episode of n attempts, counted from zero.
func (s State) episode(n int, env Env) State {
	return State{
		Episode: s.Episode + 1, Max: n, Short: s.Short, Why: s.Why,
		End: env.Now.Add(env.scaled(EpisodeDeadline)),
	}
}

func (s State) lost(ev Lost, env Env) (State, []Effect) {
	switch s.Phase {
	case Listing: // the episode did not get as far as a usable connection
		return s.failed(ev.Cause, ev.Why, env)
	case Online:
	case Offline, Waiting, Connecting:
		return s, nil // a late signal retires nothing (REC-8)
	}
	if env.Now.Sub(s.Since) < env.scaled(shortLived) {
		s.Short++
	} else {
		s.Short = 0
	}
	if ev.Cause != CauseTemporary {
		return s.offline(ev.Cause, ev.Why)
	}
	if s.Short >= MaxAttempts {
		s.Short = 0
		return s.offline(CauseTemporary, words.T("%s, each time right after connecting", ev.Why))
	}
	s = s.episode(MaxAttempts, env)
	s.Why = ev.Why
	next, fx := s.schedule(env)
	return next, append([]Effect{Abandon{}}, fx...)
}

// failed is an attempt's end: only what is temporary is tried again (REC-12).
func (s State) failed(c Cause, why string, env Env) (State, []Effect) {
	if c != CauseTemporary {
		return s.offline(c, why)
	}
	s.Why = why
	next, fx := s.schedule(env)
	if next.Phase == Offline {
		return next, fx
	}
	return next, append([]Effect{Abandon{}}, fx...)
}

func (s State) tick(env Env) (State, []Effect) {
	switch {
	case s.Phase == Connecting && !env.Now.Before(s.Until):
		return s.failed(CauseTemporary, words.T("no answer within the time for one attempt"), env)
	case s.Phase == Waiting && !env.Now.Before(s.End):
		return s.offline(CauseTemporary, s.Why)
	case s.Phase == Waiting && !env.Now.Before(s.WaitTo):
		if s.Held = env.Ending; s.Held {
			return s, nil
		}
		if env.Target != "" {
			return s.offline(CauseTarget, env.Target)
		}
		return s.dial(env)
	}
	return s, nil
}

// schedule goes on with the episode: cancelled? deadline? target unchanged?
// wait. A wait that would reach the episode's end ends it at once; one for the
// end of the bridge before lasts as long as the episode.
func (s State) schedule(env Env) (State, []Effect) {
	if s.Attempt >= s.Max {
		return s.offline(CauseTemporary, s.Why)
	}
	if env.Target != "" {
		return s.offline(CauseTarget, env.Target)
	}
	d := env.scaled(delays[s.Attempt])
	d += time.Duration(float64(d) * jitter * (2*env.Unit - 1))
	if !env.Now.Add(d).Before(s.End) {
		return s.offline(CauseTemporary, s.Why)
	}
	if d == 0 && !env.Ending {
		return s.dial(env)
	}
	s.Phase, s.WaitTo, s.Until = Waiting, env.Now.Add(d), time.Time{}
	return s, nil
}

// dial starts an attempt, for the smaller of its own time and what is left.
func (s State) dial(env Env) (State, []Effect) {
	s.Attempt++
	s.Phase, s.Cause, s.WaitTo, s.Held = Connecting, CauseNone, time.Time{}, false
	s.Until = env.Now.Add(env.scaled(AttemptDeadline))
	if s.Until.After(s.End) {
		s.Until = s.End
	}
	return s, []Effect{Dial{s.Attempt}}
}

func (s State) offline(c Cause, why string) (State, []Effect) {
	return State{Cause: c, Why: why, Attempt: s.Attempt, Max: s.Max, Episode: s.Episode, Short: s.Short}, []Effect{Abandon{}}
}
