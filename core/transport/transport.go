package transport

import (
	"context"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"time"

	"holdfast/core/words"
)

// MaxFrame is the longest frame either side of a link may send. A longer one
// ends the link (ruling 35).
const MaxFrame = 512 << 20

// Heartbeat on WebSocket links (ruling 16): the server never pings.
const (
	pingEvery = 20 * time.Second
	lostAfter = 40 * time.Second
)

// handshakeLimit bounds a Dial whose context has no deadline (REC-11).
const handshakeLimit = 45 * time.Second

// A Conn is one link that carries whole frames both ways.
type Conn interface {
	// Next waits for the next frame. The reader is valid until the next call.
	// An error means that the link has ended; Classify says how. Only one
	// goroutine may call it, and it should do so until it fails, also after
	// Close: what the peer still sends while the link ends arrives there.
	Next() (io.Reader, error)
	// Write sends one frame. It is safe for concurrent use. ctx is looked at
	// until the first byte leaves; from then on the frame is finished or the
	// link is lost.
	Write(ctx context.Context, frame []byte) error
	// Close ends the link. A child of ours is stopped in order and gone when it
	// returns. It may be called more than once and from any goroutine.
	Close() error
	// Info says what the link leads to.
	Info() Info
}

// Info describes a link. None of it is secret.
type Info struct {
	// Endpoint is what people read, such as "ws://127.0.0.1:4500" or "stdio".
	Endpoint string
	// PID is the app-server's own process, 0 if that is not ours (ruling 37).
	PID int
	// Local says that the server is ours: we started it and may end it.
	Local bool
}

// A Kind says how a target is reached.
type Kind uint8

// The four ways to reach an app-server.
const (
	Stdio     Kind = iota // a child `codex app-server` of ours
	Command               // a child of ours whose stdio speaks the protocol
	WebSocket             // ws:// to a loopback host, wss:// to any
	Unix                  // WebSocket over a unix socket
)

// A Target is where to connect.
type Target struct {
	Kind Kind
	// Argv is the program of a Command and its arguments.
	Argv []string
	// URL is the address of a WebSocket.
	URL string
	// Path is that of the unix socket.
	Path string
	// TokenFile holds the bearer token of a WebSocket. It is read again for
	// every attempt.
	TokenFile string
	// Codex is the program of a Stdio target, native or launcher; empty means
	// that Find looks for one.
	Codex string
	// CodexHome, if set, is the CODEX_HOME of a Stdio target.
	CodexHome string
	// Cwd is the working folder of a child.
	Cwd string
	// Env is added to our own environment for a child.
	Env []string
}

// String names the target for people, before it was reached: no secret, no
// user or query of an address.
func (t Target) String() string {
	switch t.Kind {
	case Command:
		if len(t.Argv) > 0 {
			return "cmd:" + filepath.Base(t.Argv[0])
		}
	case WebSocket:
		if _, shown, err := parseURL(t.URL); err == nil {
			return shown
		}
		return words.T("a WebSocket address")
	case Unix:
		return "unix://" + t.Path
	case Stdio:
	}
	return words.T("a local Codex")
}

// Options are the same for every link of a program.
type Options struct {
	// Scale divides every delay; 0 and 1 change nothing.
	Scale int
	// Log gets a child's stderr at debug level. Its handler redacts.
	Log *slog.Logger
	// NetDial replaces net.Dialer.DialContext, for tests.
	NetDial func(ctx context.Context, network, addr string) (net.Conn, error)
}

func (o Options) scaled(d time.Duration) time.Duration {
	if o.Scale > 1 {
		return d / time.Duration(o.Scale)
	}
	return d
}

func (o Options) log() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}

// Dial opens a link to t. Its error is always an *Error.
func Dial(ctx context.Context, t Target, o Options) (Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, classify(context.Cause(ctx), "")
	}
	switch t.Kind {
	case Stdio:
		return dialStdio(ctx, t, o)
	case Command:
		return dialCommand(ctx, t, o)
	case WebSocket:
		return dialURL(ctx, t, o)
	case Unix:
		return dialUnix(ctx, t, o)
	}
	return nil, invalid(words.T("this kind of connection does not exist"), nil)
}
