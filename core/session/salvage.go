package session

import (
	"errors"
	"runtime/debug"

	"holdfast/core/words"
)

// ErrBroken reports that the loop hit a defect of ours and has ended.
var ErrBroken = errors.New("session: internal error")

// guarded runs a piece of the loop. A panic ends the loop, in order, and never
// the process: what was typed can still be copied.
func (l *loop) guarded(run func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			// The value may hold text of a conversation: only its place is logged.
			l.cfg.Log.Error("the loop panicked", "stack", string(debug.Stack()))
			err = ErrBroken
		}
	}()
	run()
	return nil
}

// salvage publishes a last snapshot: every text that was typed, as drafts to
// be copied, and nothing that could be done.
func (l *loop) salvage() {
	if l.link != nil {
		l.link.cancel()
	}
	done := l.waiters
	l.waiters = nil
	_ = l.guarded(l.freeze)
	last := Snapshot{}
	if l.pub.last != nil {
		last = *l.pub.last
	}
	last.Seq++
	last.Status = &Status{
		State: ManualReconnect, Code: "internal-error", Actions: []Action{ActDiscard},
		Text: words.T("Holdfast hit an internal error and has stopped. Copy your drafts, then close the window and start again."),
	}
	last.Drafts, last.Unsent = l.draftsSection(), &Unsent{}
	l.pub.last = &last
	l.pub.publish(&last)
	for _, w := range done {
		w.done(Result{Code: "internal-error", Error: last.Status.Text, Seq: last.Seq})
	}
	l.pub.flushDone()
	l.wg.Wait()
}
