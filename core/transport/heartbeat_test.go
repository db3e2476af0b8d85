package transport

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
)

// Ruling 16: a ping every 20 s; 40 s without anything are a lost connection.
func TestHeartbeat(t *testing.T) {
	for _, tt := range []struct {
		name  string
		scale int
		serve func(c net.Conn, br *bufio.Reader, pings *int)
		lost  time.Duration // 0: not lost in an hour
		pings int
	}{
		{"silent", 1, func(_ net.Conn, br *bufio.Reader, pings *int) { countPings(br, pings) }, 40 * time.Second, 1},
		{"silent, scaled", 10, func(_ net.Conn, br *bufio.Reader, pings *int) { countPings(br, pings) }, 4 * time.Second, 1},
		{"answers pings", 1, func(c net.Conn, br *bufio.Reader, pings *int) {
			for {
				f, err := readFrame(br)
				if err != nil {
					return
				}
				if f.op == websocket.PingMessage {
					*pings++
					_, _ = c.Write(append([]byte{0x80 | websocket.PongMessage, byte(len(f.body))}, f.body...))
				}
			}
		}, 0, 179},
		{"a byte now and then", 1, func(c net.Conn, br *bufio.Reader, pings *int) {
			var trickle sync.WaitGroup
			trickle.Go(func() {
				_, err := c.Write(header(websocket.TextMessage, 1000))
				for err == nil {
					time.Sleep(39 * time.Second)
					_, err = c.Write([]byte{'x'})
				}
			})
			countPings(br, pings)
			trickle.Wait()
		}, 0, 179},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pings := 0
				p := &peer{serve: func(c net.Conn, br *bufio.Reader, r *http.Request) {
					upgraded(func(*websocket.Conn) { tt.serve(c, br, &pings) })(c, br, r)
				}}
				c := dialPeer(t, p, Options{Scale: tt.scale})
				start := time.Now()
				var lost time.Duration
				go func() {
					_, err := drain(c)
					lost = time.Since(start)
					if tt.lost != 0 {
						wantErr(t, err, Unresponsive, "no answer in time from "+local)
					}
				}()
				time.Sleep(time.Hour - time.Second)
				synctest.Wait()
				if lost != tt.lost {
					t.Errorf("lost after %v, want %v", lost, tt.lost)
				}
				_ = c.ws.Close()
				_ = c.Close()
				p.done.Wait()
				if got := pings; tt.lost == 0 && got != tt.pings || tt.lost != 0 && got < tt.pings {
					t.Errorf("%d pings, want %d", got, tt.pings)
				}
			})
		})
	}
}

func countPings(br *bufio.Reader, n *int) {
	for {
		f, err := readFrame(br)
		if err != nil {
			return
		}
		if f.op == websocket.PingMessage {
			*n++
		}
	}
}

// drain reads all frames and gives them.
func drain(c Conn) (frames []string, err error) {
	for {
		r, err := c.Next()
		if err != nil {
			return frames, err
		}
		b, err := io.ReadAll(r)
		s := string(b)
		if err != nil {
			s = "error: " + err.Error()
		}
		frames = append(frames, s)
	}
}

// A reader of ours that was busy finds the peer alive.
func TestABusyReaderLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &peer{serve: upgraded(func(ws *websocket.Conn) {
			go func() { _ = ws.WriteMessage(websocket.TextMessage, []byte("hello")) }()
			countPings(bufio.NewReader(ws.UnderlyingConn()), new(int))
		})}
		c := dialPeer(t, p, Options{})
		time.Sleep(5 * time.Minute)
		r, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(r); string(b) != "hello" || err != nil {
			t.Errorf("read %q, %v", b, err)
		}
		_ = c.ws.Close()
		_ = c.Close()
		p.done.Wait()
	})
}

// A peer that takes nothing for 40 s is lost, and Next says the same as Write.
func TestAPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &peer{serve: upgraded(func(*websocket.Conn) { time.Sleep(time.Hour) })}
		c := dialPeer(t, p, Options{})
		start := time.Now()
		err := c.Write(t.Context(), []byte("x"))
		wantErr(t, err, Unresponsive, "no answer in time from "+local)
		if got := time.Since(start); got != 40*time.Second {
			t.Errorf("after %v, want 40s", got)
		}
		_, err = c.Next()
		wantErr(t, err, Unresponsive, "no answer in time from "+local)
		start = time.Now()
		_ = c.Close()
		if got := time.Since(start); got != 0 {
			t.Errorf("Close of a lost link took %v", got)
		}
		p.done.Wait()
	})
}

// A long message over a slow link is a sign of life for as long as it moves on,
// though nothing comes meanwhile: the pings wait behind it, or their answers do.
// After it, 40 s without anything are a lost connection again.
func TestALongMessageThatMovesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const fragments, each = 10, 10 * time.Second
		p := &peer{serve: func(c net.Conn, br *bufio.Reader, r *http.Request) {
			upgraded(func(*websocket.Conn) {
				for {
					f, err := readFrame(br)
					if err != nil {
						return
					}
					if f.op != websocket.PingMessage {
						time.Sleep(each)
					}
				}
			})(c, br, r)
		}}
		c := dialPeer(t, p, Options{})
		start := time.Now()
		var lost time.Duration
		go func() {
			_, err := drain(c)
			lost = time.Since(start)
			wantErr(t, err, Unresponsive, "no answer in time from "+local)
		}()
		if err := c.Write(t.Context(), make([]byte, fragments*writeBuffer)); err != nil {
			t.Fatal(err)
		}
		if got, least := time.Since(start), (fragments-1)*each; got < least {
			t.Errorf("written after %v, want %v at least", got, least)
		}
		took := time.Since(start)
		time.Sleep(time.Hour)
		synctest.Wait()
		if lost != took+40*time.Second {
			t.Errorf("lost after %v, want 40 s after the message, which took %v", lost, took)
		}
		_ = c.Close()
		p.done.Wait()
	})
}
