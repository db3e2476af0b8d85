package transport

import (
	"errors"
	"net"
	"sync/atomic"
	"time"
)

// An idleConn fails a Read or Write that makes no progress for a time. The
// deadline is set when we begin to wait, not when something last came: a
// reader of ours that was busy for a minute must not make a healthy peer look
// dead. It begins to count once armed; until then the handshake's own deadline
// holds.
type idleConn struct {
	net.Conn
	limit time.Duration
	armed atomic.Bool
	// shaken counts what came before it was armed: one goroutine shakes hands.
	shaken int
}

// maxHandshake bounds the bytes of a handshake: the one who reads its headers
// keeps all of them.
const maxHandshake = 1 << 20

var errHandshake = errors.New("transport: the handshake has no end")

func (c *idleConn) arm() error {
	c.armed.Store(true)
	return c.SetDeadline(time.Time{})
}

// Read waits at most the limit for the next bytes.
func (c *idleConn) Read(p []byte) (int, error) {
	if c.armed.Load() {
		if err := c.SetReadDeadline(time.Now().Add(c.limit)); err != nil {
			return 0, err
		}
		return c.Conn.Read(p)
	}
	if c.shaken >= maxHandshake {
		return 0, errHandshake
	}
	n, err := c.Conn.Read(p[:min(len(p), maxHandshake-c.shaken)])
	c.shaken += n
	return n, err
}

// bulk is more than a ping, or a request that we send by ourselves, has.
const bulk = 1 << 10

// Write waits at most the limit for the peer to take p. That a long message
// moves on is a sign of life too: a slow link may hold the pings, and their
// answers, up behind it for longer than the limit. A ping that leaves is none:
// the system takes it for a peer that is gone.
func (c *idleConn) Write(p []byte) (int, error) {
	if !c.armed.Load() {
		return c.Conn.Write(p)
	}
	if err := c.SetWriteDeadline(time.Now().Add(c.limit)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(p)
	if err == nil && n >= bulk {
		_ = c.SetReadDeadline(time.Now().Add(c.limit)) // a link that ended since: who reads is told
	}
	return n, err
}
