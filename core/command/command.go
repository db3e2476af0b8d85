// Package command is the table of the commands that need no window. Both
// binaries run them; only holdfast has a window besides.
//
// # Decisions
//
// 2026-11-30: the soft limit of core dumps is zero. Instead of making the
// process undumpable, because the desktop's portal must read /proc of a program
// to tell it the theme; instead of the hard limit, because what Codex runs may
// want a dump of its own.
package command

import (
	"context"
	"fmt"
	"io"

	"holdfast/core/doctor"
	"holdfast/core/drive"
)

// Version is the product's.
const Version = "0.1.0"

// Std is the standard streams of a command.
type Std = drive.Std

// commands are those without a window.
var commands = map[string]func(ctx context.Context, args []string, std Std) int{
	"drive": func(ctx context.Context, args []string, std Std) int { return drive.Main(ctx, args, Version, std) },
	"doctor": func(ctx context.Context, args []string, std Std) int {
		return doctor.Main(ctx, args, std.Out, std.Err)
	},
	"version": func(_ context.Context, _ []string, std Std) int {
		say(std.Out, "holdfast "+Version)
		return 0
	},
}

// Find gives the command that args name, and its own arguments.
func Find(args []string) (run func(context.Context, Std) int, found bool) {
	if len(args) == 0 {
		return nil, false
	}
	c, found := commands[args[0]]
	if !found {
		return nil, false
	}
	return func(ctx context.Context, std Std) int { return c(ctx, args[1:], std) }, true
}

// Headless runs a command, or says which there are. It returns the exit status.
func Headless(ctx context.Context, args []string, std Std) int {
	NoCoreDumps()
	if run, found := Find(args); found {
		return run(ctx, std)
	}
	say(std.Err, "usage: holdfast-headless drive|doctor|version [flags]")
	say(std.Err, "This program has no window; the program holdfast has one.")
	if len(args) > 0 && (args[0] == "help" || args[0] == "-h" || args[0] == "--help") {
		return 0
	}
	return 2
}

func say(w io.Writer, line string) { _, _ = fmt.Fprintln(w, line) }
