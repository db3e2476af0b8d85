package fakemodel

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// A stream writes server-sent events.
type stream struct {
	w   http.ResponseWriter
	ctx context.Context //nolint:containedctx // the stream lives as long as its request
	n   int
}

type fields map[string]any

func (st *stream) start() {
	st.w.Header().Set("Content-Type", "text/event-stream")
	st.w.Header().Set("Cache-Control", "no-store")
	st.w.WriteHeader(http.StatusOK)
	st.flush()
}

func (st *stream) flush() {
	if f, ok := st.w.(http.Flusher); ok {
		f.Flush()
	}
}

// send writes one event. An event is on the wire when it returns.
func (st *stream) send(kind string, f fields) error {
	if f == nil {
		f = fields{}
	}
	f["type"] = kind
	f["sequence_number"] = st.n
	st.n++
	data, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("encode event %s: %w", kind, err)
	}
	if _, err := fmt.Fprintf(st.w, "event: %s\ndata: %s\n\n", kind, data); err != nil {
		return fmt.Errorf("write event %s: %w", kind, err)
	}
	st.flush()
	return st.ctx.Err()
}

// pause waits for d, or less when the stream ends.
func (st *stream) pause(d time.Duration) error {
	if d > 0 {
		wait, cancel := context.WithTimeout(st.ctx, d)
		defer cancel()
		<-wait.Done()
	}
	return st.ctx.Err()
}

// deltas streams text as events of one kind.
func (st *stream) deltas(kind string, pieces []string, delay time.Duration, base fields) error {
	for _, p := range pieces {
		if err := st.pause(delay); err != nil {
			return err
		}
		f := fields{"delta": p}
		for k, v := range base {
			f[k] = v
		}
		if err := st.send(kind, f); err != nil {
			return err
		}
	}
	return nil
}

// pieces cuts text for streaming: after each word when size is 0, else about
// every size bytes, never inside a rune.
func pieces(text string, size int) []string {
	var out []string
	for text != "" {
		n := size
		if size <= 0 {
			n = strings.IndexAny(text, " \n") + 1
			if n == 0 {
				n = len(text)
			}
		}
		n = min(n, len(text))
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}
