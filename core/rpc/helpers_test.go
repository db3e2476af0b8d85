package rpc_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/protocol"
	"holdfast/core/rpc"
)

// A bench is a Conn on a scripted server, and a log of all it says.
type bench struct {
	t    *testing.T
	srv  *fakeserver.Server
	link *fakeserver.Link
	c    *rpc.Conn
	done chan error

	mu   sync.Mutex
	log  []string
	hook func(error) // hears what done hears
}

// serve starts a bench. Call it inside a bubble.
func serve(t *testing.T, o rpc.Options) *bench {
	t.Helper()
	b := &bench{t: t, srv: fakeserver.New(t), done: make(chan error, 1)}
	conn, err := b.srv.Dial()
	if err != nil {
		t.Fatal(err)
	}
	b.link = b.srv.Link()
	b.c = rpc.New(conn, rpc.Handler{
		Notification: func(n protocol.Notification) { b.say("note %T %s", n, n.ThreadID()) },
		Request:      func(q protocol.ServerRequest) { b.say("request %s %s %T", q.ID, q.Method, q.Params) },
		Fault:        func(f rpc.Fault) { b.say("fault %s %q %q", f.Kind, f.Method, f.Thread) },
	}, o)
	go func() { b.done <- b.c.Serve() }()
	t.Cleanup(func() {
		b.link.Drop()
		synctest.Wait()
	})
	return b
}

func (b *bench) say(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = append(b.log, fmt.Sprintf(format, args...))
}

// want compares the log since the last want.
func (b *bench) want(lines ...string) {
	b.t.Helper()
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Equal(b.log, lines) {
		b.t.Errorf("got:\n%q\nwant:\n%q", b.log, lines)
	}
	b.log = nil
}

// sorted is want for lines of different goroutines.
func (b *bench) sorted(lines ...string) {
	b.t.Helper()
	b.mu.Lock()
	slices.Sort(b.log)
	b.mu.Unlock()
	b.want(lines...)
}

// raw sends frames as they are.
func (b *bench) raw(frames ...string) {
	for _, f := range frames {
		b.link.Raw([]byte(f))
	}
}

// hear gives a done function that logs what it is told.
func hear[R any](b *bench, name string) func(R, error) {
	return func(r R, err error) {
		if b.hook != nil {
			b.hook(err)
		}
		switch {
		case errors.Is(err, rpc.ErrUnreadable): // the cause is the decoder's wording
			b.say("%s: %v", name, strings.Join(strings.SplitN(err.Error(), ": ", 3)[:2], ": "))
			return
		case err != nil:
			b.say("%s: %v", name, err)
			return
		}
		b.say("%s: %+v", name, r)
	}
}

// wantSent compares what the server got, in order.
func wantSent(t *testing.T, b *bench, want ...string) {
	t.Helper()
	var got []string
	for _, r := range b.srv.Requests() {
		var parts []string
		if r.Method != "" {
			parts = append(parts, r.Method)
		}
		for _, m := range []struct {
			name string
			v    []byte
		}{{"id", r.ID}, {"params", r.Params}, {"result", r.Result}, {"error", r.Error}} {
			if m.v != nil {
				parts = append(parts, m.name, string(m.v))
			}
		}
		got = append(got, strings.Join(parts, " "))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("sent:\n%q\nwant:\n%q", got, want)
	}
}
