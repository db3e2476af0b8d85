package fakeserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"sync"
	"testing/iotest"

	"holdfast/core/transport"
)

// A Link is one connection of a Server, seen from both sides: the client has
// the methods of transport.Conn, the test the others.
type Link struct {
	s      *Server
	number int
	more   chan struct{} // a nudge for Next

	mu     sync.Mutex
	frames []io.Reader
	ended  error // Next says it once the frames are read
	broken error // Write says it from now on
	closed bool
}

var _ transport.Conn = (*Link)(nil)

// Next gives what the server said next.
func (l *Link) Next() (io.Reader, error) {
	for {
		l.mu.Lock()
		if len(l.frames) > 0 {
			f := l.frames[0]
			l.frames = l.frames[1:]
			l.mu.Unlock()
			return f, nil
		}
		err := l.ended
		l.mu.Unlock()
		if err != nil {
			return nil, err
		}
		<-l.more
	}
}

// Write gives a frame to the server, which answers at once if it knows how.
func (l *Link) Write(ctx context.Context, frame []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	err := l.broken
	l.mu.Unlock()
	if err != nil {
		return err
	}
	if reply := l.s.got(l.number, bytes.Clone(frame)); reply != nil {
		l.Raw(reply)
	}
	return nil
}

// Close ends the link from the client's side.
func (l *Link) Close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.End(&transport.Error{Kind: transport.Closed, Text: "closed by us", Err: net.ErrClosed})
	return nil
}

// Info says that this is a local server.
func (l *Link) Info() transport.Info {
	return transport.Info{Endpoint: "fake", PID: 4242, Local: true}
}

// Closed reports whether the client has closed the link.
func (l *Link) Closed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// Number counts the links of a server from 1.
func (l *Link) Number() int { return l.number }

// Say sends one JSON value.
func (l *Link) Say(v any) {
	l.s.t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		l.s.t.Errorf("fakeserver: %v", err)
	}
	l.Raw(b)
}

// Raw sends one frame as it is. A link that has ended sends nothing.
func (l *Link) Raw(frame []byte) { l.Stream(bytes.NewReader(frame)) }

// Torn sends the beginning of a frame whose link breaks in the middle. Drop the
// link after it.
func (l *Link) Torn(frame []byte) {
	l.Stream(io.MultiReader(bytes.NewReader(frame), iotest.ErrReader(io.ErrUnexpectedEOF)))
}

// Binary sends a binary frame.
func (l *Link) Binary() { l.Stream(iotest.ErrReader(transport.ErrNotText)) }

// Stream sends one frame that is read from r. A link that has ended sends
// nothing.
func (l *Link) Stream(r io.Reader) {
	l.mu.Lock()
	if l.ended == nil {
		l.frames = append(l.frames, r)
	}
	l.mu.Unlock()
	l.nudge()
}

// Drop loses the link as a server that dies does: what was said is still read,
// then the end of file; writes fail.
func (l *Link) Drop() {
	l.End(&transport.Error{Kind: transport.Closed, Text: "the connection was closed by fake", Err: io.EOF})
}

// End loses the link with an error of the test's choice.
func (l *Link) End(err error) {
	l.mu.Lock()
	if l.ended == nil {
		l.ended = err
	}
	if l.broken == nil {
		l.broken = err
	}
	l.mu.Unlock()
	l.nudge()
}

// BreakWrites makes every later Write fail while reading goes on.
func (l *Link) BreakWrites(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = err
}

func (l *Link) nudge() {
	select {
	case l.more <- struct{}{}:
	default:
	}
}
