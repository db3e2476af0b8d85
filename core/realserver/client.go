package realserver

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/gorilla/websocket"

	"holdfast/core/seed"
)

// Client connects a client of the kit's own to the server and does the
// handshake. It is closed when the test ends.
func (s *Server) Client(ear seed.Ear) *seed.Client {
	s.h.t.Helper()
	c, err := s.TryClient(s.h.Context(), ear)
	if err != nil {
		s.h.t.Fatal(err)
	}
	return c
}

// TryClient is Client for a server that may be gone.
func (s *Server) TryClient(ctx context.Context, ear seed.Ear) (*seed.Client, error) {
	link, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	c := seed.NewClient(context.WithoutCancel(ctx), link)
	s.h.t.Cleanup(func() { _ = c.Close() })
	return c, c.Init(ctx, ear) //nolint:wrapcheck // says what was asked
}

// Maker connects and makes conversations in the home's work folder.
func (s *Server) Maker() *seed.Maker {
	s.h.t.Helper()
	return seed.NewMaker(s.Client(seed.Quiet), s.h.Model, s.h.Work)
}

func (s *Server) dial(ctx context.Context) (seed.Link, error) {
	d, header, url := websocket.Dialer{}, http.Header{}, s.URL
	if path, ok := strings.CutPrefix(url, "unix://"); ok {
		url = "ws://localhost/"
		d.NetDialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			var nd net.Dialer
			return nd.DialContext(ctx, "unix", path)
		}
	}
	if s.TokenFile != "" {
		token, err := os.ReadFile(s.TokenFile)
		if err != nil {
			return nil, fmt.Errorf("read the token: %w", err)
		}
		header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	}
	conn, resp, err := d.DialContext(ctx, url, header)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", s.URL, err)
	}
	_ = resp.Body.Close()
	return &wsLink{conn: conn}, nil
}

// A wsLink is one WebSocket connection as a seed.Link.
type wsLink struct {
	conn *websocket.Conn
	mu   sync.Mutex
}

func (l *wsLink) Next() (io.Reader, error) {
	_, r, err := l.conn.NextReader()
	return r, err
}

func (l *wsLink) Write(_ context.Context, frame []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conn.WriteMessage(websocket.TextMessage, frame)
}

func (l *wsLink) Close() error { return l.conn.Close() }
