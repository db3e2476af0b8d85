package session

import (
	"errors"
	"time"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/recovery"
	"holdfast/core/words"
)

// A view is the selected conversation and its window of history. It is dropped
// whole when another takes its place.
type view struct {
	thread string
	info   protocol.Thread // what thread/read, resume or start said
	known  bool            // info was read
	// window is nil until the conversation's mode is known.
	window *history.Window
	readAt time.Time
	// inUse says that its status was active when it was selected (JON-3).
	inUse bool
	// broken says why the view cannot be trusted as complete, "" when it can:
	// a read failed, or the buffer overflowed (HIS-10).
	broken  string
	problem string // why the last join failed, and what else was said of it
	fix     Action // what helps where joining again does not
	// archived and deleted say what became of it; a fresh read does not change that.
	archived, deleted bool
	reading           bool // thread/read is open
	joining           bool // the resume is open
	waiting           bool // a first read, join or refresh is open
	// idleTurn is the turn that was known to run when a read of an idle
	// conversation was asked for.
	idleTurn string
	// pageFailure is why the last older page could not be read.
	pageFailure string
	attached    *attached
	beside      bool // what stands beside the rows was asked for
	// quiet says that no turn was known to run when its newest read began, read
	// that something was read since accepted messages were last looked for.
	quiet, read bool
}

// obstacle is what stands in the way of a join, and what helps.
func (v *view) obstacle() (string, Action) {
	switch {
	case v.deleted:
		return words.T("This conversation was deleted. What was read of it stays until you leave it."), ActNew
	case v.archived:
		return archivedText.String(), ActUnarchive
	}
	return v.problem, v.fix
}

func (v *view) busy() bool {
	return v != nil && (v.reading || v.joining || (v.window != nil && v.window.Busy()))
}

// trouble marks the view as one that needs a fresh read.
func (v *view) trouble(why string) {
	if v.broken == "" {
		v.broken = why
	}
	if v.window != nil {
		v.window.MarkStale(why)
	}
}

// lose keeps the rows, stale, until the next selection.
func (v *view) lose(why string) {
	v.reading, v.joining, v.waiting = false, false, false
	v.attached.list.MarkStale(why)
	if v.window != nil {
		v.window.SetLive(false)
		v.window.MarkStale(why)
	}
}

// closeView drops the selected conversation and fails who waits for it. What
// is shown without one is a view too: what was done in another is not done in
// it, nor what was done in it in the next.
func (l *loop) closeView() {
	l.fence.NextView()
	v := l.view
	if v == nil {
		return
	}
	if j := l.joined[v.thread]; j != nil && v.window != nil {
		v.window.Park() // items in flight go on growing
	}
	l.view, l.queue = nil, nil
	l.failWaiters(func(w waiter) bool { return w.viewBound },
		refuse("replaced", words.T("Another conversation was selected meanwhile.")))
}

// selectThread reads a conversation without joining it. Its events are kept
// from here on, before the first request leaves (HIS-7, ruling 4).
func (l *loop) selectThread(id string, done func(Result)) {
	if id == "" {
		l.finish(done, refuse("no-thread", words.T("No conversation was named.")))
		return
	}
	l.closeView()
	l.freezeUnselected()
	l.kept = nil
	v := &view{thread: id, reading: true, waiting: true, attached: newAttached(id)}
	v.archived = l.threads.archived && l.threads.byID[id] != nil
	l.view = v
	l.threads.looked(id)
	if j := l.joined[id]; j != nil && !j.lost {
		j.used = time.Now()
		v.window = j.window
		l.fetch(v.window.Open())
	} else if x := l.threads.byID[id]; x != nil {
		v.info = *x
		l.openWindow(v, x.HistoryMode)
	}
	l.readThread(v)
	if done != nil {
		l.waitView(v, done)
	}
}

// readBeside reads what stands beside the rows, once they are there: nothing
// of it may delay them.
func (l *loop) readBeside() {
	l.readAttachments()
	l.readQueue()
	l.readSkills()
}

// openWindow starts the reads of the newest pages.
func (l *loop) openWindow(v *view, mode string) {
	v.window = history.New(v.thread, mode, history.DefaultLimits())
	if j := l.joined[v.thread]; j != nil && !j.lost {
		j.mode, j.window = mode, v.window
	}
	l.fetch(v.window.Open())
}

// readThread asks for metadata and status (HIS-1).
func (l *loop) readThread(v *view) {
	p := protocol.ThreadReadParams{ThreadID: v.thread}
	ran := ""
	if j := l.joined[v.thread]; j != nil {
		ran = j.turn
	}
	v.quiet = ran == ""
	ask(l, l.fence.Current(), protocol.ThreadRead, p, func(l *loop, r protocol.ThreadReadResult, err error) {
		if linkEnded(err) {
			return // its loss follows, and says more than that one read failed
		}
		v.reading = false
		if err != nil {
			v.trouble(l.readTrouble(err))
			if v.window == nil {
				v.attached.list.MarkStale(words.T("the conversation could not be read"))
			}
			return
		}
		if r.Thread.ID != v.thread {
			v.trouble(otherThread.String())
			return
		}
		v.info, v.known = r.Thread, true
		v.inUse = r.Thread.Status.Type == protocol.Active
		if idle(r.Thread.Status) {
			v.idleTurn = ran
		}
		l.threads.edit(v.thread, func(x *protocol.Thread) { x.Status = r.Thread.Status })
		if v.window == nil || v.otherMode(r.Thread.HistoryMode) {
			l.openWindow(v, r.Thread.HistoryMode)
		}
	})
}

// otherMode reports whether the server says another history mode than the one
// the window reads in: then what was read cannot be gone on with.
func (v *view) otherMode(mode string) bool {
	return v.window.Legacy() != (mode == history.Legacy)
}

// otherThread is why an answer that names another conversation is not believed.
const otherThread words.Key = "the server answered for another one"

func (l *loop) readTrouble(err error) string {
	if code, msg := refusal(err); protocol.IsNotFound(protocol.ThreadRead.Method, code, msg) {
		return words.T("the server does not know it")
	}
	return words.T("it could not be read (%s)", clause(textOf(err)))
}

// fetch performs the reads a window asks for; their results belong to the
// view that is current now, as long as it keeps that window.
func (l *loop) fetch(fs []history.Fetch) {
	at, v, w := l.fence.Current(), l.view, l.view.window
	for _, f := range fs {
		switch {
		case f.Items != nil:
			ask(l, at, protocol.ThreadItemsList, *f.Items, func(l *loop, r protocol.ThreadItemsListResult, err error) {
				switch {
				case v.window != w: // its mode changed: that was read for nothing
				case err != nil:
					l.fetchFailed(v, f, protocol.ThreadItemsList.Method, err)
				default:
					v.read = true
					l.fetch(w.GotItems(f, r))
				}
			})
		case f.Turns != nil:
			ask(l, at, protocol.ThreadTurnsList, *f.Turns, func(l *loop, r protocol.ThreadTurnsListResult, err error) {
				switch {
				case v.window != w:
				case err != nil:
					l.fetchFailed(v, f, protocol.ThreadTurnsList.Method, err)
				default:
					v.read, r.Data = true, l.secrets.turns(r.Data)
					l.fetch(w.GotTurns(f, r))
				}
			})
		}
	}
}

func (l *loop) fetchFailed(v *view, f history.Fetch, method string, err error) {
	if linkEnded(err) {
		return // its loss follows
	}
	if !f.First() {
		v.pageFailure = textOf(err)
	}
	l.fetch(v.window.Failed(f, l.failure(v, method, err)))
}

// failure says what a failed read means (ruling 15, fact 2). Text that is not
// known exactly is a plain failure.
func (l *loop) failure(v *view, method string, err error) history.Failure {
	code, msg := refusal(err)
	switch {
	case v.info.Ephemeral && (protocol.IsNotMaterialized(method, code, msg) || protocol.IsItemsUnsupported(method, code, msg)):
		return history.Failure{Kind: history.Ephemeral}
	case protocol.IsNotMaterialized(method, code, msg):
		return history.Failure{Kind: history.NotMaterialized}
	case protocol.IsItemsUnsupported(method, code, msg):
		return history.Failure{Kind: history.Unsupported}
	}
	return history.Failure{Kind: history.Other, Reason: textOf(err)}
}

// settle notices, after each turn of the loop, that a view's first read ended.
func (l *loop) settle() {
	v := l.view
	if v == nil {
		return
	}
	if v.window != nil {
		if why := v.window.Broken(); why != "" && v.broken == "" {
			v.broken = why
			l.dirty()
		}
		for _, text := range v.window.TakeNotices() {
			l.notices.say("history", text)
			l.dirty()
		}
		for _, id := range v.window.TakeClientIDs() {
			l.ledger.SawClientID(v.thread, id)
			l.dirty()
		}
	}
	if !v.waiting || v.busy() {
		return
	}
	v.waiting = false
	v.readAt = time.Now()
	if !v.beside && v.window != nil {
		v.beside = true
		l.readBeside()
	}
	j := l.joined[v.thread]
	live := j != nil && !j.lost && v.broken == ""
	if v.window != nil {
		v.window.SetLive(live)
		v.window.MarkStale(l.unlisted(v))
	}
	if j != nil && v.window != nil {
		l.learnTurn(j, v)
	}
	l.dirty()
}

// What is said of a conversation that has a preview and of which the server
// shows nothing.
const (
	staleLost  words.Key = "the server lists nothing of it, as after the loss of its history database; joining reads it again"
	staleGone  words.Key = "the server lists nothing of it, and its preview says that there was something"
	staleEmpty words.Key = "the server says that it has no message yet, and its preview says that it has"
)

// unlisted says why it is not the whole truth that the server lists nothing of
// a conversation. One without a turn has no preview and gets an error of its own
// (ruling 15), and only a resume fills a history database that was lost (fact
// 20). The preview outlives what was cut off: where the server said that
// this was done, nothing is missing.
func (l *loop) unlisted(v *view) string {
	if j := l.joined[v.thread]; v.broken != "" || !v.known || v.info.Preview == "" || j != nil && j.cut {
		return ""
	}
	switch w := v.window.View(); {
	case w.Stale != "" || len(w.Rows) > 0:
	case w.Empty:
		return staleEmpty.String()
	case len(w.Turns) == 0 && l.joined[v.thread] != nil:
		return staleGone.String()
	case len(w.Turns) == 0:
		return staleLost.String()
	}
	return ""
}

// waitView answers when the first merged page is there, or failed.
func (l *loop) waitView(v *view, done func(Result)) {
	l.wait(waiter{done: done, viewBound: true, settled: l.viewSettled(v)})
}

func (l *loop) viewSettled(v *view) condition {
	return func() (bool, Result) {
		if v.waiting {
			return false, Result{}
		}
		if v.broken != "" {
			return true, refuse("read-failed", words.T("This conversation may not be complete: %s.", clause(v.broken)))
		}
		return true, ok()
	}
}

// refresh reads the selected conversation anew.
func (l *loop) refresh(done func(Result)) {
	v := l.view
	v.broken, v.problem, v.fix = "", "", ""
	v.reading, v.waiting = true, true
	if v.window != nil {
		l.fetch(v.window.Refresh())
	}
	l.readThread(v)
	l.waitView(v, done)
}

// page loads older or newer rows, or the rest of a turn.
func (l *loop) page(ask func(*history.Window) ([]history.Fetch, error), done func(Result)) {
	v := l.view
	fs, err := ask(v.window)
	if errors.Is(err, history.ErrRefresh) && v.broken == "" {
		l.refresh(done) // no cursor leads there: the newest page does
		return
	}
	if err != nil {
		l.finish(done, refuse("no-page", err.Error()))
		return
	}
	v.pageFailure = ""
	l.fetch(fs)
	l.wait(waiter{done: done, viewBound: true, settled: func() (bool, Result) {
		if v.window.Paging() {
			return false, Result{}
		}
		if v.pageFailure != "" {
			return true, refuse("page-failed", words.T("The page could not be read. %s", v.pageFailure))
		}
		if v.window.View().Full {
			return true, refuse("full", words.T("The window is full up to the row you look at: it holds 1,000 rows or 16 MiB. Look at a row nearer to that end, then load more."))
		}
		return true, ok()
	}})
}

// fold hides the inside of a turn, or shows it.
func (l *loop) fold(in Fold, done func(Result)) {
	if l.view == nil || l.view.window == nil {
		l.finish(done, refuse("no-selection", words.T("No conversation is selected.")))
		return
	}
	switch err := l.view.window.Fold(in.Turn, !in.Open); {
	case errors.Is(err, history.ErrRunning):
		l.finish(done, refuse("turn-running", words.T("The turn is still running. It can be folded when it has ended.")))
	case err != nil:
		l.finish(done, refuse("no-turn", words.T("There is no such turn in the window.")))
	default:
		l.finish(done, ok())
	}
}

// changedSinceRead marks a reading that is no longer what it was (DRIVE.md), or
// not what it will be: of an event during a read nobody can tell which came
// first. A join changes the status itself.
func (l *loop) changedSinceRead(thread string) {
	v := l.view
	if v == nil || v.thread != thread || v.window == nil || v.joining {
		return
	}
	if j := l.joined[thread]; j == nil || j.lost {
		v.window.MarkStale(words.T("changed since read"))
	}
}

// shown is the conversation whose composer is shown.
func (l *loop) shown() string {
	if l.view == nil {
		return ""
	}
	return l.view.thread
}

func (l *loop) threadSection() *Thread {
	v := l.view
	if v == nil {
		return nil
	}
	x := v.info
	if listed := l.threads.byID[v.thread]; listed != nil {
		x.Status, x.Name = listed.Status, listed.Name
	}
	s := &Thread{
		ID: v.thread, Title: x.Title(), Cwd: x.Cwd, Mode: x.HistoryMode, Status: x.Status.Type,
		ReadAt: v.readAt, Model: x.Model, Effort: x.ReasoningEffort, Ephemeral: x.Ephemeral,
		PossiblyInUse: v.inUse, Archived: v.archived,
	}
	s.JoinProblem, s.JoinFix = v.obstacle()
	if v.window != nil {
		w := v.window.View()
		s.Turn = w.Newest
		t := l.turnOf(w, l.joined[v.thread])
		s.TurnStatus, s.TurnStartedAt = t.Status, t.StartedAt
	}
	if j := l.joined[v.thread]; j != nil && !j.lost && l.rec.Connected() {
		s.Joined, s.PossiblyInUse = true, false
		s.Live = v.window != nil && v.broken == "" && !v.busy() && v.window.View().Stale == ""
		j.describe(s)
	}
	if s.Live {
		s.ReadAt = time.Time{}
	}
	return s
}

func (l *loop) facts() facts {
	f := facts{
		rec: l.rec, endpoint: l.endpoint(), tokenFile: l.target.Transport.TokenFile,
		confirmed: l.isConfirmed(), changed: l.changed, drafts: len(l.drafts.Rows()) > 0, evidence: l.afterTurn, silent: l.silent(), unlisted: l.threads.problem, asks: l.requests.open() > 0, queue: l.server.Experimental,
		signedOut: l.rec.Phase == recovery.Online && l.account.needed && !l.account.signedIn,
	}
	v := l.view
	if v == nil {
		return f
	}
	f.selected, f.deleted, f.busy, f.broken = true, v.deleted, v.waiting, words.Key(v.broken).String()
	if j := l.joined[v.thread]; j != nil && !j.lost {
		f.joined, f.running, f.stopping = true, j.turn != "", j.turn != "" && j.stopped == j.turn
	}
	if v.window != nil {
		w := v.window.View()
		f.older, f.newer, f.empty, f.stale = w.Older, w.Newer, len(w.Rows) == 0, words.Key(w.Stale).String()
	}
	return f
}

func (l *loop) statusSection() *Status { return l.facts().status() }
