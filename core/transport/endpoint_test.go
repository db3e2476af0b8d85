package transport

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	plain := func(at string) string {
		return at + " is not encrypted and not this machine: use wss:// (plain ws:// goes to loopback only)"
	}
	for _, tt := range []struct{ in, shown, refusal string }{
		{"ws://127.0.0.1:4500", "ws://127.0.0.1:4500", ""},
		{"ws://127.0.0.1:4500/", "ws://127.0.0.1:4500", ""},
		{" ws://localhost:4500/rpc?x=secret#f ", "ws://localhost:4500/rpc", ""},
		{"ws://LocalHost:1", "ws://LocalHost:1", ""},
		{"ws://127.9.9.9:1", "ws://127.9.9.9:1", ""},
		{"ws://[::1]:1", "ws://[::1]:1", ""},
		{"ws://[::ffff:127.0.0.1]:1", "ws://[::ffff:127.0.0.1]:1", ""},
		{"wss://example.org/a", "wss://example.org/a", ""},
		{"ws://example.org", "", plain("ws://example.org")},
		{"ws://10.0.0.1:4500", "", plain("ws://10.0.0.1:4500")},
		{"ws://0.0.0.0:4500", "", plain("ws://0.0.0.0:4500")},
		{"ws://128.0.0.1:1", "", plain("ws://128.0.0.1:1")},
		{"ws://localhost.example.org", "", plain("ws://localhost.example.org")},
		{"ws://[::2]:1/?token=secret", "", plain("ws://[::2]:1")},
		{"ws://u:secret@127.0.0.1:1", "", "an address must not hold a user or password: put the token in a token file"},
		{"wss://secret@example.org", "", "an address must not hold a user or password: put the token in a token file"},
		{"http://127.0.0.1:1", "", "this address does not begin with ws:// or wss://"},
		{"ws://:4500", "", "this address names no host"},
		{"ws:127.0.0.1", "", "this is not an address: write ws://HOST:PORT or wss://HOST"},
		{"ws://u:secret@h:x/", "", "this is not an address: write ws://HOST:PORT or wss://HOST"},
		{"", "", "this is not an address: write ws://HOST:PORT or wss://HOST"},
	} {
		u, shown, err := parseURL(tt.in)
		if tt.refusal == "" {
			if err != nil || shown != tt.shown {
				t.Errorf("%q: shown %q, %v, want %q", tt.in, shown, err, tt.shown)
			}
			continue
		}
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Kind != InvalidProfile || e.Text != tt.refusal || u != nil {
			t.Errorf("%q: %v, want %q", tt.in, err, tt.refusal)
		}
		if s := fmt.Sprintf("%v %+v %v", err, err, errors.Unwrap(err)); strings.Contains(s, "secret") {
			t.Errorf("%q: the error %q tells a secret", tt.in, s)
		}
	}
}

// A name that leads elsewhere is refused once it is known where.
func TestOnlyLoopback(t *testing.T) {
	for _, tt := range []struct {
		addr net.Addr
		ok   bool
	}{
		{&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, true},
		{&net.TCPAddr{IP: net.IPv6loopback}, true},
		{&net.TCPAddr{IP: net.IPv4(10, 0, 0, 1)}, false},
	} {
		err := onlyLoopback(addrConn{addr: tt.addr}, "ws://localhost:1")
		if (err == nil) != tt.ok {
			t.Errorf("%v: %v, want ok %v", tt.addr, err, tt.ok)
		}
	}
}

type addrConn struct {
	net.Conn
	addr net.Addr
}

func (c addrConn) RemoteAddr() net.Addr { return c.addr }

func TestTokenFiles(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ name, content, token, refusal string }{
		{"plain", "abc", "abc", ""},
		{"trimmed", " \tabc \r\n\n", "abc", ""},
		{"at the bound", strings.Repeat("x", maxToken), strings.Repeat("x", maxToken), ""},
		{"past it", strings.Repeat("x", maxToken+1), "", "is too large to hold a token"},
		{"empty", "", "", "is empty"},
		{"blank", " \n\t", "", "is empty"},
		{"two words", "secret word", "", "does not hold one word of plain text"},
		{"two lines", "secret\nX: y", "", "does not hold one word of plain text"},
		{"control", "sec\x00ret", "", "does not hold one word of plain text"},
		{"not ASCII", "secr\u00e9t", "", "does not hold one word of plain text"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(dir, "token")
			if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := readToken(path)
			if got != tt.token {
				t.Errorf("token %q, want %q", got, tt.token)
			}
			wantRefusal(t, err, InvalidProfile, path, tt.refusal)
		})
	}
	_, err := readToken(filepath.Join(dir, "none"))
	wantRefusal(t, err, InvalidProfile, filepath.Join(dir, "none"), "does not exist")
	_, err = readToken(dir)
	wantRefusal(t, err, InvalidProfile, dir, "cannot be read")
}

func wantRefusal(t *testing.T, err error, kind FailKind, path, refusal string) {
	t.Helper()
	if refusal == "" {
		if err != nil {
			t.Errorf("refused: %v", err)
		}
		return
	}
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != kind || e.Text != "the token file "+path+" "+refusal {
		t.Errorf("got %v, want that the token file %s", err, refusal)
	}
}
