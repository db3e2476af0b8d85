package measure

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
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

// request is one that the client sent, and when.
type request struct {
	method string
	params []byte
	at     time.Time
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
		go func() { pump(server, client, nil); done <- struct{}{} }()
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
		if saw != nil {
			saw(data)
		}
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
	c.requests = append(c.requests, request{m.Method, m.Params, time.Now()})
}

// between returns the methods requested in a span of time.
func (c *counter) between(from, to time.Time) []string {
	var methods []string
	for _, r := range c.sent(from, to) {
		methods = append(methods, r.method)
	}
	return methods
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
