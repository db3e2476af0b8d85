package session

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/stamp"
	"holdfast/core/transport"
)

// A stuck link hangs where the test says, until that channel is closed.
type stuck struct {
	transport.Conn
	next, write, shut chan struct{}
}

func (s *stuck) Next() (io.Reader, error) {
	if s.next != nil {
		<-s.next
	}
	return s.Conn.Next()
}

func (s *stuck) Write(ctx context.Context, frame []byte) error {
	if s.write != nil {
		<-s.write
	}
	return s.Conn.Write(ctx, frame)
}

func (s *stuck) Close() error {
	if s.shut != nil {
		<-s.shut
	}
	return s.Conn.Close()
}

// An attempt keeps what it set out with: when another profile is applied while
// it hangs, its late success is closed without a word, the next attempt begins
// only then, with the new target, and the new roots hold.
//
// req: REC-2
func TestAnAttemptKeepsWhatItSetOutWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var dialled []string
		hangs := make(chan struct{})
		target := func(name string) Target {
			return Target{
				Profile: name, SharedFiles: true, Roots: []Root{{Local: "/local/" + name, Server: "/server/" + name}},
				Transport: transport.Target{Kind: transport.WebSocket, URL: "ws://127.0.0.1/" + name},
			}
		}
		r := newRig(t, func(c *Config) {
			c.Target = target("one")
			c.Profiles = func(name string) (Target, error) { return target(name), nil }
			c.ReadImage = func(path string, _ int64) (Image, error) {
				return Image{Data: []byte("\x89PNG\r\n\x1a\n"), Path: path}, nil
			}
			dial := c.Dial
			c.Dial = func(ctx context.Context, tg transport.Target) (transport.Conn, error) {
				mu.Lock()
				dialled = append(dialled, tg.URL)
				n := len(dialled)
				mu.Unlock()
				if n == 2 { // and it does not listen to its context
					<-hangs
				}
				return dial(ctx, tg)
			}
		})
		defer r.end()
		before := r.now().Generations
		r.srv.Link().Drop()
		r.settle()
		r.state(Reconnecting)
		during := r.now().Generations
		r.s.Do(r.now().At, ApplyProfile{Name: "two"}, nil)
		r.settle()
		if len(dialled) != 2 {
			t.Errorf("dialled %q while the attempt before had not ended", dialled)
		}
		close(hangs)
		r.settle()
		r.state(AwaitingSelection)
		if want := []string{"ws://127.0.0.1/one", "ws://127.0.0.1/one", "ws://127.0.0.1/two"}; !slices.Equal(dialled, want) {
			t.Errorf("dialled %q, want %q", dialled, want)
		}
		for _, q := range r.srv.Requests() {
			if q.Link == 2 {
				t.Errorf("%s went over the link of an attempt that was given up", q.Method)
			}
		}
		after := r.now().Generations
		for _, pair := range [][2]Generations{{before, during}, {during, after}} {
			if pair[0].Owner >= pair[1].Owner || pair[0].Connection >= pair[1].Connection {
				t.Errorf("generations %+v, then %+v: each attempt has its own", pair[0], pair[1])
			}
		}
		r.live()
		r.must(SetDraft{Text: text("look"), Images: &[]string{"/local/two/a.png"}})
		r.srv.Answer("turn/start", map[string]any{"turn": turn("u2", "inProgress")})
		r.must(Send{})
		want := `{"threadId":"t1","input":[{"type":"text","text":"look"},{"type":"localImage","path":"/server/two/a.png"}],"clientUserMessageId":"client-1"}`
		if got := string(r.srv.Requests("turn/start")[0].Params); got != want {
			t.Errorf("sent %s\nwant %s", got, want)
		}
	})
}

// A Send whose images were read under one profile is not sent under another.
//
// req: REC-2, REC-4
func TestASendOfAnotherProfileIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := make(chan struct{})
		r := newRig(t, func(c *Config) {
			c.Profiles = func(string) (Target, error) { return Target{Profile: "two"}, nil }
			c.ReadImage = func(path string, _ int64) (Image, error) {
				<-reads
				return Image{Data: []byte("\x89PNG\r\n\x1a\n"), Path: path}, nil
			}
		})
		defer r.end()
		r.live()
		r.must(SetDraft{Text: text("look"), Images: &[]string{"/a.png"}})
		end := r.begin(r.now().At, Send{})
		r.settle()
		r.must(ApplyProfile{Name: "two"})
		close(reads)
		r.settle()
		if got := end(); got == nil || got.OK {
			t.Errorf("send = %+v", got)
		}
		if n := r.count("turn/start"); n != 0 || r.now().Composer.Text != "" || r.now().Drafts.Rows[0].Text != "look" {
			t.Errorf("%d sent, composer %q, drafts %+v", n, r.now().Composer.Text, r.now().Drafts.Rows)
		}
	})
}

// Whatever hangs, the loop goes on: a key is taken and the attempt can be
// cancelled without any time passing.
//
// req: REC-3
func TestNothingThatHangsHoldsTheLoop(t *testing.T) {
	type hang struct {
		free chan struct{}
		link *stuck // what the next dial gives, around a link
		dial bool   // it hangs itself
	}
	for name, tc := range map[string]struct {
		begin func(r *rig, h *hang)
		state State
	}{
		"the dial": {func(r *rig, h *hang) {
			h.dial = true
			r.srv.Link().Drop()
		}, Reconnecting},
		"the handshake": {func(r *rig, _ *hang) {
			r.srv.Mute(true)
			r.srv.Link().Drop()
		}, Reconnecting},
		"a write": {func(r *rig, h *hang) {
			h.link = &stuck{write: h.free}
			r.srv.Link().Drop()
		}, Reconnecting},
		"a reader": {func(r *rig, h *hang) {
			h.link = &stuck{next: h.free}
			r.srv.Link().Drop()
		}, Reconnecting},
		"the end of the bridge before": {func(r *rig, h *hang) {
			h.link = &stuck{shut: h.free}
			r.srv.Link().Drop()
			r.settle()
			r.srv.Link().Drop()
		}, Reconnecting},
		"the wait before an attempt": {func(r *rig, _ *hang) {
			r.srv.Refuse(refusedDial())
			r.srv.Link().Drop()
		}, Reconnecting},
		"the list": {func(r *rig, _ *hang) {
			r.srv.Handle("thread/list", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
			r.srv.Link().Drop()
		}, Synchronizing},
		"a look at the target": {func(r *rig, h *hang) {
			r.configure(func(c *Config) { c.CheckTarget = func(Target) Change { <-h.free; return Change{} } })
			r.srv.Link().Drop()
		}, Reconnecting},
		"an image": {func(r *rig, h *hang) {
			r.configure(func(c *Config) {
				c.ReadImage = func(string, int64) (Image, error) { <-h.free; return Image{}, errors.New("gone") }
			})
			r.live()
			r.must(SetDraft{Images: &[]string{"/a.png"}})
			r.s.Do(r.now().At, Send{}, nil)
		}, Ready},
		"a mutation": {func(r *rig, _ *hang) {
			r.live()
			r.srv.Mute(true)
			r.must(SetDraft{Text: text("sent")})
			r.s.Do(r.now().At, Send{}, nil)
		}, Ready},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &hang{free: make(chan struct{})}
				r := newRig(t, func(c *Config) {
					dial := c.Dial
					c.Dial = func(ctx context.Context, tg transport.Target) (transport.Conn, error) {
						if h.dial {
							<-h.free
						}
						conn, err := dial(ctx, tg)
						if h.link != nil && err == nil {
							h.link.Conn = conn
							return h.link, nil
						}
						return conn, err
					}
				})
				tc.begin(r, h)
				r.settle()
				r.state(tc.state)
				began := time.Now()
				end := r.begin(r.now().At, SetDraft{Text: text("typed meanwhile")})
				synctest.Wait()
				if got := end(); got == nil || !got.OK || r.now().Composer.Text != "typed meanwhile" {
					t.Errorf("draft = %+v, composer %q", got, r.now().Composer.Text)
				}
				if tc.state == Reconnecting || tc.state == Synchronizing {
					end = r.begin(r.now().At, Cancel{})
					synctest.Wait()
					if got := end(); got == nil || !got.OK {
						t.Errorf("cancel = %+v", got)
					}
					r.state(ManualReconnect)
				}
				if took := time.Since(began); took != 0 {
					t.Errorf("it took %v", took)
				}
				close(h.free)
				r.end()
			})
		})
	}
}

// A link whose process has ended, or over which a call learns that nobody is
// there, is given up though the value still lives: it is closed, replaced, and
// nothing goes over it any more.
//
// req: REC-7
func TestADeadLinkIsReplaced(t *testing.T) {
	for name, die := range map[string]func(l *fakeserver.Link){
		"its process ended": func(l *fakeserver.Link) { l.End(failure("exit")) },
		"a call finds its process ended": func(l *fakeserver.Link) {
			l.BreakWrites(failure("exit")) // reading goes on to wait
		},
		"a call finds it disconnected": func(l *fakeserver.Link) { l.BreakWrites(io.ErrClosedPipe) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.live()
				dead := r.srv.Link()
				die(dead)
				r.do(ListThreads{})
				r.settle()
				r.state(AwaitingSelection)
				if !dead.Closed() || r.srv.Link().Number() != dead.Number()+1 {
					t.Errorf("closed %v, link %d after %d", dead.Closed(), r.srv.Link().Number(), dead.Number())
				}
				dead.BreakWrites(nil) // it would take frames again
				before := len(r.srv.Requests())
				r.live()
				r.must(ListThreads{})
				r.srv.Answer("thread/name/set", map[string]any{})
				r.must(Rename{Name: "new"})
				for _, q := range r.srv.Requests()[before:] {
					if q.Link == dead.Number() {
						t.Errorf("%s went over the dead link", q.Method)
					}
				}
				dead.Drop() // and its late end ends nothing
				r.settle()
				r.state(Ready)
			})
		})
	}
}

// A loss is followed by a new connection to the very target that was applied,
// local or remote, and not before the bridge before it has ended: nothing of a
// remote server is started, stopped or started again by it.
//
// req: REC-6
func TestALossDialsTheSameTargetAnew(t *testing.T) {
	for _, target := range []transport.Target{
		{Kind: transport.Stdio, Codex: "/codex", CodexHome: "/home/codex"},
		{Kind: transport.Command, Argv: []string{"ssh", "there", "codex"}},
		{Kind: transport.WebSocket, URL: "wss://there/"},
		{Kind: transport.Unix, Path: "/s"},
	} {
		t.Run(target.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var dialled []transport.Target
				shut := make(chan struct{})
				r := newRig(t, func(c *Config) {
					c.Target.Transport = target
					dial := c.Dial
					c.Dial = func(ctx context.Context, tg transport.Target) (transport.Conn, error) {
						mu.Lock()
						defer mu.Unlock()
						dialled = append(dialled, tg)
						conn, err := dial(ctx, tg)
						return &stuck{Conn: conn, shut: shut}, err
					}
				})
				defer r.end()
				r.live()
				r.srv.Link().Drop()
				r.settle()
				if len(dialled) != 1 {
					t.Errorf("dialled %d times while the bridge before had not ended", len(dialled))
				}
				close(shut)
				r.settle()
				r.state(AwaitingSelection)
				if want := []transport.Target{target, target}; !reflect.DeepEqual(dialled, want) {
					t.Errorf("dialled %+v, want %+v", dialled, want)
				}
			})
		})
	}
}

// Whatever a retired connection still tells, of any depth of its stamp, is
// dropped: it ends nothing, adopts nothing and changes nothing.
//
// req: REC-4, REC-8
func TestWhatARetiredConnectionTellsIsDropped(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		old := r.now().At
		r.srv.Link().Drop()
		r.settle()
		r.live()
		links := r.srv.Link().Number()
		for _, at := range []stamp.Stamp{old, old.ConnOnly(), old.OwnerOnly(), {}} {
			for _, ev := range []event{
				func(l *loop) { l.lost(&transport.Error{Kind: transport.Reset, Text: "late"}) },
				failed(&transport.Error{Kind: transport.Auth, Text: "late"}),
				func(l *loop) { l.adopt(hello{}) },
				func(l *loop) { l.targetChanged("late") },
				func(l *loop) { l.closeView() },
			} {
				r.s.box.put(delivery{event: stamp.At(at, ev)}, false)
			}
		}
		before := r.now()
		r.settle()
		r.state(Ready)
		if r.now() != before || r.srv.Link().Number() != links {
			t.Errorf("snapshot %d after %d, link %d after %d", r.now().Seq, before.Seq, r.srv.Link().Number(), links)
		}
	})
}

// When the end of each bridge takes 80 seconds, the five minutes end the episode
// with fewer than five attempts.
//
// req: REC-11, FLD-2
func TestBridgesThatWillNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var dials []time.Duration
		var start time.Time
		r := newRig(t, func(c *Config) {
			dial := c.Dial
			c.Dial = func(ctx context.Context, tg transport.Target) (transport.Conn, error) {
				mu.Lock()
				defer mu.Unlock()
				conn, err := dial(ctx, tg)
				if start.IsZero() {
					return conn, err
				}
				dials = append(dials, time.Since(start))
				return &slowToEnd{conn}, err
			}
		})
		defer r.end()
		r.live()
		r.srv.Mute(true)
		mu.Lock()
		start = time.Now()
		mu.Unlock()
		r.srv.Link().Drop()
		time.Sleep(299 * time.Second)
		r.settle()
		r.state(Reconnecting)
		time.Sleep(time.Second)
		r.settle()
		r.state(ManualReconnect)
		time.Sleep(time.Hour)
		want := []time.Duration{0, (45 + 80) * time.Second, 2 * (45 + 80) * time.Second}
		if !slices.Equal(dials, want) || !strings.HasPrefix(r.now().Status.Text, "Not connected. Three attempts failed") {
			t.Errorf("dials at %v, want %v; %q", dials, want, r.now().Status.Text)
		}
	})
}

// slowToEnd is a bridge that takes 80 s to end.
type slowToEnd struct{ transport.Conn }

func (s *slowToEnd) Close() error { time.Sleep(80 * time.Second); return s.Conn.Close() }
