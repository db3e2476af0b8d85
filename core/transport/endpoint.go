package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"holdfast/core/words"
)

// maxToken bounds a token file: a larger one is some other file.
const maxToken = 64 << 10

// readToken reads a bearer token, trimmed. It is called for every attempt:
// rotation is what such files are for (ruling 29).
func readToken(path string) (string, error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, os.ErrPermission):
		return "", &Error{Kind: Permission, Text: words.T("the token file %s may not be read", path), Err: err}
	case errors.Is(err, os.ErrNotExist):
		return "", invalid(words.T("the token file %s does not exist", path), err)
	case err != nil:
		return "", invalid(words.T("the token file %s cannot be read", path), err)
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxToken+1))
	if err != nil {
		return "", invalid(words.T("the token file %s cannot be read", path), err)
	}
	token := bytes.TrimSpace(b)
	switch {
	case len(b) > maxToken:
		return "", invalid(words.T("the token file %s is too large to hold a token", path), nil)
	case len(token) == 0:
		return "", invalid(words.T("the token file %s is empty", path), nil)
	case bytes.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", invalid(words.T("the token file %s does not hold one word of plain text", path), nil)
	}
	return string(token), nil
}

// readTokenWithin is readToken for a path that may not answer, such as a pipe
// nobody writes to: then the read is left behind.
func readTokenWithin(ctx context.Context, path string) (string, error) {
	type answer struct {
		token string
		err   error
	}
	ch := make(chan answer, 1)
	go func() {
		token, err := readToken(path)
		ch <- answer{token, err}
	}()
	select {
	case a := <-ch:
		return a.token, a.err
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", invalid(words.T("the token file %s does not answer", path), ctx.Err())
		}
		return "", fmt.Errorf("read the token file: %w", ctx.Err())
	}
}

// parseURL checks a WebSocket address and gives it back with the form that may
// be shown. No error of it quotes the address: it may hold a password.
func parseURL(raw string) (u *url.URL, shown string, err error) {
	u, perr := url.Parse(strings.TrimSpace(raw))
	if perr != nil || u.Host == "" {
		return nil, "", invalid(words.T("this is not an address: write ws://HOST:PORT or wss://HOST"), nil)
	}
	shown = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimSuffix(u.Path, "/")}).String()
	switch {
	case u.Scheme != "ws" && u.Scheme != "wss":
		return nil, "", invalid(words.T("this address does not begin with ws:// or wss://"), nil)
	case u.User != nil:
		return nil, "", invalid(words.T("an address must not hold a user or password: put the token in a token file"), nil)
	case u.Hostname() == "":
		return nil, "", invalid(words.T("this address names no host"), nil)
	case u.Scheme == "ws" && !loopbackName(u.Hostname()):
		return nil, "", invalid(plainRefused(shown), nil)
	}
	u.Fragment, u.RawFragment = "", ""
	return u, shown, nil
}

// CheckURL says what is wrong with the address of a WebSocket, if anything.
func CheckURL(raw string) error {
	_, _, err := parseURL(raw)
	return err
}

func plainRefused(shown string) string {
	return words.T("%s is not encrypted and not this machine: use wss:// (plain ws:// goes to loopback only)", shown)
}

// loopbackName reports whether host is this machine by its name alone.
func loopbackName(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

// onlyLoopback refuses a plain link that a name led off this machine.
func onlyLoopback(c net.Conn, shown string) error {
	a, ok := c.RemoteAddr().(*net.TCPAddr)
	if ok && !a.IP.IsLoopback() {
		return invalid(plainRefused(shown), nil)
	}
	return nil
}

func dialURL(ctx context.Context, t Target, o Options) (Conn, error) {
	u, shown, err := parseURL(t.URL)
	if err != nil {
		return nil, err
	}
	d := wsDial{o: o, url: u.String(), shown: shown, tokenFile: t.TokenFile, connect: o.connect()}
	if u.Scheme == "ws" {
		connect := d.connect
		d.connect = func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := connect(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			if err := onlyLoopback(c, shown); err != nil {
				_ = c.Close()
				return nil, err
			}
			return c, nil
		}
	}
	return d.dial(ctx)
}

// dialUnix speaks WebSocket over a unix socket (PROTOCOL.md section 1). A stale
// socket file is a refused connection, a missing one nobody listening.
func dialUnix(ctx context.Context, t Target, o Options) (Conn, error) {
	shown := "unix://" + t.Path
	if t.Path == "" {
		return nil, invalid(words.T("this connection names no socket"), nil)
	}
	if len(t.Path) > maxSocketPath {
		return nil, invalid(words.T("the socket path is %d bytes long; the system allows %d", len(t.Path), maxSocketPath), nil)
	}
	connect := o.connect()
	d := wsDial{o: o, url: "ws://localhost/", shown: shown, tokenFile: t.TokenFile}
	d.connect = func(ctx context.Context, _, _ string) (net.Conn, error) {
		c, err := connect(ctx, "unix", t.Path)
		if errors.Is(err, os.ErrNotExist) {
			return nil, &Error{Kind: Unavailable, Text: words.T("there is no socket at %s", shown), Err: err}
		}
		return c, err
	}
	return d.dial(ctx)
}

func (o Options) connect() func(context.Context, string, string) (net.Conn, error) {
	if o.NetDial != nil {
		return o.NetDial
	}
	return new(net.Dialer).DialContext
}
