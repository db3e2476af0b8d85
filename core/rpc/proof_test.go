package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/rpc"
)

var errGaveUp = errors.New("gave up")

// What a failed call proves: begun or not (LED-6).
func TestWhatIsKnownOfAFailedCall(t *testing.T) {
	for _, tt := range []struct {
		name string
		run  func(ctx context.Context, cancel func(), b *bench)
		want string
	}{
		{"params that cannot be encoded", func(ctx context.Context, _ func(), b *bench) {
			rpc.Send(ctx, b.c, chanMutation, make(chan int), hear[got](b, "send"))
		}, "not begun"},
		{"context over before", func(ctx context.Context, cancel func(), b *bench) {
			cancel()
			rpc.Send(ctx, b.c, mutation, ask{}, hear[got](b, "send"))
		}, "not begun"},
		{"link ended before", func(ctx context.Context, _ func(), b *bench) {
			b.link.Drop()
			synctest.Wait()
			rpc.Send(ctx, b.c, mutation, ask{}, hear[got](b, "send"))
		}, "not begun"},
		{"context over while the writer is busy", func(ctx context.Context, cancel func(), b *bench) {
			free := blockWriter(b)
			rpc.Send(ctx, b.c, mutation, ask{}, hear[got](b, "send"))
			cancel()
			synctest.Wait()
			close(free)
		}, "not begun"},
		{"link ended while the writer is busy", func(ctx context.Context, _ func(), b *bench) {
			free := blockWriter(b)
			rpc.Send(ctx, b.c, mutation, ask{}, hear[got](b, "send"))
			b.link.Drop()
			synctest.Wait()
			close(free)
		}, "not begun"},
		{"write failed", func(ctx context.Context, _ func(), b *bench) {
			b.link.BreakWrites(errors.New("broken pipe"))
			rpc.Send(ctx, b.c, mutation, ask{}, hear[got](b, "send"))
		}, "no answer"},
		{"context over while waiting", func(ctx context.Context, cancel func(), b *bench) {
			rpc.Send(ctx, b.c, mutation, ask{}, hear[got](b, "send"))
			synctest.Wait()
			cancel()
		}, "no answer"},
		{"link lost while waiting", func(ctx context.Context, _ func(), b *bench) {
			rpc.Send(ctx, b.c, mutation, ask{}, hear[got](b, "send"))
			synctest.Wait()
			b.link.Drop()
		}, "no answer"},
		{"link lost in the middle of the answer", func(ctx context.Context, _ func(), b *bench) {
			rpc.Send(ctx, b.c, mutation, ask{}, hear[got](b, "send"))
			synctest.Wait()
			b.link.Torn([]byte(`{"id":1,"result":{"n":`))
			b.link.Drop()
		}, "no answer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := serve(t, rpc.Options{})
				b.srv.Handle("turn/start", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
				ctx, cancel := context.WithCancelCause(t.Context())
				var told []error
				b.hook = func(err error) { told = append(told, err) }
				tt.run(ctx, func() { cancel(errGaveUp) }, b)
				synctest.Wait()
				if len(told) != 1 {
					t.Fatalf("done was called %d times: %v", len(told), told)
				}
				begun := errors.Is(told[0], rpc.ErrNoAnswer)
				if begun == errors.Is(told[0], rpc.ErrNotBegun) || begun != (tt.want == "no answer") {
					t.Errorf("got %v, want %s", told[0], tt.want)
				}
				sent := len(b.srv.Requests("turn/start"))
				if tt.want == "not begun" && sent != 0 {
					t.Errorf("%v, but the server got it", told[0])
				}
			})
		})
	}
}

// A deadline ends that request only, and its answer still counts (rulings 14,
// 28).
func TestLateAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.srv.Mute(true)
		for i := range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			name := fmt.Sprint("call ", i+1)
			rpc.SendTracked(ctx, b.c, mutation, ask{}, rpc.Outcome[got]{Done: hear[got](b, name), Late: hear[got](b, name+" late")})
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		rpc.Ask(short, b.c, query, ask{}, hear[got](b, "query"))
		rpc.Send(short, b.c, mutation, ask{}, hear[got](b, "untracked"))
		rpc.Look(t.Context(), b.c, look, ask{}, hear[got](b, "other"))
		time.Sleep(time.Second)
		synctest.Wait()
		b.sorted("query: no answer: thread/read: context deadline exceeded", "untracked: no answer: turn/start: context deadline exceeded")
		time.Sleep(time.Minute)
		synctest.Wait()
		b.sorted("call 1: no answer: turn/start: context deadline exceeded", "call 2: no answer: turn/start: context deadline exceeded",
			"call 3: no answer: turn/start: context deadline exceeded")
		b.raw(`{"id":2,"result":{"n":2}}`, `{"id":4,"result":{"n":4}}`, `{"id":5,"result":{"n":"x"}}`,
			`{"error":{"code":-32001,"message":"Server overloaded; retry later."},"id":1}`,
			`{"result":{"n":"x"},"id":3}`, `{"id":2,"result":{"n":2}}`, `{"id":6,"result":{"n":6}}`)
		b.want("call 2 late: {N:2}", "call 1 late: server error -32001", "call 3 late: unreadable answer: turn/start",
			`fault second answer "" ""`, "other: {N:6}")
	})
}

// An answer that comes while a link of ours drains settles its call.
func TestAnswersWhileTheLinkDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.srv.Mute(true)
		rpc.Send(t.Context(), b.c, mutation, ask{}, hear[got](b, "one"))
		rpc.Send(t.Context(), b.c, mutation, ask{}, hear[got](b, "two"))
		synctest.Wait()
		b.raw(`{"id":1,"result":{"n":1}}`)
		if err := b.link.Close(); err != nil {
			t.Fatal(err)
		}
		b.want("one: {N:1}", "two: no answer: turn/start: the link has ended\nclosed by us")
	})
}

// A link that cannot be written to is closed, so that the reader learns of it.
func TestAFailedWriteEndsTheLink(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(t *testing.T, b *bench)
	}{
		{"request", func(t *testing.T, b *bench) { rpc.Send(t.Context(), b.c, mutation, ask{}, nil) }},
		{"notification", func(t *testing.T, b *bench) {
			if err := b.c.Notify(t.Context(), "initialized", nil); err != nil {
				t.Error(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := serve(t, rpc.Options{})
				b.link.BreakWrites(errors.New("broken pipe"))
				tt.do(t, b)
				synctest.Wait()
				if !b.link.Closed() {
					t.Error("the link was not closed")
				}
				select {
				case err := <-b.done:
					if err == nil {
						t.Error("Serve gave no reason")
					}
				default:
					t.Error("Serve goes on")
				}
				if err := b.c.Notify(t.Context(), "initialized", nil); !errors.Is(err, rpc.ErrNotBegun) {
					t.Errorf("Notify after the end: %v, want %v", err, rpc.ErrNotBegun)
				}
			})
		})
	}
}

func TestServeOnlyOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		synctest.Wait()
		if err := b.c.Serve(); err == nil {
			t.Error("a second Serve was accepted")
		}
	})
}

// blockWriter keeps the writer inside a Write until the channel is closed.
func blockWriter(b *bench) (free chan struct{}) {
	free = make(chan struct{})
	b.srv.Handle("block", func(fakeserver.Request) (any, error) { <-free; return nil, fakeserver.Silent })
	rpc.Look(b.t.Context(), b.c, blocker, ask{}, nil)
	synctest.Wait()
	return free
}
