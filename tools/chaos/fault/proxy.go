package fault

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// A Greeting is what the next accepted connection gets instead of the server.
type Greeting struct {
	Status int           // an HTTP status
	Drop   bool          // a reset
	Hang   bool          // silence, until Heal
	Delay  time.Duration // the server, but later: overtaken by the next one
}

// A Proxy takes connections on a loopback port or a unix socket. It is safe for
// concurrent use.
type Proxy struct {
	network, addr string

	open func(context.Context) (Upstream, error)
	ctx  context.Context //nolint:containedctx // the proxy's own life
	stop context.CancelFunc
	busy sync.WaitGroup

	mu     sync.Mutex
	ln     net.Listener
	next   []Greeting
	links  map[*link]struct{}
	healed chan struct{} // closed and replaced by Heal
}

// Listen starts a proxy, on a port when path is empty and else on a socket of
// that path. open makes the server's side of each link.
func Listen(ctx context.Context, path string, open func(context.Context) (Upstream, error)) (*Proxy, error) {
	ctx, stop := context.WithCancel(ctx)
	p := &Proxy{network: "tcp", addr: "127.0.0.1:0", open: open, ctx: ctx, stop: stop, links: map[*link]struct{}{}, healed: make(chan struct{})}
	if path != "" {
		p.network, p.addr = "unix", path
	}
	if err := p.listen(p.addr); err != nil {
		stop()
		return nil, err
	}
	return p, nil
}

// Addr is the proxy's host and port, or its path.
func (p *Proxy) Addr() string { return p.addr }

func (p *Proxy) listen(addr string) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(p.ctx, p.network, addr)
	if err != nil {
		return fmt.Errorf("listen for the proxy: %w", err)
	}
	p.mu.Lock()
	p.ln, p.addr = ln, ln.Addr().String()
	p.mu.Unlock()
	p.busy.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			p.busy.Go(func() { p.greet(c.(client)) })
		}
	})
	return nil
}

// Shut closes the port; what is connected stays.
func (p *Proxy) Shut() {
	p.mu.Lock()
	ln := p.ln
	p.ln = nil
	p.mu.Unlock()
	if ln != nil {
		_ = ln.Close()
	}
}

// Reopen opens the port again.
func (p *Proxy) Reopen() error {
	p.mu.Lock()
	open := p.ln != nil
	p.mu.Unlock()
	if open {
		return nil
	}
	return p.listen(p.addr)
}

// Greet says what the next connections get, in order.
func (p *Proxy) Greet(g ...Greeting) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = append(p.next, g...)
}

// Set changes the mode of one or both directions of every link there is. step
// is the pause between two slow bytes.
func (p *Proxy) Set(up, down Mode, step time.Duration) {
	for _, l := range p.all() {
		l.up.set(up, step)
		l.down.set(down, step)
	}
}

// HoldForLate holds what the server says until the client says goodbye.
func (p *Proxy) HoldForLate() {
	for _, l := range p.all() {
		l.mu.Lock()
		l.lateOnly = true
		l.mu.Unlock()
		l.down.set(Hold, 0)
	}
}

// Reset drops every link.
func (p *Proxy) Reset() {
	for _, l := range p.all() {
		l.reset()
	}
}

// Heal ends every fault but a closed port.
func (p *Proxy) Heal() {
	p.mu.Lock()
	p.next = nil
	close(p.healed)
	p.healed = make(chan struct{})
	p.mu.Unlock()
	p.Set(Pass, Pass, 0)
}

// Close ends the proxy and returns when nothing of it runs.
func (p *Proxy) Close() {
	p.Shut()
	p.stop()
	p.Reset()
	p.busy.Wait()
}

func (p *Proxy) all() []*link {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]*link, 0, len(p.links))
	for l := range p.links {
		out = append(out, l)
	}
	return out
}

func (p *Proxy) greet(c client) {
	defer func() { _ = c.Close() }()
	p.mu.Lock()
	var g Greeting
	if len(p.next) > 0 {
		g, p.next = p.next[0], p.next[1:]
	}
	healed := p.healed
	p.mu.Unlock()
	switch {
	case g.Drop:
		abort(c)
		return
	case g.Status != 0:
		refuse(c, g.Status)
		return
	case g.Hang:
		p.wait(healed, time.Hour)
		abort(c)
		return
	case g.Delay > 0:
		p.wait(healed, g.Delay)
	}
	server, err := p.open(p.ctx)
	if err != nil {
		abort(c)
		return
	}
	l := newLink(c, server)
	p.mu.Lock()
	p.links[l] = struct{}{}
	p.mu.Unlock()
	if p.ctx.Err() != nil {
		l.reset()
	}
	l.run()
	p.mu.Lock()
	delete(p.links, l)
	p.mu.Unlock()
}

func (p *Proxy) wait(healed <-chan struct{}, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-healed:
	case <-p.ctx.Done():
	}
}

// refuse answers a handshake with a status.
func refuse(c net.Conn, status int) {
	_ = c.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
		return
	}
	_, _ = fmt.Fprintf(c, "HTTP/1.1 %d %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status, http.StatusText(status))
}
