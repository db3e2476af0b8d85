package realserver

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A child is a process of ours that cannot outlive us.
type child struct {
	cmd  *exec.Cmd
	gone chan struct{}
}

// start starts a child that dies with this process, even when that is killed.
// The kernel ties the child to the thread that started it, so the thread must
// stay: the goroutine that holds it also waits for the child.
func start(cmd *exec.Cmd) (*child, error) {
	ownGroup(cmd)
	c := &child{cmd: cmd, gone: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how a server ended is in what it printed
			close(c.gone)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return c, nil
}

func (c *child) ended() bool {
	select {
	case <-c.gone:
		return true
	default:
		return false
	}
}

// stop asks once, then twice (a running turn holds the first one up), then kills.
func (c *child) stop() {
	for _, patience := range []time.Duration{2 * time.Second, 3 * time.Second} {
		if c.ended() {
			return
		}
		terminate(c.cmd)
		force := time.NewTimer(patience)
		select {
		case <-c.gone:
		case <-force.C:
		}
		force.Stop()
	}
	c.kill()
}

func (c *child) kill() {
	if !c.ended() {
		killGroup(c.cmd)
	}
	<-c.gone
}

// A tail keeps the last lines of what a server printed.
type tail struct {
	mu    sync.Mutex
	lines []string
}

const tailLines = 200

func (l *tail) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == tailLines {
		l.lines = l.lines[1:]
	}
	l.lines = append(l.lines, line)
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}
