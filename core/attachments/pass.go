package attachments

import (
	"slices"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// Why a list may not be complete. Each reads after "This list may not be
// complete:".
const (
	whyChanging = string(words.Key("it kept changing while it was read"))
	whyOver     = string(words.Key("it has more than 100 attachments, and only the first 100 are kept"))
	whyEmpty    = string(words.Key("the server gave an empty page cursor, so paging ended there"))
	whyTooLong  = string(words.Key("the server gave a page cursor that is too long, so paging ended there"))
	whyRepeated = string(words.Key("the server repeated a page cursor, so paging ended there"))
	whyUnread   = string(words.Key("some of them could not be read"))
	whyEndless  = string(words.Key("the server's pages did not end, so paging ended after 100 of them"))
)

// A pass reads the list once, from the first page on.
type pass struct {
	rows  []*Row
	keys  map[key]*Row
	used  map[string]struct{} // cursors
	pages int
	// unread says that a record could not be read.
	unread bool
}

func newPass() pass {
	return pass{keys: map[key]*Row{}, used: map[string]struct{}{}}
}

// remove drops rows; a key whose row is dropped is free again.
func (p *pass) remove(is func(*Row) bool) {
	p.rows = slices.DeleteFunc(slices.Clone(p.rows), is)
	for k, r := range p.keys {
		if is(r) {
			delete(p.keys, k)
		}
	}
}

// add merges one record by its key, and reports whether there was room. The
// list is oldest first: of two generations of one identity the later counts.
func (p *pass) add(a protocol.Attachment) bool {
	k := keyOf(a)
	if old := p.keys[k]; old != nil {
		p.remove(func(r *Row) bool { return r == old })
	}
	if len(p.rows) >= MaxRows {
		return false
	}
	r := rowOf(a)
	p.rows, p.keys[k] = append(p.rows, r), r
	return true
}

// begin starts a pass.
func (l *List) begin() []Fetch {
	l.state, l.again = Scanning, false
	l.passes++
	l.pass = newPass()
	l.view = nil
	return l.ask("")
}

// restart gives up the pass under way, and its page with it.
func (l *List) restart() []Fetch {
	if !l.Busy() {
		return nil
	}
	if l.passes >= MaxPasses {
		l.MarkStale(whyChanging)
		return nil
	}
	return l.begin()
}

func (l *List) ask(cursor string) []Fetch {
	l.last++
	l.open = l.last
	return []Fetch{{
		Params: protocol.ThreadAttachmentListParams{ThreadID: l.thread, Cursor: cursor, Limit: pageLimit},
		id:     l.open,
	}}
}

// Got takes a page in.
func (l *List) Got(f Fetch, r protocol.ThreadAttachmentListResult) []Fetch {
	if !l.take(f) {
		return nil
	}
	over := r.More
	l.pass.unread = l.pass.unread || r.Unread > 0
	for _, a := range r.Data {
		if _, gone := l.dead[a.ID]; !gone && !l.pass.add(a) {
			over = true
			break
		}
	}
	if !l.whole {
		l.rows = slices.Clone(l.pass.rows)
	}
	if over {
		return l.end(whyOver)
	}
	if r.NextCursor == nil {
		return l.end("")
	}
	if why := l.pass.leads(f.Params.Cursor, *r.NextCursor); why != "" {
		return l.end(why)
	}
	return l.ask(*r.NextCursor)
}

// leads says why paging cannot go on from one cursor to the next, "" when it
// can. Only a null cursor is a proper end.
func (p *pass) leads(from, next string) string {
	p.used[from] = struct{}{}
	p.pages++
	if next == "" {
		return whyEmpty
	}
	if len(next) > protocol.MaxCursor {
		return whyTooLong
	}
	if _, again := p.used[next]; again {
		return whyRepeated
	}
	if p.pages >= maxPages {
		return whyEndless
	}
	return ""
}

// end ends a pass; cut says why it ended before its time, "" when it did not.
func (l *List) end(cut string) []Fetch {
	l.rows, l.whole = l.pass.rows, true
	if cut == "" && l.pass.unread {
		cut = whyUnread
	}
	switch {
	case l.again && l.passes < MaxPasses:
		return l.begin()
	case cut != "":
		l.MarkStale(cut)
	case l.again:
		// "if membership keeps changing within the bounded passes the list is
		// shown as stale with an explicit refresh" (ATT-6).
		l.MarkStale(whyChanging)
	default:
		l.state, l.stale, l.pass = Current, "", pass{}
	}
	return nil
}

// Failed says that a page could not be read, and why. What was there stays.
func (l *List) Failed(f Fetch, reason string) {
	if l.take(f) {
		l.MarkStale(reason)
	}
}

// take reports whether the list still waits for f, and stops waiting.
func (l *List) take(f Fetch) bool {
	if f.id != l.open || l.open == 0 {
		return false
	}
	l.open = 0
	l.view = nil
	return true
}
