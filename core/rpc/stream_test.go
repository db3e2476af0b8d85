package rpc_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"holdfast/core/protocol"
	"holdfast/core/rpc"
)

// page is an answer to ID 1 with items of a command's output each, as a stream
// that never exists as a whole.
func page(items, output int) io.Reader {
	parts := []io.Reader{strings.NewReader(`{"id":1,"result":{"data":[`)}
	body := bytes.Repeat([]byte("0123456789abcde\n"), output/16)
	body = bytes.ReplaceAll(body, []byte("\n"), []byte(`\n`))
	for i := range items {
		head := fmt.Sprintf(`{"turnId":"t","item":{"type":"commandExecution","id":"c%d","command":"cat","cwd":"/","status":"completed","aggregatedOutput":"`, i)
		if i > 0 {
			head = "," + head
		}
		parts = append(parts, strings.NewReader(head), bytes.NewReader(body), strings.NewReader(`"},"startedAtMs":1,"completedAtMs":2}`))
	}
	parts = append(parts, strings.NewReader(`],"nextCursor":null,"backwardsCursor":null}}`))
	return io.MultiReader(parts...)
}

// A watched reader takes the heap's size as it is read.
type watched struct {
	r    io.Reader
	n    int64
	next int64
	peak uint64
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if w.n += int64(n); w.n >= w.next {
		w.next = w.n + 1<<20
		w.peak = max(w.peak, heap())
	}
	return n, err
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A frame of 31 MB does not raise peak memory by more than 64 MiB; nor does one
// of 100 MB.
func TestAGiantFrameIsNeverHeld(t *testing.T) {
	for _, items := range []int{31, 100} {
		t.Run(fmt.Sprint(items, " MiB"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := serve(t, rpc.Options{})
				b.srv.Mute(true)
				var got protocol.ThreadItemsListResult
				rpc.Ask(t.Context(), b.c, protocol.ThreadItemsList, protocol.ThreadItemsListParams{ThreadID: "t"},
					func(r protocol.ThreadItemsListResult, err error) {
						if err != nil {
							t.Error(err)
						}
						got = r
					})
				synctest.Wait()
				runtime.GC()
				before := heap()
				w := &watched{r: page(items, 1<<20)}
				b.link.Stream(w)
				synctest.Wait()
				if len(got.Data) != items || w.n < int64(items)<<20 {
					t.Fatalf("%d items of %d bytes, want %d", len(got.Data), w.n, items)
				}
				if rise := int64(w.peak) - int64(before); rise > 64<<20 {
					t.Errorf("the heap rose by %d MiB while %d MiB came in", rise>>20, w.n>>20)
				}
			})
		})
	}
}

// Decoding pages of items, from the frame to the typed result.
func BenchmarkItemsPage(b *testing.B) {
	for _, bb := range []struct {
		name          string
		items, output int
	}{{"100 items of 1 kB", 100, 1 << 10}, {"36 items of 1 MiB", 36, 1 << 20}} {
		b.Run(bb.name, func(b *testing.B) {
			frame, err := io.ReadAll(page(bb.items, bb.output))
			if err != nil {
				b.Fatal(err)
			}
			l := newLoop(frame)
			c := rpc.New(l, rpc.Handler{}, rpc.Options{})
			served := make(chan error, 1)
			go func() { served <- c.Serve() }()
			b.SetBytes(int64(len(frame)))
			b.ReportAllocs()
			done := make(chan error, 1)
			for b.Loop() {
				rpc.Ask(b.Context(), c, protocol.ThreadItemsList, protocol.ThreadItemsListParams{ThreadID: "t"},
					func(_ protocol.ThreadItemsListResult, err error) { done <- err })
				if err := <-done; err != nil {
					b.Fatal(err)
				}
			}
			_ = l.Close()
			if err := <-served; !errors.Is(err, io.EOF) {
				b.Errorf("Serve: %v", err)
			}
		})
	}
}
