package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
)

// runs is how often a measure may miss its bound.
const runs = 3

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: bench [NAME...]    all measures when none is named")
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	missed, err := report(ctx, os.Stdout, goTest, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
	if missed > 0 || err != nil {
		stop()
		os.Exit(1)
	}
}

// runner runs one benchmark once and returns what it printed.
type runner func(ctx context.Context, m measure) ([]byte, error)

// goTest runs the benchmark as it is built for the product.
func goTest(ctx context.Context, m measure) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-tags", os.Getenv("TAGS"), "-run", "^$", "-bench", "^"+m.bench+"$",
		"-benchtime", m.times, "-timeout", "30m", m.pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	return cmd.CombinedOutput()
}

// report prints a line for each measure, or for those named, and returns how many missed their bound every time.
func report(ctx context.Context, w io.Writer, run runner, names []string) (missed int, err error) {
	for _, m := range measures {
		if len(names) > 0 && !slices.Contains(names, m.name) {
			continue
		}
		value, ok, err := best(ctx, run, m)
		if err != nil {
			return missed, err
		}
		fmt.Fprintf(w, "%s %s %s %s\n", m.name, format(value), m.unit, m.bound)
		if !ok {
			missed++
			fmt.Fprintf(w, "%s missed its bound in each of %d runs\n", m.name, runs)
		}
	}
	return missed, nil
}

// best runs a measure until it keeps its bound, and returns the best value there was.
func best(ctx context.Context, run runner, m measure) (value float64, ok bool, err error) {
	for i := range runs {
		out, err := run(ctx, m)
		if err != nil {
			return 0, false, fmt.Errorf("measure %s: %w\n%s", m.name, err, out)
		}
		got, err := metric(out, m.metric)
		if err != nil {
			return 0, false, fmt.Errorf("measure %s: %w\n%s", m.name, err, out)
		}
		if i == 0 || m.bound.better(got, value) {
			value = got
		}
		if m.bound.holds(got) {
			return value, true, nil
		}
	}
	return value, false, nil
}
