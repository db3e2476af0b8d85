package rpc

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"holdfast/core/protocol"
	"holdfast/core/transport"
)

// keepBuffer is the longest frame after which the decoder's buffer is kept for
// the next.
const keepBuffer = 1 << 20

var (
	errForm   = errors.New("neither request, notification nor answer")
	errTwice  = errors.New("a member comes twice")
	errMethod = errors.New("the method is not a string")
	errMore   = errors.New("something follows the object")
	errResult = errors.New("neither result nor error")

	errStreamed = errors.New("the frame was read to its end")
)

// A source reads a frame and remembers what is not its plain end, so that a
// link that breaks in the middle of a frame is told from a frame that is bad.
type source struct {
	r   io.Reader
	n   int
	err error
}

// Read passes on.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.n += n
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// A reader takes frames apart, one after the other, on one goroutine.
type reader struct {
	c      *Conn
	frames protocol.Frames
	d      *jsontext.Decoder // of the frame that is read
	src    source
}

func newReader(c *Conn) *reader { return &reader{c: c} }

// A member is a name of the envelope, as a bit.
type member uint8

const (
	hasID member = 1 << iota
	hasMethod
	hasParams
	hasResult
	hasError
	hasTime
)

var members = map[string]member{
	"id": hasID, "method": hasMethod, "params": hasParams,
	"result": hasResult, "error": hasError, "emittedAtMs": hasTime,
}

// A message is what a frame said. Members may come in any order.
type message struct {
	seen   member
	id     protocol.RequestID
	method string
	params jsontext.Value
	result jsontext.Value // when it came before the ID, or is null
	fail   jsontext.Value
	at     int64
	null   bool // the result is null
	long   bool // a value was too long to be held
	// call is the call that is answered, and decoded says that its result went
	// straight into it, or how that failed.
	call    *call
	decoded bool
	bad     error
}

// frame reads one frame and acts on it.
func (r *reader) frame(f io.Reader) {
	r.src = source{r: f}
	r.d = r.frames.Next(&r.src)
	var m message
	err := r.read(&m)
	if r.src.n > keepBuffer || m.bad != nil {
		r.frames = protocol.Frames{}
	}
	switch {
	case errors.Is(r.src.err, transport.ErrNotText):
		r.fault(Fault{Kind: NotText})
	case r.src.err != nil:
		// The link has ended in the middle: Next says so, and no answer came.
	case err != nil && m.call != nil && m.has(hasResult) && !m.has(hasError):
		// It was an answer, and not one that can be read.
		r.c.settle(m.call, failure(ErrUnreadable, m.call.method, err))
	case err != nil:
		r.fault(Fault{Kind: NotObject, Method: m.method, Err: err})
	default:
		r.act(&m)
	}
}

// read reads the whole frame.
func (r *reader) read(m *message) error {
	if k := r.d.PeekKind(); k != jsontext.KindBeginObject {
		if _, err := r.d.ReadToken(); err != nil {
			return err
		}
		return errForm
	}
	if _, err := r.d.ReadToken(); err != nil {
		return err
	}
	for r.d.PeekKind() == jsontext.KindString {
		t, err := r.d.ReadToken()
		if err != nil {
			return err
		}
		name := members[t.String()]
		if m.seen&name != 0 {
			return errTwice
		}
		m.seen |= name
		switch err := r.member(m, name); {
		case errors.Is(err, errStreamed):
			m.bad = nil
			return nil
		case err != nil:
			return err
		}
	}
	if _, err := r.d.ReadToken(); err != nil { // the closing brace, or what is wrong
		return err
	}
	switch _, err := r.d.ReadToken(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	return errMore
}

// member reads the value of one name.
func (r *reader) member(m *message, name member) (err error) {
	switch name {
	case hasID:
		var v jsontext.Value
		if v, err = r.value(m); err == nil {
			m.id, _ = protocol.ParseID(v) // none: an ID that nobody gave out
			m.call = r.called(m.id)
		}
	case hasMethod:
		var t jsontext.Token
		if t, err = r.d.ReadToken(); err != nil {
			return err
		}
		if t.Kind() != jsontext.KindString {
			return errMethod
		}
		m.method = t.String()
	case hasParams:
		m.params, err = r.value(m)
	case hasResult:
		return r.result(m)
	case hasError:
		m.fail, err = r.value(m)
	case hasTime:
		var v jsontext.Value
		if v, err = r.value(m); err == nil {
			_ = json.Unmarshal(v, &m.at) // 0 if it is not a number
		}
	default: // a name we do not know
		return r.d.SkipValue()
	}
	return err
}

// result decodes the result of a call as it comes in, without holding it; a
// result whose ID is still to come is kept as it is.
func (r *reader) result(m *message) (err error) {
	m.null = r.d.PeekKind() == jsontext.KindNull
	switch {
	case m.null || !m.has(hasID):
		m.result, err = r.value(m)
	case m.call == nil || !r.c.wanted(m.call):
		return r.d.SkipValue()
	default:
		m.decoded = true
		if s, streams := m.call.w.(*streaming); streams {
			m.bad = r.stream(s)
			return m.bad
		}
		m.bad = m.call.w.decode(r.d)
		return m.bad
	}
	return err
}

// stream hands on the result and what is left of the frame, which ends with it.
func (r *reader) stream(s *streaming) error {
	rest := r.frames.Rest()
	if rest == nil {
		return errHeld
	}
	if err := s.to.Read(rest); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, rest); err != nil {
		return err
	}
	return errStreamed
}

// maxHeld bounds a value that is held whole: all but the results that are
// decoded as they come in.
const maxHeld = 32 << 20

var errHeld = errors.New("a value over 32 MiB")

// value reads a value and keeps it, without ever holding more than the bound:
// a longer one is read to its end, and is errHeld in the message.
func (r *reader) value(m *message) (jsontext.Value, error) {
	var b []byte
	long := false
	for base := r.d.StackDepth(); ; {
		sep := ""
		if at := r.d.StackDepth(); at > base {
			switch kind, n := r.d.StackIndex(at); {
			case kind == jsontext.KindBeginObject && n%2 == 1:
				sep = ":"
			case n > 0:
				sep = ","
			}
		}
		var part []byte
		switch k := r.d.PeekKind(); k {
		case jsontext.KindBeginObject, jsontext.KindBeginArray, jsontext.KindEndObject, jsontext.KindEndArray:
			if _, err := r.d.ReadToken(); err != nil {
				return nil, err
			}
			if k == jsontext.KindEndObject || k == jsontext.KindEndArray {
				sep = ""
			}
			part = []byte{byte(k)}
		default:
			v, err := r.d.ReadValue()
			if err != nil {
				return nil, err
			}
			part = v
		}
		if long = long || len(b)+len(sep)+len(part) > maxHeld; long {
			b, m.long = nil, true
		} else {
			b = append(append(b, sep...), part...)
		}
		if r.d.StackDepth() == base {
			return b, nil
		}
	}
}

func (r *reader) called(id protocol.RequestID) *call {
	if n, ok := id.Number(); ok {
		return r.c.find(n)
	}
	return nil
}

func (r *reader) fault(f Fault) {
	if r.c.h.Fault != nil {
		r.c.h.Fault(f)
	}
}

// act does what a whole message asks for.
func (r *reader) act(m *message) {
	switch {
	case m.has(hasMethod | hasID):
		r.request(m)
	case m.has(hasMethod):
		r.notification(m)
	case m.has(hasID):
		r.answer(m)
	default:
		r.fault(Fault{Kind: NotObject, Err: errForm})
	}
}

// has reports whether all of want were there.
func (m *message) has(want member) bool { return m.seen&want == want }

func (r *reader) answer(m *message) {
	refused := m.has(hasError) && m.fail.Kind() != jsontext.KindNull
	switch {
	case m.call == nil:
		kind := UnknownID
		if n, ok := m.id.Number(); ok && r.c.issued(n) {
			kind = SecondAnswer
		}
		r.fault(Fault{Kind: kind})
	case refused && m.has(hasResult) && !m.null:
		// Carried out or not? It is no answer.
		r.fault(Fault{Kind: NotObject, Err: errForm})
	case refused:
		r.c.settle(m.call, readError(m.fail))
	default:
		r.c.settle(m.call, m.outcome())
	}
}

// outcome decodes a result where that is still to be done.
func (m *message) outcome() error {
	err := errResult
	switch {
	case m.decoded:
		return nil
	case m.long:
		err = errHeld
	case m.has(hasResult):
		err = m.call.w.decode(protocol.NewDecoder(bytes.NewBuffer(m.result)))
	}
	if err != nil {
		return failure(ErrUnreadable, m.call.method, err)
	}
	return nil
}

func (r *reader) notification(m *message) {
	n, err := protocol.DecodeNotification(m.method, m.body(), m.at)
	if _, unknown := n.(protocol.Unknown); m.long && !unknown {
		err = errHeld
	}
	switch {
	case err != nil:
		r.fault(Fault{Kind: BadNotification, Method: m.method, Thread: thread(m.params), Err: err})
	case r.c.h.Notification != nil:
		r.c.h.Notification(n)
	}
}

// request hands on a question of the server. One that does not decode is handed
// on too, as one we do not know: somebody waits for its answer, and the user can
// still refuse it (ruling 33).
func (r *reader) request(m *message) {
	if m.id.IsZero() {
		r.fault(Fault{Kind: NotObject, Method: m.method, Err: errForm})
		return
	}
	q, err := protocol.DecodeRequest(m.id, m.method, m.body())
	if m.long {
		err = errHeld
	}
	if err != nil {
		r.fault(Fault{Kind: BadRequest, Method: m.method, Thread: thread(m.params), Err: err})
		if q, err = protocol.DecodeRequest(m.id, "", m.body()); err != nil {
			return
		}
		q.Method = m.method
	}
	if r.c.h.Request != nil {
		r.c.h.Request(q)
	}
}

// body gives the params; none is an empty object.
func (m *message) body() jsontext.Value {
	if m.params == nil || m.params.Kind() == jsontext.KindNull {
		return jsontext.Value("{}")
	}
	return m.params
}

// thread finds the thread of params that do not decode otherwise.
func thread(params jsontext.Value) string {
	var p struct {
		Thread string `json:"threadId"`
	}
	_ = json.Unmarshal(params, &p, protocol.DecodeOptions())
	return p.Thread
}
