package session

import (
	"slices"

	"holdfast/core/history"
	"holdfast/core/ledger"
	"holdfast/core/protocol"
	"holdfast/core/recovery"
	"holdfast/core/words"
)

// intend carries out one intent, or says why not.
func (l *loop) intend(r request) {
	defer l.dirty()
	if why := l.outdated(r); why != nil {
		l.finish(r.done, *why)
		return
	}
	if why := l.mayNot(r.in); why != nil {
		l.finish(r.done, *why)
		return
	}
	if !l.intendLocal(r) && !l.intendView(r) {
		l.intendMutation(r)
	}
}

// outdated refuses an intent that was made from a view that was replaced. A
// draft that names its conversation is never too late: it can only be kept.
func (l *loop) outdated(r request) *Result {
	if d, isDraft := r.in.(SetDraft); isDraft && d.Thread != nil {
		return nil
	}
	if r.at.Owner() == 0 || l.fence.Accepts(r.at) {
		return nil
	}
	x := refuse("stale", words.T("What you saw has been replaced meanwhile. Nothing was done."))
	return &x
}

// neededAction is the action that a state must offer for an intent, "" for an
// intent that is always allowed.
func neededAction(in Intent) Action {
	switch in.(type) {
	case Select:
		return ActSelect
	case NewThread:
		return ActNew
	case Join:
		return ActJoin
	case Send:
		return ActSend
	case Steer:
		return ActSteer
	case Older:
		return ActOlder
	case Newer:
		return ActNewer
	case Expand:
		return ActExpand
	case Refresh:
		return ActRefresh
	case ListThreads:
		return ActThreads
	case Fork:
		return ActFork
	case Rename:
		return ActRename
	case Archive:
		return ActArchive
	case Unarchive:
		return ActUnarchive
	case Delete:
		return ActDelete
	case Compact:
		return ActCompact
	case EditQueue, Enqueue:
		return ActQueue
	case SignIn:
		return ActSignIn
	case SignOut:
		return ActSignOut
	case Cancel:
		return ActCancel
	case Stop, SetDraft, Answer, Reconnect, Confirm, Restore, Discard, Review, ListAttachments, FindFiles,
		ApplyProfile, Revert, Retry, StartReview, ListServers, Export, ProfileEdited, DismissNotice, LookAt, Whole, Fold:
		return "" // each of them says more exactly why not
	}
	return ""
}

// onSelectedOnly are the actions that act on the selected conversation alone.
var onSelectedOnly = []Action{ActJoin, ActSend, ActSteer, ActOlder, ActNewer, ActExpand, ActRefresh, ActCompact, ActQueue}

// mayNot refuses what the state does not offer, with the reason.
func (l *loop) mayNot(in Intent) *Result {
	need := neededAction(in)
	f := l.facts()
	s := f.status()
	if need == "" || s.Allows(need) {
		return nil
	}
	x := refuse("not-now", words.T("Not possible now. %s", s.Text))
	switch {
	case !f.rec.Connected():
		x = refuse("not-connected", words.T("There is no connection. Nothing was sent."))
	case s.State == Synchronizing:
		x = refuse("synchronizing", words.T("The conversation is being read. Nothing was sent."))
	case need == ActSend && f.joined && f.running:
		x = refuse("turn-running", words.T("A turn is running. Steer it, or queue the message."))
	case need == ActSteer && f.joined && !f.running:
		x = refuse("no-turn", words.T("No turn is running. Send instead."))
	case (need == ActSend || need == ActSteer || need == ActCompact || need == ActQueue) && f.selected && !f.joined:
		x = refuse("not-joined", words.T("This conversation is read, not joined. Join it first."))
	case need == ActJoin && f.deleted:
		x = refuse("deleted", words.T("This conversation was deleted. Nothing was sent."))
	case need == ActJoin && f.joined:
		x = refuse("joined", words.T("This conversation is joined already. Nothing was sent."))
	case need == ActOlder && l.view != nil:
		x = refuse("end", words.T("There is nothing older."))
	case need == ActNewer && l.view != nil:
		x = refuse("end", words.T("There is nothing newer."))
	case !f.selected && slices.Contains(onSelectedOnly, need):
		x = refuse("no-selection", words.T("No conversation is selected."))
	}
	return &x
}

// intendLocal carries out what needs no conversation.
func (l *loop) intendLocal(r request) bool {
	switch in := r.in.(type) {
	case SetDraft:
		l.setDraft(in, r.done)
	case Reconnect:
		l.reconnect(r.done)
	case Cancel:
		l.step(recovery.Cancel{})
		l.finish(r.done, ok())
	case Confirm:
		if !l.rec.Connected() {
			l.finish(r.done, refuse("not-connected", words.T("There is no connection to confirm.")))
			return true
		}
		l.confirmed, l.confirmedByUser, l.changed, l.accepted = true, true, "", l.seenChange
		l.finish(r.done, ok())
	case ApplyProfile:
		l.applyProfile(in.Name, r.done)
	case ProfileEdited:
		l.targetChanged(words.T("The profile has edits that were not applied."))
		l.finish(r.done, ok())
	case ListThreads:
		l.list(in, r.done)
	case DismissNotice:
		l.notices.dismiss(in.ID)
		l.finish(r.done, ok())
	case Answer:
		l.answer(in, r.done)
	case Restore:
		l.restore(in, r.done)
	case Discard:
		l.discard(in, r.done)
	case Review:
		l.review(in, r.done)
	case ListAttachments:
		l.refreshAttachments(r.done)
	case FindFiles:
		l.findFiles(in, r.done)
	case ListServers:
		l.listServers(in, r.done)
	case Export:
		l.export(in, r.done)
	default:
		return false
	}
	return true
}

// intendView carries out what reads a conversation.
func (l *loop) intendView(r request) bool {
	switch in := r.in.(type) {
	case Select:
		l.selectThread(in.Thread, r.done)
	case Refresh:
		l.refresh(r.done)
	case Older:
		l.page(func(w *history.Window) ([]history.Fetch, error) { return w.Older(in.Anchor) }, r.done)
	case Newer:
		l.page(func(w *history.Window) ([]history.Fetch, error) { return w.Newer(in.Anchor) }, r.done)
	case Expand:
		l.page(func(w *history.Window) ([]history.Fetch, error) { return w.Expand(in.Turn) }, r.done)
	case Fold:
		l.fold(in, r.done)
	case Whole:
		l.whole(in, r.done)
	case LookAt:
		if l.view != nil && l.view.window != nil {
			l.view.window.SetAnchor(in.Row)
		}
		l.finish(r.done, ok())
	case Join:
		l.join(r.done)
	case NewThread:
		l.startThread(in, r.done)
	case Stop:
		if l.view == nil || !l.rec.Connected() {
			l.finish(r.done, refuse("no-turn", words.T("No turn is running.")))
			return true
		}
		l.stop(r.done)
	default:
		return false
	}
	return true
}

// intendMutation carries out the rest.
func (l *loop) intendMutation(r request) {
	switch in := r.in.(type) {
	case Send, Steer, Enqueue:
		l.submit(r.in, r.done)
	case Fork:
		l.onThread(&in.Thread, r.done, func() { l.fork(in, r.done) })
	case Rename:
		l.onThread(&in.Thread, r.done, func() { l.rename(in, r.done) })
	case Archive:
		l.onThread(&in.Thread, r.done, func() {
			l.simple(in.Thread, r.done, func(e ledger.Entry) string {
				return mutate(l, protocol.ThreadArchive, protocol.ThreadArchiveParams{ThreadID: in.Thread}, plainly(l, e))
			})
		})
	case Unarchive:
		l.onThread(&in.Thread, r.done, func() { l.unarchive(in, r.done) })
	case Delete:
		l.onThread(&in.Thread, r.done, func() {
			l.simple(in.Thread, r.done, func(e ledger.Entry) string {
				return mutate(l, protocol.ThreadDelete, protocol.ThreadDeleteParams{ThreadID: in.Thread}, plainly(l, e))
			})
		})
	case Compact:
		thread := l.view.thread
		if l.turnOnItsWay(thread) {
			l.finish(r.done, refuse("busy", words.T("The server has not answered what was sent before. Nothing was sent.")))
			return
		}
		l.simple(thread, r.done, func(e ledger.Entry) string {
			return mutate(l, protocol.ThreadCompactStart, protocol.ThreadCompactStartParams{ThreadID: thread}, plainly(l, e))
		})
	case EditQueue:
		l.editQueue(in, r.done)
	case Revert:
		l.revert(in, r.done)
	case Retry:
		l.retry(r.done)
	case StartReview:
		l.startReview(in, r.done)
	case SignIn:
		l.signIn(in.Key, r.done)
	case SignOut:
		l.signOut(r.done)
	default:
		l.finish(r.done, refuse("not-available", words.T("This is not available.")))
	}
}

// onThread fills in the selected conversation where none is named.
func (l *loop) onThread(thread *string, done func(Result), do func()) {
	if *thread == "" {
		*thread = l.shown()
	}
	if *thread == "" {
		l.finish(done, refuse("no-selection", words.T("No conversation is selected or named.")))
		return
	}
	do()
}

// simple sends a mutation whose effect comes as a notification.
func (l *loop) simple(thread string, done func(Result), send func(ledger.Entry) string) {
	op := send(ledger.Entry{Thread: thread})
	l.wait(waiter{done: done, op: op, connBound: true})
}

func plainly(l *loop, e ledger.Entry) sending[protocol.Empty] {
	return sending[protocol.Empty]{entry: e, at: l.link.stamp()}
}

func (l *loop) rename(in Rename, done func(Result)) {
	op := mutate(l, protocol.ThreadNameSet, protocol.ThreadNameSetParams{ThreadID: in.Thread, Name: in.Name}, sending[protocol.Empty]{
		entry: ledger.Entry{Thread: in.Thread}, at: l.link.stamp(),
		got: func(l *loop, _ protocol.Empty) {
			l.threads.edit(in.Thread, func(x *protocol.Thread) { x.Name = in.Name })
			if l.shown() == in.Thread {
				l.view.info.Name = in.Name
			}
		},
	})
	l.wait(waiter{done: done, op: op, connBound: true})
}

func (l *loop) unarchive(in Unarchive, done func(Result)) {
	op := mutate(l, protocol.ThreadUnarchive, protocol.ThreadUnarchiveParams{ThreadID: in.Thread}, sending[protocol.ThreadUnarchiveResult]{
		entry: ledger.Entry{Thread: in.Thread}, at: l.link.stamp(),
		got: func(l *loop, r protocol.ThreadUnarchiveResult) {
			if !l.threads.archived {
				l.threads.front(r.Thread)
			}
		},
	})
	l.wait(waiter{done: done, op: op, connBound: true})
}

// applyProfile moves to another target: everything of the old one ends, and
// one attempt is made at the new one (REC-9). It is done at once; how the attempt
// goes is the state's to say (DRIVE.md).
func (l *loop) applyProfile(name string, done func(Result)) {
	if l.cfg.Profiles == nil {
		l.finish(done, refuse("no-profiles", words.T("There are no profiles here.")))
		return
	}
	t, err := l.cfg.Profiles(name)
	if err != nil {
		l.finish(done, refuse("bad-profile", err.Error()))
		return
	}
	if l.link != nil && l.rec.Connected() {
		for _, at := range l.link.was {
			l.ledger.Lose(at)
		}
	}
	l.freeze() // the old target's drafts stay apart (DRF-1)
	l.step(recovery.TargetChanged{Why: words.T("The profile was changed to %s.", or(name, words.T("the default")))})
	if l.view != nil {
		l.view.lose(words.T("it is of the profile before"))
	}
	l.target, l.server = t, serverFacts{}
	l.account = accountFacts{}
	l.threads = threadList{rev: l.threads.rev + 1}
	l.kept = nil
	l.confirmed, l.changed = false, ""
	l.ownerUsed = true // the next connection is another owner's
	l.step(recovery.Connect{})
	l.finish(done, ok())
}

// operationsSection lists the ledger.
// operationsSection keeps the pointers of those that say the same, so that a
// surface makes each once.
func (l *loop) operationsSection(last *Operations) *Operations {
	s, was := &Operations{}, map[string]*Operation{}
	if last != nil {
		for _, o := range last.Rows {
			was[o.ID] = o
		}
	}
	for _, r := range l.ledger.Records() {
		p := words.Key(r.Proof).String()
		if r.Detail != "" {
			p = or(p, words.T("refused")) + ": " + r.Detail
		}
		if r.ClientID != "" && r.State == ledger.Confirmed && !r.Seen && r.Proof == ledger.ProofAnswer {
			p = words.T("accepted, not yet seen in history")
		}
		x := &Operation{
			ID: r.ID, Kind: r.Kind, Thread: r.Thread, State: r.State.String(), Proof: p,
			Seen: r.Seen, Text: r.Text, At: r.Made, Gone: goneAs(r), Restored: r.Restored,
		}
		if o := was[r.ID]; o != nil && *o == *x {
			x = o
		}
		s.Rows = append(s.Rows, x)
	}
	return s
}

// serverFacts is what the handshake said of the server.
type serverFacts struct {
	Version, Endpoint, Platform, CodexHome string
	PID                                    int
	Experimental                           bool
	identity                               string
}

func (l *loop) serverSection() *Server {
	return &Server{
		Version: l.server.Version, Endpoint: l.endpoint(), Platform: l.server.Platform, CodexHome: l.server.CodexHome,
		PID: l.server.PID, Confirmed: l.isConfirmed(), Profile: l.target.Profile,
		Experimental: l.server.Experimental, SharedFiles: l.target.SharedFiles,
	}
}

// endpoint is the address for people, before and after it was reached.
func (l *loop) endpoint() string { return or(l.server.Endpoint, l.target.Transport.String()) }
