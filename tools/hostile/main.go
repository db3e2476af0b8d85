package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string) int {
	fs := flag.NewFlagSet("hostile", flag.ContinueOnError)
	listen := fs.String("listen", "ws://127.0.0.1:0", "where to serve: ws://HOST:PORT, unix://PATH or stdio")
	drive := fs.String("holdfast", "bin/holdfast-headless", "the program to try")
	verbose := fs.Bool("v", false, "show how each case ended")
	what := "list"
	if len(args) > 0 {
		what, args = args[0], args[1:]
	}
	if fs.Parse(args) != nil {
		return 2
	}
	switch what {
	case "serve":
		return serve(ctx, *listen, fs.Arg(0))
	case "try":
		return tryAll(ctx, *drive, fs.Args(), *verbose)
	}
	for _, c := range cases() {
		fmt.Fprintln(os.Stdout, c.name)
	}
	return 0
}

func serve(ctx context.Context, listen, name string) int {
	i := slices.IndexFunc(cases(), func(c *testCase) bool { return c.name == name })
	if i < 0 {
		fmt.Fprintf(os.Stderr, "hostile: no case %q\n", name)
		return 2
	}
	addr, stop, err := newServer(cases()[i]).listen(listen)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		return 1
	}
	if listen != "stdio" {
		fmt.Fprintln(os.Stdout, addr)
		<-ctx.Done()
	}
	stop()
	return 0
}

// tryAll tries the cases whose names begin with one of those given, or all.
func tryAll(ctx context.Context, drive string, names []string, verbose bool) int {
	code := 0
	for _, c := range cases() {
		match := func(n string) bool { return strings.HasPrefix(c.name, n) }
		if len(names) > 0 && !slices.ContainsFunc(names, match) {
			continue
		}
		v := try(ctx, drive, c)
		word := "ok  "
		if len(v.wrong) > 0 {
			word, code = "FAIL", 1
		}
		fmt.Fprintf(os.Stdout, "%s %-40s %5d MiB %6s  %s\n", word, v.name, v.peak>>10, v.took.Round(10*time.Millisecond), strings.Join(v.states, " "))
		for _, w := range v.wrong {
			fmt.Fprintln(os.Stdout, "     ", w)
		}
		if verbose {
			for _, k := range []string{"state", "text", "actions", "thread", "stale", "notices", "operations", "composer", "recoveryDrafts", "requests"} {
				b, _ := json.Marshal(v.last[k])
				fmt.Fprintf(os.Stdout, "      %s: %.400s\n", k, b)
			}
		}
	}
	return code
}
