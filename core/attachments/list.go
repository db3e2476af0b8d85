package attachments

import (
	"slices"

	"holdfast/core/protocol"
)

// Bounds of a list.
const (
	// MaxRows is how many distinct attachments are kept (ATT-1).
	MaxRows = protocol.MaxAttachments
	// MaxPasses is how often a list that keeps changing is read (ATT-6).
	MaxPasses = 3

	pageLimit     = 50 // "limit=50, page by page" (ATT-1)
	maxPages      = 100
	maxTombstones = 1024
)

// A Fetch is the one page a list wants. Its answer goes to Got or Failed with
// the same Fetch; an answer the list no longer waits for changes nothing.
type Fetch struct {
	Params protocol.ThreadAttachmentListParams

	id uint64
}

// A List is what is known of one conversation's attachments. It is not safe for
// concurrent use: one goroutine owns it.
type List struct {
	thread string
	state  State
	rows   []*Row
	stale  string
	whole  bool // a pass ended: rows are more than a beginning

	// dead are the IDs whose deletion was heard: no page brings them back.
	dead    map[string]struct{}
	maxDead int // maxTombstones but in tests

	open   uint64 // the fetch that is waited for, 0 for none
	last   uint64
	passes int  // begun since the refresh
	again  bool // something was created since the pass began
	pass   pass

	view *View
}

// New makes the list of a thread, which listens and has asked for nothing yet.
func New(thread string) *List {
	return &List{thread: thread, dead: map[string]struct{}{}, maxDead: maxTombstones}
}

// Refresh reads the list anew. While it is being read, it is read once more
// afterwards, whatever has changed.
func (l *List) Refresh() []Fetch {
	if l.Busy() {
		l.again = true
		l.passes = min(l.passes, MaxPasses-1)
		return nil
	}
	l.passes = 0
	return l.begin()
}

// Invalidate notes that the list is not what was read. One further pass is
// enough for any number of calls during a pass; a list that is stale, or was
// not read yet, waits for Refresh.
func (l *List) Invalidate() []Fetch {
	switch l.state {
	case Scanning:
		l.again = true
	case Current:
		l.passes = 0
		return l.begin()
	case Idle, Stale:
	}
	return nil
}

// Apply takes a notification in; one of another thread changes nothing.
func (l *List) Apply(n protocol.AttachmentUpdated) []Fetch {
	if n.Thread != l.thread {
		return nil
	}
	if n.Operation != "deleted" {
		// "A creation notification has no payload: it invalidates, and the list
		// is paged again" (ATT-6). So does what is not known.
		return l.Invalidate()
	}
	return l.bury(n.Attachment)
}

// bury removes an attachment for good: "A deletion tombstones that exact ID, so
// a page in flight cannot resurrect it" (ATT-5).
func (l *List) bury(id string) []Fetch {
	if len(id) > protocol.MaxAttachmentKey {
		return nil // no record with such an ID is ever a row
	}
	is := func(r *Row) bool { return r.ID == id }
	l.rows = slices.DeleteFunc(slices.Clone(l.rows), is)
	l.pass.remove(is)
	l.view = nil
	var fs []Fetch
	if len(l.dead) >= l.maxDead {
		clear(l.dead)
		fs = l.restart()
	}
	l.dead[id] = struct{}{}
	return fs
}

// MarkStale ends whatever is being read, and says why the list may not be
// complete. What was read so far stays.
func (l *List) MarkStale(reason string) {
	l.open, l.pass = 0, pass{}
	l.state, l.stale = Stale, reason
	l.view = nil
}

// Busy reports whether the list is being read.
func (l *List) Busy() bool { return l.state == Scanning }

// View gives the present picture. It is the same until something changes.
func (l *List) View() *View {
	if l.view == nil {
		l.view = &View{State: l.state, Rows: l.rows, Stale: l.stale}
	}
	return l.view
}
