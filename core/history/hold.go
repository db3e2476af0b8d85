package history

import (
	"reflect"
	"slices"
	"strings"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// Why a view is stale.
const (
	// StaleChanged is set when turns of the thread were cut off.
	StaleChanged  = string(words.Key("changed"))
	staleUnlisted = string(words.Key("the server does not list all of the running turn yet"))
	staleOverflow = string(words.Key("too much happened while the history was read"))
)

// A buffer holds the events of the thread while a read is open (ruling 4).
type buffer struct {
	events []held
	bytes  int64
}

// A held event. Deltas of one text that follow each other are one (ruling 5):
// their text grows in more.
type held struct {
	n    protocol.Notification
	more *strings.Builder
}

// eventCost is what a serialized event needs besides its text.
const eventCost = 128

// add holds n, and reports whether the buffer still keeps its bounds (HIS-8).
func (b *buffer) add(n protocol.Notification, l Limits) bool {
	if d, ok := n.(protocol.Delta); ok && b.join(d) {
		b.bytes += jsonBytes(d.Text)
	} else {
		b.events = append(b.events, held{n: n})
		b.bytes += eventBytes(n)
	}
	return len(b.events) <= l.Events && b.bytes <= l.Buffer
}

// join appends d to the newest event if that is a delta of the same text.
func (b *buffer) join(d protocol.Delta) bool {
	if len(b.events) == 0 {
		return false
	}
	last := &b.events[len(b.events)-1]
	had, ok := last.n.(protocol.Delta)
	if !ok || had.ItemRef != d.ItemRef || had.Kind != d.Kind || had.Part != d.Part {
		return false
	}
	if last.more == nil {
		last.more = &strings.Builder{}
		last.more.WriteString(had.Text)
	}
	last.more.WriteString(d.Text)
	had.Bytes += max(d.Bytes, int64(len(d.Text)))
	last.n = had
	return true
}

// event gives the held event, joined.
func (h held) event() protocol.Notification {
	d, ok := h.n.(protocol.Delta)
	if ok && h.more != nil {
		d.Text = h.more.String()
		return d
	}
	return h.n
}

// eventBytes is the size of n as JSON, to within its fixed part.
func eventBytes(n protocol.Notification) int64 {
	size := int64(eventCost)
	eachString(reflect.ValueOf(n), func(v reflect.Value) { size += jsonBytes(v.String()) })
	return size
}

// jsonBytes is the length of s inside a JSON string.
func jsonBytes(s string) int64 {
	n := int64(len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
			n++
		case c < 0x20:
			n += 5
		}
	}
	return n
}

// Hold begins, or goes on, holding back the thread's events, such as before a
// resume is sent. Rejoin, Open or Refresh must follow, or Release.
func (w *Window) Hold() { w.holding = true }

// Release ends a Hold that no read followed, as when the resume was refused:
// what was held back is applied. While a read is open it does nothing.
func (w *Window) Release() {
	if w.holding && !w.Busy() {
		w.drain()
	}
}

// drain applies what was held back, in order.
func (w *Window) drain() {
	events := w.buf.events
	w.buf, w.holding = buffer{}, false
	w.draining = true
	for _, h := range events {
		w.merge(h.event())
	}
	w.draining = false
	w.settled()
}

// passOver drops what was held back of items that are older than the page: one
// that was completed before an item the page lists, and is not in it, lies
// beyond the window's old end. Turns that only the events know find their place
// among those the pages list.
func (w *Window) passOver() {
	older, listed := map[Key]bool{}, false
	for _, h := range slices.Backward(w.buf.events) {
		k, done := keyOf(h.n)
		r := w.rows[k]
		switch {
		case !done:
		case r != nil && r.final:
			listed = true
		case listed:
			older[k] = true
			w.gone[k] = struct{}{} // nor do its deltas bring it in
			if r != nil {
				w.dropRows(w.byID[k.Turn], func(x *row) bool { return x == r })
			}
			w.found(k)
		}
	}
	w.arrangeTold()
	w.buf.events = slices.DeleteFunc(w.buf.events, func(h held) bool {
		k, done := keyOf(h.n)
		return done && older[k]
	})
}

// turns gives the turns of the events held back, in order.
func (b *buffer) turns() (ids []string) {
	for _, h := range b.events {
		k, _ := keyOf(h.n)
		if n := len(ids); n == 0 || ids[n-1] != k.Turn {
			ids = append(ids, k.Turn)
		}
	}
	return ids
}

// began gives the turns whose start is among the events held back.
func (b *buffer) began() map[string]bool {
	ids := map[string]bool{}
	for _, h := range b.events {
		if n, ok := h.n.(protocol.TurnStarted); ok {
			ids[n.Turn.ID] = true
		}
	}
	return ids
}

// keyOf gives the turn and item an event is about, and whether it completes
// the item.
func keyOf(n protocol.Notification) (k Key, done bool) {
	switch n := n.(type) {
	case protocol.TurnStarted:
		return Key{Turn: n.Turn.ID}, false
	case protocol.TurnCompleted:
		return Key{Turn: n.Turn.ID}, false
	case protocol.ItemStarted:
		return Key{n.Turn, n.Item.ID}, false
	case protocol.ItemCompleted:
		return Key{n.Turn, n.Item.ID}, true
	case protocol.Delta:
		return Key{n.Turn, n.Item}, false
	case protocol.PatchUpdated:
		return Key{n.Turn, n.Item}, false
	default: // Apply holds nothing else back
		return Key{}, false
	}
}

// Apply takes a notification. What does not concern this thread's rows and
// turns changes nothing (traps 12 and 14).
func (w *Window) Apply(n protocol.Notification) {
	if n == nil || n.ThreadID() != w.thread {
		return
	}
	switch n := n.(type) {
	case protocol.ThreadReverted:
		w.reverted()
		return
	case protocol.ItemStarted:
		w.noteClient(n.Item)
	case protocol.ItemCompleted:
		w.noteClient(n.Item)
	case protocol.TurnCompleted:
		w.noteClients(n.Turn.Items)
	case protocol.TurnStarted, protocol.Delta, protocol.PatchUpdated:
	default:
		return
	}
	switch {
	case w.lost:
		w.missed(n)
	case w.holding:
		if !w.buf.add(n, w.limits) {
			w.loseSync(staleOverflow)
		}
	default:
		w.merge(n)
		w.settled()
	}
}

// loseSync gives up on the events: none that was held back is applied (HIS-8),
// and none that follows, until a fresh read.
func (w *Window) loseSync(reason string) {
	w.lost, w.holding = true, false
	for _, h := range w.buf.events {
		w.missed(h.n)
	}
	w.buf = buffer{}
	w.stale = reason
	w.touch()
}

// reverted drops everything: the server pages what is left from cursors of
// before without complaint (trap 10).
func (w *Window) reverted() {
	w.abandon()
	w.clear()
	w.loseSync(StaleChanged)
	w.settled()
}
