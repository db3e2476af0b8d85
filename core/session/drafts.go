package session

import (
	"slices"
	"time"

	"holdfast/core/ledger"
	"holdfast/core/recovery"
	"holdfast/core/words"
)

// now is the time for records; the loop's timing reads its own.
func (l *loop) now() time.Time { return time.Now() }

func (l *loop) titleOf(thread string) string {
	if x := l.threads.byID[thread]; x != nil {
		return x.Title()
	}
	if l.view != nil && l.view.thread == thread {
		return l.view.info.Title()
	}
	return ""
}

// freeze turns every composer that is not empty into a recovery draft of its
// own (ruling 30). The composers are then empty and of the next owner, and the
// view is another one: what was done in the one before is not done here.
func (l *loop) freeze() {
	l.fence.NextView()
	owner := l.fence.Current().OwnerOnly()
	threads := make([]string, 0, len(l.board.by))
	for thread := range l.board.by {
		threads = append(threads, thread)
	}
	slices.Sort(threads)
	for _, thread := range threads {
		l.freezeOne(thread)
	}
	l.board.clear()
	l.frozenAt, l.frozenOwner = l.board.rev, owner
	clear(l.late)
}

func (l *loop) freezeOne(thread string) {
	l.drafts.Freeze(recovery.Draft{
		Thread: thread, Title: l.titleOf(thread), At: l.now(), Owner: l.fence.Current().OwnerOnly(),
		Content: contentOf(l.board.at(thread)),
	})
}

// freezeUnselected keeps what was typed while nothing was selected (DRIVE.md).
func (l *loop) freezeUnselected() {
	if l.board.by[""] == nil {
		return
	}
	l.freezeOne("")
	l.board.put(Composer{}, true)
	delete(l.late, "")
}

// restore copies a draft into the composer of the selected conversation, as an
// unsent draft: it selects, joins and sends nothing (DRF-5). First the
// connection must be confirmed and a conversation selected (DRF-4).
func (l *loop) restore(in Restore, done func(Result)) {
	d, found := l.drafts.Get(in.Draft)
	if !found {
		l.finish(done, refuse("no-draft", words.T("There is no such draft.")))
		return
	}
	if missing := l.missingForRestore(); missing != "" {
		l.finish(done, refuse("not-yet", words.T("To restore the draft, first %s.", missing)))
		return
	}
	if r := l.putIn(d.Content, in.Mode); !r.OK {
		l.finish(done, r)
		return
	}
	l.drafts.Drop(d.ID)
	l.finish(done, ok())
}

func (l *loop) missingForRestore() string {
	confirmed := l.isConfirmed()
	switch {
	case !l.rec.Connected():
		return words.T("connect")
	case !confirmed && l.view == nil:
		return words.T("confirm the connection and select a conversation")
	case !confirmed:
		return words.T("confirm the connection")
	case l.view == nil:
		return words.T("select a conversation")
	}
	return ""
}

// putIn merges content into the shown composer as mode says.
func (l *loop) putIn(x recovery.Content, mode string) Result {
	c := l.board.at(l.shown())
	out, placed := recovery.Restore(x, contentOf(c), recovery.Mode(mode))
	if !placed {
		return refuse("composer-not-empty", words.T("The composer is not empty. Put the draft before, after, or in its place."))
	}
	l.board.put(withContent(*c, out), true)
	return ok()
}

func (l *loop) discard(in Discard, done func(Result)) {
	if _, found := l.drafts.Get(in.Draft); !found {
		l.finish(done, refuse("no-draft", words.T("There is no such draft.")))
		return
	}
	l.drafts.Drop(in.Draft)
	l.finish(done, ok())
}

// review restores the text of an operation that may have been done, or hides
// its record. Sending it again is a Send of its own (LED-7).
func (l *loop) review(in Review, done func(Result)) {
	r, found := l.ledger.Get(in.Op)
	switch {
	case !found:
		l.finish(done, refuse("no-operation", words.T("There is no such operation.")))
	case in.Action == "dismiss":
		if !l.ledger.Dismiss(in.Op) {
			l.finish(done, refuse("in-flight", words.T("It is still under way.")))
			return
		}
		l.finish(done, ok())
	case in.Action != "restore":
		l.finish(done, refuse("bad-action", words.T("An operation can be restored or dismissed.")))
	case r.State == ledger.InFlight:
		l.finish(done, refuse("in-flight", words.T("It is still under way.")))
	case r.Text == "":
		l.finish(done, refuse("no-text", words.T("This operation has no text.")))
	case l.view == nil:
		l.finish(done, refuse("not-yet", words.T("To restore the text, first select a conversation.")))
	case r.At.OwnerOnly() != l.fence.Current().OwnerOnly() && !l.isConfirmed(): // REC-15
		l.finish(done, refuse("not-yet", words.T("To restore the text, first confirm the connection.")))
	default:
		put := l.putIn(recovery.Content{Text: r.Text}, in.Mode)
		if put.OK {
			l.ledger.Restored(in.Op)
		}
		l.finish(done, put)
	}
}

// isConfirmed is false when the target or the account changed, and while a
// draft of another owner generation waits, until the user confirms.
func (l *loop) isConfirmed() bool {
	return l.confirmed && (l.confirmedByUser || !l.drafts.OfOther(l.fence.Current()))
}

func (l *loop) draftsSection() *Drafts {
	s := &Drafts{}
	for _, d := range l.drafts.Rows() {
		s.Rows = append(s.Rows, &Draft{
			ID: d.ID, Thread: d.Thread, Title: d.Title, At: d.At, Text: d.Text, Blocks: d.Blocks, Images: d.Images,
			Skill: d.Skill, Model: d.Model, Effort: d.Effort, Tier: d.Tier, Personality: d.Personality,
		})
	}
	return s
}
