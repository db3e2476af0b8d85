package measure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// counter stands between a client and a server and counts the client's requests.
type counter struct {
	URL string

	mu       sync.Mutex
	requests []request
}

// request is one that the client sent, when, and when the server had answered it.
type request struct {
	method   string
	params   []byte
	answer   []byte // how the answer begins
	at, done time.Time
}

// count starts a counter before the server at url.
func count(b *testing.B, url string) *counter {
	b.Helper()
	c := &counter{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		server, resp, err := websocket.DefaultDialer.DialContext(r.Context(), url, nil)
		if err != nil {
			http.Error(w, "no server", http.StatusBadGateway)
			return
		}
		_ = resp.Body.Close()
		defer server.Close()
		client, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return // the upgrader has answered
		}
		defer client.Close()
		done := make(chan struct{}, 2)
		go func() { pump(client, server, c.saw); done <- struct{}{} }()
		go func() { pump(server, client, c.answered); done <- struct{}{} }()
		<-done
	}))
	b.Cleanup(srv.Close)
	c.URL = "ws" + strings.TrimPrefix(srv.URL, "http")
	return c
}

// pump copies messages until one side ends.
func pump(from, to *websocket.Conn, saw func([]byte)) {
	for {
		kind, data, err := from.ReadMessage()
		if err != nil {
			return
		}
		saw(data)
		if to.WriteMessage(kind, data) != nil {
			return
		}
	}
}

func (c *counter) saw(data []byte) {
	var m struct {
		ID, Params json.RawMessage
		Method     string
	}
	if json.Unmarshal(data, &m) != nil || m.ID == nil || m.Method == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests = append(c.requests, request{method: m.Method, params: m.Params, answer: fmt.Appendf(nil, `{"id":%s,`, m.ID), at: time.Now()})
}

// answered notes an answer: the server writes its ID first.
func (c *counter) answered(data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.requests {
		if r := &c.requests[i]; r.done.IsZero() && bytes.HasPrefix(data, r.answer) {
			r.done = time.Now()
		}
	}
}

// before returns the methods requested from a time on, until a method was answered: what is asked for later delays nothing
// of that answer.
func (c *counter) before(from time.Time, method string) (methods []string, err error) {
	list := c.sent(from, time.Now())
	at := slices.IndexFunc(list, func(r request) bool { return r.method == method && !r.done.IsZero() })
	if at < 0 {
		return nil, fmt.Errorf("no answer to %s was seen", method)
	}
	for _, r := range list {
		if r.at.Before(list[at].done) {
			methods = append(methods, r.method)
		}
	}
	return methods, nil
}

// sent returns the requests in a span of time.
func (c *counter) sent(from, to time.Time) (list []request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.requests {
		if r.at.After(from) && !r.at.After(to) {
			list = append(list, r)
		}
	}
	return list
}
