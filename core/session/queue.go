package session

import (
	"slices"
	"strings"

	"holdfast/core/ledger"
	"holdfast/core/protocol"
	"holdfast/core/recovery"
	"holdfast/core/words"
)

// readQueue reads the selected conversation's queue, where experimentalApi
// allows it (ruling 19).
func (l *loop) readQueue() {
	v := l.view
	switch {
	case v == nil:
		l.queue = nil
		return
	case !l.target.Experimental:
		l.queue = &Queue{Rule: words.T("The queue needs experimentalApi, which this profile has off.")}
		return
	case l.joined[v.thread] == nil:
		l.queue = nil
		return
	}
	if l.queues.begin(l.fence.Current()) {
		l.readQueuePage("", &trail{}, nil)
	}
}

// maxQueued is what the server lets wait.
const maxQueued = 100

const queueRule words.Key = "The server sends the next message when a turn ends, also after a failed one; Stop pauses the queue."

func (l *loop) readQueuePage(cursor string, walked *trail, sofar []QueueEntry) {
	p := protocol.QueueListParams{ThreadID: l.view.thread, Cursor: cursor, Limit: maxQueued}
	look(l, l.fence.Current(), protocol.QueueList, p, func(l *loop, r protocol.QueueListResult, err error) {
		if err != nil {
			l.queues.end()
			l.queueRefused(err)
			return
		}
		walked.unread += r.Unread
		q := &Queue{Rule: queueRule.String(), Entries: slices.Clone(sofar)}
		for _, e := range r.Data {
			q.add(e)
		}
		next, leads := walked.next(cursor, r.NextCursor)
		if next != nil && len(q.Entries) < maxQueued && walked.pages() < maxQueued {
			l.readQueuePage(*next, walked, q.Entries)
			return
		}
		if !leads || next != nil || len(q.Entries) > maxQueued || walked.unread > 0 {
			q.Entries = q.Entries[:min(len(q.Entries), maxQueued)]
			q.Rule += words.T(" The server's list may not be complete.")
		}
		l.queue, q.whole = q, leads && next == nil && walked.unread == 0
		l.view.read = true
		if l.queues.end() {
			l.readQueue()
		}
	})
}

// maxQueueText bounds the text of the queue. Beyond it a message shows how it
// begins, and another text cannot stand in for it.
const maxQueueText = 16 << 20

func (q *Queue) add(e protocol.QueueEntry) {
	x := QueueEntry{ID: e.ID, client: e.ClientID, Text: protocol.PlainText(protocol.Item{Body: protocol.UserMessage{Content: e.Input}}), TextOnly: textOnly(e.Input)}
	size := 0
	for _, was := range q.Entries {
		size += len(was.Text)
	}
	if size+len(x.Text) > maxQueueText {
		x.Text, x.TextOnly = strings.Clone(quote(x.Text)), false
	}
	q.Entries = append(q.Entries, x)
}

func (l *loop) queueRefused(err error) {
	if code, msg := refusal(err); protocol.NeedsExperimental(protocol.QueueList.Method, code, msg) {
		l.server.Experimental = false
		l.queue = &Queue{Rule: words.T("The server refuses experimentalApi, which the queue needs.")}
		return
	}
	l.queue = &Queue{Rule: words.T("The queue could not be read. %s", textOf(err))}
}

// editQueue changes the queue of the selected conversation. Every edit is a
// mutation like any other.
func (l *loop) editQueue(in EditQueue, done func(Result)) {
	thread := l.view.thread
	input := []protocol.UserInput{{Type: "text", Text: in.Text}}
	entry := ledger.Entry{Thread: thread, Text: in.Text}
	at := l.fence.Current()
	if (in.Op == "add" || in.Op == "update") && strings.TrimSpace(in.Text) == "" {
		l.finish(done, refuse("empty", words.T("There is nothing to queue.")))
		return
	}
	var op string
	switch in.Op {
	case "add":
		entry.ClientID, entry.After = l.cfg.NewID(), l.newestTurn()
		op = l.queueAdd(entry, input)
	case "update":
		p := protocol.QueueUpdateParams{ThreadID: thread, EntryID: in.Entry, Input: input}
		op = mutate(l, protocol.QueueUpdate, p, sending[protocol.QueueUpdateResult]{entry: entry, at: at, got: func(l *loop, _ protocol.QueueUpdateResult) { l.readQueue() }})
	case "delete":
		p := protocol.QueueDeleteParams{ThreadID: thread, EntryID: in.Entry}
		op = mutate(l, protocol.QueueDelete, p, sending[protocol.QueueDeleteResult]{entry: entry, at: at, got: func(l *loop, _ protocol.QueueDeleteResult) { l.readQueue() }})
	case "reorder":
		p := protocol.QueueReorderParams{ThreadID: thread, EntryIDs: l.reordered(in.Entry, in.Before)}
		op = mutate(l, protocol.QueueReorder, p, sending[protocol.Empty]{entry: entry, at: at, got: func(l *loop, _ protocol.Empty) { l.readQueue() }})
	case "start":
		p := protocol.QueueStartParams{ThreadID: thread, EntryID: in.Entry}
		op = mutate(l, protocol.QueueStart, p, sending[protocol.QueueStartResult]{entry: entry, at: at, got: func(l *loop, _ protocol.QueueStartResult) { l.readQueue() }})
	default:
		l.finish(done, refuse("bad-op", words.T("A queue command is add, update, delete, reorder or start.")))
		return
	}
	if in.Op == "add" || in.Op == "update" { // NotSent or Rejected puts the text into the composer
		l.mayReturn(op, thread, recovery.Content{Text: in.Text})
	}
	l.wait(waiter{done: done, op: op, connBound: true})
}

// queueAdd queues a message.
func (l *loop) queueAdd(entry ledger.Entry, input []protocol.UserInput) string {
	p := protocol.QueueAddParams{ThreadID: entry.Thread, ClientUserMessageID: entry.ClientID, Input: input}
	return mutate(l, protocol.QueueAdd, p, sending[protocol.QueueAddResult]{
		entry: entry, at: l.fence.Current(),
		got: func(l *loop, _ protocol.QueueAddResult) { l.readQueue() },
	})
}

// textOnly says that a waiting message is one text, so that another text can
// stand in for it.
func textOnly(in []protocol.UserInput) bool { return len(in) == 1 && in[0].Type == "text" }

// reordered gives the whole order with entry put before another, or last.
func (l *loop) reordered(entry, before string) []string {
	var ids []string
	if l.queue != nil {
		for _, e := range l.queue.Entries {
			if e.ID != entry {
				ids = append(ids, e.ID)
			}
		}
	}
	i := slices.Index(ids, before)
	if i < 0 {
		i = len(ids)
	}
	return slices.Insert(ids, i, entry)
}
