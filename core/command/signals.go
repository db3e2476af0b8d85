package command

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals are those that end the program in order: the child is stopped and the
// connection closed. A terminal that goes away is one, unless whoever started
// the program said that it is to be ignored (nohup).
func Signals() []os.Signal {
	s := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		s = append(s, syscall.SIGHUP)
	}
	return s
}
