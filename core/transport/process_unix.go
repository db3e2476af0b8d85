//go:build unix

package transport

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// terminate asks a child to end. An app-server then interrupts its turns,
// writes that down and exits.
func terminate(p *os.Process) { _ = p.Signal(syscall.SIGTERM) }

// watch waits for a word from us. If its stdin ends without one we have died:
// the child has then had the end of its own stdin (and on Linux a SIGTERM) and
// gets as long as in an orderly stop before its group is killed (ruling 41).
const watch = `read -r word && exit 0
sleep "$2"
kill -s KILL -- "-$1"`

// A guard ends what a child may leave behind: its process group, which the
// child leads. A small process of its own does so when we cannot.
type guard struct {
	dog   *exec.Cmd
	lease *os.File
}

// newGuard starts the watchdog. Without one, which a system without a shell
// would be, the other means remain.
func newGuard(ctx context.Context, child *os.Process, after time.Duration) guard {
	r, w, err := os.Pipe()
	if err != nil {
		return guard{}
	}
	defer func() { _ = r.Close() }()
	wait := strconv.FormatFloat(after.Seconds(), 'f', 3, 64)
	dog := exec.CommandContext(context.WithoutCancel(ctx), "/bin/sh", "-c", watch, "holdfast-guard", strconv.Itoa(child.Pid), wait)
	dog.Stdin = r
	dog.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a Ctrl+C is not for it
	if dog.Start() != nil {
		_ = w.Close()
		return guard{}
	}
	return guard{dog, w}
}

// killAll kills the child and its group.
func (guard) killAll(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// close kills what is left of the group of a child that is gone, and dismisses
// the watchdog.
func (g guard) close(pid int) {
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	if g.dog == nil {
		return
	}
	_, _ = g.lease.WriteString("done\n")
	_ = g.lease.Close()
	_ = g.dog.Wait()
}
