package fakemodel

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// A Request is one recorded request. Body shows what the model would have seen.
type Request struct {
	Seq  int
	Path string
	Body json.RawMessage
	// Done says that the answer was sent to its end, Gone that the client went
	// away before.
	Done, Gone bool
}

// An input is one element of a request's input list, as far as we look at it.
type input struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	CallID  string          `json:"call_id"`
	Output  json.RawMessage `json:"output"`
	Content json.RawMessage `json:"content"`
}

func (r Request) inputs() []input {
	var body struct {
		Input []input `json:"input"`
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return nil // a request with another shape has no inputs we know
	}
	return body.Input
}

// Asked is the newest user message when it is what the request ends with, so
// when this is not the follow-up of a tool call; else "".
func (r Request) Asked() string {
	in := r.inputs()
	if len(in) == 0 || in[len(in)-1].Role != "user" {
		return ""
	}
	return in[len(in)-1].text()
}

// Answered is the text of the newest tool output when the request is the
// follow-up of a tool call, and its call id.
func (r Request) Answered() (callID, output string) {
	in := r.inputs()
	if len(in) == 0 || !strings.HasSuffix(in[len(in)-1].Type, "_output") {
		return "", ""
	}
	last := in[len(in)-1]
	var text string
	if json.Unmarshal(last.Output, &text) != nil {
		text = string(last.Output)
	}
	return last.CallID, text
}

// Offers reports whether the request offers the model a tool of that name, and
// in which namespace, "" for none.
func (r Request) Offers(tool string) (namespace string, ok bool) {
	var body struct {
		Tools []struct {
			Name  string `json:"name"`
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
		} `json:"tools"`
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return "", false // no tools that we could name
	}
	for _, t := range body.Tools {
		if t.Name == tool {
			return "", true
		}
		for _, inner := range t.Tools {
			if inner.Name == tool {
				return t.Name, true
			}
		}
	}
	return "", false
}

func (in input) text() string {
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(in.Content, &parts) != nil {
		return string(in.Content)
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

func (s *Server) record(r *http.Request, body []byte) *Request {
	rec := &Request{Path: r.URL.Path, Body: body}
	s.mu.Lock()
	defer s.mu.Unlock()
	rec.Seq = len(s.requests)
	s.requests = append(s.requests, rec)
	s.announce()
	return rec
}

func (s *Server) finish(rec *Request, done, gone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rec.Done, rec.Gone = done, gone
	s.announce()
}

// announce wakes everyone in Await. s.mu is held.
func (s *Server) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Requests returns a copy of what was recorded so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.copyRequests()
}

func (s *Server) copyRequests() []Request {
	out := make([]Request, 0, len(s.requests))
	for _, r := range s.requests {
		out = append(out, *r)
	}
	return out
}

// Await returns the first recorded request for which want holds.
func (s *Server) Await(ctx context.Context, want func(Request) bool) (Request, error) {
	for {
		s.mu.Lock()
		all, changed := s.copyRequests(), s.changed
		s.mu.Unlock()
		for _, r := range all {
			if want(r) {
				return r, nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Request{}, fmt.Errorf("wait for a request to the model (%d came): %w", len(all), ctx.Err())
		}
	}
}
