package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"holdfast/tools/internal/screen"
)

func main() {
	codex := flag.String("codex", "", "the codex to start")
	out := flag.String("out", "out/demo", "folder for the pictures")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *codex, *out); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		stop()
		os.Exit(1)
	}
}

// run starts the demo, takes the tour and ends it.
func run(ctx context.Context, codex, out string) error {
	work, err := os.MkdirTemp("", "holdfast-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the tour: %w", err)
	}
	defer os.RemoveAll(work)
	if err := os.RemoveAll(out); err != nil {
		return fmt.Errorf("clear the old pictures: %w", err)
	}
	logs, err := filepath.Abs(filepath.Join(out, "state"))
	if err != nil {
		return fmt.Errorf("find a place for the log: %w", err)
	}
	state := filepath.Join(work, "state.json")
	cmd := exec.CommandContext(ctx, "bin/holdfast", "demo", "--codex", codex, "--state-file", state, "--size", "1200x800", "--theme", "light")
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+work, "XDG_STATE_HOME="+logs)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	w, err := screen.Start(cmd, state)
	if err != nil {
		return err
	}
	t := &tour{ctx: ctx, w: w, out: out}
	t.take()
	if t.err != nil {
		_ = screen.Shot(ctx, filepath.Join(out, "failed.png"))
		_ = cmd.Process.Signal(os.Interrupt)
		_ = w.End(ctx) // the tour's own failure is what is told
		return t.err
	}
	return w.End(ctx)
}
