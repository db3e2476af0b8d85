//go:build unix

package command

import (
	"syscall"
	"testing"
)

// A crash writes no core; the hard limit stays for what is started.
//
// req: DRF-2
func TestNoCoreDumps(t *testing.T) {
	limit := func() (l syscall.Rlimit) {
		if err := syscall.Getrlimit(syscall.RLIMIT_CORE, &l); err != nil {
			t.Fatal(err)
		}
		return l
	}
	before := limit()
	t.Cleanup(func() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &before) })
	if err := syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{Cur: before.Max, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	NoCoreDumps()
	if got := limit(); got.Cur != 0 || got.Max != before.Max {
		t.Errorf("limit %+v, want 0 of %d", got, before.Max)
	}
}
