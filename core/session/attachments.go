package session

import (
	"holdfast/core/attachments"
	"holdfast/core/protocol"
	"holdfast/core/words"
)

// An attached is the attachments of the selected conversation. It is dropped
// with its view, so nothing of an earlier owner, connection or selection can
// reach it (ATT-7).
type attached struct {
	list    *attachments.List
	failure string // why the last page could not be read
	// section was made from seen.
	seen    *attachments.View
	section *Attachments
}

// newAttached listens from here on, before anything is asked for (ATT-5).
func newAttached(thread string) *attached { return &attached{list: attachments.New(thread)} }

// readAttachments reads the list anew. A selection does so when its first rows
// are there.
func (l *loop) readAttachments() {
	a := l.view.attached
	a.failure = ""
	l.fetchAttachments(a, a.list.Refresh())
}

// fetchAttachments performs the reads the list asks for.
func (l *loop) fetchAttachments(a *attached, fs []attachments.Fetch) {
	for _, f := range fs {
		ask(l, l.fence.Current(), protocol.ThreadAttachmentList, f.Params,
			func(l *loop, r protocol.ThreadAttachmentListResult, err error) {
				if err != nil {
					a.failure = textOf(err)
					a.list.Failed(f, words.T("it could not be read (%s)", a.failure))
					return
				}
				l.fetchAttachments(a, a.list.Got(f, r))
			})
	}
}

// refreshAttachments carries out the user's refresh.
func (l *loop) refreshAttachments(done func(Result)) {
	if !l.rec.Connected() {
		l.finish(done, refuse("not-connected", words.T("There is no connection. Nothing was sent.")))
		return
	}
	if l.view == nil {
		l.finish(done, refuse("no-selection", words.T("No conversation is selected.")))
		return
	}
	a := l.view.attached
	l.readAttachments()
	l.wait(waiter{done: done, viewBound: true, settled: func() (bool, Result) {
		switch {
		case a.list.Busy():
			return false, Result{}
		case a.failure != "":
			return true, refuse("list-failed", words.T("The attachments could not be read. %s", a.failure))
		}
		return true, ok()
	}})
}

// attachmentsNotified takes in what the server says of attachments to every
// connection.
func (l *loop) attachmentsNotified(n protocol.Notification) {
	if l.view == nil {
		return
	}
	a := l.view.attached
	switch n := n.(type) {
	case protocol.AttachmentUpdated:
		l.fetchAttachments(a, a.list.Apply(n))
	case protocol.ThreadStarted:
		// "explicitly refresh the new thread's complete attachment list", also
		// where the server copies nothing (ATT-8). A fork that is selected later
		// is read then.
		if n.Of.ForkedFromID == "" || n.Of.ID != l.view.thread {
			return
		}
		if a.list.Busy() {
			l.fetchAttachments(a, a.list.Invalidate())
			return
		}
		l.readAttachments()
	default: // not about attachments
	}
}

func (l *loop) attachmentsSection() *Attachments {
	if l.view == nil {
		return nil
	}
	return l.view.attached.publish()
}

// publish makes the section anew when the list has changed.
func (a *attached) publish() *Attachments {
	v := a.list.View()
	if v == a.seen {
		return a.section
	}
	s := &Attachments{Rows: make([]*AttachmentRow, 0, len(v.Rows)), Stale: v.Stale}
	switch v.State {
	case attachments.Idle, attachments.Scanning: // a selection reads it soon
		s.Loading, s.Stale = true, or(v.Stale, words.T("it is being read"))
	case attachments.Current, attachments.Stale:
	}
	for _, r := range v.Rows {
		x := AttachmentRow(*r)
		s.Rows = append(s.Rows, &x)
	}
	a.seen, a.section = v, s
	return s
}
