package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/protocol"
	"holdfast/core/rpc"
)

// Ruling 3: the exact overload answer to a query is asked again, and nothing
// else is.
func TestOverloadRetry(t *testing.T) {
	over := fakeserver.Overloaded()
	withData := fakeserver.Overloaded()
	withData.Data = []byte(`{}`)
	for _, tt := range []struct {
		name    string
		jitter  func() float64
		answers []*fakeserver.Failure // then success
		delay   time.Duration         // of each answer
		want    string
		at      []time.Duration // when it was sent
	}{
		{"once", nil, []*fakeserver.Failure{over}, 0, "read: {N:5}", ms(0, 250)},
		{"three times", nil, []*fakeserver.Failure{over, over, over}, 0, "read: {N:5}", ms(0, 250, 750, 1750)},
		{"four times is too often", nil, []*fakeserver.Failure{over, over, over, over}, 0, "read: server error -32001", ms(0, 250, 750, 1750)},
		{"least jitter", func() float64 { return 0 }, []*fakeserver.Failure{over, over, over}, 0, "read: {N:5}", ms(0, 200, 600, 1400)},
		{"half jitter", func() float64 { return 0.5 }, []*fakeserver.Failure{over, over, over}, 0, "read: {N:5}", ms(0, 250, 750, 1750)},
		{"up to the budget", nil, []*fakeserver.Failure{over, over, over}, 2750 * time.Millisecond, "read: {N:5}", ms(0, 3000, 6250, 10000)},
		{"past the budget", nil, []*fakeserver.Failure{over, over, over}, 2751 * time.Millisecond, "read: server error -32001", ms(0, 3001, 6252)},
		{"with data", nil, []*fakeserver.Failure{withData}, 0, "read: server error -32001", ms(0)},
		{"another text", nil, []*fakeserver.Failure{{Code: -32001, Message: "executor lost"}}, 0, "read: server error -32001", ms(0)},
		{"another code", nil, []*fakeserver.Failure{{Code: -32000, Message: over.Message}}, 0, "read: server error -32000", ms(0)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := serve(t, rpc.Options{Jitter: tt.jitter})
				start := time.Now()
				var at []time.Duration
				b.srv.Handle("thread/read", func(fakeserver.Request) (any, error) {
					n := len(at)
					at = append(at, time.Since(start))
					time.Sleep(tt.delay)
					if n < len(tt.answers) {
						return nil, tt.answers[n]
					}
					return got{5}, nil
				})
				rpc.Ask(t.Context(), b.c, query, ask{"x"}, hear[got](b, "read"))
				time.Sleep(time.Minute)
				b.want(tt.want)
				if !slices.Equal(at, tt.at) {
					t.Errorf("sent at %v, want %v", at, tt.at)
				}
				for i, r := range b.srv.Requests("thread/read") {
					if got, want := fmt.Sprintf("%s %s", r.ID, r.Params), fmt.Sprintf(`%d {"s":"x"}`, i+1); got != want {
						t.Errorf("try %d was %s, want %s", i, got, want)
					}
				}
			})
		})
	}
}

func ms(n ...int) (d []time.Duration) {
	for _, n := range n {
		d = append(d, time.Duration(n)*time.Millisecond)
	}
	return d
}

// LED-3: neither a mutation nor a plain call is sent again.
func TestOnlyQueriesAreAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		refuse := func(fakeserver.Request) (any, error) { return nil, fakeserver.Overloaded() }
		b.srv.Handle("turn/start", refuse)
		b.srv.Handle("initialize", refuse)
		rpc.Send(t.Context(), b.c, mutation, ask{}, hear[got](b, "send"))
		synctest.Wait()
		rpc.Look(t.Context(), b.c, look, ask{}, hear[got](b, "look"))
		time.Sleep(time.Minute)
		b.want("send: server error -32001", "look: server error -32001")
		if got := len(b.srv.Requests()); got != 2 {
			t.Errorf("%d requests were sent, want 2", got)
		}
	})
}

// A query that rests ends with its context, or with the link.
func TestARestingQueryEnds(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(cancel func(), b *bench)
		want string
	}{
		{"context", func(cancel func(), _ *bench) { cancel() }, "read: server error -32001"},
		{"link", func(_ func(), b *bench) { b.link.Drop() }, "read: not begun: thread/read: the link has ended\nthe connection was closed by fake"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := serve(t, rpc.Options{})
				b.srv.Fail("thread/read", -32001, fakeserver.Overloaded().Message)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				rpc.Ask(ctx, b.c, query, ask{}, hear[got](b, "read"))
				b.want()
				tt.end(cancel, b)
				time.Sleep(time.Minute)
				b.want(tt.want)
				if got := len(b.srv.Requests()); got != 1 {
					t.Errorf("%d requests were sent, want 1", got)
				}
			})
		})
	}
}

// Fact 12: few requests are in flight. The rest wait in order; Stop and answers
// do not wait.
func TestFewRequestsAreInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.srv.Mute(true)
		for i := range 70 {
			rpc.Ask(t.Context(), b.c, query, ask{fmt.Sprint(i)}, nil)
		}
		synctest.Wait()
		if got := len(b.srv.Requests("thread/read")); got != 64 {
			t.Errorf("%d requests are in flight, want 64", got)
		}
		rpc.Send(t.Context(), b.c, stop, ask{}, nil)
		if err := b.c.Reply(t.Context(), protocol.NumberID(0), nil); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if got := len(b.srv.Requests()); got != 66 {
			t.Errorf("%d frames were sent, want 66: Stop and an answer must pass", got)
		}
		for id := range 64 {
			b.raw(fmt.Sprintf(`{"id":%d,"result":{}}`, id+1))
		}
		synctest.Wait()
		var order []string
		for _, r := range b.srv.Requests("thread/read") {
			order = append(order, string(r.Params))
		}
		var want []string
		for i := range 70 {
			want = append(want, fmt.Sprintf(`{"s":"%d"}`, i))
		}
		if !slices.Equal(order, want) {
			t.Errorf("sent in the order %v", order)
		}
	})
}

// A request that gets no answer gives its place up when its time is over.
func TestExpiredRequestsMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.srv.Mute(true)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for range 64 {
			rpc.Ask(ctx, b.c, query, ask{}, nil)
		}
		rpc.Look(t.Context(), b.c, look, ask{}, nil)
		time.Sleep(2 * time.Second)
		if got := len(b.srv.Requests("initialize")); got != 1 {
			t.Errorf("the waiting request was sent %d times, want once", got)
		}
	})
}

// The queue has a bound: past it nothing is begun, and nothing blocks.
func TestTheQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.srv.Mute(true)
		var refused []error
		count := func(_ got, err error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			refused = append(refused, err)
		}
		for range 64 + 1024 {
			rpc.Send(t.Context(), b.c, mutation, ask{}, count)
		}
		synctest.Wait()
		if len(refused) != 0 {
			t.Fatalf("%d were refused, the first: %v", len(refused), refused[0])
		}
		rpc.Send(t.Context(), b.c, mutation, ask{}, count)
		synctest.Wait()
		if len(refused) != 1 || !errors.Is(refused[0], rpc.ErrNotBegun) || !errors.Is(refused[0], rpc.ErrBusy) {
			t.Errorf("one past the bound: %v", refused)
		}
	})
}
