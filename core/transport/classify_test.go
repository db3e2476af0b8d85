package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"
)

// REC-12 in the classifier's words: what an error means, and what people read.
func TestClassify(t *testing.T) {
	op := func(err error) error {
		return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", err)}
	}
	for _, tt := range []struct {
		err  error
		kind FailKind
		text string
	}{
		{op(syscall.ECONNREFUSED), Unavailable, "connection refused at X"},
		{op(syscall.EHOSTUNREACH), Unavailable, "the network does not reach the server at X"},
		{op(syscall.ENETUNREACH), Unavailable, "the network does not reach the server at X"},
		{&net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}, Unavailable, "the host cannot be found for X"},
		{op(syscall.ECONNRESET), Reset, "the connection was reset by X"},
		{op(syscall.EPIPE), Reset, "the connection was reset by X"},
		{op(syscall.ETIMEDOUT), Unresponsive, "no answer in time from X"},
		{op(os.ErrDeadlineExceeded), Unresponsive, "no answer in time from X"},
		{context.DeadlineExceeded, Unresponsive, "no answer in time from X"},
		{&net.DNSError{Err: "timeout", IsTimeout: true}, Unavailable, "the host cannot be found for X"},
		{io.EOF, Closed, "the connection was closed by X"},
		{io.ErrUnexpectedEOF, Closed, "the connection was closed by X"},
		{fmt.Errorf("read: %w", net.ErrClosed), Closed, "the connection was closed by X"},
		{&websocket.CloseError{Code: 1006, Text: "secret"}, Closed, "the connection was closed by X"},
		{context.Canceled, Cancelled, "cancelled while connected to X"},
		{os.ErrPermission, Permission, "permission denied at X"},
		{op(syscall.EACCES), Permission, "permission denied at X"},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, ServerIdentity, "the server's certificate is not trusted at X"},
		{x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"}, ServerIdentity, "the server's certificate is not trusted at X"},
		{tls.RecordHeaderError{Msg: "m"}, ServerIdentity, "the server does not speak TLS at X"},
		{tls.AlertError(40), ServerIdentity, "the server refused the TLS handshake at X"},
		{websocket.ErrReadLimit, Unknown, "a message over 512 MiB came from X"},
		{errTooLong, Unknown, "a message over 512 MiB came from X"},
		{errors.New("connection refused"), Unknown, "the connection failed at X"}, // never by text
		{&url.Error{Op: "Get", URL: "ws://u:p@h?token=t", Err: errors.New("bad")}, Unknown, "the connection failed at X"},
		{fmt.Errorf("dial: %w", &Error{Kind: Auth, Text: "said already"}), Auth, "said already"},
	} {
		got := classify(tt.err, "X")
		if got.Kind != tt.kind || got.Text != tt.text || got.Error() != tt.text {
			t.Errorf("%v: %v %q, want %v %q", tt.err, got.Kind, got.Text, tt.kind, tt.text)
		}
		if !errors.Is(got, tt.err) && !errors.Is(tt.err, got) {
			t.Errorf("%v is lost as a cause", tt.err)
		}
	}
	if got := Classify(nil); got != nil {
		t.Errorf("Classify(nil) = %v", got)
	}
	if got := Classify(io.EOF); got.Text != "the connection was closed" {
		t.Errorf("without an endpoint: %q", got.Text)
	}
}

func TestTemporaryKinds(t *testing.T) {
	want := map[FailKind]bool{ProcessExit: true, Closed: true, Reset: true, Unresponsive: true, Unavailable: true}
	for k := range FailKind(len(kindNames)) + 1 {
		if got := k.Temporary(); got != want[k] {
			t.Errorf("%v.Temporary() = %v, want %v", k, got, want[k])
		}
	}
}
