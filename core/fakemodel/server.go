package fakemodel

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A Server is the scripted provider. It is safe for concurrent use, also by
// several app-servers at once.
type Server struct {
	http *http.Server
	url  string
	run  string // the random part of every item id
	end  context.CancelFunc
	busy sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	queue    []Script
	answer   func(Request) Script
	requests []*Request
	gates    map[string]*gate
	changed  chan struct{} // closed and replaced whenever something was recorded
	nextID   int
}

// A gate has two sides: reached when a script waits at it, opened by the test.
type gate struct{ reached, opened latch }

// A latch is a channel that is closed once.
type latch struct {
	ch   chan struct{}
	shut bool
}

func newLatch() latch { return latch{ch: make(chan struct{})} }

func (l *latch) close() {
	if !l.shut {
		l.shut = true
		close(l.ch)
	}
}

// Listen starts a Server on a free loopback port. It runs until ctx ends or
// Close is called.
func Listen(ctx context.Context) (*Server, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the scripted model: %w", err)
	}
	var run [4]byte
	if _, err := rand.Read(run[:]); err != nil {
		_ = ln.Close()
		return nil, fmt.Errorf("name the run of the scripted model: %w", err)
	}
	over, end := context.WithCancel(ctx)
	s := &Server{
		url:     "http://" + ln.Addr().String() + "/v1",
		run:     hex.EncodeToString(run[:]),
		end:     end,
		gates:   map[string]*gate{},
		changed: make(chan struct{}),
		answer:  func(Request) Script { return Say("ok") },
	}
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 30 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return over },
	}
	s.busy.Add(1)
	go func() {
		defer s.busy.Done()
		_ = s.http.Serve(ln) // ends with Close
	}()
	context.AfterFunc(over, func() { _ = s.http.Close() })
	return s, nil
}

// URL is the base URL of the provider, as a config.toml wants it.
func (s *Server) URL() string { return s.url }

// Close ends every answer and returns when nothing of the server runs any more.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end() // every request's context is a child of this one
	_ = s.http.Close()
	s.busy.Wait()
}

// Enqueue adds scripts to the queue. The oldest one that matches a request
// answers it.
func (s *Server) Enqueue(scripts ...Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, scripts...)
}

// SetAnswer says how a request is answered that no queued script matches.
func (s *Server) SetAnswer(answer func(Request) Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// SetDefault makes one script the answer to all those requests.
func (s *Server) SetDefault(sc Script) {
	s.SetAnswer(func(Request) Script { return sc })
}

// Reset forgets queued scripts and recorded requests. Gates stay as they are.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue, s.requests = nil, nil
}

// Open lets every script pass the gate, now and later.
func (s *Server) Open(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate(name).opened.close()
}

// AwaitGate returns when a script waits, or has waited, at the gate.
func (s *Server) AwaitGate(ctx context.Context, name string) error {
	s.mu.Lock()
	reached := s.gate(name).reached.ch
	s.mu.Unlock()
	select {
	case <-reached:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for the model to reach gate %q: %w", name, ctx.Err())
	}
}

// gate returns the gate of that name. s.mu is held.
func (s *Server) gate(name string) *gate {
	g, ok := s.gates[name]
	if !ok {
		g = &gate{reached: newLatch(), opened: newLatch()}
		s.gates[name] = g
	}
	return g
}

// pass waits at a gate until it is opened.
func (s *Server) pass(ctx context.Context, name string) error {
	s.mu.Lock()
	g := s.gate(name)
	g.reached.close()
	opened := g.opened.ch
	s.mu.Unlock()
	select {
	case <-opened:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Server) id(prefix string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	return fmt.Sprintf("%s_%s%06d", prefix, s.run, s.nextID)
}

// pick chooses the script for one request.
func (s *Server) pick(r Request) Script {
	s.mu.Lock()
	for i, sc := range s.queue {
		if sc.Match != "" && !strings.Contains(string(r.Body), sc.Match) {
			continue
		}
		if !sc.Keep {
			s.queue = append(s.queue[:i:i], s.queue[i+1:]...)
		}
		s.mu.Unlock()
		return sc
	}
	answer := s.answer
	s.mu.Unlock()
	return answer(r)
}

// enter counts one more request, unless the server is over: nothing may be
// added to busy once Close waits for it.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.busy.Add(1)
	return true
}

// ServeHTTP answers the provider's one endpoint and refuses the rest.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		return
	}
	defer s.busy.Done()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	rec := s.record(r, body)
	if r.URL.Path != "/v1/responses" || r.Method != http.MethodPost {
		http.Error(w, `{"error":{"message":"the scripted model has no such endpoint"}}`, http.StatusNotFound)
		return
	}
	done := s.play(&stream{w: w, ctx: r.Context()}, s.pick(*rec))
	s.finish(rec, done, r.Context().Err() != nil)
}
