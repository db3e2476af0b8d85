package measure

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
	"holdfast/tools/internal/screen"
)

// opened is the window while it runs, and when it was started.
type opened struct {
	*screen.Window
	b     *testing.B
	pid   int
	begin time.Time
}

// open starts the window on a warm local server.
func open(b *testing.B) *opened {
	b.Helper()
	home := realserver.New(b, realserver.Target, fakemodel.Config{})
	srv := home.ListenWS()
	srv.Client(seed.Quiet) // the server has answered once
	state := filepath.Join(b.TempDir(), "state.json")
	cmd := command(b, "holdfast", "--connect", srv.URL, "--cwd", home.Work, "--state-file", state)
	begin := time.Now()
	w, err := screen.Start(cmd, state)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = w.End(context.WithoutCancel(b.Context())) // how it ends is not what is measured
	})
	return &opened{Window: w, b: b, pid: cmd.Process.Pid, begin: begin}
}

// report reports how long after the process was started something was seen.
func (w *opened) report(at time.Time) { w.b.ReportMetric(at.Sub(w.begin).Seconds(), "s") }

// BenchmarkWindowUsable starts the window and presses a key until the window has taken one: the first frame must be drawn
// by then.
func BenchmarkWindowUsable(b *testing.B) {
	for b.Loop() {
		w := open(b)
		var id string
		before, err := w.Until(b.Context(), "a window", func(s screen.Shown) bool {
			id = w.visible()
			return id != "" && s.Focus != ""
		})
		if err != nil {
			b.Fatal(err)
		}
		for taken := false; !taken; {
			if err := screen.Press(b.Context(), "Tab"); err != nil {
				b.Fatal(err)
			}
			moved := w.Within(b.Context(), 100*time.Millisecond, func(s screen.Shown) bool { return s.Focus != before.Focus })
			at := time.Now()
			if taken = moved && w.drawn(id); taken {
				w.report(at)
			} else if time.Since(w.begin) > patience {
				b.Fatal("no key was taken")
			}
		}
	}
}

// BenchmarkAwaitingSelection starts the window and waits until it is connected and shows the refreshed list.
func BenchmarkAwaitingSelection(b *testing.B) {
	for b.Loop() {
		w := open(b)
		_, err := w.Until(b.Context(), "the refreshed list", func(s screen.Shown) bool { return s.State == "awaiting-selection" })
		if err != nil {
			b.Fatal(err)
		}
		w.report(time.Now())
	}
}

// visible is the id of the process's window, "" while there is none to see.
func (w *opened) visible() string {
	out, err := w.display("xdotool", "search", "--onlyvisible", "--pid", strconv.Itoa(w.pid))
	if err != nil {
		return ""
	}
	id, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return id
}

// drawn reports whether the window shows more than one colour.
func (w *opened) drawn(id string) bool {
	out, err := w.display("import", "-window", id, "png:-")
	if err != nil {
		return false
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		return false
	}
	r := img.Bounds()
	first := img.At(r.Min.X, r.Min.Y)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if img.At(x, y) != first {
				return true
			}
		}
	}
	return false
}

// display runs a program that looks at the display.
func (w *opened) display(name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(w.b.Context(), patience)
	defer cancel()
	return exec.CommandContext(ctx, name, args...).Output()
}
