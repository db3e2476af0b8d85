package session

import (
	"reflect"
	"time"
)

// A publisher paces snapshots and answers intents after the one that shows
// their effect.
type publisher struct {
	publish func(*Snapshot)
	last    *Snapshot
	at      time.Time // of the last publish
	isDirty bool
	done    []finished
	list    listKey // of the last list section
}

type finished struct {
	done func(Result)
	r    Result
}

func (l *loop) dirty() { l.pub.isDirty = true }

// wake is when the next snapshot may leave, zero when none is due.
func (p *publisher) wake() time.Time {
	if !p.isDirty {
		return time.Time{}
	}
	return p.at.Add(publishEvery)
}

// maybePublish publishes when something changed and either the pace allows it
// or somebody waits for it.
func (l *loop) maybePublish() {
	now := time.Now()
	due := l.pub.isDirty && (len(l.pub.done) > 0 || !now.Before(l.pub.wake()))
	if due {
		l.pub.isDirty, l.pub.at = false, now
		if next := l.snapshot(); next != nil {
			l.pub.last = next
			l.pub.publish(next)
		}
	}
	if !l.pub.isDirty {
		l.pub.flushDone()
	}
}

func (p *publisher) flushDone() {
	done := p.done
	p.done = nil
	for _, f := range done {
		if p.last != nil {
			f.r.Seq = p.last.Seq
		}
		f.done(f.r)
	}
}

// snapshot builds the next snapshot, or nil when nothing differs from the last.
func (l *loop) snapshot() *Snapshot {
	prev := l.pub.last
	if prev == nil {
		prev = &Snapshot{}
	}
	cur := l.fence.Current()
	n := &Snapshot{
		Seq: prev.Seq + 1, At: cur,
		Generations: Generations{uint64(cur.Owner()), uint64(cur.Conn()), uint64(cur.View())},
	}
	n.Status = keep(prev.Status, l.statusSection())
	n.Server = keep(prev.Server, l.serverSection())
	n.Account = keep(prev.Account, l.accountSection())
	n.Threads = keepRows(prev.Threads, l.threadsSection())
	n.Thread = keep(prev.Thread, l.threadSection())
	n.History = l.kept
	if l.view != nil && l.view.window != nil {
		n.History = l.view.window.View()
	}
	n.Composer = keep(prev.Composer, l.board.section(l.shown()))
	n.Unsent = keep(prev.Unsent, l.board.unsent())
	n.Drafts = keep(prev.Drafts, l.draftsSection())
	n.Operations = prev.Operations
	if l.ledger.TakeChanged() || n.Operations == nil {
		n.Operations = l.operationsSection(prev.Operations)
	}
	n.Requests = keep(prev.Requests, l.requestsSection())
	n.Queue = keep(prev.Queue, l.queue)
	n.Attachments = keep(prev.Attachments, l.attachmentsSection())
	n.Notices = keep(prev.Notices, l.notices.section())
	n.Catalog = l.catalog
	if same(prev, n) {
		return nil
	}
	return n
}

// keep returns the old section when the new one says the same.
func keep[T any](old, now *T) *T {
	if old != nil && now != nil && reflect.DeepEqual(old, now) {
		return old
	}
	return now
}

// keepRows keeps the pointers of rows that say the same. A section that was
// published already is not written to.
func keepRows(old, now *Threads) *Threads {
	if old == nil || old == now {
		return now
	}
	byID := make(map[string]*ThreadRow, len(old.Rows))
	for _, r := range old.Rows {
		byID[r.ID] = r
	}
	for i, r := range now.Rows {
		if o := byID[r.ID]; o != nil && *o == *r {
			now.Rows[i] = o
		}
	}
	return keep(old, now)
}

func same(a, b *Snapshot) bool {
	c := *b
	c.Seq = a.Seq
	return *a == c
}
