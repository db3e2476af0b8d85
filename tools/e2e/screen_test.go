//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"holdfast/core/realserver"
)

// xdotool presses keys for whatever window has the focus, as a person does.
func xdotool(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "xdotool", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("xdotool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// press presses keys one after the other, such as "ctrl+Return".
func press(t *testing.T, keys ...string) {
	t.Helper()
	xdotool(t, append([]string{"key", "--clearmodifiers"}, keys...)...)
}

// typeText types text.
func typeText(t *testing.T, text string) {
	t.Helper()
	xdotool(t, "type", "--clearmodifiers", "--delay", "8", text)
}

// shot keeps a picture of the display in out/e2e.
func shot(t *testing.T, name string) {
	t.Helper()
	root, err := realserver.Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "out", "e2e")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name+".png")
	if out, err := exec.CommandContext(t.Context(), "import", "-window", "root", path).CombinedOutput(); err != nil {
		t.Errorf("take %s: %v\n%s", path, err, out)
	}
}
