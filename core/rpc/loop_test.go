package rpc_test

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"holdfast/core/transport"
)

// A loop is a link that answers every request with the same result.
type loop struct {
	rest []byte // the answer after its ID
	ids  chan int
	n    int
}

func newLoop(frame []byte) *loop {
	return &loop{rest: bytes.TrimPrefix(frame, []byte(`{"id":1`)), ids: make(chan int, 64)}
}

func (l *loop) Next() (io.Reader, error) {
	id, ok := <-l.ids
	if !ok {
		return nil, io.EOF
	}
	return io.MultiReader(bytes.NewReader(fmt.Appendf(nil, `{"id":%d`, id)), bytes.NewReader(l.rest)), nil
}

func (l *loop) Write(context.Context, []byte) error {
	l.n++
	l.ids <- l.n
	return nil
}

func (l *loop) Close() error {
	close(l.ids)
	return nil
}

func (l *loop) Info() transport.Info { return transport.Info{} }
