package drive

import (
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
)

// wholeText is how much of a row's text a snapshot carries.
const wholeText = 64 << 10

// A view is what was written last: a section that has not changed since is
// left out.
type view struct {
	seq   uint64
	prev  *session.Snapshot
	texts map[history.Key]written
	rev   uint64 // the newest that a row was given

	threads    cache[session.ThreadRow]
	operations cache[session.Operation]
}

// A written row is one whose text was written, and under which rev. Revs of
// history begin anew with each window, and a fork repeats the keys of its origin:
// what is on the wire is numbered here, and no number comes twice.
type written struct {
	row *history.Row
	of  session.Generations
	rev uint64
}

// same reports whether a row says what was written.
func (x written) same(r *history.Row, of session.Generations) bool {
	return x.row == r || x.of == of && x.row.Rev == r.Rev
}

// forget makes the next snapshot a whole one.
func (v *view) forget() { v.prev, v.texts = nil, nil }

// A snapshotEvent is a snapshot on the wire. A nil value is left out.
type snapshotEvent struct {
	Event          string         `json:"event"`
	Seq            uint64         `json:"seq"`
	State          jsontext.Value `json:"state,omitzero"`
	Code           jsontext.Value `json:"code,omitzero"`
	Text           jsontext.Value `json:"text,omitzero"`
	Attempt        jsontext.Value `json:"attempt,omitzero"`
	Actions        jsontext.Value `json:"actions,omitzero"`
	Server         jsontext.Value `json:"server,omitzero"`
	Generations    jsontext.Value `json:"generations,omitzero"`
	Account        jsontext.Value `json:"account,omitzero"`
	Threads        jsontext.Value `json:"threads,omitzero"`
	MoreThreads    jsontext.Value `json:"moreThreads,omitzero"`
	Thread         jsontext.Value `json:"thread,omitzero"`
	Rows           jsontext.Value `json:"rows,omitzero"`
	Older          jsontext.Value `json:"older,omitzero"`
	Newer          jsontext.Value `json:"newer,omitzero"`
	Stale          jsontext.Value `json:"stale,omitzero"`
	Composer       jsontext.Value `json:"composer,omitzero"`
	RecoveryDrafts jsontext.Value `json:"recoveryDrafts,omitzero"`
	Operations     jsontext.Value `json:"operations,omitzero"`
	Requests       jsontext.Value `json:"requests,omitzero"`
	Queue          jsontext.Value `json:"queue,omitzero"`
	Attachments    jsontext.Value `json:"attachments,omitzero"`
	Notices        jsontext.Value `json:"notices,omitzero"`
}

// diff is the next snapshot event.
func (v *view) diff(s *session.Snapshot) snapshotEvent {
	e := snapshotEvent{Event: "snapshot", Seq: s.Seq}
	p, first := v.prev, v.prev == nil
	if first {
		p = &session.Snapshot{}
	}
	if first || p.Status != s.Status {
		e.State, e.Code, e.Text = raw(s.Status.State.String()), raw(s.Status.Code), raw(s.Status.Text)
		e.Attempt, e.Actions = raw(s.Status.Attempt), raw(s.Status.Actions)
	}
	if first || p.Server != s.Server {
		e.Server = raw(serverOf(s.Server))
	}
	if first || p.Generations != s.Generations {
		e.Generations = raw(generationsOf(s.Generations))
	}
	if first || p.Account != s.Account {
		e.Account = raw(accountOf(s.Account))
	}
	if first || p.Threads != s.Threads {
		e.Threads, e.MoreThreads = v.threads.list(s.Threads.Rows, threadRowOf), raw(s.Threads.More)
	}
	if first || p.Thread != s.Thread {
		e.Thread = raw(threadOf(s.Thread))
	}
	if first || p.History != s.History {
		v.history(&e, p.History, s, first)
	}
	if first || p.Composer != s.Composer {
		e.Composer = raw(composerOf(s.Composer))
	}
	v.rest(&e, p, s, first)
	v.prev, v.seq = s, s.Seq
	return e
}

func (v *view) rest(e *snapshotEvent, p, s *session.Snapshot, first bool) {
	if first || p.Drafts != s.Drafts {
		e.RecoveryDrafts = raw(draftsOf(s.Drafts))
	}
	if first || p.Operations != s.Operations {
		e.Operations = v.operations.list(s.Operations.Rows, operationOf)
	}
	if first || p.Requests != s.Requests {
		e.Requests = raw(requestsOf(s.Requests))
	}
	if first || p.Queue != s.Queue {
		e.Queue = raw(queueOf(s.Queue))
	}
	if first || p.Attachments != s.Attachments {
		e.Attachments = raw(attachmentsOf(s.Attachments))
	}
	if first || p.Notices != s.Notices {
		e.Notices = raw(noticesOf(s.Notices))
	}
}

// history writes every row in order, and the texts that changed.
func (v *view) history(e *snapshotEvent, p *history.View, s *session.Snapshot, first bool) {
	h := s.History
	if h == nil {
		h = &history.View{}
	}
	if p == nil {
		p = &history.View{}
	}
	texts := make(map[history.Key]written, len(h.Rows))
	rows := make([]row, 0, len(h.Rows))
	changed := first || len(p.Rows) != len(h.Rows)
	for i, r := range h.Rows {
		changed = changed || p.Rows[i] != r
		x := rowOf(r)
		was, known := v.texts[r.Key]
		if !known || !was.same(r, s.Generations) {
			v.rev++
			was.rev = v.rev
			text := cutText(protocol.PlainText(r.Item))
			x.Text = &text
		}
		x.Rev = was.rev
		texts[r.Key] = written{r, s.Generations, was.rev}
		rows = append(rows, x)
	}
	if changed {
		e.Rows = raw(rows)
		v.texts = texts
	}
	if first || p.Older != h.Older {
		e.Older = raw(h.Older)
	}
	if first || p.Newer != h.Newer {
		e.Newer = raw(h.Newer)
	}
	if first || p.Stale != h.Stale {
		e.Stale = raw(h.Stale)
	}
}

// revOf is the rev under which a row was written, 0 if it is another one by now.
func (v *view) revOf(r *history.Row) uint64 {
	if was := v.texts[r.Key]; was.row == r {
		return was.rev
	}
	return 0
}

func cutText(s string) string {
	if len(s) <= wholeText {
		return s
	}
	n := wholeText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// find gives the row a command names.
func find(s *session.Snapshot, turn, item string) (*history.Row, bool) {
	if s == nil || s.History == nil {
		return nil, false
	}
	for _, r := range s.History.Rows {
		if r.Key == (history.Key{Turn: turn, Item: item}) {
			return r, true
		}
	}
	return nil, false
}

// when writes a time as RFC 3339 in UTC, or null.
func when(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format(time.RFC3339)
	return &s
}
