package session

import (
	"slices"

	"holdfast/core/ledger"
	"holdfast/core/recovery"
	"holdfast/core/stamp"
)

// A giveBack is content that returns to its composer if its operation turns
// out not to have been done.
type giveBack struct {
	op, thread, title string
	owner             stamp.Stamp // whose text it is
	content           recovery.Content
}

// mayReturn keeps content for as long as its operation may turn out not to have
// been done.
func (l *loop) mayReturn(op, thread string, content recovery.Content) {
	l.backs = append(l.backs, giveBack{
		op: op, thread: thread, title: l.titleOf(thread), owner: l.fence.Current().OwnerOnly(), content: content,
	})
}

// returnContents gives back what was not sent or was refused.
func (l *loop) returnContents() {
	l.backs = slices.DeleteFunc(l.backs, func(g giveBack) bool {
		r, found := l.ledger.Get(g.op)
		if !found {
			return true
		}
		switch r.State {
		case ledger.InFlight, ledger.OutcomeUnknown:
			return false // a late refusal can still come
		case ledger.NotSent, ledger.Rejected:
			l.giveBack(g, r)
			l.dirty()
		case ledger.Confirmed:
		}
		return true
	})
}

// giveBack puts content in front of what was typed since. The composer it came
// from is frozen once its owner or its connection is gone, and what comes back
// then is a recovery draft too: nothing of one owner gets into a composer of
// another by itself (DRF-4, REC-15).
func (l *loop) giveBack(g giveBack, r *ledger.Record) {
	if !l.rec.Connected() || g.owner != l.fence.Current().OwnerOnly() {
		l.drafts.Freeze(recovery.Draft{Thread: g.thread, Title: g.title, At: l.now(), Owner: g.owner, Content: g.content})
		return
	}
	l.board.back(g.thread, g.content)
	if r.State == ledger.Rejected {
		l.board.problem(g.thread, rejectedText(r))
	}
}
