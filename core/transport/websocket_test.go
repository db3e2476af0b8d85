package transport

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
)

const local = "ws://127.0.0.1:4500"

func dialPeer(t *testing.T, p *peer, o Options) *wsConn {
	t.Helper()
	o.NetDial = p.dial
	c, err := Dial(t.Context(), Target{Kind: WebSocket, URL: local}, o)
	if err != nil {
		t.Fatal(err)
	}
	return c.(*wsConn)
}

func TestHandshakeAnswers(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("s3cret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		code  int
		token string
		kind  FailKind
		text  string
	}{
		{401, "", Auth, local + " rejected the sign-in (HTTP 401): it may need a token file"},
		{401, token, Auth, local + " rejected the sign-in (HTTP 401): look at the token file " + token},
		{403, "", Auth, local + " rejected the sign-in (HTTP 403): it may need a token file"},
		{502, "", Unavailable, local + " is not available (HTTP 502)"},
		{503, "", Unavailable, local + " is not available (HTTP 503)"},
		{504, "", Unavailable, local + " is not available (HTTP 504)"},
		{200, "", Unknown, local + " did not accept a WebSocket (HTTP 200)"},
		{404, "", Unknown, local + " did not accept a WebSocket (HTTP 404)"},
		{500, "", Unknown, local + " did not accept a WebSocket (HTTP 500)"},
	} {
		p := &peer{serve: status(tt.code)}
		c, err := Dial(t.Context(), Target{Kind: WebSocket, URL: local, TokenFile: tt.token}, p.options())
		if c != nil {
			t.Errorf("%d: a link", tt.code)
		}
		wantErr(t, err, tt.kind, tt.text)
		p.done.Wait()
	}
}

// PROTOCOL.md trap 4: no Origin is sent, and the read limit is not the small
// default of the library.
func TestTrap04NoOrigin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &peer{serve: upgraded(func(ws *websocket.Conn) { _, _, _ = ws.ReadMessage() })}
		c := dialPeer(t, p, Options{})
		_ = c.Close()
		p.done.Wait()
		var got []string
		for k := range p.seen[0].Header {
			got = append(got, k)
		}
		slices.Sort(got)
		// Neither Origin nor an extension, nor a token that nobody asked for.
		want := []string{"Connection", "Sec-Websocket-Key", "Sec-Websocket-Version", "Upgrade", "User-Agent"}
		if !slices.Equal(got, want) {
			t.Errorf("headers %v, want %v", got, want)
		}
	})
}

// Ruling 29: the token is read again for every attempt.
func TestTheTokenIsReadForEveryAttempt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	p := &peer{serve: status(401)}
	for _, token := range []string{"one\n", "two"} {
		if err := os.WriteFile(path, []byte(token), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Dial(t.Context(), Target{Kind: WebSocket, URL: local, TokenFile: path}, p.options())
		if Classify(err).Kind != Auth {
			t.Errorf("%v, want a rejected sign-in", err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, err := Dial(t.Context(), Target{Kind: WebSocket, URL: local, TokenFile: path}, p.options())
	wantErr(t, err, InvalidProfile, "the token file "+path+" does not exist")
	p.done.Wait()
	var got []string
	for _, r := range p.seen {
		got = append(got, r.Header.Get("Authorization"))
	}
	if want := []string{"Bearer one", "Bearer two"}; !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// A peer that never answers the handshake.
func TestAHandshakeHasAnEnd(t *testing.T) {
	silent := func(net.Conn, *bufio.Reader, *http.Request) { time.Sleep(10 * time.Minute) }
	for _, tt := range []struct {
		name  string
		ctx   func(context.Context) (context.Context, context.CancelFunc)
		scale int
		after time.Duration
		kind  FailKind
		text  string
	}{
		{"no deadline", context.WithCancel, 1, 45 * time.Second, Unresponsive, "no answer in time from " + local},
		{"scaled", context.WithCancel, 10, 4500 * time.Millisecond, Unresponsive, "no answer in time from " + local},
		{"deadline", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 3*time.Second)
		}, 1, 3 * time.Second, Unresponsive, "no answer in time from " + local},
		{"cancelled", func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(2*time.Second, cancel)
			return ctx, cancel
		}, 1, 2 * time.Second, Cancelled, "cancelled while connected to " + local},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &peer{serve: silent}
				ctx, cancel := tt.ctx(t.Context())
				defer cancel()
				start := time.Now()
				o := p.options()
				o.Scale = tt.scale
				_, err := Dial(ctx, Target{Kind: WebSocket, URL: local}, o)
				wantErr(t, err, tt.kind, tt.text)
				if got := time.Since(start); got != tt.after {
					t.Errorf("after %v, want %v", got, tt.after)
				}
				p.done.Wait()
			})
		})
	}
}

// What the peer had already said is read before a link of ours is gone.
func TestCloseDrains(t *testing.T) {
	bye := func(c net.Conn, br *bufio.Reader, say bool) {
		for {
			f, err := readFrame(br)
			if err != nil {
				return
			}
			if f.op != websocket.CloseMessage {
				continue
			}
			if say {
				_, _ = c.Write(append(header(websocket.TextMessage, 4), "last"...))
				_, _ = c.Write([]byte{0x80 | websocket.CloseMessage, 0})
			}
		}
	}
	for _, tt := range []struct {
		name  string
		say   bool
		read  bool
		took  time.Duration
		heard []string
	}{
		{"answered", true, true, 0, []string{"last"}},
		{"not answered", false, true, time.Second, nil},
		{"nobody reads", true, false, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &peer{}
				p.serve = func(c net.Conn, br *bufio.Reader, r *http.Request) {
					upgraded(func(*websocket.Conn) { bye(c, br, tt.say) })(c, br, r)
				}
				c := dialPeer(t, p, Options{})
				var heard []string
				read := make(chan error, 1)
				if tt.read {
					go func() {
						var err error
						heard, err = drain(c)
						read <- err
					}()
					synctest.Wait()
				}
				start := time.Now()
				_ = c.Close()
				_ = c.Close()
				if got := time.Since(start); got != tt.took {
					t.Errorf("Close took %v, want %v", got, tt.took)
				}
				if tt.read {
					wantErr(t, <-read, Closed, "the connection to "+local+" was closed by us")
				}
				if !slices.Equal(heard, tt.heard) {
					t.Errorf("heard %q, want %q", heard, tt.heard)
				}
				p.done.Wait()
			})
		})
	}
}

// PROTOCOL.md trap 5: the end of file without a close frame is how every server
// ends.
func TestTrap05EndOfFileIsAClosedLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &peer{serve: upgraded(func(ws *websocket.Conn) {
			_ = ws.WriteMessage(websocket.TextMessage, []byte("one"))
			_ = ws.Close()
		})}
		c := dialPeer(t, p, Options{})
		heard, err := drain(c)
		wantErr(t, err, Closed, "the connection was closed by "+local)
		if !slices.Equal(heard, []string{"one"}) {
			t.Errorf("heard %q", heard)
		}
		_ = c.Close()
		p.done.Wait()
	})
}

// A binary frame is handed over as one that cannot be read; the link goes on.
func TestABinaryFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &peer{serve: upgraded(func(ws *websocket.Conn) {
			_ = ws.WriteMessage(websocket.BinaryMessage, []byte{1, 2, 3})
			_ = ws.WriteMessage(websocket.TextMessage, []byte("text"))
		})}
		c := dialPeer(t, p, Options{})
		r, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(r); !errors.Is(err, ErrNotText) {
			t.Errorf("read %v, want %v", err, ErrNotText)
		}
		heard, _ := drain(c)
		if !slices.Equal(heard, []string{"text"}) {
			t.Errorf("heard %q", heard)
		}
		_ = c.Close()
		p.done.Wait()
	})
}

// Ruling 35: only a frame over 512 MiB ends the link.
func TestTheLongestFrame(t *testing.T) {
	for _, tt := range []struct {
		name string
		n    uint64
		ok   bool
	}{{"at the limit", MaxFrame, true}, {"one past it", MaxFrame + 1, false}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &peer{}
				p.serve = func(c net.Conn, br *bufio.Reader, r *http.Request) {
					upgraded(func(*websocket.Conn) {
						go func() { _, _ = c.Write(header(websocket.TextMessage, tt.n)) }()
						countPings(br, new(int))
					})(c, br, r)
				}
				c := dialPeer(t, p, Options{})
				_, err := c.Next()
				if tt.ok && err != nil {
					t.Errorf("refused: %v", err)
				}
				if !tt.ok {
					wantErr(t, err, Unknown, "a message over 512 MiB came from "+local)
				}
				_ = c.ws.Close()
				_ = c.Close()
				p.done.Wait()
			})
		})
	}
}

// A message of 20 MB in one frame comes through whole.
func TestA20MBMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 20 << 20
		p := &peer{serve: upgraded(func(ws *websocket.Conn) {
			c := ws.UnderlyingConn()
			_, _ = c.Write(header(websocket.TextMessage, size))
			_, _ = io.Copy(c, io.LimitReader(zeros{}, size))
		})}
		c := dialPeer(t, p, Options{})
		r, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, r); n != size || err != nil {
			t.Errorf("read %d bytes, %v", n, err)
		}
		_ = c.ws.Close()
		_ = c.Close()
		p.done.Wait()
	})
}

// The server breaks the connection on a frame over 16 MiB: long messages leave
// in fragments.
func TestLongMessagesLeaveInFragments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := bytes.Repeat([]byte("0123456789abcdef"), 20<<16)
		var got []byte
		longest := 0
		p := &peer{}
		p.serve = func(c net.Conn, br *bufio.Reader, r *http.Request) {
			upgraded(func(*websocket.Conn) {
				for {
					f, err := readFrame(br)
					if err != nil {
						return
					}
					got = append(got, f.body...)
					longest = max(longest, len(f.body))
					if f.final {
						return
					}
				}
			})(c, br, r)
		}
		c := dialPeer(t, p, Options{})
		if err := c.Write(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		p.done.Wait()
		if !bytes.Equal(got, want) || longest > 15<<20 {
			t.Errorf("%d bytes came in frames of up to %d, want %d and 15 MiB", len(got), longest, len(want))
		}
		_ = c.Close()
	})
}

// A context that is over before the first byte stops a Write.
func TestWriteLooksAtItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &peer{serve: upgraded(func(*websocket.Conn) { time.Sleep(time.Minute) })}
		c := dialPeer(t, p, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		wantErr(t, c.Write(ctx, []byte("x")), Cancelled, "cancelled while connected to "+local)
		go func() { _ = c.Write(t.Context(), []byte("held up")) }()
		synctest.Wait()
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		wantErr(t, c.Write(ctx, []byte("x")), Unresponsive, "no answer in time from "+local)
		_ = c.Close()
		p.done.Wait()
	})
}

func TestRefusedPort(t *testing.T) {
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := "ws://" + l.Addr().String()
	_ = l.Close()
	_, err = Dial(t.Context(), Target{Kind: WebSocket, URL: at}, Options{})
	wantErr(t, err, Unavailable, "connection refused at "+at)
}

func TestUnixSockets(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none")
	_, err := Dial(t.Context(), Target{Kind: Unix, Path: none}, Options{})
	wantErr(t, err, Unavailable, "there is no socket at unix://"+none)

	stale := filepath.Join(dir, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	_, err = Dial(t.Context(), Target{Kind: Unix, Path: stale}, Options{})
	wantErr(t, err, Unavailable, "connection refused at unix://"+stale)

	_, err = Dial(t.Context(), Target{Kind: Unix}, Options{})
	wantErr(t, err, InvalidProfile, "this connection names no socket")

	p := &peer{serve: status(503)}
	long := strings.Repeat("a", 107)
	_, err = Dial(t.Context(), Target{Kind: Unix, Path: long}, p.options())
	wantErr(t, err, Unavailable, "unix://"+long+" is not available (HTTP 503)")
	_, err = Dial(t.Context(), Target{Kind: Unix, Path: long + "a"}, p.options())
	wantErr(t, err, InvalidProfile, "the socket path is 108 bytes long; the system allows 107")
	p.done.Wait()
}

// A handshake is bounded in bytes: its headers are kept as they come.
func TestAHandshakeOfEndlessHeaders(t *testing.T) {
	sent := make(chan int, 1)
	p := &peer{serve: func(c net.Conn, _ *bufio.Reader, _ *http.Request) {
		n, err := io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\n")
		for err == nil {
			var m int
			m, err = io.WriteString(c, "X-More: "+strings.Repeat("y", 1<<10)+"\r\n")
			n += m
		}
		sent <- n
	}}
	_, err := Dial(t.Context(), Target{Kind: WebSocket, URL: local}, p.options())
	wantErr(t, err, Unknown, "the answer to the WebSocket handshake has no end at "+local)
	p.done.Wait()
	if got := <-sent; got > maxHandshake+2<<10 {
		t.Errorf("it took %d bytes, want at most %d", got, maxHandshake)
	}
}

// Bytes that are no WebSocket message are a fault of the transport, and never
// more than the end of this link (REC-5).
func TestDamagedFrames(t *testing.T) {
	for name, frame := range map[string][]byte{
		"reserved bits":             {0xf1, 1, 'x'},
		"masked":                    {0x81, 0x81, 1, 2, 3, 4, 'x'},
		"a part without a start":    {0x80, 1, 'x'},
		"a message inside another":  {0x01, 1, 'x', 0x81, 1, 'y'},
		"a long control frame":      {0x89, 126, 0, 200},
		"an opcode that is unknown": {0x83, 1, 'x'},
	} {
		t.Run(name, func(t *testing.T) {
			p := &peer{serve: func(c net.Conn, br *bufio.Reader, r *http.Request) {
				upgraded(func(*websocket.Conn) {
					_, _ = c.Write(frame)
					_, _ = io.Copy(io.Discard, br)
				})(c, br, r)
			}}
			c := dialPeer(t, p, Options{})
			_, err := drain(c)
			wantErr(t, err, Reset, "what came is no WebSocket message: the connection was broken off with "+local)
			_ = c.Close()
			p.done.Wait()
		})
	}
}
