package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"holdfast/core/transport"
)

// A Frame is one message on the wire, as far as the judge looks at it.
type Frame struct {
	Conn int // counts dials from 1
	Out  bool
	At   time.Time
	// Broken says that it could not be written or read to its end.
	Broken bool

	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Failure        `json:"error"`
}

// A Failure is the error of an answer.
type Failure struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// Params that matter.
type params struct {
	ThreadID string  `json:"threadId"`
	ClientID string  `json:"clientUserMessageId"`
	Input    []input `json:"input"`
}

type input struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func (f *Frame) params() params {
	var p params
	_ = json.Unmarshal(f.Params, &p) // another form has none of them
	return p
}

func (p params) text() string {
	var parts []string
	for _, x := range p.Input {
		if x.Type == "text" {
			parts = append(parts, x.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// A Dial is one attempt to connect.
type Dial struct {
	At   time.Time
	OK   bool
	Over time.Time
}

// A Wire is the record of every frame of a run. It is safe for concurrent use.
type Wire struct {
	// Trap, if set, is asked at each frame before it moves on.
	Trap func(f *Frame)

	mu     sync.Mutex
	frames []*Frame
	dials  []*Dial
	raw    map[*Frame][]byte
}

// NewWire makes an empty record.
func NewWire() *Wire { return &Wire{raw: map[*Frame][]byte{}} }

// Dialling notes the beginning of an attempt; the result notes its end.
func (w *Wire) Dialling() (number int, over func(ok bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := &Dial{At: time.Now()}
	w.dials = append(w.dials, d)
	return len(w.dials), func(ok bool) {
		w.mu.Lock()
		defer w.mu.Unlock()
		d.OK, d.Over = ok, time.Now()
	}
}

// Record wraps a connection of the attempt with that number.
func (w *Wire) Record(number int, c transport.Conn) transport.Conn {
	return &recorded{Conn: c, w: w, number: number}
}

// Frames are all of them in order.
func (w *Wire) Frames() []*Frame {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]*Frame(nil), w.frames...)
}

// Dials are all attempts in order.
func (w *Wire) Dials() []Dial {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]Dial, 0, len(w.dials))
	for _, d := range w.dials {
		out = append(out, *d)
	}
	return out
}

// Said reports whether a whole frame from the server held the text.
func (w *Wire) Said(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.frames {
		if !f.Out && !f.Broken && bytes.Contains(w.raw[f], []byte(text)) {
			return true
		}
	}
	return false
}

// Dump writes the record for people, newest last.
func (w *Wire) Dump(out io.Writer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.frames {
		dir := "<"
		if f.Out {
			dir = ">"
		}
		b := w.raw[f]
		if len(b) > 600 {
			b = b[:600]
		}
		line := f.At.Format("05.000") + " " + dir + string(rune('0'+f.Conn%10)) + " "
		if f.Broken {
			line += "BROKEN "
		}
		_, _ = io.WriteString(out, line+string(b)+"\n")
	}
}

func (w *Wire) add(number int, out bool, data []byte) *Frame {
	f := &Frame{Conn: number, Out: out, At: time.Now()}
	if json.Unmarshal(data, f) != nil {
		f.Broken = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.frames = append(w.frames, f)
	w.raw[f] = bytes.Clone(data)
	return f
}

// A recorded connection notes each frame and asks the trap.
type recorded struct {
	transport.Conn
	w      *Wire
	number int
}

func (r *recorded) Write(ctx context.Context, frame []byte) error {
	f := r.w.add(r.number, true, frame)
	if r.w.Trap != nil {
		r.w.Trap(f)
	}
	err := r.Conn.Write(ctx, frame)
	if err != nil {
		r.w.mu.Lock()
		f.Broken = true
		r.w.mu.Unlock()
	}
	return err
}

func (r *recorded) Next() (io.Reader, error) {
	in, err := r.Conn.Next()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(in)
	f := r.w.add(r.number, false, data)
	if r.w.Trap != nil {
		r.w.Trap(f)
	}
	if err != nil {
		r.w.mu.Lock()
		f.Broken = true
		r.w.mu.Unlock()
		return io.MultiReader(bytes.NewReader(data), failing{err}), nil
	}
	return bytes.NewReader(data), nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
