//go:build unix

package command

import "syscall"

// NoCoreDumps keeps what is typed from being written to a disk by a crash
// (DRF-2). A child may allow its own dumps again.
func NoCoreDumps() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_CORE, &limit) != nil {
		return
	}
	limit.Cur = 0
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &limit) // lowering one's own limit is always allowed
}
