package session

import (
	"slices"
	"time"

	"holdfast/core/history"
	"holdfast/core/ledger"
	"holdfast/core/protocol"
	"holdfast/core/words"
)

// maxJoined is how many conversations stay joined (DRIVE.md).
const maxJoined = 8

// maxOffScreen is how much text is kept of what is in flight in all the
// conversations that are joined and not shown.
const maxOffScreen = 16 << 20

// A joinedThread is a conversation this connection is subscribed to, on screen
// or not.
type joinedThread struct {
	id, mode string
	used     time.Time
	lost     bool // its connection ended
	turn     string
	stopped  string   // the turn Stop was sent for
	over     []string // turns that ended, newest last
	said     []string // those of them whose end the server said
	cut      bool     // turns were cut off since it was joined
	// window is what is loaded of it; off screen it is parked.
	window *history.Window

	access   Access
	approval string
	model    string
	effort   string
	tier     string
	tokens   *Tokens
	// diff is what the newest turn that told it changed. cutting says that a
	// revert of ours is on its way or has just been answered.
	diff    *TurnDiff
	cutting cutting
	// review is the turn that the answer to a review named, until it ends.
	review string
}

func (j *joinedThread) describe(s *Thread) {
	s.Access, s.Approval, s.Tier, s.Tokens, s.Diff = j.access, j.approval, j.tier, j.tokens, j.diff
	s.Stopping = j.turn != "" && j.stopped == j.turn
	if j.model != "" {
		s.Model = j.model
	}
	if j.effort != "" {
		s.Effort = j.effort
	}
}

// join subscribes to the selected conversation: begin buffering, resume,
// re-read from the answer's cursors, merge, drain, live (ruling 4). The resume
// is sent once (JON-1).
func (l *loop) join(done func(Result)) {
	v := l.view
	if why := l.noRoom(v.thread); why != nil {
		l.finish(done, *why)
		return
	}
	v.joining, v.waiting, v.problem, v.fix = true, true, "", ""
	v.window.Hold()
	at := l.fence.Current()
	op := mutate(l, protocol.ThreadResume, protocol.ThreadResumeParams{ThreadID: v.thread}, sending[protocol.ThreadResumeResult]{
		entry: ledger.Entry{Thread: v.thread}, at: at,
		got: func(l *loop, r protocol.ThreadResumeResult) {
			v.joining = false
			if r.Thread.ID != v.thread {
				v.trouble(otherThread.String())
				v.window.Release()
				return
			}
			v.info, v.known, v.quiet = r.Thread, true, idle(r.Thread.Status)
			if v.otherMode(r.Thread.HistoryMode) {
				v.window = history.New(v.thread, r.Thread.HistoryMode, history.DefaultLimits())
			}
			j := joinedFrom(r.Opened)
			j.window = v.window
			l.keepJoined(j)
			l.fetch(v.window.Rejoin(r.ItemsBackwardsCursor, r.TurnsBackwardsCursor))
			l.readQueue()
		},
		failed: func(_ *loop, err error) {
			// The reading, its cursors and the draft stay (JON-2).
			v.joining, v.waiting = false, false
			v.problem, v.fix = joinProblem(err)
			v.window.Release()
		},
	})
	l.unsent(op, func() { v.joining, v.waiting = false, false; v.window.Release() })
	l.wait(waiter{done: done, op: op, viewBound: true, confirmed: func() condition { return l.viewSettled(v) }})
}

// unsent undoes what was prepared for an operation that never began.
func (l *loop) unsent(op string, undo func()) {
	if r, found := l.ledger.Get(op); found && r.State == ledger.NotSent {
		undo()
	}
}

const archivedText words.Key = "This conversation is archived. Unarchive it to join."

// joinProblem says why a join failed, and which other action helps, if one does.
func joinProblem(err error) (string, Action) {
	const m = "thread/resume"
	code, msg := refusal(err)
	switch {
	case outcomeOf(m, err).Event == ledger.Lost: // no answer that proves anything (ruling 3)
		return sentence(textOf(err)) + words.T(" It may have joined; joining again does no harm."), ""
	case protocol.IsActiveWriter(m, code, msg):
		return words.T("In use by another server process. Reading works, joining does not."), ""
	case protocol.IsArchived(m, code, msg):
		return archivedText.String(), ActUnarchive
	case protocol.IsNoRollout(m, code, msg):
		return words.T("The server has no record of this conversation. Start a new one; your text is kept."), ActNew
	}
	return words.T("Joining failed. %s", textOf(err)), ""
}

func joinedFrom(o protocol.Opened) *joinedThread {
	return &joinedThread{
		id: o.Thread.ID, mode: o.Thread.HistoryMode, used: time.Now(),
		access: Access(o.Sandbox.Access()), approval: string(o.ApprovalPolicy),
		model: o.Model, effort: o.ReasoningEffort, tier: o.ServiceTier,
	}
}

// keepJoined adds a conversation; beyond eight, the oldest idle one without a
// request is left.
func (l *loop) keepJoined(j *joinedThread) {
	if old := l.joined[j.id]; old != nil && !old.lost {
		j.turn, j.stopped, j.over, j.tokens = old.turn, old.stopped, old.over, old.tokens
	}
	l.joined[j.id] = j
	l.joinedRev++
	l.trimJoined(j.id)
}

// trimJoined leaves what is too much. If all were busy by the time one more was
// joined, that is when one of them ends.
func (l *loop) trimJoined(except string) {
	for len(l.joined) > maxJoined && l.rec.Connected() {
		oldest := l.oldestIdle(except, l.shown())
		if oldest == nil {
			return
		}
		l.leave(oldest)
	}
}

// offScreen takes what a conversation that is not shown has to say, and keeps
// what is in flight in all of those within its bound: the one that was looked at
// the longest ago is given up, one without a request first. It is read anew when
// it is shown.
func (l *loop) offScreen(j *joinedThread) {
	for _, id := range j.window.TakeClientIDs() {
		l.ledger.SawClientID(j.id, id)
	}
	j.window.TakeNotices() // of paging, which ended when it left the screen
	var held int64
	var all []*joinedThread
	for _, x := range l.joined {
		if x.id != l.shown() && x.window.Held() > 0 {
			held += x.window.Held()
			all = append(all, x)
		}
	}
	if held <= maxOffScreen {
		return
	}
	slices.SortFunc(all, func(a, b *joinedThread) int {
		if asks := l.requests.asks(a.id); asks != l.requests.asks(b.id) {
			if asks {
				return 1
			}
			return -1
		}
		return a.used.Compare(b.used)
	})
	for _, x := range all {
		held -= x.window.Held()
		x.window.GiveUp()
		if held <= maxOffScreen {
			return
		}
	}
}

// noRoom refuses one more conversation while eight are joined and none of them
// can be left. shown is the one that stays on screen, "" if another takes its
// place.
func (l *loop) noRoom(shown string) *Result {
	if len(l.joined) < maxJoined || l.joined[shown] != nil || l.oldestIdle(shown, shown) != nil {
		return nil
	}
	x := refuse("joined-full", words.T("Eight conversations are joined and all of them are busy. Wait until a turn ends or stop one, then try again. Nothing was sent."))
	return &x
}

func (l *loop) oldestIdle(except, shown string) *joinedThread {
	var all []*joinedThread
	for _, j := range l.joined {
		if j.id != except && j.id != shown && j.turn == "" && !l.requests.asks(j.id) {
			all = append(all, j)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return slices.MinFunc(all, func(a, b *joinedThread) int { return a.used.Compare(b.used) })
}

func (l *loop) leave(j *joinedThread) {
	delete(l.joined, j.id)
	l.joinedRev++
	mutate(l, protocol.ThreadUnsubscribe, protocol.ThreadUnsubscribeParams{ThreadID: j.id},
		sending[protocol.ThreadUnsubscribeResult]{entry: ledger.Entry{Thread: j.id}, at: l.link.stamp()})
}

// unjoin forgets a subscription that the server ended.
func (l *loop) unjoin(id string) {
	delete(l.joined, id)
	l.joinedRev++
	if l.view != nil && l.view.thread == id && l.view.window != nil {
		l.view.window.SetLive(false)
	}
}

// startThread starts a conversation; it is then selected and joined.
func (l *loop) startThread(in NewThread, done func(Result)) {
	if why := l.noRoom(""); why != nil {
		l.finish(done, *why)
		return
	}
	p := protocol.ThreadStartParams{Cwd: or(in.Cwd, l.target.Cwd), Model: in.Model}
	if g, chosen := protocol.GrantFor(string(in.Access)); chosen {
		p.Sandbox, p.ApprovalPolicy = g.Mode, g.Approval
	}
	at := l.fence.Current()
	var v *view
	op := mutate(l, protocol.ThreadStart, p, sending[protocol.ThreadStartResult]{
		at: at.ConnOnly(),
		got: func(l *loop, r protocol.ThreadStartResult) {
			v = l.enter(r.Thread, joinedFrom(r.Opened), true)
		},
	})
	l.waitEntered(op, &v, done)
}

// fork copies a conversation; the copy is then selected and joined.
func (l *loop) fork(in Fork, done func(Result)) {
	if why := l.noRoom(""); why != nil {
		l.finish(done, *why)
		return
	}
	p := protocol.ThreadForkParams{ThreadID: in.Thread, LastTurnID: in.Turn}
	var v *view
	op := mutate(l, protocol.ThreadFork, p, sending[protocol.ThreadForkResult]{
		entry: ledger.Entry{Thread: in.Thread}, at: l.link.stamp(),
		got: func(l *loop, r protocol.ThreadForkResult) {
			v = l.enter(r.Thread, joinedFrom(r.Opened), false)
		},
	})
	l.waitEntered(op, &v, done)
}

func (l *loop) waitEntered(op string, v **view, done func(Result)) {
	l.wait(waiter{done: done, op: op, connBound: true, confirmed: func() condition {
		return func() (bool, Result) {
			if *v == nil {
				return true, refuse("replaced", words.T("It was done, but the connection changed meanwhile."))
			}
			if l.view != *v {
				return true, ok() // the user went on to another one
			}
			return l.viewSettled(*v)()
		}
	}})
}

// enter selects a conversation this connection has just been subscribed to.
func (l *loop) enter(x protocol.Thread, j *joinedThread, empty bool) *view {
	l.closeView()
	l.freezeUnselected()
	l.kept = nil
	l.keepJoined(j)
	if l.threads.byID[x.ID] != nil {
		empty = false // the server says that it is new, and it is not
	}
	v := &view{thread: x.ID, info: x, known: true, waiting: true, attached: newAttached(x.ID)}
	l.view = v
	if !x.Ephemeral {
		l.threads.front(x)
	}
	v.window = history.New(x.ID, x.HistoryMode, history.DefaultLimits())
	j.window = v.window
	if empty {
		v.window.StartEmpty() // nothing exists before the first message (ruling 15)
	} else {
		l.fetch(v.window.Open())
	}
	return v
}
