//go:build unix

package transport

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A token file that does not answer, such as a pipe nobody writes to, holds no
// attempt longer than the attempt lasts.
func TestATokenFileThatDoesNotAnswer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // lets go what was left behind
		if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
			_ = f.Close()
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readTokenWithin(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancel: %v", err)
	}
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	_, err := readTokenWithin(late, path)
	wantRefusal(t, err, InvalidProfile, path, "does not answer")
}
