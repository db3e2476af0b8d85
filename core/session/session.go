package session

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"holdfast/core/stamp"
	"holdfast/core/words"
)

// A Session is one chat surface. Its methods are safe for concurrent use.
type Session struct {
	cfg   Config
	box   *mailbox
	lane  lane
	ended chan struct{}
}

// ErrEnded reports that the session's loop has returned.
var ErrEnded = errors.New("session: ended")

// New returns a session that does nothing until Run.
func New(cfg Config) *Session {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Session{cfg: cfg, box: newMailbox(), lane: newLane(), ended: make(chan struct{})}
}

// Do hands an intent to the loop. at is the stamp of the snapshot it was made
// from; the zero stamp means whatever is current. It never waits. done may be
// nil; it is called once, on the loop after the snapshot that shows the
// effect, or at once when the loop cannot take the intent.
func (s *Session) Do(at stamp.Stamp, in Intent, done func(Result)) {
	if done == nil {
		done = func(Result) {}
	}
	select {
	case <-s.ended:
		done(Result{Code: "ended", Error: words.T("Holdfast is closing.")})
		return
	default:
	}
	if !s.lane.put(request{at: at, in: in, done: done}) {
		done(Result{Code: "busy", Error: words.T("Too many commands are waiting. Nothing was done.")})
	}
}

// Run owns the loop until ctx ends; it returns when every child of ours and
// every effect has ended too.
func (s *Session) Run(ctx context.Context) error {
	defer close(s.ended)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := newLoop(ctx, s)
	if err := l.guarded(l.start); err != nil {
		return err
	}
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var err error
	for ctx.Err() == nil && err == nil {
		err = l.guarded(func() {
			l.turnOver()
			timer.Reset(l.untilWake())
			select {
			case <-ctx.Done():
			case <-s.box.wake:
				for _, d := range s.box.take() {
					l.receive(d)
				}
			case r := <-s.lane.ch:
				l.intend(r)
			case <-timer.C:
				l.tick()
			}
		})
	}
	cancel()
	s.box.end()
	if err == nil {
		err = l.guarded(l.shut)
	}
	if err != nil {
		l.salvage()
	}
	s.drainIntents()
	return err
}

// drainIntents answers what came in too late.
func (s *Session) drainIntents() {
	for {
		select {
		case r := <-s.lane.ch:
			r.done(Result{Code: "ended", Error: words.T("Holdfast is closing.")})
		default:
			return
		}
	}
}
