package measure

import (
	"bytes"
	"context"
	"encoding/json"
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
)

// opened is the window's process, and when it was started.
type opened struct {
	b     *testing.B
	cmd   *exec.Cmd
	state string
	begin time.Time
}

// shown is the part of the state file that is looked at.
type shown struct{ State, Focus string }

// open starts the window on a warm local server.
func open(b *testing.B) *opened {
	b.Helper()
	home := realserver.New(b, realserver.Target, fakemodel.Config{})
	srv := home.ListenWS()
	srv.Client(seed.Quiet) // the server has answered once
	w := &opened{b: b, state: filepath.Join(b.TempDir(), "state.json")}
	w.cmd = command(b, "holdfast", "--connect", srv.URL, "--cwd", home.Work, "--state-file", w.state)
	w.begin = time.Now()
	if err := w.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = w.cmd.Process.Signal(os.Interrupt)
		_ = w.cmd.Wait() // how it ends is not what is measured
	})
	return w
}

// now reads the state file, which may not be there yet.
func (w *opened) now() shown {
	var s shown
	if data, err := os.ReadFile(w.state); err == nil {
		if err := json.Unmarshal(data, &s); err != nil {
			w.b.Fatal(err)
		}
	}
	return s
}

// within waits until want holds and reports whether it did in time.
func (w *opened) within(limit time.Duration, want func() bool) bool {
	for over := time.Now().Add(limit); time.Now().Before(over); time.Sleep(5 * time.Millisecond) {
		if want() {
			return true
		}
	}
	return false
}

// report reports how long after the process was started something was seen.
func (w *opened) report(at time.Time) { w.b.ReportMetric(at.Sub(w.begin).Seconds(), "s") }

// BenchmarkWindowUsable starts the window and presses a key until the window has taken one: the first frame must be drawn
// by then.
func BenchmarkWindowUsable(b *testing.B) {
	for b.Loop() {
		w := open(b)
		var id string
		if !w.within(patience, func() bool { id = w.window(); return id != "" && w.now().Focus != "" }) {
			b.Fatal("no window came up")
		}
		for {
			before := w.now().Focus
			w.xdotool("key", "Tab")
			if w.within(300*time.Millisecond, func() bool { return w.now().Focus != before }) {
				taken := time.Now()
				if w.drawn(id) {
					w.report(taken)
					break
				}
			}
			if time.Since(w.begin) > patience {
				b.Fatalf("no key was taken; the window says %+v", w.now())
			}
		}
	}
}

// BenchmarkAwaitingSelection starts the window and waits until it is connected and shows the refreshed list.
func BenchmarkAwaitingSelection(b *testing.B) {
	for b.Loop() {
		w := open(b)
		if !w.within(patience, func() bool { return w.now().State == "awaiting-selection" }) {
			b.Fatalf("never connected; the window says %+v", w.now())
		}
		w.report(time.Now())
	}
}

// window is the id of the process's visible window, "" while there is none.
func (w *opened) window() string {
	out, err := w.display("xdotool", "search", "--onlyvisible", "--pid", strconv.Itoa(w.cmd.Process.Pid))
	if err != nil {
		return ""
	}
	id, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return id
}

func (w *opened) xdotool(args ...string) {
	w.b.Helper()
	if out, err := w.display("xdotool", args...); err != nil {
		w.b.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
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
