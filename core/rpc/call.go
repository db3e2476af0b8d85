package rpc

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"holdfast/core/protocol"
)

// A stage is how far a call has come. Conn.mu guards it.
type stage uint8

const (
	queued    stage = iota // no byte of it has left
	begun                  // handed to the transport
	resting                // refused for load, waits to be asked again
	abandoned              // begun, and its context ended: an answer is late
	settled                // over
)

// A waiter is the typed end of a call.
type waiter interface {
	// decode reads the result. It may run while done is called with an error.
	decode(d *jsontext.Decoder) error
	// done tells the caller, once. A nil error means the decoded result.
	done(err error)
	// late tells of an answer after done had said ErrNoAnswer.
	late(err error)
	// wantsLate reports whether late does anything.
	wantsLate() bool
}

// A call is one request under way.
type call struct {
	id     int64
	method string
	params jsontext.Value
	w      waiter
	retry  *retry // nil: asked once
	urgent bool   // passes the bound on what is in flight
	write  func(frame []byte) error
	stage  stage

	// telling orders done before late.
	telling sync.Mutex
	stop    func() bool // forgets the context
	timer   *time.Timer // while resting
}

// release forgets the context and the timer of a call that is over.
func (k *call) release() {
	if k.stop != nil {
		k.stop()
	}
	if k.timer != nil {
		k.timer.Stop()
	}
}

// An Outcome is who hears what became of a mutation.
type Outcome[R any] struct {
	// Done is called exactly once, as for Send.
	Done func(R, error)
	// Late, if set, is called at most once, on the reader's goroutine and after
	// Done, when Done had to say ErrNoAnswer because the context ended and the
	// answer came after all: a definitive answer still resolves its record
	// (ruling 28). Its error is nil, a *ServerError or ErrUnreadable.
	Late func(R, error)
}

// pending decodes into R.
type pending[R any] struct {
	value R
	to    Outcome[R]
}

func (p *pending[R]) decode(d *jsontext.Decoder) error {
	if err := json.UnmarshalDecode(d, &p.value, protocol.DecodeOptions()); err != nil {
		return err
	}
	return protocol.Missing(&p.value)
}

func (p *pending[R]) done(err error) { tell(p.to.Done, &p.value, err) }

func (p *pending[R]) late(err error) { tell(p.to.Late, &p.value, err) }

func (p *pending[R]) wantsLate() bool { return p.to.Late != nil }

// tell calls f, with the zero value beside an error: the reader may be decoding
// into v at that moment.
func tell[R any](f func(R, error), v *R, err error) {
	switch {
	case f == nil:
	case err != nil:
		var zero R
		f(zero, err)
	default:
		f(*v, nil)
	}
}

// Ask sends a query. The exact overload answer is asked again, at most three
// times within ten seconds (ruling 3).
//
// done is called exactly once and never before Ask returns: with an answer, on
// the reader's goroutine in wire order, before the next frame is handled;
// otherwise from a goroutine of its own or, when the link ends, from Serve.
func Ask[P, R any](ctx context.Context, c *Conn, q protocol.Query[P, R], p P, done func(R, error)) {
	k := &call{method: q.Method, w: &pending[R]{to: Outcome[R]{Done: done}}, retry: &retry{}}
	c.call(ctx, k, p)
}

// Look sends a read that is asked once. done is called as for Ask.
func Look[P, R any](ctx context.Context, c *Conn, q protocol.Call[P, R], p P, done func(R, error)) {
	c.call(ctx, &call{method: q.Method, w: &pending[R]{to: Outcome[R]{Done: done}}}, p)
}

// A Raw is who takes a result that is not decoded.
type Raw struct {
	// Read takes it as it comes in, on the reader's goroutine and once at most;
	// its error is that of an unreadable answer.
	Read func(io.Reader) error
	// Done is called exactly once, as for Ask. When it is called for another
	// reason than an answer, Read may still be running.
	Done func(error)
}

// Stream sends a query whose result goes to a Raw. It is asked again as for Ask.
func Stream[P, R any](ctx context.Context, c *Conn, q protocol.Query[P, R], p P, to Raw) {
	c.call(ctx, &call{method: q.Method, w: &streaming{to}, retry: &retry{}}, p)
}

// streaming hands a result on as it is.
type streaming struct{ to Raw }

// decode takes a result that had to be held, because its ID came after it.
func (s *streaming) decode(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	return s.to.Read(bytes.NewReader(v))
}

func (s *streaming) done(err error)  { s.to.Done(err) }
func (s *streaming) late(error)      {}
func (s *streaming) wantsLate() bool { return false }

// Send sends a mutation, once. done is called as for Ask. An answer after
// ErrNoAnswer is dropped in silence; see SendTracked.
func Send[P, R any](ctx context.Context, c *Conn, m protocol.Mutation[P, R], p P, done func(R, error)) {
	SendTracked(ctx, c, m, p, Outcome[R]{Done: done})
}

// SendTracked is Send for a caller who wants a late answer too.
func SendTracked[P, R any](ctx context.Context, c *Conn, m protocol.Mutation[P, R], p P, to Outcome[R]) {
	// Stop must get through when everything else waits.
	k := &call{method: m.Method, w: &pending[R]{to: to}, urgent: m.Method == protocol.TurnInterrupt.Method}
	c.call(ctx, k, p)
}

// call takes a call in, or says why not.
func (c *Conn) call(ctx context.Context, k *call, p any) {
	params, err := marshal(p)
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		go k.w.done(failure(ErrNotBegun, k.method, err))
		return
	}
	k.params = params
	unbound := context.WithoutCancel(ctx) // a frame once begun is finished
	k.write = func(frame []byte) error { return c.t.Write(unbound, frame) }
	if k.retry != nil {
		k.retry.since = time.Now()
	}
	c.mu.Lock()
	if err := c.enqueue(k); err != nil {
		c.mu.Unlock()
		go k.w.done(failure(ErrNotBegun, k.method, err))
		return
	}
	k.stop = context.AfterFunc(ctx, func() { c.expire(k, context.Cause(ctx)) })
	c.mu.Unlock()
}

// enqueue gives k an ID and a place. c.mu is held.
func (c *Conn) enqueue(k *call) error {
	switch {
	case c.ended != nil:
		return c.ended
	case k.urgent && len(c.urgent) >= maxWaiting, !k.urgent && len(c.waiting) >= maxWaiting:
		return ErrBusy
	}
	c.last++
	k.id, k.stage = c.last, queued
	c.calls[k.id] = k
	if k.urgent {
		c.urgent = append(c.urgent, func() { c.begin(k) })
		c.nudge()
		return nil
	}
	c.waiting = append(c.waiting, k)
	c.pump()
	return nil
}

// pump moves calls into flight while there is room. c.mu is held.
func (c *Conn) pump() {
	for c.flying < maxFlying && len(c.waiting) > 0 {
		k := c.waiting[0]
		c.waiting = c.waiting[1:]
		if k.stage != queued { // its context ended
			continue
		}
		c.flying++
		c.out = append(c.out, func() { c.begin(k) })
		c.nudge()
	}
}

// land frees k's place in flight. c.mu is held.
func (c *Conn) land(k *call) {
	if !k.urgent {
		c.flying--
		c.pump()
	}
}

// begin writes k, on the writer's goroutine. From here on the server may act.
func (c *Conn) begin(k *call) {
	c.mu.Lock()
	if k.stage != queued {
		if c.ended == nil {
			c.land(k)
		}
		c.mu.Unlock()
		return
	}
	k.stage = begun
	frame := requestFrame(k.id, k.method, k.params)
	if k.retry == nil {
		k.params = nil
	}
	c.mu.Unlock()
	if err := k.write(frame); err != nil {
		c.unsent(k, err)
		go c.lose()
	}
}

// unsent settles a call whose frame the transport did not take whole. Part of
// it may have left.
func (c *Conn) unsent(k *call, err error) {
	c.mu.Lock()
	told := k.stage != begun
	if !told {
		k.stage = settled
		delete(c.calls, k.id)
		c.land(k)
	}
	c.mu.Unlock()
	if !told {
		k.release()
		k.w.done(failure(ErrNoAnswer, k.method, err))
	}
}

// expire ends a call whose context is over; it ends that request only (ruling
// 14).
func (c *Conn) expire(k *call, why error) {
	c.mu.Lock()
	var err error
	switch k.stage {
	case queued:
		k.stage = settled
		delete(c.calls, k.id)
		err = failure(ErrNotBegun, k.method, why)
	case resting:
		k.stage = settled
		delete(c.resting, k)
		err = k.retry.first
	case begun:
		// It stays known, so that its answer is late and no fault.
		k.stage = abandoned
		c.land(k)
		err = failure(ErrNoAnswer, k.method, why)
	case abandoned, settled:
		c.mu.Unlock()
		return
	}
	k.telling.Lock()
	defer k.telling.Unlock()
	c.mu.Unlock()
	k.release()
	k.w.done(err)
}

// find gives the call that id answers, if there is one that was sent.
func (c *Conn) find(id int64) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.calls[id]; k != nil && k.stage != queued {
		return k
	}
	return nil
}

// issued reports whether a request went by id and is over.
func (c *Conn) issued(id int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return id >= 1 && id <= c.last && c.calls[id] == nil
}

// settle tells the caller of k what the server answered.
func (c *Conn) settle(k *call, err error) {
	c.mu.Lock()
	was := k.stage
	if was != begun && was != abandoned {
		c.mu.Unlock()
		return
	}
	delete(c.calls, k.id)
	k.stage = settled
	if was == begun {
		c.land(k)
		if c.rest(k, err) {
			c.mu.Unlock()
			return
		}
	}
	c.mu.Unlock()
	k.release()
	if was == begun {
		k.w.done(err)
		return
	}
	k.telling.Lock() // done has been called when this is ours
	defer k.telling.Unlock()
	k.w.late(err)
}
