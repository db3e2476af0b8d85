//go:build unix && !linux

package transport

import "syscall"

// attributes puts the child into a group of its own. There is no parent-death
// signal here: if we die, the end of its stdin ends it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
