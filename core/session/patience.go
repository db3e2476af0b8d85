package session

import (
	"context"
	"time"

	"holdfast/core/words"
)

// patience is how long what was chosen may take to be read: as long as a read
// of the server (ruling 14).
const patience = 30 * time.Second

// errSlow is why a file counts as unreadable that does not answer.
var errSlow error = words.Error("it does not answer")

// patient does something that can neither be ended nor be trusted to end, such
// as reading a file of a network folder that is gone. It is left behind when
// ctx ends first, so that it holds up neither the message nor the end of the
// program.
func patient[T any](ctx context.Context, do func() T) (T, error) {
	ch := make(chan T, 1)
	go func() { ch <- do() }()
	select {
	case x := <-ch:
		return x, nil
	case <-ctx.Done():
		var none T
		return none, errSlow
	}
}

// patientRead reads an image within ctx.
func patientRead(ctx context.Context, read func(string, int64) (Image, error)) func(string, int64) (Image, error) {
	type answer struct {
		img Image
		err error
	}
	return func(path string, limit int64) (Image, error) {
		a, err := patient(ctx, func() answer {
			img, err := read(path, limit)
			return answer{img, err}
		})
		if err != nil {
			return Image{}, err
		}
		return a.img, a.err
	}
}
