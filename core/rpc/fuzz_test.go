package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"testing"

	"holdfast/core/protocol"
	"holdfast/core/rpc"
	"holdfast/core/transport"
)

// A feed is a link that gives its frames once it may, and then ends.
type feed struct {
	frames [][]byte
	sent   chan struct{} // one for each Write
	ready  chan struct{}
}

func (f *feed) Next() (io.Reader, error) {
	<-f.ready
	if len(f.frames) == 0 {
		return nil, io.EOF
	}
	b := f.frames[0]
	f.frames = f.frames[1:]
	return bytes.NewReader(b), nil
}

func (f *feed) Write(context.Context, []byte) error { f.sent <- struct{}{}; return nil }
func (f *feed) Close() error                        { return nil }
func (f *feed) Info() transport.Info                { return transport.Info{} }

// Whatever lines come in: nothing panics, each call is told exactly once, late
// answers come at most once and only to a call that had given up, and frames do
// not vanish: each is an answer, an event or a fault.
func FuzzFrame(f *testing.F) {
	for _, s := range []string{
		`{"id":1,"result":{"n":7}}` + "\n" + `{"result":{"n":8},"id":2}` + "\n" + `{"error":{"code":-32001,"message":"x"},"id":3}`,
		`{"id":3,"result":{"n":7}}` + "\n" + `{"id":3,"result":{"n":7}}`,
		`{"id":1,"result":{"n":"7"}}` + "\n" + `{"id":2,"result":{"n":`,
		`{"method":"item/started","params":{"threadId":"t","turnId":"u","item":{"type":"agentMessage","id":"i","text":"a\ud800"}},"emittedAtMs":1}`,
		`{"method":"item/agentMessage/delta","params":{"threadId":"t","turnId":"u","itemId":"i","delta":"x"}}`,
		`{"method":"item/commandExecution/requestApproval","id":0,"params":{"threadId":"t","turnId":"u","itemId":"i","availableDecisions":["accept",{"a":1}]}}`,
		`{"method":"no/such","id":"s","params":null}` + "\n" + `[]` + "\n" + `null` + "\n" + `{}` + "\n" + `{"id":1}`,
		`{"id":1,"id":1}` + "\n" + `{"id":1.0}` + "\n" + `{"id":-1,"error":null}` + "\n" + "\xff{\"id\":1",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		link := &feed{frames: bytes.Split(data, []byte("\n")), sent: make(chan struct{}, 3), ready: make(chan struct{})}
		frames := len(link.frames)
		var mu sync.Mutex
		told := map[string]int{}
		events := 0
		hear := func(name string) func(got, error) {
			return func(_ got, err error) {
				mu.Lock()
				defer mu.Unlock()
				told[name]++
				if !errors.Is(err, rpc.ErrNoAnswer) {
					events++
				}
			}
		}
		event := func() { mu.Lock(); defer mu.Unlock(); events++ }
		c := rpc.New(link, rpc.Handler{
			Notification: func(protocol.Notification) { event() },
			Request:      func(protocol.ServerRequest) { event() },
			Fault: func(f rpc.Fault) {
				if f.Kind != rpc.BadRequest { // it is handed on as a request as well
					event()
				}
			},
		}, rpc.Options{})
		served := make(chan error, 1)
		go func() { served <- c.Serve() }()
		ctx, cancel := context.WithCancel(t.Context())
		gaveUp := make(chan struct{})
		rpc.Look(t.Context(), c, look, ask{}, hear("one"))
		rpc.SendTracked(t.Context(), c, mutation, ask{}, rpc.Outcome[got]{Done: hear("two"), Late: hear("late two")})
		rpc.SendTracked(ctx, c, mutation, ask{}, rpc.Outcome[got]{
			Done: func(r got, err error) { hear("three")(r, err); close(gaveUp) }, Late: hear("late three"),
		})
		for range 3 {
			<-link.sent
		}
		cancel()
		<-gaveUp
		close(link.ready)
		if err := <-served; !errors.Is(err, io.EOF) {
			t.Errorf("Serve: %v", err)
		}
		if told["one"] != 1 || told["two"] != 1 || told["three"] != 1 || told["late two"] != 0 || told["late three"] > 1 {
			t.Errorf("told %v", told)
		}
		if events != frames {
			t.Errorf("%d frames came to %d answers, events and faults", frames, events)
		}
	})
}
