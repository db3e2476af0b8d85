package fault

import (
	"io"
	"net"
	"sync"
	"time"
)

// An Upstream is the server's side of a link. CloseWrite tells the server that
// the client says no more.
type Upstream interface {
	io.ReadWriteCloser
	CloseWrite() error
}

// A client is a connection over TCP or a unix socket.
type client interface {
	net.Conn
	CloseWrite() error
}

// abort makes the close of a TCP connection a reset. A unix socket has none: its
// peer sees a broken pipe or an end.
func abort(c client) {
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
}

// A link is one connection of a client and what it is coupled to.
type link struct {
	client   client
	server   Upstream
	up, down *gate // client to server, server to client
	done     chan struct{}
	over     sync.Once

	mu       sync.Mutex
	lateOnly bool // what is held comes when the client says goodbye
}

func newLink(client client, server Upstream) *link {
	l := &link{client: client, server: server, done: make(chan struct{})}
	l.up, l.down = newGate(l.done), newGate(l.done)
	return l
}

// run couples both sides until both directions have ended.
func (l *link) run() {
	var both sync.WaitGroup
	both.Go(func() {
		l.up.copy(l.server, l.client, l.farewell, l.reset)
		_ = l.server.CloseWrite()
	})
	both.Go(func() {
		l.down.copy(l.client, l.server, func([]byte) {}, l.reset)
		_ = l.client.CloseWrite()
		// A client that was told of the end has nothing more to say.
		_ = l.client.SetReadDeadline(time.Now().Add(time.Second))
	})
	both.Wait()
	l.end()
}

// closeFrame is the first byte of a WebSocket's close frame.
const closeFrame = 0x88

// farewell notices a client that says goodbye: the held bytes of a connection
// that is given up come just then.
func (l *link) farewell(b []byte) {
	l.mu.Lock()
	late := l.lateOnly && b[0] == closeFrame
	l.mu.Unlock()
	if late {
		l.down.set(Pass, 0)
	}
}

// reset drops both sides: the client sees a reset, the server an end.
func (l *link) reset() {
	abort(l.client)
	l.end()
}

func (l *link) end() {
	l.over.Do(func() {
		close(l.done)
		_ = l.client.Close()
		_ = l.server.Close()
	})
}
