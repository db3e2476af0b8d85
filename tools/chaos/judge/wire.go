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

// An Act is what a trap does to the frame itself. The zero value lets it pass.
type Act struct {
	// Spoil makes a request one that the server must refuse.
	Spoil bool
	// Swallow loses an answer, Late holds it back for a time.
	Swallow bool
	Late    time.Duration
}

// A Wire is the record of every frame of a run. It is safe for concurrent use.
type Wire struct {
	// Trap, if set, is asked at each frame before it moves on.
	Trap func(f *Frame) Act

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

	// Of Next alone: what waits to be handed over, and what is held back.
	ready [][]byte
	held  []late
}

type late struct {
	data []byte
	due  time.Time
}

func (r *recorded) trap(f *Frame) Act {
	if r.w.Trap == nil {
		return Act{}
	}
	return r.w.Trap(f)
}

// broken notes that a frame did not get to where it was going.
func (w *Wire) broken(f *Frame) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f.Broken = true
}

func (r *recorded) Write(ctx context.Context, frame []byte) error {
	f := r.w.add(r.number, true, frame)
	if r.trap(f).Spoil {
		frame = bytes.Replace(frame, []byte(`"threadId":"`), []byte(`"threadId":"no-`), 1)
	}
	err := r.Conn.Write(ctx, frame)
	if err != nil {
		r.w.broken(f)
	}
	return err
}

func (r *recorded) Next() (io.Reader, error) {
	for {
		if len(r.ready) > 0 {
			data := r.ready[0]
			r.ready = r.ready[1:]
			return bytes.NewReader(data), nil
		}
		in, err := r.Conn.Next()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(in)
		f := r.w.add(r.number, false, data)
		act := r.trap(f)
		if err != nil {
			r.w.broken(f)
			return io.MultiReader(bytes.NewReader(data), failing{err}), nil //nolint:nilerr // the frame's reader gives it
		}
		switch {
		case act.Swallow:
			r.w.broken(f)
		case act.Late > 0:
			r.w.broken(f) // it is recorded again when it comes
			r.held = append(r.held, late{data, time.Now().Add(act.Late)})
		default:
			r.release()
			r.ready = append(r.ready, data)
		}
	}
}

// release hands over what was held back long enough.
func (r *recorded) release() {
	for len(r.held) > 0 && time.Now().After(r.held[0].due) {
		r.w.add(r.number, false, r.held[0].data)
		r.ready = append(r.ready, r.held[0].data)
		r.held = r.held[1:]
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
