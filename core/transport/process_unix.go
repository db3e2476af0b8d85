//go:build unix

package transport

import (
	"os"
	"os/exec"
	"syscall"
)

// terminate asks a child to end. An app-server then interrupts its turns,
// writes that down and exits.
func terminate(p *os.Process) { _ = p.Signal(syscall.SIGTERM) }

// A guard ends what a child may leave behind. On unix that is its process
// group: the child leads one of its own.
type guard struct{}

func newGuard(*exec.Cmd) guard { return guard{} }

// killAll kills the child and its group.
func (guard) killAll(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// killRest kills what is left of the group of a child that is gone.
func (guard) killRest(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
