package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// A wire moves frames to and from one client.
type wire interface {
	read() ([]byte, error)
	write(kind int, frame []byte) error
	close()
}

// A wsWire is a WebSocket, over TCP or a unix socket.
type wsWire struct {
	c  *websocket.Conn
	mu sync.Mutex
}

func (w *wsWire) read() ([]byte, error) {
	_, b, err := w.c.ReadMessage()
	return b, err
}

func (w *wsWire) write(kind int, frame []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.c.WriteMessage(kind, frame)
}

func (w *wsWire) close() { _ = w.c.Close() }

// A lineWire is stdio, one frame a line.
type lineWire struct {
	in  *bufio.Reader
	out io.Writer
	mu  sync.Mutex
}

func (w *lineWire) read() ([]byte, error) { return w.in.ReadBytes('\n') }

func (w *lineWire) write(_ int, frame []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.out.Write(append(frame, '\n'))
	return err
}

func (w *lineWire) close() { os.Exit(0) }

// A link is one connection of a client, as a case sees it.
type link struct {
	s    *server
	w    wire
	n    int // counts the links from 1
	asks int // requests that came over it
}

// raw sends one frame as it is.
func (l *link) raw(frame string) { _ = l.w.write(websocket.TextMessage, []byte(frame)) }

func (l *link) binary(frame string) { _ = l.w.write(websocket.BinaryMessage, []byte(frame)) }

func (l *link) say(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	_ = l.w.write(websocket.TextMessage, b)
}

func (l *link) note(method string, params any) {
	l.say(obj{"method": method, "params": params, "emittedAtMs": time.Now().UnixMilli()})
}

func (l *link) ask(id any, method string, params any) {
	l.say(obj{"method": method, "id": id, "params": params})
}

func (l *link) result(r request, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	l.raw(fmt.Sprintf(`{"id":%s,"result":%s}`, r.ID, b))
}

func (l *link) refuse(r request, code int, message string) {
	l.say(obj{"error": obj{"code": code, "message": message}, "id": r.ID})
}

// A request is what a client sent.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params map[string]any  `json:"params"`
	Result json.RawMessage `json:"result"`
}

func (r request) str(name string) string {
	s, _ := r.Params[name].(string)
	return s
}

// serve reads a link to its end.
func (s *server) serve(w wire) {
	l := s.link(w)
	defer w.close()
	for {
		b, err := w.read()
		if len(strings.TrimSpace(string(b))) > 0 {
			var r request
			if json.Unmarshal(b, &r) == nil {
				s.got(l, r)
			}
		}
		if err != nil {
			return
		}
	}
}

// ServeHTTP takes a WebSocket, unless the case has other ideas.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.c.http != nil && s.c.http(s, w, r) {
		return
	}
	up := websocket.Upgrader{ReadBufferSize: 64 << 10, WriteBufferSize: 64 << 10}
	c, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	s.serve(&wsWire{c: c})
}

// listen serves on ws://HOST:PORT, unix://PATH or stdio and gives the address
// to connect to.
func (s *server) listen(addr string) (string, func(), error) {
	if addr == "stdio" {
		s.serve(&lineWire{in: bufio.NewReader(os.Stdin), out: os.Stdout})
		return "stdio", func() {}, nil
	}
	network, where := "tcp", strings.TrimPrefix(addr, "ws://")
	if path, unix := strings.CutPrefix(addr, "unix://"); unix {
		network, where = "unix", path
	}
	ln, err := net.Listen(network, where) //nolint:noctx // it lives as long as the process
	if err != nil {
		return "", nil, fmt.Errorf("listen at %s: %w", addr, err)
	}
	hs := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go func() { _ = hs.Serve(ln) }()
	if network == "tcp" {
		addr = "ws://" + ln.Addr().String()
	}
	return addr, func() { _ = hs.Close() }, nil
}
