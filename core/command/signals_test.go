package command

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
	"testing"
)

// A terminal that goes away ends the program in order, unless that was to be
// ignored.
func TestSignals(t *testing.T) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // whoever started the test may ignore it
	if got, want := Signals(), []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	if got, want := Signals(), []os.Signal{os.Interrupt, syscall.SIGTERM}; !slices.Equal(got, want) {
		t.Errorf("ignored: got %v, want %v", got, want)
	}
}
