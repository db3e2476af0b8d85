package session

import (
	"slices"
	"time"

	"holdfast/core/history"
	"holdfast/core/ledger"
	"holdfast/core/protocol"
	"holdfast/core/words"
)

// mostOver bounds the ended turns that are remembered of one conversation: the
// answer that names one may come after its end, and after those of others.
const mostOver = 64

// end notes that a turn is over, however that became known.
func (j *joinedThread) end(turn string) {
	if j.turn == turn {
		j.turn = ""
	}
	if turn != "" && !j.isOver(turn) {
		j.over = append(j.over, turn)
		j.over = slices.Clone(j.over[max(len(j.over)-mostOver, 0):])
	}
}

func (j *joinedThread) isOver(turn string) bool { return slices.Contains(j.over, turn) }

// start notes that the server said that a turn runs, unless it has said how that
// turn ended: the event is late, or comes twice.
func (j *joinedThread) start(turn string) {
	if t := j.window.View().Turns[turn]; slices.Contains(j.said, turn) || t.Status != "" && t.Status != protocol.InProgress {
		return
	}
	j.turn = turn
	j.over = slices.DeleteFunc(j.over, func(x string) bool { return x == turn })
}

// idle reports whether a status says that no turn runs. One that is not known
// says nothing.
func idle(s protocol.Status) bool {
	return s.Type == protocol.Idle || s.Type == protocol.NotLoaded
}

// learnTurn takes from a read that has just ended which turn runs. One that the
// read does not show as running, while the conversation itself is idle, is
// over, though nobody said how it ended: an event can be lost, and Send must
// not be refused for ever.
func (l *loop) learnTurn(j *joinedThread, v *view) {
	w := v.window.View()
	newest, had := w.Turns[w.Newest], j.turn
	t, known := w.Turns[had]
	switch {
	case newest.Status == protocol.InProgress && !j.isOver(newest.ID) && (newest.ID != v.idleTurn || v.window.Lists(newest.ID)):
		j.turn = newest.ID
	case had == "":
	case known && t.Status != "" && t.Status != protocol.InProgress, had == v.idleTurn && !v.window.Lists(had):
		j.end(had)
	}
	v.idleTurn = ""
	if had != j.turn && had != "" {
		l.steersNotTaken(j.id, had)
	}
}

// endGrace is how long the end of a turn may come after its conversation is idle.
const endGrace = 5 * time.Second

// awaitEnd reads the conversation anew when a turn has no end though the server
// says that nothing runs: the event was lost, and the window must not say for
// ever that it runs.
func (l *loop) awaitEnd(j *joinedThread, turn string) {
	l.after(l.cfg.scaled(endGrace), l.link, func(l *loop) {
		x, v := l.threads.byID[j.id], l.view
		if l.joined[j.id] == j && j.turn == turn && x != nil && idle(x.Status) && v != nil && v.thread == j.id && !v.busy() {
			l.refresh(nil)
		}
	})
}

// turnEnded is the only thing that says what happened to a turn, and to the
// interrupt that was sent for it (ruling 34).
func (l *loop) turnEnded(j *joinedThread, t protocol.Turn) {
	j.end(t.ID)
	if t.ID == j.review { // what was said to start with it ends with it
		j.review = ""
		j.end(j.turn)
	}
	j.said = append(j.said, t.ID)
	j.said = slices.Clone(j.said[max(len(j.said)-mostOver, 0):])
	if l.shown() != j.id {
		l.threads.didEnd(j.id)
	}
	l.steersNotTaken(j.id, t.ID)
	if t.Status == protocol.Interrupted {
		r, found := l.ledger.Find(func(r *ledger.Record) bool {
			return r.Kind == protocol.TurnInterrupt.Method && r.Thread == j.id && r.Turn == t.ID &&
				(r.State == ledger.InFlight || r.State == ledger.OutcomeUnknown)
		})
		if found {
			l.note(l.ledger.Resolve(r.ID, ledger.Outcome{Event: ledger.ItemObserved, Proof: ledger.ProofEnded}))
		}
	}
}

// steered takes the answer to a steer: if the turn has ended by then, nothing
// more of it follows.
func (l *loop) steered(thread, turn string) {
	if j := l.joined[thread]; j != nil && j.isOver(turn) {
		l.steersNotTaken(thread, turn)
	}
}

// steersNotTaken marks steers that were answered with success and that the
// model never took: the server drops them without a trace (ruling 2).
func (l *loop) steersNotTaken(thread, turn string) {
	for _, r := range l.ledger.Records() {
		if r.Kind == protocol.TurnSteer.Method && r.Thread == thread && r.Turn == turn {
			l.ledger.Missing(r.ID, ledger.ProofNotTaken)
		}
	}
}

// began notes the turn an answer named. One that was known already means that
// the message went to it as a steer (ruling 2).
func (l *loop) began(s *submission, turn string) {
	j := l.joined[s.thread]
	if j == nil {
		return
	}
	if j.turn == turn && s.turn == turn {
		l.notices.say("steered", words.T("The message was added to the turn that was running."))
	}
	if !j.isOver(turn) {
		j.turn = turn
	}
	if a := s.choices.Access; a != AccessUnknown {
		j.access = a
	}
	if s.choices.Model != "" {
		j.model = s.choices.Model
	}
	if s.choices.Effort != "" {
		j.effort = s.choices.Effort
	}
}

// stop interrupts the running turn, once (ruling 13).
func (l *loop) stop(done func(Result)) {
	j := l.joined[l.view.thread]
	if j == nil || j.turn == "" {
		l.finish(done, refuse("no-turn", words.T("No turn is running.")))
		return
	}
	if j.stopped == j.turn {
		l.finish(done, refuse("stopping", words.T("Stop was sent already. Nothing was sent again.")))
		return
	}
	j.stopped = j.turn
	op := mutate(l, protocol.TurnInterrupt, protocol.TurnInterruptParams{ThreadID: j.id, TurnID: j.turn},
		sending[protocol.Empty]{
			entry: ledger.Entry{Thread: j.id, Turn: j.turn}, at: l.link.stamp(),
		})
	l.wait(waiter{done: done, op: op, connBound: true})
}

// turnOf gives the newest turn as it is shown. Of one that the read only proved
// to be over nobody said how it ended.
func (l *loop) turnOf(w *history.View, j *joinedThread) history.TurnInfo {
	t := w.Turns[w.Newest]
	if j != nil && t.Status == protocol.InProgress && j.isOver(t.ID) {
		t.Status = ""
	}
	return t
}
