package recovery

import "time"

// AttemptDeadline bounds one attempt: transport, handshake, initialize and the
// first account read (REC-11).
const AttemptDeadline = 45 * time.Second

// A Phase is what the connection is doing.
type Phase uint8

// The phases.
const (
	Offline    Phase = iota // nothing runs; Cause says what ended it
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
	Phase   Phase
	Cause   Cause
	Attempt int       // 1-based; 0 before the first
	Until   time.Time // deadline of the running attempt
	Why     string    // for people; holds no secret
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
	Now time.Time
	// Scale divides the deadline; 1 in earnest.
	Scale int
}

// Wake is when Step wants a Tick, or zero.
func (s State) Wake() time.Time {
	if s.Phase != Connecting {
		return time.Time{}
	}
	return s.Until
}

// Connected reports whether requests may leave.
func (s State) Connected() bool { return s.Phase == Listing || s.Phase == Online }

// Step is the machine. An event that has no meaning in a state changes nothing.
func Step(s State, ev Event, env Env) (State, []Effect) {
	switch ev := ev.(type) {
	case Connect:
		if s.Phase == Connecting {
			return s, nil // single flight
		}
		d := AttemptDeadline / time.Duration(max(env.Scale, 1))
		return State{Phase: Connecting, Attempt: 1, Until: env.Now.Add(d)}, []Effect{Dial{1}}
	case Up:
		if s.Phase == Connecting {
			return State{Phase: Listing}, []Effect{ListThreads{}}
		}
	case Listed:
		if s.Phase == Listing {
			return State{Phase: Online}, nil
		}
	case Fail:
		if s.Phase == Connecting {
			return s.offline(ev.Cause, ev.Why)
		}
	case Lost:
		if s.Connected() { // else a late signal, which retires nothing (REC-8)
			return s.offline(ev.Cause, ev.Why)
		}
	case Cancel:
		if s.Phase == Connecting || s.Phase == Listing {
			return s.offline(CauseCancelled, "the attempt was cancelled")
		}
	case TargetChanged:
		return s.offline(CauseTarget, ev.Why)
	case Tick:
		if s.Phase == Connecting && !env.Now.Before(s.Until) {
			return s.offline(CauseTemporary, "no answer within the time for one attempt")
		}
	}
	return s, nil
}

func (s State) offline(c Cause, why string) (State, []Effect) {
	return State{Cause: c, Why: why, Attempt: s.Attempt}, []Effect{Abandon{}}
}
