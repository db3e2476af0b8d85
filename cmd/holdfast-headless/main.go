// Command holdfast-headless is Holdfast without a window: drive and doctor. It
// needs no display, no graphics library and no C compiler.
package main

import (
	"context"
	"os"
	"os/signal"

	"holdfast/core/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), command.Signals()...)
	status := command.Headless(ctx, os.Args[1:], command.Std{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(status)
}
