package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"holdfast/tools/internal/require"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: mutants [ID...]    all of them when none is named")
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	bad, err := run(ctx, ".", flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
	}
	if bad || err != nil {
		stop()
		os.Exit(1)
	}
}

// run judges the mutants under root, those of ids when any are given, and reports whether something is wrong.
func run(ctx context.Context, root string, ids []string) (bad bool, err error) {
	all, err := load(root)
	if err != nil {
		return true, err
	}
	if len(ids) == 0 {
		missing, err := gaps(root, all)
		if err != nil {
			return true, err
		}
		for _, gap := range missing {
			fmt.Println(gap)
		}
		bad = len(missing) > 0
	}
	c, err := newCopy(ctx, root)
	if err != nil {
		return true, err
	}
	defer c.remove()
	killed, ran := 0, 0
	for _, m := range all {
		if len(ids) > 0 && !slices.Contains(ids, m.id) {
			continue
		}
		v := judge(ctx, c, m)
		fmt.Printf("%-8s %-9s %s %s\n", m.name, v.word, m.pkg, m.test)
		if v.detail != "" {
			fmt.Println(v.detail)
		}
		ran++
		if v.word == "killed" {
			killed++
		}
	}
	fmt.Printf("mutants: %d of %d killed\n", killed, ran)
	return bad || killed < ran || ran == 0, nil
}

// gaps says which required rows have no mutant, or no test that names them.
func gaps(root string, all []mutant) ([]string, error) {
	rows, err := require.Read(root)
	if err != nil {
		return nil, err
	}
	named, err := require.Named(root)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, row := range rows {
		if !row.Mutant {
			continue
		}
		if !slices.ContainsFunc(all, func(m mutant) bool { return m.id == row.ID }) {
			out = append(out, fmt.Sprintf("%-8s missing   no patch under testdata/mutants", row.ID))
		}
		if len(named[row.ID]) == 0 {
			out = append(out, fmt.Sprintf("%-8s missing   no test names it", row.ID))
		}
	}
	return out, nil
}
