package session

import (
	"slices"

	"holdfast/core/history"
	"holdfast/core/ledger"
	"holdfast/core/protocol"
)

// newestTurn is the newest turn that is known of the selected conversation: what
// is sent now comes after it.
func (l *loop) newestTurn() string {
	if l.view == nil || l.view.window == nil {
		return ""
	}
	return l.view.window.View().Newest
}

// turnBefore is the turn before one of the selected conversation.
func (l *loop) turnBefore(turn string) string {
	if l.view == nil || l.view.window == nil {
		return ""
	}
	return l.view.window.Before(turn)
}

// traceMessages looks for messages that were accepted over an earlier connection
// and never seen, each time something of the history was read. One that is
// missing where it would have to be left no trace (ruling 2). That is no proof
// of anything else, and of an uncertain one it says nothing (LED-4).
func (l *loop) traceMessages() {
	v := l.view
	if v == nil || !v.read || v.window == nil || v.waiting || v.busy() || v.window.Paging() {
		return
	}
	v.read = false
	if v.broken != "" || !v.quiet || !idle(v.info.Status) || !l.rec.Connected() || l.turnRuns(v) {
		return // an item may be listed only when its turn has ended
	}
	for _, r := range l.ledger.Records() {
		if r.Thread != v.thread || r.ClientID == "" || r.Seen || r.State != ledger.Confirmed || slices.Contains(l.link.was, r.At) {
			continue
		}
		if v.window.Reaches(r.After) {
			l.missing(v, r)
		}
	}
}

// turnRuns reports whether a turn of the view runs, as far as anybody says.
func (l *loop) turnRuns(v *view) bool {
	j := l.joined[v.thread]
	if j != nil && j.turn != "" {
		return true
	}
	for id, t := range v.window.View().Turns {
		if t.Status == protocol.InProgress && (j == nil || !j.isOver(id)) {
			return true
		}
	}
	return false
}

// missing says of a message what its absence from the rows around it means.
func (l *loop) missing(v *view, r *ledger.Record) {
	t, listed := v.window.View().Turns[r.Turn]
	switch {
	case r.Kind == protocol.QueueAdd.Method && l.mayWait(r):
	case r.Kind == protocol.TurnSteer.Method && t.Summary: // which leaves steers out
	case r.Kind == protocol.TurnSteer.Method && listed && ended(t):
		l.ledger.Missing(r.ID, ledger.ProofNotTaken)
		l.dirty()
	default:
		l.ledger.Missing(r.ID, ledger.ProofNoTrace)
		l.dirty()
	}
}

func ended(t history.TurnInfo) bool { return t.Status != "" && t.Status != protocol.InProgress }

// mayWait reports whether a queued message may still be in the queue.
func (l *loop) mayWait(r *ledger.Record) bool {
	return l.queue == nil || !l.queue.whole ||
		slices.ContainsFunc(l.queue.Entries, func(e QueueEntry) bool { return e.client == r.ClientID })
}

// goneAs is how a message that was accepted is missing.
func goneAs(r *ledger.Record) Gone {
	switch {
	case r.State != ledger.Confirmed || r.Seen:
		return NotGone
	case r.Proof == ledger.ProofNoTrace:
		return NoTrace
	case r.Proof == ledger.ProofNotTaken:
		return NotTaken
	}
	return NotGone
}
