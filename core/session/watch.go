package session

import (
	"context"
	"errors"
	"time"

	"holdfast/core/protocol"
	"holdfast/core/recovery"
	"holdfast/core/rpc"
	"holdfast/core/transport"
	"holdfast/core/words"
)

// How the loop watches a connection that says nothing.
const (
	watchEvery = 5 * time.Second
	// sleptFor is a jump between wall and monotonic clock that means the
	// machine slept: then the link is probed at once (ruling 17).
	sleptFor = 60 * time.Second
	// probeLimit is how long a probe may take.
	probeLimit = 10 * time.Second
	// quietLimit is how long after a request's deadline a local server may say
	// nothing before "Codex is not answering" (ruling 16).
	quietLimit = 40 * time.Second
)

// A watch is what the loop remembers between two looks at a connection.
type watch struct {
	wall, mono time.Time
	heard      time.Time // the newest frame
	overdue    time.Time // the newest request whose deadline passed unanswered
	probing    bool
}

// watchNext arms the next look. It ends with its connection.
func (l *loop) watchNext() {
	l.watch.wall, l.watch.mono = l.cfg.wall(), time.Now()
	l.after(l.cfg.scaled(watchEvery), l.link, func(l *loop) { l.look() })
}

// look notices a sleep of the machine and a target that is no longer there.
func (l *loop) look() {
	if !l.rec.Connected() {
		return
	}
	slept := l.cfg.wall().Sub(l.watch.wall) - time.Since(l.watch.mono)
	if slept > l.cfg.scaled(sleptFor) {
		l.probe()
	}
	if l.cfg.CheckTarget != nil && l.changed == "" && l.checking.CompareAndSwap(false, true) {
		at, t, check := l.link.stamp(), l.target, l.cfg.CheckTarget
		go func() { // not waited for: a file may never answer
			found := check(t)
			l.checking.Store(false)
			l.post(at, func(l *loop) { l.targetIs(found) })
		}()
	}
	l.watchNext()
}

// targetIs takes in what a look at the target found. What the user accepted
// lasts, and is not asked about again until it was gone in between.
func (l *loop) targetIs(found Change) {
	if found.Why != "" && found != l.accepted {
		l.targetChanged(found.Why)
	}
	l.seenChange = found
	if found.Why == "" {
		l.accepted = Change{}
	}
}

// targetChanged says so and asks for a decision. A connection goes on, and no
// episode follows its loss; attempts end at once (REC-9).
func (l *loop) targetChanged(why string) {
	l.confirmed = false
	l.dirty()
	if l.rec.Recovering() {
		l.step(recovery.TargetChanged{Why: why})
		return
	}
	l.changed = sentence(why)
}

// probe asks something small with a short limit. No answer is a loss.
func (l *loop) probe() {
	if l.watch.probing || l.link.rpc == nil {
		return
	}
	l.watch.probing = true
	ctx, cancel := context.WithTimeout(l.ctx, l.cfg.scaled(probeLimit))
	at := l.link.stamp()
	rpc.Ask(ctx, l.link.rpc, protocol.AccountRead, protocol.AccountReadParams{}, func(_ protocol.AccountReadResult, err error) {
		cancel()
		l.post(at, func(l *loop) {
			l.watch.probing = false
			if errors.Is(err, rpc.ErrNoAnswer) || errors.Is(err, rpc.ErrNotBegun) {
				l.lost(&transport.Error{Kind: transport.Unresponsive, Text: words.T("the server did not answer after the machine woke")})
			}
		})
	})
}

// heard notes that the server said something.
func (l *loop) heard() { l.watch.heard = time.Now() }

// overdue notes that a request's deadline passed unanswered. On a WebSocket the
// heartbeat decides; over stdio nothing else would (ruling 16).
func (l *loop) overdue() {
	l.watch.overdue = time.Now()
	l.after(l.cfg.scaled(quietLimit), l.link, func(*loop) {}) // to look again then
}

// silent reports whether a local server owes an answer and has said nothing
// for long. It is never restarted by itself.
func (l *loop) silent() bool {
	w := l.watch
	return l.rec.Connected() && l.link != nil && l.link.kind == transport.Stdio && !w.overdue.IsZero() &&
		w.overdue.After(w.heard) && time.Since(w.overdue) >= l.cfg.scaled(quietLimit)
}
