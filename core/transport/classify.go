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
			return &Error{Kind: c.kind, Text: c.phrase + place(c.prep, at), Err: err}
		}
	}
	return &Error{Kind: Unknown, Text: "the connection failed" + place("at", at), Err: err}
}

func place(prep, at string) string {
	if at == "" {
		return ""
	}
	return " " + prep + " " + at
}

// causes is read from the top: the first that fits says what happened.
var causes = []struct {
	kind   FailKind
	is     func(error) bool
	phrase string
	prep   string
}{
	{Cancelled, any1(context.Canceled), "cancelled", "while connected to"},
	{Unresponsive, any1(context.DeadlineExceeded, os.ErrDeadlineExceeded), "no answer in time", "from"},
	{Unavailable, any1(refusedErrors...), "connection refused", "at"},
	{Reset, any1(resetErrors...), "the connection was reset", "by"},
	{Unavailable, any1(unreachableErrors...), "the network does not reach the server", "at"},
	{Unresponsive, any1(timedOutErrors...), "no answer in time", "from"},
	{Unavailable, as[*net.DNSError], "the host cannot be found", "for"},
	{Permission, any1(os.ErrPermission), "permission denied", "at"},
	{ServerIdentity, badCertificate, "the server's certificate is not trusted", "at"},
	{ServerIdentity, as[tls.RecordHeaderError], "the server does not speak TLS", "at"},
	{ServerIdentity, as[tls.AlertError], "the server refused the TLS handshake", "at"},
	{Unknown, any1(errHandshake), "the answer to the WebSocket handshake has no end", "at"},
	{Unknown, any1(errTooLong, websocket.ErrReadLimit), "a message over 512 MiB came", "from"},
	{Unresponsive, isTimeout, "no answer in time", "from"},
	{Closed, as[*websocket.CloseError], "the connection was closed", "by"},
	{Closed, any1(io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed, os.ErrClosed), "the connection was closed", "by"},
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
