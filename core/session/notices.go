package session

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"holdfast/core/rpc"
	"holdfast/core/words"
)

// maxNotices bounds the notices; the oldest goes first. maxSaid bounds the text
// of one, and of every other sentence that quotes the server.
const (
	maxNotices = 100
	maxSaid    = 2 << 10
)

// quote bounds the server's words inside a sentence of ours.
func quote(s string) string {
	if len(s) <= maxSaid {
		return s
	}
	n := maxSaid
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + words.T(" … (shortened here: %d bytes in all)", len(s))
}

// A noticeBoard holds what is said once.
type noticeBoard struct {
	rows []Notice
	next int
	seen map[string]bool
	mask func(string) string // takes secrets out of the server's words
}

// say adds a notice, unless the same one was said before.
func (b *noticeBoard) say(code, text string) {
	text = quote(b.mask(text))
	key := code + "\x00" + text
	if b.seen[key] {
		return
	}
	if b.seen == nil || len(b.seen) > 10*maxNotices {
		b.seen = map[string]bool{}
	}
	b.seen[key] = true
	b.next++
	b.rows = append(b.rows, Notice{ID: fmt.Sprintf("n%d", b.next), Code: code, Text: text, At: time.Now()})
	if len(b.rows) > maxNotices {
		b.rows = slices.Delete(b.rows, 0, 1)
	}
}

// replace says something that is true until it is retracted or replaced.
func (b *noticeBoard) replace(code, text string) {
	text = quote(b.mask(text))
	if slices.ContainsFunc(b.rows, func(n Notice) bool { return n.Code == code && n.Text == text }) {
		return
	}
	b.retract(code)
	delete(b.seen, code+"\x00"+text)
	b.say(code, text)
}

// retract takes back what was said under a code: it does not hold any more.
func (b *noticeBoard) retract(code string) {
	b.rows = slices.DeleteFunc(b.rows, func(n Notice) bool { return n.Code == code })
}

func (b *noticeBoard) dismiss(id string) {
	b.rows = slices.DeleteFunc(b.rows, func(n Notice) bool { return n.ID == id })
}

func (b *noticeBoard) section() *Notices { return &Notices{Rows: slices.Clone(b.rows)} }

// faulted handles a frame that was dropped (ruling 35): one notice, and if it
// was an event of the selected conversation, the view is stale.
func (l *loop) faulted(f rpc.Fault) {
	l.notices.say("dropped-frame", words.T("The server sent something that could not be read. It was left out."))
	l.cfg.Log.Warn("dropped a frame", "kind", f.Kind, "method", f.Method)
	if f.Method == "" || l.view == nil || l.view.window == nil {
		return
	}
	if f.Thread == "" || f.Thread == l.view.thread {
		l.view.trouble(words.T("an event could not be read"))
	}
}
