//go:build e2e

package e2e

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/tools/internal/screen"
)

// A second start on the same CODEX_HOME leaves at once, says why, and leaves
// the first window as it is; a SIGTERM ends that in order.
func TestASecondStart(t *testing.T) {
	h := realserver.New(t, realserver.Target, fakemodel.Config{})
	p := sitDown(t, h, "second", "--size", "800x600")
	p.sees("the list", func(s screen.Shown) bool { return s.State == "awaiting-selection" })
	second := program(t, h, t.TempDir())
	// Both look for the lock in the same place.
	second.Env = slices.Clone(p.cmd.Env)
	said, err := second.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "open for this CODEX_HOME already") {
		t.Errorf("the second start: %v, %q", err, said)
	}
	p.sees("the first window as it was", func(s screen.Shown) bool { return s.State == "awaiting-selection" })
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.leaves()
}

// Without a display the program says so in one sentence and names what works.
func TestWithoutADisplay(t *testing.T) {
	h := realserver.New(t, realserver.Target, fakemodel.Config{})
	cmd := program(t, h, t.TempDir())
	cmd.Env = slices.DeleteFunc(cmd.Env, func(kv string) bool {
		return strings.HasPrefix(kv, "DISPLAY=") || strings.HasPrefix(kv, "WAYLAND_DISPLAY=")
	})
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("it ended with %v, want status 1", err)
	}
	if got := string(said); !strings.Contains(got, "make demo") || strings.Count(got, "\n") != 1 {
		t.Errorf("it said %q, want one line that names make demo", got)
	}
}
