package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

func main() {
	tally := flag.String("tally", "", "file to which this run's counts are added")
	total := flag.String("total", "", "file of counts to add up and print")
	flag.Parse()
	if *total != "" {
		os.Exit(printTotal(os.Stdout, *total))
	}
	os.Exit(run(context.Background(), flag.Args(), *tally))
}

// run runs go test with args and returns the exit status for the process.
func run(ctx context.Context, args []string, tally string) int {
	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"test", "-json"}, args)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fail(err)
	}
	if err := cmd.Start(); err != nil {
		return fail(err)
	}
	s := newSummary(os.Stdout)
	readErr := s.read(out)
	waitErr := cmd.Wait()
	s.finish()
	if tally != "" {
		if err := addTally(tally, s.counts); err != nil {
			return fail(err)
		}
	}
	if readErr != nil {
		return fail(readErr)
	}
	if waitErr != nil || s.counts.Failed > 0 {
		return 1
	}
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "testsum:", err)
	return 1
}

// addTally appends the counts of one run.
func addTally(name string, c counts) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("make the tally's folder: %w", err)
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("open the tally: %w", err)
	}
	if err := json.NewEncoder(f).Encode(c); err != nil {
		return fmt.Errorf("add to the tally: %w", err)
	}
	return f.Close()
}

// printTotal prints the sum of every run in the tally; it fails when a test failed or none ran.
func printTotal(w io.Writer, name string) int {
	f, err := os.Open(name)
	if err != nil {
		return fail(err)
	}
	defer f.Close()
	var sum counts
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c counts
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return fail(fmt.Errorf("read the tally: %w", err))
		}
		sum.add(c)
	}
	if err := lines.Err(); err != nil {
		return fail(err)
	}
	fmt.Fprintln(w, sum)
	if sum.Failed > 0 || sum.Passed == 0 {
		return 1
	}
	return 0
}
