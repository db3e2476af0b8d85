package drive

import (
	"context"
	"io"
	"testing"
	"testing/synctest"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/session"
	"holdfast/core/transport"
)

// A surface that nobody reads holds nothing up: the connection is made, lost and
// made again, and commands are carried out.
//
// req: REC-3
func TestASurfaceThatNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := fakeserver.New(t)
		srv.Answer("account/read", map[string]any{"account": nil, "requiresOpenaiAuth": false})
		srv.Answer("thread/list", map[string]any{"data": []any{}, "nextCursor": nil})
		inR, in := io.Pipe()
		out, outW := io.Pipe()
		over := make(chan error, 1)
		go func() {
			over <- Run(t.Context(), session.Config{
				Dial:  func(context.Context, transport.Target) (transport.Conn, error) { return srv.Dial() },
				NewID: func() string { return "client" },
			}, inR, outW)
		}()
		synctest.Wait()
		for n := 1; n <= 3; n++ {
			if got := len(srv.Requests("thread/list")); got != 2*n-1 {
				t.Fatalf("%d lists at connection %d, want %d", got, n, 2*n-1)
			}
			if _, err := io.WriteString(in, `{"do":"threads"}`+"\n"); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			srv.Link().Drop()
			synctest.Wait()
		}
		go func() { _, _ = io.Copy(io.Discard, out) }()
		_ = in.Close()
		if err := <-over; err != nil {
			t.Error(err)
		}
		_ = outW.Close()
	})
}
