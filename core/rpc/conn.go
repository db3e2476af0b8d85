package rpc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"holdfast/core/protocol"
	"holdfast/core/transport"
)

// Bounds of what is on its way. The server refuses beyond about 128 waiting
// requests (fact 12), so few are in flight and the rest wait here in order.
const (
	maxFlying  = 64
	maxWaiting = 1024
)

// A Handler gets what the server says unasked, on the reader's goroutine and in
// wire order. Any of them may be nil. A handler that blocks holds up the link:
// that is the back-pressure.
type Handler struct {
	Notification func(protocol.Notification)
	Request      func(protocol.ServerRequest)
	Fault        func(Fault)
}

// Options of a Conn.
type Options struct {
	// Scale divides every delay; 0 and 1 change nothing.
	Scale int
	// Jitter gives numbers uniform in [0,1). nil means no jitter.
	Jitter func() float64
}

// A Conn carries requests, notifications and server requests over one link.
type Conn struct {
	t transport.Conn
	h Handler
	o Options

	mu      sync.Mutex
	last    int64           // the newest ID given out; they begin at 1
	calls   map[int64]*call // begun or about to be, and those whose caller gave up
	resting map[*call]struct{}
	flying  int
	waiting []*call  // for a place in flight
	out     []func() // for the writer
	urgent  []func() // before out: what passes the bound
	ended   error    // set once
	served  bool

	wake chan struct{} // one slot: there is something to write
	over chan struct{} // closed when ended is set
}

// New makes a Conn. Nothing moves before Serve.
func New(t transport.Conn, h Handler, o Options) *Conn {
	return &Conn{
		t: t, h: h, o: o, calls: map[int64]*call{}, resting: map[*call]struct{}{},
		wake: make(chan struct{}, 1), over: make(chan struct{}),
	}
}

// Serve reads until the link ends, then ends every waiting call and gives the
// reason, for transport.Classify. It does not close the link.
func (c *Conn) Serve() error {
	c.mu.Lock()
	again := c.served
	c.served = true
	c.mu.Unlock()
	if again {
		return errServed
	}
	go c.write()
	r := newReader(c)
	for {
		f, err := c.t.Next()
		if err != nil {
			c.end(err)
			return err
		}
		r.frame(f)
	}
}

// end settles every call that has no answer.
func (c *Conn) end(err error) {
	c.mu.Lock()
	c.ended = errors.Join(errEnded, err)
	close(c.over)
	var open []*call
	for _, k := range c.calls {
		open = append(open, k)
	}
	for k := range c.resting {
		open = append(open, k)
	}
	clear(c.calls)
	clear(c.resting)
	c.waiting, c.out, c.urgent = nil, nil, nil
	slices.SortFunc(open, func(a, b *call) int { return cmp.Compare(a.id, b.id) })
	var tell []func()
	for _, k := range open {
		switch was := k.stage; was {
		case queued, resting:
			tell = append(tell, func() { k.w.done(failure(ErrNotBegun, k.method, c.ended)) })
		case begun:
			tell = append(tell, func() { k.w.done(failure(ErrNoAnswer, k.method, c.ended)) })
		case abandoned, settled: // its caller was told
		}
		k.stage = settled
	}
	c.mu.Unlock()
	for _, k := range open {
		k.release()
	}
	for _, f := range tell {
		f()
	}
}

func failure(what error, method string, why error) error {
	return fmt.Errorf("%w: %s: %w", what, method, why)
}

func (c *Conn) scaled(d time.Duration) time.Duration {
	if c.o.Scale > 1 {
		return d / time.Duration(c.o.Scale)
	}
	return d
}

// write is the one goroutine that writes. It ends with the link; a write that
// blocks ends when the link is closed.
func (c *Conn) write() {
	for {
		job := c.job()
		if job != nil {
			job()
			continue
		}
		select {
		case <-c.wake:
		case <-c.over:
			return
		}
	}
}

func (c *Conn) job() (f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case len(c.urgent) > 0:
		f, c.urgent = c.urgent[0], c.urgent[1:]
	case len(c.out) > 0:
		f, c.out = c.out[0], c.out[1:]
	}
	return f
}

// nudge tells the writer that there is something.
func (c *Conn) nudge() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// put hands a frame that expects no answer to the writer.
func (c *Conn) put(ctx context.Context, what string, frame []byte) error {
	if ctx.Err() != nil {
		return failure(ErrNotBegun, what, context.Cause(ctx))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended != nil:
		return failure(ErrNotBegun, what, c.ended)
	case len(c.urgent) >= maxWaiting:
		return failure(ErrNotBegun, what, ErrBusy)
	}
	ctx = context.WithoutCancel(ctx)
	c.urgent = append(c.urgent, func() {
		if c.t.Write(ctx, frame) != nil {
			go c.lose()
		}
	})
	c.nudge()
	return nil
}

// lose ends a link that cannot be written to; the reader then learns why. It
// may take as long as a child takes to stop.
func (c *Conn) lose() { _ = c.t.Close() }

// wanted reports whether anybody waits for the result of k.
func (c *Conn) wanted(k *call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return k.stage == begun || k.stage == abandoned && k.w.wantsLate()
}
