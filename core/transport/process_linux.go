package transport

import "syscall"

// attributes puts the child into a group of its own, so that a Ctrl+C in our
// terminal is ours alone, and has the system end it in order if we die without
// a word (ruling 41).
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
