package transport

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"holdfast/core/words"
)

// writeBuffer is the longest WebSocket frame we send: longer messages leave in
// fragments. The server breaks the connection on a frame over 16 MiB.
const writeBuffer = 64 << 10

// systemBuffer bounds what the system takes of a message before the link does:
// a ping waits behind it.
const systemBuffer = 256 << 10

// closeGrace is how long a link we close may still deliver.
const closeGrace = time.Second

type wsDial struct {
	o         Options
	url       string
	shown     string
	tokenFile string
	connect   func(ctx context.Context, network, addr string) (net.Conn, error)
}

// dial makes the handshake. It sends no Origin: the server answers any Origin
// with 403 (trap 4). No compression and no proxy.
func (d wsDial) dial(ctx context.Context) (Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, d.o.scaled(handshakeLimit))
	defer cancel()
	header := http.Header{"User-Agent": {"holdfast"}}
	if d.tokenFile != "" {
		token, err := readTokenWithin(ctx, d.tokenFile)
		if err != nil {
			return nil, err
		}
		header.Set("Authorization", "Bearer "+token)
	}
	idle := &idleConn{limit: d.o.scaled(lostAfter)}
	dialer := websocket.Dialer{ReadBufferSize: 64 << 10, WriteBufferSize: writeBuffer}
	release := func() bool { return true }
	dialer.NetDialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := d.connect(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		// The dialer looks at the deadline of ctx only; this ends it at once.
		release = context.AfterFunc(ctx, func() { _ = c.Close() })
		if tcp, ok := c.(*net.TCPConn); ok {
			if err := tcp.SetWriteBuffer(systemBuffer); err != nil {
				return nil, errors.Join(err, c.Close())
			}
		}
		idle.Conn = c
		return idle, nil
	}
	ws, resp, err := dialer.DialContext(ctx, d.url, header) //nolint:bodyclose // the dialer has read it and closes the connection
	if !release() && err == nil {
		_ = ws.Close()
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, d.failed(ctx, resp, err)
	}
	if err := idle.arm(); err != nil {
		_ = ws.Close()
		return nil, classify(err, d.shown)
	}
	c := newWSConn(ws, d.shown, d.o)
	c.secret = strings.TrimPrefix(header.Get("Authorization"), "Bearer ")
	return c, nil
}

// failed classifies a handshake. A cancelled context shows up as whatever the
// closed socket said, so it is asked first.
func (d wsDial) failed(ctx context.Context, resp *http.Response, err error) *Error {
	if ctx.Err() != nil {
		return classify(context.Cause(ctx), d.shown)
	}
	if resp == nil || !errors.Is(err, websocket.ErrBadHandshake) {
		return classify(err, d.shown)
	}
	e := &Error{Err: err}
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		e.Kind, e.Text = Auth, words.T("%s rejected the sign-in (HTTP %d)", d.shown, resp.StatusCode)
		if d.tokenFile == "" {
			e.Text += words.T(": it may need a token file")
		} else {
			e.Text += words.T(": look at the token file %s", d.tokenFile)
		}
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		e.Kind, e.Text = Unavailable, words.T("%s is not available (HTTP %d)", d.shown, resp.StatusCode)
	default:
		e.Kind, e.Text = Unknown, words.T("%s did not accept a WebSocket (HTTP %d)", d.shown, resp.StatusCode)
	}
	return e
}

// A wsConn is one WebSocket link.
type wsConn struct {
	ws     *websocket.Conn
	shown  string
	secret string
	grace  time.Duration

	writing chan struct{} // holds a token while somebody writes
	pings   sync.WaitGroup
	quit    chan struct{} // closed to stop the pings
	ended   chan struct{} // closed when Next has failed
	closing sync.Once

	mu      sync.Mutex
	reading bool
	cause   error // why we ended the link, if we did
	err     error // what Next says from now on
}

func newWSConn(ws *websocket.Conn, shown string, o Options) *wsConn {
	c := &wsConn{
		ws: ws, shown: shown, grace: o.scaled(closeGrace),
		writing: make(chan struct{}, 1), quit: make(chan struct{}), ended: make(chan struct{}),
	}
	ws.SetReadLimit(MaxFrame)
	c.pings.Go(func() { c.ping(o.scaled(pingEvery)) })
	return c
}

// Info says what the link leads to.
// Secret is the token it was made with, "" for none: to be masked wherever the
// server quotes it.
func (c *wsConn) Secret() string { return c.secret }

func (c *wsConn) Info() Info { return Info{Endpoint: c.shown} }

// Next waits for the next text frame. A binary one is handed over as a reader
// that says ErrNotText.
func (c *wsConn) Next() (io.Reader, error) {
	c.mu.Lock()
	c.reading = true
	err := c.err
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	kind, r, err := c.ws.NextReader()
	if err != nil {
		return nil, c.end(err)
	}
	if kind != websocket.TextMessage {
		return notText{}, nil
	}
	return r, nil
}

type notText struct{}

func (notText) Read([]byte) (int, error) { return 0, ErrNotText }

func (c *wsConn) end(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause != nil {
		err = c.cause
	}
	e := classify(err, c.shown)
	if e.Kind == Unknown && !errors.Is(err, websocket.ErrReadLimit) {
		// Bytes were damaged on their way: a fault of the transport (REC-5).
		e = &Error{Kind: Reset, Text: words.T("what came is no WebSocket message: the connection was broken off with %s", c.shown), Err: err}
	}
	c.err = e
	close(c.ended)
	return c.err
}

// Write sends one text message.
func (c *wsConn) Write(ctx context.Context, frame []byte) error {
	select {
	case c.writing <- struct{}{}:
	case <-ctx.Done():
		return classify(context.Cause(ctx), c.shown)
	}
	defer func() { <-c.writing }()
	if ctx.Err() != nil {
		return classify(context.Cause(ctx), c.shown)
	}
	if err := c.ws.WriteMessage(websocket.TextMessage, frame); err != nil {
		return c.lose(err)
	}
	return nil
}

// lose ends a link that cannot be written to. Next then says why.
func (c *wsConn) lose(err error) error {
	c.mu.Lock()
	if c.cause == nil {
		c.cause = classify(err, c.shown)
	}
	err = c.cause
	c.mu.Unlock()
	_ = c.ws.Close()
	return err
}

// ping asks for a sign of life; the idleConn notices when none comes. A ping
// that finds the writer busy is left out.
func (c *wsConn) ping(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			_ = c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(every))
		case <-c.quit:
			return
		}
	}
}

// Close says goodbye, lets the reader take what the peer had already sent, and
// drops the socket.
func (c *wsConn) Close() error {
	c.closing.Do(func() {
		c.mu.Lock()
		if c.cause == nil {
			c.cause = &Error{Kind: Closed, Text: words.T("the connection to %s was closed by us", c.shown), Err: net.ErrClosed}
		}
		wait := c.reading && c.err == nil
		c.mu.Unlock()
		close(c.quit)
		if wait {
			bye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
			_ = c.ws.WriteControl(websocket.CloseMessage, bye, time.Now().Add(c.grace))
			select {
			case <-c.ended:
			case <-time.After(c.grace):
			}
		}
		_ = c.ws.Close()
		c.pings.Wait()
	})
	return nil
}
