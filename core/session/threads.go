package session

import (
	"maps"
	"slices"

	"holdfast/core/protocol"
	"holdfast/core/recovery"
	"holdfast/core/words"
)

// listPage is how many conversations one page asks for, maxList how many the
// list holds: a search finds the others.
const (
	listPage = 50
	maxList  = 10_000
)

// A threadList is the conversation list as far as it was read, in the server's
// recency order (ruling 10), and what notifications changed of it since.
type threadList struct {
	order    []string
	listed   map[string]bool // those in order
	byID     map[string]*protocol.Thread
	ended    map[string]bool // a turn ended while it was not looked at
	cursor   *string
	trail    trail
	full     bool // it holds maxList
	unread   int  // rows of its pages that could not be read
	loading  bool
	search   string
	archived bool
	problem  string
	rows     map[string]*ThreadRow // as they were published, by ID
	pass     int                   // counts reads: an answer of an earlier read is not merged
	rev      int                   // counts changes, so that an unchanged list is not built anew
}

// looked forgets that a turn ended unseen; didEnd notes one.
func (t *threadList) looked(id string) {
	if t.ended[id] {
		delete(t.ended, id)
		t.rev++
	}
}

func (t *threadList) didEnd(id string) {
	if t.ended == nil {
		t.ended = map[string]bool{}
	}
	t.ended[id] = true
	t.rev++
}

func (t *threadList) put(x protocol.Thread) {
	if t.byID == nil {
		t.byID = map[string]*protocol.Thread{}
	}
	x.Turns, x.Path = nil, "" // what a list shows needs neither
	t.byID[x.ID] = &x
	t.rev++
}

// merge puts a page at the end; a row that moved meanwhile keeps its first
// place.
func (t *threadList) merge(page []protocol.Thread) {
	for _, x := range page {
		if !t.listed[x.ID] {
			if len(t.order) >= maxList {
				t.full = true
				continue
			}
			t.order = append(t.order, x.ID)
			t.list(x.ID)
		}
		t.put(x)
	}
}

// list notes that a conversation is in the list.
func (t *threadList) list(id string) {
	if t.listed == nil {
		t.listed = map[string]bool{}
	}
	t.listed[id] = true
}

// front puts a conversation first, as the newest. Beyond the bound the last one
// leaves the list.
func (t *threadList) front(x protocol.Thread) {
	t.remove(x.ID)
	t.order = slices.Insert(t.order, 0, x.ID)
	t.list(x.ID)
	t.put(x)
	if n := len(t.order); n > maxList {
		last := t.order[n-1]
		t.order, t.full = t.order[:n-1], true
		delete(t.listed, last)
		delete(t.byID, last)
	}
}

func (t *threadList) remove(id string) {
	t.rev++
	if t.listed[id] {
		delete(t.listed, id)
		t.order = slices.DeleteFunc(t.order, func(x string) bool { return x == id })
	}
}

// restart empties the list. What is known of the conversations that keep names
// stays.
func (t *threadList) restart(keep func(id string) bool) {
	t.order, t.listed, t.trail, t.full, t.unread = nil, nil, trail{}, false, 0
	maps.DeleteFunc(t.byID, func(id string, _ *protocol.Thread) bool { return !keep(id) })
}

// edit changes what is known of a conversation; the old value stays as it was
// for whoever holds it.
func (t *threadList) edit(id string, change func(*protocol.Thread)) {
	if old := t.byID[id]; old != nil {
		c := *old
		change(&c)
		t.byID[id] = &c
		t.rev++
	}
}

// listFirst reads the list anew; the state leaves synchronizing when it came.
func (l *loop) listFirst() { l.list(ListThreads{}, nil) }

// list reads the first page, or the next one.
func (l *loop) list(in ListThreads, done func(Result)) {
	t := &l.threads
	if in.More && t.cursor == nil {
		l.finish(done, refuse("end", words.T("The list has no further page.")))
		return
	}
	p := protocol.ThreadListParams{Limit: listPage, SearchTerm: in.Search, Archived: in.Archived}
	if in.More {
		p.Cursor, p.SearchTerm, p.Archived = *t.cursor, t.search, t.archived
	}
	t.pass++
	pass := t.pass
	t.loading = true
	t.rev++
	over := false
	result := ok()
	ask(l, l.link.stamp(), protocol.ThreadList, p, func(l *loop, r protocol.ThreadListResult, err error) {
		over = true
		if pass != t.pass {
			result = refuse("replaced", words.T("The list was read anew meanwhile."))
			return
		}
		t.loading = false
		t.rev++
		if linkEnded(err) {
			result = refuse("lost", words.T("The connection ended."))
			return // its loss follows, and says more: it never was usable
		}
		if err != nil {
			t.problem = textOf(err)
			text := words.T("The conversation list could not be read. %s", t.problem)
			l.notices.replace(listFailed, text)
			result = refuse(listFailed, text)
		} else {
			l.listed(in, p, r)
		}
		l.step(recovery.Listed{})
		l.afterList()
	})
	if done != nil {
		l.wait(waiter{done: done, connBound: true, settled: func() (bool, Result) { return over, result }})
	}
}

// The codes of what is said of the list as long as it holds.
const (
	listFailed     = "list-failed"
	listIncomplete = "list-incomplete"
)

func (l *loop) listed(in ListThreads, p protocol.ThreadListParams, r protocol.ThreadListResult) {
	t := &l.threads
	t.problem = ""
	l.notices.retract(listFailed)
	if !in.More {
		t.restart(func(id string) bool { return id == l.shown() || l.joined[id] != nil })
		t.search, t.archived = p.SearchTerm, p.Archived
	}
	t.merge(r.Data)
	if t.unread += r.Unread; t.unread > 0 {
		l.notices.replace(listIncomplete, words.T("The conversation list is not complete: %s", unreadRows(t.unread)))
	} else {
		l.notices.retract(listIncomplete)
	}
	next, leads := t.trail.next(p.Cursor, r.NextCursor)
	if !leads {
		l.notices.say("list-cursor", words.T("The server's conversation list ends in a cursor that leads nowhere. The list may not be complete."))
	}
	if t.full {
		next = nil
		l.notices.say("list-full", words.T("The list holds the newest 10,000 conversations. Search to find the others."))
	}
	t.cursor = next
}

// unreadRows says how many rows of a list are missing from it.
func unreadRows(n int) string {
	return words.N(n, "one entry could not be read.", "%d entries could not be read.")
}

// afterList reads what waits for the list of a connection; at the first one the
// conversation that was named at the start is selected.
func (l *loop) afterList() {
	if l.modelsOf != l.link.stamp() {
		l.readCatalog()
	}
	if l.first && l.rec.Phase == recovery.Online {
		l.first = false
		if l.cfg.Thread != "" {
			l.selectThread(l.cfg.Thread, nil)
		}
	}
}

// listKey says from which facts the list section was built.
type listKey struct{ threads, joined, requests int }

func (l *loop) threadsSection() *Threads {
	t := &l.threads
	k := listKey{t.rev, l.joinedRev, l.requests.rev}
	if l.pub.last != nil && l.pub.list == k {
		return l.pub.last.Threads
	}
	l.pub.list = k
	s := &Threads{
		More: t.cursor != nil, Loading: t.loading, Search: t.search, Archived: t.archived,
		Problem: t.problem, Unread: t.unread, Rows: make([]*ThreadRow, 0, len(t.order)),
	}
	rows := make(map[string]*ThreadRow, len(t.order))
	for _, id := range t.order {
		row := l.threadRow(t.byID[id])
		if was := t.rows[id]; was != nil && *was == row {
			rows[id] = was // the same pointer, so that a surface makes it once
		} else {
			rows[id] = &row
		}
		s.Rows = append(s.Rows, rows[id])
	}
	t.rows = rows
	return s
}

func (l *loop) threadRow(x *protocol.Thread) ThreadRow {
	j := l.joined[x.ID]
	return ThreadRow{
		ID: x.ID, Title: x.Title(), Cwd: x.Cwd, Status: x.Status.Type, Mode: x.HistoryMode,
		RecencyAt: x.RecencyAt, Parent: x.ParentThreadID, Branch: x.GitInfo.Branch,
		Joined: j != nil && !j.lost, Asks: l.requests.asks(x.ID), Ended: l.threads.ended[x.ID],
	}
}

// threadNotified applies the notifications that go to every connection.
func (l *loop) threadNotified(n protocol.Notification) {
	t := &l.threads
	switch n := n.(type) {
	case protocol.ThreadStarted:
		if !n.Of.Ephemeral && n.Of.ParentThreadID == "" && !t.archived && t.search == "" {
			t.front(n.Of)
		}
	case protocol.ThreadStatusChanged:
		t.edit(n.Thread, func(x *protocol.Thread) { x.Status = n.Status })
		l.changedSinceRead(n.Thread)
	case protocol.ThreadNameUpdated:
		t.edit(n.Thread, func(x *protocol.Thread) { x.Name = n.Name })
	case protocol.ThreadArchived:
		l.gone(n.Thread, !t.archived, func(v *view) { v.archived = true })
	case protocol.ThreadUnarchived:
		if t.archived {
			t.remove(n.Thread)
		}
		if v := l.view; v != nil && v.thread == n.Thread && (v.archived || v.fix == ActUnarchive) {
			v.archived, v.problem, v.fix = false, "", ""
		}
	case protocol.ThreadDeleted:
		l.gone(n.Thread, true, func(v *view) { v.deleted = true })
	case protocol.ThreadClosed:
		t.edit(n.Thread, func(x *protocol.Thread) { x.Status = protocol.Status{Type: protocol.NotLoaded} })
		l.unjoin(n.Thread)
	case protocol.ThreadReverted:
		l.changedSinceRead(n.Thread)
	default: // not about the list
	}
}

// gone takes a conversation out of the list, if remove, and off the joined; what
// became of it is noted where it is shown.
func (l *loop) gone(id string, remove bool, note func(*view)) {
	if remove {
		l.threads.remove(id)
	}
	l.unjoin(id)
	if l.view != nil && l.view.thread == id {
		note(l.view)
		l.changedSinceRead(id)
	}
}
