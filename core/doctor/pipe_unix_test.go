//go:build unix

package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"holdfast/core/profile"
)

// A pipe that nobody writes to, in place of a file, is a finding, and so is what
// was not known yet when doctor is ended: it never hangs.
func TestATokenFileThatDoesNotAnswer(t *testing.T) {
	for want, patience := range map[string]time.Duration{"did not answer in": 20 * time.Millisecond, "was ended": time.Hour} {
		t.Run(want, func(t *testing.T) {
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			opened := make(chan *os.File)
			go func() {
				w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for a reader
				if err != nil {
					t.Error(err)
				}
				if patience == time.Hour {
					cancel()
				}
				opened <- w
			}()
			o, _ := healthy(t)
			o.Patience = patience
			o.Flags = profile.Flags{Connect: "ws://127.0.0.1:1", TokenFile: pipe}
			got := byCheck(Run(ctx, o))["token"]
			if got.Status != Fail || !strings.Contains(got.Found, want) || !strings.Contains(got.Found, pipe) || got.Do == "" {
				t.Errorf("got %+v, want that %s %s", got, pipe, want)
			}
			if err := (<-opened).Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
