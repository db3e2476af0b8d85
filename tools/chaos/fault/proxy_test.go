package fault

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An echo says everything back.
type echo struct{ net.Conn }

func (e echo) CloseWrite() error { return e.Close() }

func echoes(t *testing.T) *Proxy { return echoesAt(t, "") }

func echoesAt(t *testing.T, path string) *Proxy {
	p, err := Listen(t.Context(), path, func(context.Context) (Upstream, error) {
		ours, theirs := net.Pipe()
		go func() {
			_, _ = io.Copy(theirs, theirs)
			_ = theirs.Close()
		}()
		return echo{ours}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func call(t *testing.T, p *Proxy) client {
	var d net.Dialer
	c, err := d.DialContext(t.Context(), p.network, p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return c.(client)
}

// say writes a text and reads as much back.
func say(c net.Conn, text string) (string, error) {
	if _, err := io.WriteString(c, text); err != nil {
		return "", err
	}
	b := make([]byte, len(text))
	n, err := io.ReadFull(c, b)
	return string(b[:n]), err
}

// What is held comes whole and in order once it is let go, also byte by byte.
func TestHeldBytesAreNotLost(t *testing.T) {
	p := echoes(t)
	c := call(t, p)
	if got, err := say(c, "hello"); got != "hello" || err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	p.Set(Pass, Hold, 0)
	if _, err := io.WriteString(c, "one two "); err != nil {
		t.Fatal(err)
	}
	p.Set(Slow, Slow, time.Millisecond)
	if _, err := io.WriteString(c, "three"); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, len("one two three"))
	if _, err := io.ReadFull(c, b); string(b) != "one two three" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

// A torn frame is half of what was said, and then a reset.
func TestATornFrame(t *testing.T) {
	p := echoes(t)
	c := call(t, p)
	if _, err := say(c, "hello"); err != nil {
		t.Fatal(err)
	}
	p.Set(Pass, Tear, 0)
	got, err := say(c, "12345678")
	if len(got) > 4 || !strings.HasPrefix("12345678", got) || err == nil {
		t.Errorf("%q, %v, want half of it at most", got, err)
	}
}

// Each greeting is for one connection; the one after it reaches the server.
func TestGreetings(t *testing.T) {
	p := echoes(t)
	p.Greet(Greeting{Status: 503}, Greeting{Drop: true})
	c := call(t, p)
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 503 {
		t.Errorf("status %d, want 503", resp.StatusCode)
	}
	var d net.Dialer
	if dropped, err := d.DialContext(t.Context(), "tcp", p.Addr()); err == nil { // else it was too quick to be seen
		if got, err := say(dropped, "x"); err == nil {
			t.Errorf("a dropped connection said %q", got)
		}
		_ = dropped.Close()
	}
	if got, err := say(call(t, p), "hello"); got != "hello" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// A closed port refuses; what is connected stays until it is reset.
func TestAClosedPort(t *testing.T) {
	p := echoes(t)
	c := call(t, p)
	if _, err := say(c, "hello"); err != nil {
		t.Fatal(err)
	}
	p.Shut()
	var d net.Dialer
	if _, err := d.DialContext(t.Context(), "tcp", p.Addr()); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("a closed port: %v", err)
	}
	if got, err := say(c, "still"); got != "still" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	p.Reset()
	if got, err := say(c, "gone"); err == nil {
		t.Errorf("after a reset: %q", got)
	}
	if err := p.Reopen(); err != nil {
		t.Fatal(err)
	}
	if got, err := say(call(t, p), "hello"); got != "hello" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// On a unix socket a reset is an end, and a closed port is a socket that is not
// there; it opens again at the same path.
func TestASocket(t *testing.T) {
	t.Chdir(t.TempDir()) // its whole path may be too long for a socket
	p := echoesAt(t, "s")
	c := call(t, p)
	if got, err := say(c, "hello"); got != "hello" || err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	p.Shut()
	var d net.Dialer
	if _, err := d.DialContext(t.Context(), "unix", p.Addr()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a closed socket: %v", err)
	}
	p.Reset()
	if got, err := say(c, "gone"); err == nil {
		t.Errorf("after a reset: %q", got)
	}
	if err := p.Reopen(); err != nil {
		t.Fatal(err)
	}
	if got, err := say(call(t, p), "hello"); got != "hello" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
