package rpc_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"holdfast/core/itemtext"
	"holdfast/core/protocol"
	"holdfast/core/rpc"
)

// stream asks for a page and notes what comes: its length, and how it ends.
func (b *bench) stream(read func(io.Reader) error) {
	rpc.Stream(b.t.Context(), b.c, protocol.ThreadItemsList, protocol.ThreadItemsListParams{ThreadID: "t"}, rpc.Raw{
		Read: read,
		Done: func(err error) {
			switch {
			case err == nil:
				b.say("done")
			case errors.Is(err, rpc.ErrUnreadable):
				b.say("unreadable")
			case errors.Is(err, rpc.ErrNoAnswer):
				b.say("no answer")
			default:
				b.say("refused: %v", err)
			}
		},
	})
	synctest.Wait()
}

// A result that is streamed comes as it is, whatever stands around it, and the
// frame after it is read as usual.
func TestAResultIsStreamed(t *testing.T) {
	long := strings.Repeat("x", 20<<20)
	for _, c := range []struct {
		name, frame string
		want        []string
	}{
		{"the ID first", `{"id":1,"result":{"text":"` + long + `"}}`, []string{"whole: true", "done"}},
		{"more after it", `{"id":1 , "result" : {"text":"` + long + `"} , "emittedAtMs":5}`, []string{"whole: true", "done"}},
		{"the ID last", `{"result":{"text":"abc"},"id":1}`, []string{"whole: false", "done"}},
		{"a refusal", `{"id":1,"error":{"code":-32600,"message":"no"}}`, []string{"refused: server error -32600"}},
		{"neither", `{"id":1}`, []string{"unreadable"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := serve(t, rpc.Options{})
				b.srv.Mute(true)
				b.stream(func(r io.Reader) error {
					got, err := io.ReadAll(r)
					b.say("whole: %v", strings.Contains(string(got), long))
					return err
				})
				b.raw(c.frame, `{"method":"thread/closed","params":{"threadId":"t"}}`)
				b.want(append(c.want, "note protocol.ThreadClosed t")...)
			})
		})
	}
}

// A reader that fails ends its call and not the link; a frame that is torn is no
// answer.
func TestAStreamThatEndsEarly(t *testing.T) {
	for _, c := range []struct {
		name string
		torn bool
		read func(io.Reader) error
		want []string
	}{
		{"the reader fails", false, func(io.Reader) error { return errors.New("enough") }, []string{"unreadable", "note protocol.ThreadClosed t"}},
		{"a torn frame", true, func(r io.Reader) error { _, err := io.Copy(io.Discard, r); return err }, []string{"no answer"}},
		{"a torn frame after what is read", true, func(io.Reader) error { return nil }, []string{"no answer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := serve(t, rpc.Options{})
				b.srv.Mute(true)
				b.stream(c.read)
				if c.torn {
					b.link.Torn([]byte(`{"id":1,"result":{"text":"abc`))
					b.link.Drop()
				} else {
					b.raw(`{"id":1,"result":{"text":"`+strings.Repeat("x", 1<<20)+`"}}`, `{"method":"thread/closed","params":{"threadId":"t"}}`)
				}
				b.want(c.want...)
			})
		})
	}
}

// A value of 100 MB goes to where it is wanted and is held nowhere (ruling 9).
func TestAGiantValueIsNeverHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.srv.Mute(true)
		var n count
		b.stream(func(r io.Reader) error {
			got, err := itemtext.FromItems(r, "t", "c0", &n)
			b.say("found %v", got.Found)
			return err
		})
		w := &watched{r: page(1, 100<<20)} // which the test holds
		runtime.GC()
		before := heap()
		b.link.Stream(w)
		b.want("found true", "done")
		if n < 100<<20-16 || w.peak > before+16<<20 {
			t.Errorf("%d bytes came through, the peak is %d MiB above", n, (w.peak-before)>>20)
		}
	})
}

type count int64

func (c *count) Write(b []byte) (int, error) {
	*c += count(len(b))
	return len(b), nil
}
