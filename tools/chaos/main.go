// Command chaos makes runs of the fault harness and keeps their report: real
// app-servers behind a fault proxy, driven by a user who does not care what is
// allowed, and judged afterwards.
//
// # Decisions
//
// 2026-11-30: the runs are a Go test that this program starts in several
// processes. Instead of runs in this program, because the kit around real
// servers belongs to tests, and because goroutines and files that a run leaves
// can only be counted in a process that makes one run at a time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"

	"holdfast/core/realserver"
)

// folder is where the report and the runs are kept.
const folder = "out/chaos"

func main() {
	seeds := flag.String("seeds", "1..20", "the runs to make, as FROM..TO; they are added to the report")
	version := flag.String("version", "", "the version of the app-server; both when empty")
	workers := flag.Int("workers", 4, "how many processes make runs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	bad, err := chaos(ctx, *seeds, *version, *workers)
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
	}
	if bad > 0 || err != nil {
		stop()
		os.Exit(1)
	}
}

// chaos makes the runs and writes the report; it returns how many were wrong.
func chaos(ctx context.Context, seeds, version string, workers int) (bad int, err error) {
	var from, to int
	if _, err := fmt.Sscanf(seeds, "%d..%d", &from, &to); err != nil || from > to {
		return 0, fmt.Errorf("seeds are written FROM..TO, not %q", seeds)
	}
	versions := realserver.Versions()
	if version != "" {
		versions = strings.Fields(version)
	}
	root, err := realserver.Root()
	if err != nil {
		return 0, err
	}
	dir := filepath.Join(root, folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, fmt.Errorf("make the report's folder: %w", err)
	}
	play := filepath.Join(dir, "play.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", play, "./tools/chaos/play")
	build.Dir, build.Stderr = root, os.Stderr
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if err := build.Run(); err != nil {
		return 0, fmt.Errorf("build the runs: %w", err)
	}
	if err := measure(ctx, play, root, dir); err != nil {
		return 0, err
	}
	w := &work{ctx: ctx, play: play, root: root, dir: dir, versions: versions, next: from, to: to}
	failed := w.all(workers)
	bad, err = writeReport(dir)
	return bad, errors.Join(err, failed)
}

// measure times the recovery from a dropped socket, before the runs: alone.
func measure(ctx context.Context, play, root, dir string) error {
	cmd := exec.CommandContext(ctx, play, "-test.run", "^$", "-test.bench", "RecoveryOverhead", "-test.benchtime", "1x")
	cmd.Dir = filepath.Join(root, "tools", "chaos", "play")
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("measure the recovery: %w\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, recoveryFile), out, 0o644); err != nil {
		return fmt.Errorf("keep the measure: %w", err)
	}
	return nil
}

// A work hands out seeds, a few at a time.
type work struct {
	ctx             context.Context //nolint:containedctx // the life of this program
	play, root, dir string
	versions        []string

	mu       sync.Mutex
	next, to int
}

// share is how many seeds one process makes.
const share = 5

func (w *work) take() (from, to int, more bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.next > w.to || w.ctx.Err() != nil {
		return 0, 0, false
	}
	from = w.next
	w.next = min(from+share, w.to+1)
	return from, w.next - 1, true
}

func (w *work) all(workers int) error {
	var all sync.WaitGroup
	errs := make(chan error, workers)
	for range workers {
		all.Go(func() {
			for {
				from, to, more := w.take()
				if !more {
					return
				}
				for _, v := range w.versions {
					if err := w.runs(from, to, v); err != nil {
						errs <- err
						return
					}
				}
			}
		})
	}
	all.Wait()
	close(errs)
	return <-errs
}

// runs makes some runs. That one of them is wrong is in the results.
func (w *work) runs(from, to int, version string) error {
	cmd := exec.CommandContext(w.ctx, w.play, "-test.run", "^TestRuns$", "-test.timeout", "30m",
		"-seeds", fmt.Sprintf("%d..%d", from, to), "-codex", version, "-out", w.dir)
	cmd.Dir = filepath.Join(w.root, "tools", "chaos", "play")
	out, err := cmd.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return fmt.Errorf("make the runs %d..%d: %w", from, to, err)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s\n", out)
	}
	return nil
}
