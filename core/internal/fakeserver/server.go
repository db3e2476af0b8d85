package fakeserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"holdfast/core/transport"
)

// A Request is one frame a client sent: a request (ID and Method), a
// notification (Method only) or an answer to a request of ours (ID, Result or
// Error).
type Request struct {
	// Link counts the links of a server from 1.
	Link   int
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// A Failure is an error that a handler answers with.
//
//nolint:errname // in a test it reads as what the server answers
type Failure struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error is the message.
func (f *Failure) Error() string { return f.Message }

// Overloaded is the exact answer of a server that refuses for load.
func Overloaded() *Failure {
	return &Failure{Code: -32001, Message: "Server overloaded; retry later."}
}

// A Handler answers one request. An error that is not a *Failure is answered
// with code -32600. It must not call the client.
type Handler func(r Request) (result any, err error)

type silent struct{}

func (silent) Error() string { return "no answer" }

// Silent is the error by which a handler leaves a request unanswered.
//
//nolint:errname // in a test it reads as what the server does
var Silent error = silent{}

// A Server is one scripted app-server with any number of links.
type Server struct {
	t        testing.TB
	mu       sync.Mutex
	handlers map[string]Handler
	seen     []Request
	links    []*Link
	arrived  chan struct{} // closed and replaced at each frame
	refuse   error
	mute     bool
}

// New gives a server that answers initialize as 0.159.1 does and refuses every
// other method as unknown until told otherwise.
func New(t testing.TB) *Server {
	s := &Server{t: t, handlers: map[string]Handler{}, arrived: make(chan struct{})}
	s.Answer("initialize", map[string]any{
		"userAgent": "holdfast/0.159.1 (fake) (holdfast; 0)", "codexHome": "/home/fake/.codex",
		"platformFamily": "unix", "platformOs": "linux",
	})
	return s
}

// Handle sets who answers a method.
func (s *Server) Handle(method string, h Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handlers[method] = h
}

// Answer sets one answer for a method.
func (s *Server) Answer(method string, result any) {
	s.Handle(method, func(Request) (any, error) { return result, nil })
}

// Fail sets one refusal for a method.
func (s *Server) Fail(method string, code int64, message string) {
	s.Handle(method, func(Request) (any, error) { return nil, &Failure{Code: code, Message: message} })
}

// Mute makes the server take frames and answer none, or answer again.
func (s *Server) Mute(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mute = on
}

// Again answers the newest request of a method, which it had left unanswered.
func (s *Server) Again(method string) {
	s.t.Helper()
	all := s.Requests(method)
	if len(all) == 0 {
		s.t.Fatalf("fakeserver: no %s came", method)
	}
	s.mu.Lock()
	h := s.handlers[method]
	s.mu.Unlock()
	if reply := s.answer(all[len(all)-1], h); reply != nil {
		s.Link().Raw(reply)
	}
}

// Refuse makes Dial fail with err from now on; nil accepts again.
func (s *Server) Refuse(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = err
}

// Dial opens a link. It is what a session's dial function returns.
func (s *Server) Dial() (transport.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse != nil {
		return nil, s.refuse
	}
	l := &Link{s: s, number: len(s.links) + 1, more: make(chan struct{}, 1)}
	s.links = append(s.links, l)
	return l, nil
}

// Link gives the newest link; the test fails when there was none.
func (s *Server) Link() *Link {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.links) == 0 {
		s.t.Fatal("fakeserver: no link was opened")
	}
	return s.links[len(s.links)-1]
}

// Requests gives all frames of the given methods, or of any when none is given,
// in the order they came.
func (s *Server) Requests(methods ...string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Request
	for _, r := range s.seen {
		if len(methods) == 0 || slices.Contains(methods, r.Method) {
			out = append(out, r)
		}
	}
	return out
}

// Methods gives the methods of all frames in the order they came; an answer to
// a request of ours is "".
func (s *Server) Methods() []string {
	var out []string
	for _, r := range s.Requests() {
		out = append(out, r.Method)
	}
	return out
}

// Wait blocks until n frames of a method have come and gives them.
func (s *Server) Wait(method string, n int) []Request {
	s.t.Helper()
	for {
		s.mu.Lock()
		more := s.arrived
		s.mu.Unlock()
		if got := s.Requests(method); len(got) >= n {
			return got
		}
		select {
		case <-more:
		case <-s.t.Context().Done():
			s.t.Fatalf("fakeserver: waited for %d %s, got %v", n, method, s.Methods())
		}
	}
}

// Notify sends a notification on the newest link.
func (s *Server) Notify(method string, params any) {
	s.t.Helper()
	s.Link().Say(map[string]any{"method": method, "params": params, "emittedAtMs": 1796016687000})
}

// Ask sends a request of the server on the newest link. id may be of any JSON
// type.
func (s *Server) Ask(id any, method string, params any) {
	s.t.Helper()
	s.Link().Say(map[string]any{"method": method, "id": id, "params": params})
}

// got takes one frame of a client and gives the answer to send, or nil.
func (s *Server) got(link int, frame []byte) []byte {
	r := Request{Link: link}
	if err := json.Unmarshal(frame, &r); err != nil {
		s.t.Errorf("fakeserver: the client sent %q: %v", frame, err)
		return nil
	}
	s.mu.Lock()
	s.seen = append(s.seen, r)
	close(s.arrived)
	s.arrived = make(chan struct{})
	h, known := s.handlers[r.Method]
	mute := s.mute
	s.mu.Unlock()
	if mute || r.ID == nil || r.Method == "" {
		return nil
	}
	if !known {
		h = func(Request) (any, error) {
			return nil, &Failure{Code: -32600, Message: fmt.Sprintf("Invalid request: unknown variant `%s`", r.Method)}
		}
	}
	return s.answer(r, h)
}

func (s *Server) answer(r Request, h Handler) []byte {
	result, err := h(r)
	var reply any
	switch f := err.(type) { //nolint:errorlint // a handler gives one of these as it is
	case nil:
		// The server writes the ID first.
		reply = struct {
			ID     json.RawMessage `json:"id"`
			Result any             `json:"result"`
		}{r.ID, result}
	case silent:
		return nil
	case *Failure:
		reply = struct {
			Error *Failure        `json:"error"`
			ID    json.RawMessage `json:"id"`
		}{f, r.ID}
	default:
		return s.answer(r, func(Request) (any, error) { return nil, &Failure{Code: -32600, Message: err.Error()} })
	}
	b, err := json.Marshal(reply)
	if err != nil {
		s.t.Errorf("fakeserver: the answer to %s: %v", r.Method, err)
	}
	return b
}
