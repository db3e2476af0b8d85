// Package screen drives the real window from outside, as a person does: keys go to the display, and what the window shows
// is read from its state file. It knows nothing of what is behind the window.
//
// # Decisions
//
// 2026-11-30: a key is pressed once and the state is waited for.
// Instead of pauses between keys, because the state file says when the window has got there.
package screen

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Patience bounds every wait for the window; a Moment is what a key takes to show.
const (
	Patience = 30 * time.Second
	Moment   = 700 * time.Millisecond
)

// Shown is what the state file says, as far as it is looked at.
type Shown struct {
	State, Code, Banner, Header, Draft, Thread, Turn string
	Listed, LastRow, LastHash, Card, Dialog          string
	Focus, Theme, Attached, Stale, Note              string
	Find                                             string
	Notices                                          []string
	Joined, Live, Answered                           bool
	Threads, Rows, Cards, Composer, Drafts, Unsure   int
	ListedAt, News, Queued, Offered                  int
}

// Window is the program while it runs.
type Window struct {
	state string
	said  bytes.Buffer
	gone  chan struct{}
	err   error // how it ended, once gone
}

// Start starts a program that writes the state file.
func Start(cmd *exec.Cmd, state string) (*Window, error) {
	w := &Window{state: state, gone: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &w.said, &w.said
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the window: %w", err)
	}
	go func() {
		if w.err = cmd.Wait(); w.err == nil {
			w.err = errOrder
		}
		close(w.gone)
	}()
	return w, nil
}

// Now reads what the window shows: nothing while there is no state file.
func (w *Window) Now() (Shown, error) {
	var s Shown
	data, err := os.ReadFile(w.state)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return s, fmt.Errorf("read the state file: %w", err)
	}
	return s, nil
}

// Until waits until the window shows what is wanted, which what names.
func (w *Window) Until(ctx context.Context, what string, want func(Shown) bool) (Shown, error) {
	s, err := w.wait(ctx, Patience, want)
	if errors.Is(err, errTime) {
		return s, fmt.Errorf("no sign of: %s; the window shows %+v", what, s)
	}
	if err != nil {
		return s, fmt.Errorf("wait for %s: %w", what, err)
	}
	return s, nil
}

// Within reports whether the window shows what is wanted within a limit.
func (w *Window) Within(ctx context.Context, limit time.Duration, want func(Shown) bool) bool {
	_, err := w.wait(ctx, limit, want)
	return err == nil
}

var (
	errTime  = errors.New("out of time")
	errGone  = errors.New("the window is gone")
	errOrder = errors.New("it ended in order")
)

func (w *Window) wait(ctx context.Context, limit time.Duration, want func(Shown) bool) (Shown, error) {
	over := time.NewTimer(limit)
	defer over.Stop()
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for {
		s, err := w.Now()
		if err != nil || want(s) {
			return s, err
		}
		select {
		case <-w.gone:
			return s, fmt.Errorf("%w: %w\n%s", errGone, w.err, w.said.String())
		case <-over.C:
			return s, errTime
		case <-ctx.Done():
			return s, ctx.Err()
		case <-poll.C:
		}
	}
}

// End waits for the end of the program.
func (w *Window) End(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	select {
	case <-w.gone:
		if !errors.Is(w.err, errOrder) {
			return fmt.Errorf("the window ended with %w\n%s", w.err, w.said.String())
		}
		return nil
	case <-ctx.Done():
		return errors.New("the window does not end")
	}
}

// Press presses keys for whatever has the focus, one after the other, such as "ctrl+Return".
func Press(ctx context.Context, keys ...string) error {
	return xdotool(ctx, append([]string{"key", "--clearmodifiers"}, keys...)...)
}

// Type types text.
func Type(ctx context.Context, text string) error {
	return xdotool(ctx, "type", "--clearmodifiers", "--delay", "8", text)
}

func xdotool(ctx context.Context, args ...string) error {
	if out, err := exec.CommandContext(ctx, "xdotool", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("xdotool %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// Shot keeps a picture of the display once it has come to rest: the state file is written before the window is drawn.
func Shot(ctx context.Context, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make the folder of the pictures: %w", err)
	}
	var last []byte
	for range 10 { // what streams never rests
		now, err := capture(ctx, "ppm:-")
		if err != nil {
			return err
		}
		if bytes.Equal(now, last) {
			break
		}
		last = now
	}
	_, err := capture(ctx, path)
	return err
}

// capture takes a picture of the display to a file, or to what it returns.
func capture(ctx context.Context, to string) ([]byte, error) {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "import", "-window", "root", to)
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("take the picture %s: %w\n%s", to, err, said.String())
	}
	return out, nil
}
