package session

import (
	"context"
	"errors"
	"time"

	"holdfast/core/ledger"
	"holdfast/core/protocol"
	"holdfast/core/rpc"
	"holdfast/core/stamp"
	"holdfast/core/words"
)

// errOffline is what a read gets when there is no connection.
var errOffline = errors.New("session: not connected")

// ask sends an allowlisted read; got runs on the loop if at is still current.
func ask[P, R any](l *loop, at stamp.Stamp, q protocol.Query[P, R], p P, got func(*loop, R, error)) {
	if l.link == nil || l.link.rpc == nil {
		var none R
		l.post(at, func(l *loop) { got(l, none, errOffline) })
		return
	}
	ctx, cancel := l.deadline(q.Method)
	rpc.Ask(ctx, l.link.rpc, q, p, func(r R, err error) {
		cancel()
		err = l.secrets.veil(err)
		// It is never made to wait, and what follows it is.
		l.s.box.put(delivery{
			event: stamp.At(at, event(func(l *loop) { l.answered(err); got(l, r, err) })), size: protocol.Size(r),
		}, false)
	})
}

// answered notes what a request's end says of the server's health.
func (l *loop) answered(err error) {
	if errors.Is(err, rpc.ErrNoAnswer) && errors.Is(err, context.DeadlineExceeded) {
		l.overdue()
	} else if code, _ := refusal(err); err == nil || code != 0 {
		l.heard()
	}
}

// linkEnded reports whether a request ended because its link did, and not for
// a reason of its own.
func linkEnded(err error) bool {
	return (errors.Is(err, rpc.ErrNotBegun) || errors.Is(err, rpc.ErrNoAnswer)) &&
		!errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, rpc.ErrBusy)
}

// look sends a read that is asked once.
func look[P, R any](l *loop, at stamp.Stamp, q protocol.Call[P, R], p P, got func(*loop, R, error)) {
	if l.link == nil || l.link.rpc == nil {
		var none R
		l.post(at, func(l *loop) { got(l, none, errOffline) })
		return
	}
	ctx, cancel := l.deadline(q.Method)
	rpc.Look(ctx, l.link.rpc, q, p, func(r R, err error) {
		cancel()
		err = l.secrets.veil(err)
		l.post(at, func(l *loop) { got(l, r, err) })
	})
}

// A sending is one mutation on its way.
type sending[R any] struct {
	entry ledger.Entry
	at    stamp.Stamp // what its effects depend on
	turn  func(R) string
	// got runs on the loop, if at is current: on success only.
	got func(*loop, R)
	// failed runs on the loop, if at is current, after the record changed.
	failed func(*loop, error)
}

// mutate records an operation, marks it InFlight, and only then lets it near
// the connection (LED-2). It is sent once. It returns the operation's ID.
func mutate[P, R any](l *loop, m protocol.Mutation[P, R], p P, s sending[R]) string {
	s.entry.Kind, s.entry.Made = m.Method, time.Now()
	id := l.ledger.Begin(s.entry)
	if l.link == nil || l.link.rpc == nil {
		return id // NotSent: dispatch has not begun (LED-6)
	}
	l.note(l.ledger.Dispatch(id, l.link.stamp()))
	ctx, cancel := l.deadline(m.Method)
	deliver := func(r R, err error) {
		err = l.secrets.veil(err)
		o := outcomeOf(m.Method, err)
		if err == nil && s.turn != nil {
			o.Turn = s.turn(r)
		}
		l.s.box.put(delivery{
			proof: &proof{op: id, outcome: o},
			event: stamp.At(s.at, event(func(l *loop) {
				l.answered(err)
				if err == nil && s.got != nil {
					s.got(l, r)
				}
				if err != nil && s.failed != nil {
					s.failed(l, err)
				}
			})),
		}, false)
	}
	rpc.SendTracked(ctx, l.link.rpc, m, p, rpc.Outcome[R]{
		Done: func(r R, err error) {
			cancel()
			deliver(r, err)
		},
		Late: func(_ R, err error) { // resolves its record and nothing else
			l.s.box.put(delivery{proof: &proof{op: id, outcome: outcomeOf(m.Method, l.secrets.veil(err))}}, false)
		},
	})
	return id
}

// outcomeOf says what the end of a call proves.
func outcomeOf(method string, err error) ledger.Outcome {
	var refused *rpc.ServerError
	switch {
	case err == nil:
		return ledger.Outcome{Event: ledger.Accepted, Proof: ledger.ProofAnswer}
	case errors.Is(err, rpc.ErrUnreadable): // ruling 35
		return ledger.Outcome{Event: ledger.Accepted, Proof: ledger.ProofUnreadable}
	case errors.Is(err, rpc.ErrNotBegun):
		return ledger.Outcome{Event: ledger.NotBegun, Proof: ledger.ProofNotBegun, Detail: whyNotBegun(err)}
	case errors.As(err, &refused) && refused.Code == overloadCode:
		// "Rejected … only for the exact overload text …, and not for
		// thread/resume" (ruling 3).
		if rpc.IsOverload(err) && method != protocol.ThreadResume.Method {
			return ledger.Outcome{Event: ledger.Refused, Proof: ledger.ProofOverloaded}
		}
		return ledger.Outcome{Event: ledger.Lost}
	case refused != nil:
		return ledger.Outcome{Event: ledger.Refused, Proof: ledger.ProofRefused, Detail: wordsOf(err, refused)}
	}
	return ledger.Outcome{Event: ledger.Lost}
}

const overloadCode = -32001

// prove hands a proof to the ledger, and what follows from it alone.
func (l *loop) prove(p proof) {
	l.note(l.ledger.Resolve(p.op, p.outcome))
	l.unanswered(p.op)
	l.dirty()
}

// note logs what should not happen; the safe result stands.
func (l *loop) note(err error) {
	if err != nil {
		l.cfg.Log.Error("unexpected", "error", err)
	}
}

// textOf says for people why a request failed; it never quotes raw errors.
func textOf(err error) string {
	var refused *rpc.ServerError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refused):
		if rpc.IsOverload(err) {
			return words.T("The server is overloaded.")
		}
		return words.T("The server refused: %s", wordsOf(err, refused))
	case errors.Is(err, errOffline):
		return words.T("Nothing was sent: there is no connection.")
	case errors.Is(err, rpc.ErrNotBegun):
		return words.T("Nothing was sent: %s.", whyNotBegun(err))
	case errors.Is(err, rpc.ErrUnreadable):
		return words.T("The server's answer could not be read.")
	case errors.Is(err, context.DeadlineExceeded):
		return words.T("No answer came in time.")
	}
	return words.T("No answer came.")
}

// whyNotBegun says what kept a request from being handed to the transport.
func whyNotBegun(err error) string {
	switch {
	case errors.Is(err, rpc.ErrBusy):
		return words.T("too many requests are waiting for the server")
	case errors.Is(err, context.DeadlineExceeded):
		return words.T("it waited too long behind others that the server did not answer")
	}
	return words.T("the connection ended before")
}

// refusal gives the code and message of a refusal, or zero.
func refusal(err error) (int64, string) {
	var e *rpc.ServerError
	if errors.As(err, &e) {
		return e.Code, e.Message
	}
	return 0, ""
}
