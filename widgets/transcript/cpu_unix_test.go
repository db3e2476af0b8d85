//go:build unix

package transcript

import (
	"syscall"
	"time"
)

// cpu is the processor time this process has used: other work on the machine
// does not count in it, as it does in wall time.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
