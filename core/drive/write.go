package drive

import (
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"holdfast/core/session"
)

// every paces snapshots: at most 30 a second.
const every = 34 * time.Millisecond

// A writer is the only one that writes to the output. What it is given never
// waits for it: snapshots replace each other, everything else queues.
type writer struct {
	out io.Writer

	mu     sync.Mutex
	latest *session.Snapshot
	queue  []any // done and row events, full; in order
	wake   chan struct{}
	ended  bool

	// Owned by run.
	view    view
	written time.Time
	err     error
}

type doneEvent struct {
	Event string `json:"event"`
	Cmd   int    `json:"cmd"`
	OK    bool   `json:"ok"`
	Code  string `json:"code,omitzero"`
	Error string `json:"error,omitzero"`
}

// A fullRequest writes every section and text again.
type fullRequest struct{}

func newWriter(out io.Writer) *writer { return &writer{out: out, wake: make(chan struct{}, 1)} }

// publish takes the newest snapshot.
func (w *writer) publish(s *session.Snapshot) {
	w.mu.Lock()
	w.latest = s
	w.mu.Unlock()
	w.nudge()
}

// add queues an event; it is written after the newest snapshot there is now.
func (w *writer) add(events ...any) {
	w.mu.Lock()
	w.queue = append(w.queue, events...)
	w.mu.Unlock()
	w.nudge()
}

// end makes run return when everything was written.
func (w *writer) end() {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	w.nudge()
}

func (w *writer) current() *session.Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.latest
}

func (w *writer) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// run writes hello before everything else, and then until end; it returns the
// first error of the output.
func (w *writer) run(hello helloEvent) error {
	w.line(hello)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		w.mu.Lock()
		latest, queue, ended := w.latest, w.queue, w.ended
		w.queue = nil
		w.mu.Unlock()
		fresh := latest != nil && latest.Seq > w.view.seq
		rest := every - time.Since(w.written)
		if fresh && (len(queue) > 0 || ended || rest <= 0) {
			w.snapshot(latest)
			fresh = false
		}
		for _, e := range queue {
			w.event(e, latest)
		}
		if w.err != nil || ended {
			return w.err
		}
		timer.Reset(time.Hour)
		if fresh {
			timer.Reset(rest)
		}
		select {
		case <-w.wake:
		case <-timer.C:
		}
	}
}

// event writes what waited in the queue.
func (w *writer) event(e any, latest *session.Snapshot) {
	switch x := e.(type) {
	case fullRequest:
		w.view.forget()
		w.snapshot(latest)
	case rowEvent:
		x.Rev = w.view.revOf(x.of)
		w.line(x)
	default:
		w.line(e)
	}
}

func (w *writer) snapshot(s *session.Snapshot) {
	w.written = time.Now()
	if s != nil {
		e := w.view.diff(s)
		w.bytes(e.line())
	}
}

// line writes one event.
func (w *writer) line(v any) {
	if w.err != nil {
		return
	}
	b, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		w.err = fmt.Errorf("encode an event: %w", err)
		return
	}
	w.bytes(b)
}

// bytes writes an event that is encoded.
func (w *writer) bytes(b []byte) {
	if w.err != nil {
		return
	}
	if _, err := w.out.Write(append(escapeFormat(b), '\n')); err != nil {
		w.err = fmt.Errorf("write the output: %w", err)
	}
}

// escapeFormat writes DEL, C1 controls and bidi controls as JSON escapes, so
// that a terminal never sees one; a JSON reader sees no difference. In JSON
// they can stand inside strings only.
func escapeFormat(b []byte) []byte {
	var out []byte
	from := 0 // what follows is not in out yet
	for i := 0; i < len(b); {
		if b[i] < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if mustEscape(r) {
			out = fmt.Appendf(append(out, b[from:i]...), "\\u%04x", r)
			from = i + n
		}
		i += n
	}
	if from == 0 {
		return b
	}
	return append(out, b[from:]...)
}

func mustEscape(r rune) bool {
	switch {
	case r >= 0x7f && r <= 0x9f, r == 0x61c, r >= 0x200e && r <= 0x200f,
		r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff:
		return true
	}
	return false
}
