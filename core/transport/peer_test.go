package transport

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

// A peer is the server's side of links over net.Pipe: it reads each handshake,
// and serve goes on from there. All of it works in a bubble.
type peer struct {
	serve func(c net.Conn, br *bufio.Reader, r *http.Request)

	mu   sync.Mutex
	seen []*http.Request
	done sync.WaitGroup
}

// dial is an Options.NetDial.
func (p *peer) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	p.done.Go(func() {
		defer func() { _ = theirs.Close() }()
		br := bufio.NewReader(theirs)
		r, err := http.ReadRequest(br)
		if err != nil {
			return
		}
		p.mu.Lock()
		p.seen = append(p.seen, r)
		p.mu.Unlock()
		p.serve(theirs, br, r)
	})
	return ours, nil
}

func (p *peer) options() Options { return Options{NetDial: p.dial} }

// status answers the handshake with an HTTP status.
func status(code int) func(net.Conn, *bufio.Reader, *http.Request) {
	return func(c net.Conn, _ *bufio.Reader, _ *http.Request) {
		resp := http.Response{StatusCode: code, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}}
		_ = resp.Write(c)
	}
}

// upgraded finishes the handshake and hands over to f.
func upgraded(f func(ws *websocket.Conn)) func(net.Conn, *bufio.Reader, *http.Request) {
	return func(c net.Conn, br *bufio.Reader, r *http.Request) {
		up := websocket.Upgrader{}
		ws, err := up.Upgrade(&hijacked{c: c, br: br}, r, nil)
		if err != nil {
			return
		}
		f(ws)
	}
}

// hijacked is as much of a ResponseWriter as an upgrade needs.
type hijacked struct {
	http.ResponseWriter
	c  net.Conn
	br *bufio.Reader
}

func (h *hijacked) Header() http.Header { return http.Header{} }

func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.c, bufio.NewReadWriter(h.br, bufio.NewWriter(h.c)), nil
}

// A wireFrame is one WebSocket frame as it was on the wire.
type wireFrame struct {
	op    byte
	final bool
	body  []byte
}

// readFrame reads one masked frame.
func readFrame(r io.Reader) (f wireFrame, err error) {
	var h [8]byte
	if _, err = io.ReadFull(r, h[:2]); err != nil {
		return f, err
	}
	f.op, f.final = h[0]&0xf, h[0]&0x80 != 0
	n := uint64(h[1] & 0x7f)
	switch n {
	case 126:
		_, err = io.ReadFull(r, h[:2])
		n = uint64(binary.BigEndian.Uint16(h[:2]))
	case 127:
		_, err = io.ReadFull(r, h[:8])
		n = binary.BigEndian.Uint64(h[:8])
	}
	var mask [4]byte
	if _, merr := io.ReadFull(r, mask[:]); err != nil || merr != nil {
		return f, errors.Join(err, merr)
	}
	f.body = make([]byte, n)
	_, err = io.ReadFull(r, f.body)
	for i := range f.body {
		f.body[i] ^= mask[i%4]
	}
	return f, err
}

// header is that of an unmasked final frame.
func header(op byte, n uint64) []byte {
	b := []byte{0x80 | op, 127}
	return binary.BigEndian.AppendUint64(b, n)
}

// wantErr checks a classified error.
func wantErr(t *testing.T, err error, kind FailKind, text string) {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != kind || e.Text != text {
		t.Errorf("got %v (%v), want %v %q", err, Classify(err), kind, text)
	}
}
