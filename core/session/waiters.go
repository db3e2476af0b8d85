package session

import (
	"holdfast/core/ledger"
	"holdfast/core/words"
)

// A waiter is a surface that wants to know how its intent ended.
type waiter struct {
	done func(Result)
	// op names the operation it waits for: until its record is no longer
	// InFlight. "" when it waits for settled only.
	op string
	// confirmed runs once when op was confirmed, and gives a further condition
	// to wait for; nil means that nothing more is waited for.
	confirmed func() condition
	// settled says whether the wait is over, and how. nil until known.
	settled condition
	// reading is a message whose images are being read.
	reading *submission
	// viewBound waiters fail when the view is replaced, connBound ones when
	// the connection is.
	viewBound, connBound bool
}

// A condition is asked after each turn of the loop.
type condition func() (over bool, r Result)

func (l *loop) wait(w waiter) { l.waiters = append(l.waiters, w) }

// finish answers an intent that is over: after the next snapshot.
func (l *loop) finish(done func(Result), r Result) {
	if done != nil {
		l.pub.done = append(l.pub.done, finished{done, r})
	}
}

func ok() Result { return Result{OK: true} }

func refuse(code, text string) Result { return Result{Code: code, Error: text} }

// finishWaiters answers those whose condition holds now.
func (l *loop) finishWaiters() {
	keep := l.waiters[:0]
	for _, w := range l.waiters {
		over, r := l.check(&w)
		if over {
			l.finish(w.done, r)
			continue
		}
		keep = append(keep, w)
	}
	clear(l.waiters[len(keep):])
	l.waiters = keep
}

func (l *loop) check(w *waiter) (bool, Result) {
	if w.op != "" {
		rec, found := l.ledger.Get(w.op)
		if !found {
			return true, ok()
		}
		switch rec.State {
		case ledger.InFlight:
			return false, Result{}
		case ledger.Confirmed:
			w.op = ""
			if w.confirmed == nil {
				return true, ok()
			}
			if rec.Proof == ledger.ProofUnreadable {
				return true, refuse("unreadable", words.T("The server's answer could not be read. It may have been done."))
			}
			w.settled = w.confirmed()
		case ledger.NotSent:
			return true, refuse("not-sent", words.T("Nothing was sent: %s.", or(rec.Detail, words.T("there is no connection"))))
		case ledger.Rejected:
			return true, refuse("rejected", rejectedText(rec))
		case ledger.OutcomeUnknown:
			return true, refuse("outcome-unknown", words.T("No answer came. It may have been done."))
		}
	}
	if w.settled == nil {
		return true, ok()
	}
	return w.settled()
}

func rejectedText(r *ledger.Record) string {
	switch {
	case r.Proof == ledger.ProofOverloaded:
		return words.T("The server is overloaded and did not do it.")
	case r.Detail != "":
		return words.T("The server refused: %s", r.Detail)
	}
	return words.T("The server refused.")
}

// failWaiters ends those that match.
func (l *loop) failWaiters(match func(waiter) bool, r Result) {
	keep := l.waiters[:0]
	for _, w := range l.waiters {
		if match(w) {
			l.finish(w.done, r)
			continue
		}
		keep = append(keep, w)
	}
	clear(l.waiters[len(keep):])
	l.waiters = keep
}
