package transport

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"holdfast/core/words"
)

// How a child is stopped (ruling 41): its stdin ends, which makes an app-server
// write down the interruption and exit; then SIGTERM; then SIGKILL.
const (
	termAfter = 2 * time.Second
	killAfter = 5 * time.Second
)

// drainAfter bounds how long somebody who is not our child may keep a pipe of
// it open.
const drainAfter = 5 * time.Second

// A command is what to start.
type command struct {
	argv []string
	env  []string // added to ours
	dir  string
}

// A process is a child of ours with its three pipes.
type process struct {
	cmd            *exec.Cmd
	stdin          *os.File
	stdout, stderr *os.File
	tail           *tail
	guard          guard
	o              Options
	stopping       sync.Once
	gone           chan struct{} // closed when it has been waited for
}

// start runs c. The goroutine that starts the child keeps its thread until the
// child is gone: Linux sends the parent-death signal when the thread that made
// the child ends, not the process.
func start(ctx context.Context, c command, o Options) (*process, error) {
	p := &process{o: o, tail: newTail(o.log().With(slog.String("child", filepath.Base(c.argv[0])))), gone: make(chan struct{})}
	theirs, err := p.pipes()
	if err != nil {
		return nil, err
	}
	// The context of an attempt must not end the child of a success.
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), c.argv[0], c.argv[1:]...)
	p.cmd.Env = append(os.Environ(), c.env...)
	p.cmd.Dir = c.dir
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	p.cmd.SysProcAttr = attributes()
	started := make(chan error)
	go p.run(ctx, started)
	err = <-started
	for _, f := range theirs {
		_ = f.Close()
	}
	if err != nil {
		p.closePipes()
		return nil, err
	}
	return p, nil
}

// pipes makes the child's stdio and gives the child's ends.
func (p *process) pipes() (theirs [3]*os.File, err error) {
	var inR, inW, outR, outW, errR, errW *os.File
	if inR, inW, err = os.Pipe(); err != nil {
		return theirs, err
	}
	if outR, outW, err = os.Pipe(); err != nil {
		return theirs, errors.Join(err, inR.Close(), inW.Close())
	}
	if errR, errW, err = os.Pipe(); err != nil {
		return theirs, errors.Join(err, inR.Close(), inW.Close(), outR.Close(), outW.Close())
	}
	p.stdin, p.stdout, p.stderr = inW, outR, errR
	return [3]*os.File{inR, outW, errW}, nil
}

func (p *process) closePipes() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		_ = f.Close()
	}
}

// run starts the child, waits for it, and ends what it left in its group.
func (p *process) run(ctx context.Context, started chan<- error) {
	runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	p.guard = newGuard(ctx, p.cmd.Process, p.o.scaled(killAfter))
	started <- nil
	read := make(chan struct{})
	go func() { defer close(read); p.tail.read(p.stderr) }()
	_ = p.cmd.Wait() // the status is in cmd.ProcessState
	p.guard.close(p.cmd.Process.Pid)
	_ = p.stderr.SetReadDeadline(time.Now().Add(p.o.scaled(drainAfter) / 10))
	<-read
	_ = p.stderr.Close()
	close(p.gone)
	_ = p.stdout.SetReadDeadline(time.Now().Add(drainAfter))
}

// stop ends the child in order and returns when it is gone. Its stdout stays
// open, so that a reader gets what it still said.
func (p *process) stop() {
	p.stopping.Do(func() {
		_ = p.stdin.Close()
		term := time.NewTimer(p.o.scaled(termAfter))
		kill := time.NewTimer(p.o.scaled(killAfter))
		defer term.Stop()
		defer kill.Stop()
		for {
			select {
			case <-p.gone:
				return
			case <-term.C:
				terminate(p.cmd.Process)
			case <-kill.C:
				p.guard.killAll(p.cmd.Process)
			}
		}
	})
	<-p.gone
}

// exit words how the child ended. Call it once gone is closed.
func (p *process) exit() *Error {
	text := words.T("%s ended (%s)", filepath.Base(p.cmd.Path), p.cmd.ProcessState)
	if last := p.tail.last(); last != "" {
		text += ": " + last
	}
	return &Error{Kind: ProcessExit, Text: text, Err: &exec.ExitError{ProcessState: p.cmd.ProcessState}}
}
