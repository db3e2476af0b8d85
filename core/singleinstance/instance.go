package singleinstance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// ErrHeld says that another process has the place. It was asked to come to the
// front.
var ErrHeld = errors.New("another window has this place")

// request is what a later process says; anything else is ignored.
const request = "raise\n"

// An Instance is the hold on a place.
type Instance struct {
	lock *flock.Flock
	ln   net.Listener
	done chan struct{}
}

// Acquire takes the place, or asks its holder to raise its window and returns
// ErrHeld. onRaise runs on a goroutine of its own until Release.
func Acquire(ctx context.Context, dir, place string, onRaise func()) (*Instance, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the runtime folder: %w", err)
	}
	sum := sha256.Sum256([]byte(place))
	base := filepath.Join(dir, "holdfast-"+hex.EncodeToString(sum[:8]))
	lock := flock.New(base + ".lock")
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the place: %w", err)
	}
	if !got {
		return nil, errors.Join(ErrHeld, ask(ctx, base+".sock"))
	}
	in := &Instance{lock: lock, done: make(chan struct{})}
	if err := in.listen(ctx, base+".sock", onRaise); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return in, nil
}

// ask tells the holder. A holder that does not listen keeps the place all the
// same.
func ask(ctx context.Context, path string) error {
	c, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err != nil {
		return fmt.Errorf("reach the other window: %w", err)
	}
	_, err = c.Write([]byte(request))
	return errors.Join(err, c.Close())
}

func (in *Instance) listen(ctx context.Context, path string, onRaise func()) error {
	// The lock is ours, so a socket file is one that a dead process left.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a stale socket: %w", err)
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	if err != nil {
		return fmt.Errorf("listen for later starts: %w", err)
	}
	in.ln = ln
	go func() {
		defer close(in.done)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			if heard(c) && onRaise != nil {
				onRaise()
			}
		}
	}()
	return nil
}

// heard reads one request.
func heard(c net.Conn) bool {
	buf := make([]byte, len(request))
	n, err := c.Read(buf)
	return c.Close() == nil && err == nil && string(buf[:n]) == request
}

// Release gives the place up. It returns when onRaise runs no more.
func (in *Instance) Release() error {
	err := in.ln.Close()
	<-in.done
	return errors.Join(err, in.lock.Unlock())
}

// Dir is the folder for locks and sockets of this user's session.
func Dir() string {
	if d := os.Getenv("XDG_RUNTIME_DIR"); d != "" {
		return filepath.Join(d, "holdfast")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("holdfast-%d", os.Getuid()))
}
