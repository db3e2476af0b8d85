package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"slices"

	"github.com/gorilla/websocket"

	"holdfast/core/words"
)

// A FailKind says why a link could not be had or was lost. The set is closed.
type FailKind uint8

// Temporary kinds may be tried again within an episode; the others end it
// (REC-12). Unknown is the zero value, so that what nobody classified is never
// retried.
const (
	Unknown        FailKind = iota
	ProcessExit             // a child of ours ended
	Closed                  // end of file, a close frame, a closed pipe
	Reset                   // the peer or the network broke the connection
	Unresponsive            // nothing came within a time limit
	Unavailable             // refused, unreachable, or 503 at the handshake
	Auth                    // 401 or 403 at the handshake
	Permission              // the system does not let us
	InvalidProfile          // the target cannot work as it is written
	ServerIdentity          // the peer is not who it should be
	TargetChanged           // the target is no longer the one we set out for
	Cancelled               // somebody of ours gave up
)

var kindNames = [...]string{
	"unknown", "process exit", "closed", "reset", "unresponsive", "unavailable", "auth",
	"permission", "invalid profile", "server identity", "target changed", "cancelled",
}

// String names the kind for logs.
func (k FailKind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[Unknown]
}

// Temporary reports whether an automatic attempt may follow (REC-12).
func (k FailKind) Temporary() bool {
	switch k {
	case ProcessExit, Closed, Reset, Unresponsive, Unavailable:
		return true
	case Unknown, Auth, Permission, InvalidProfile, ServerIdentity, TargetChanged, Cancelled:
		return false
	}
	return false
}

// An Error is a classified failure of a link.
type Error struct {
	Kind FailKind
	// Text is a sentence for people: no token, no URL user or query.
	Text string
	// Err is the cause, for errors.Is and errors.As. Its own text may hold an
	// address as it was written: it is never shown.
	Err error
}

// Error is Text alone, so that no cause can leak into a log.
func (e *Error) Error() string { return e.Text }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// errTooLong is the cause of a link that ended on a frame over MaxFrame.
var errTooLong = errors.New("frame over 512 MiB")

// ErrNotText is what a frame's reader gives for a binary WebSocket frame. The
// link goes on.
var ErrNotText = errors.New("binary frame")

func invalid(text string, cause error) *Error {
	return &Error{Kind: InvalidProfile, Text: text, Err: cause}
}

// Classify says what err means for the link. It is nil for nil.
func Classify(err error) *Error {
	if err == nil {
		return nil
	}
	return classify(err, "")
}

// classify words err with the endpoint it happened at, if known.
func classify(err error, at string) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	for _, c := range causes {
		if c.is(err) {
			return &Error{Kind: c.kind, Text: c.say(at), Err: err}
		}
	}
	return &Error{Kind: Unknown, Text: cause{said: "the connection failed", placed: "the connection failed at %s"}.say(at), Err: err}
}

// A cause is what an error means, and how it is said, without and with the place.
type cause struct {
	kind         FailKind
	is           func(error) bool
	said, placed words.Key
}

func (c cause) say(at string) string {
	if at == "" {
		return c.said.String()
	}
	return c.placed.With(at)
}

// causes is read from the top: the first that fits says what happened.
var causes = []cause{
	{kind: Cancelled, is: any1(context.Canceled), said: "cancelled", placed: "cancelled while connected to %s"},
	{kind: Unresponsive, is: any1(context.DeadlineExceeded, os.ErrDeadlineExceeded), said: "no answer in time", placed: "no answer in time from %s"},
	{kind: Unavailable, is: any1(refusedErrors...), said: "connection refused", placed: "connection refused at %s"},
	{kind: Reset, is: any1(resetErrors...), said: "the connection was reset", placed: "the connection was reset by %s"},
	{kind: Unavailable, is: any1(unreachableErrors...), said: "the network does not reach the server", placed: "the network does not reach the server at %s"},
	{kind: Unresponsive, is: any1(timedOutErrors...), said: "no answer in time", placed: "no answer in time from %s"},
	{kind: Unavailable, is: as[*net.DNSError], said: "the host cannot be found", placed: "the host cannot be found for %s"},
	{kind: Permission, is: any1(os.ErrPermission), said: "permission denied", placed: "permission denied at %s"},
	{kind: ServerIdentity, is: badCertificate, said: "the server's certificate is not trusted", placed: "the server's certificate is not trusted at %s"},
	{kind: ServerIdentity, is: as[tls.RecordHeaderError], said: "the server does not speak TLS", placed: "the server does not speak TLS at %s"},
	{kind: ServerIdentity, is: as[tls.AlertError], said: "the server refused the TLS handshake", placed: "the server refused the TLS handshake at %s"},
	{kind: Unknown, is: any1(errHandshake), said: "the answer to the WebSocket handshake has no end", placed: "the answer to the WebSocket handshake has no end at %s"},
	{kind: Unknown, is: any1(errTooLong, websocket.ErrReadLimit), said: "a message over 512 MiB came", placed: "a message over 512 MiB came from %s"},
	{kind: Unresponsive, is: isTimeout, said: "no answer in time", placed: "no answer in time from %s"},
	{kind: Closed, is: as[*websocket.CloseError], said: "the connection was closed", placed: "the connection was closed by %s"},
	{kind: Closed, is: any1(io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed, os.ErrClosed), said: "the connection was closed", placed: "the connection was closed by %s"},
}

func any1(targets ...error) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
}

func as[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

func badCertificate(err error) bool {
	return as[*tls.CertificateVerificationError](err) || as[x509.UnknownAuthorityError](err) ||
		as[x509.HostnameError](err) || as[x509.CertificateInvalidError](err)
}
