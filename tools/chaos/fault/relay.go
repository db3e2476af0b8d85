package fault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// RelayVar is the environment variable that makes a program a relay to the
// address it names.
const RelayVar = "HOLDFAST_CHAOS_RELAY"

// MaybeRelay couples stdin and stdout to the proxy when this process was
// started as a relay, and reports whether it was.
func MaybeRelay(ctx context.Context) bool {
	addr := os.Getenv(RelayVar)
	if addr == "" {
		return false
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "relay:", err)
		return true
	}
	conn := c.(*net.TCPConn)
	go func() {
		_, _ = io.Copy(conn, os.Stdin)
		_ = conn.CloseWrite()
	}()
	_, _ = io.Copy(os.Stdout, conn)
	return true
}

// A Child is an app-server over stdio as an Upstream.
type Child struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  io.ReadCloser
	once sync.Once
}

// StartChild starts an app-server that speaks over its stdio.
func StartChild(codex, dir string, env []string) (*Child, error) {
	cmd := exec.Command(codex, "app-server") //nolint:noctx // it ends with its stdin, or with Close
	cmd.Dir, cmd.Env = dir, env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a pipe: %w", err), in.Close())
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the app-server: %w", err)
	}
	return &Child{cmd: cmd, in: in, out: out}, nil
}

// Read reads what the server says.
func (c *Child) Read(p []byte) (int, error) { return c.out.Read(p) }

// Write writes to the server.
func (c *Child) Write(p []byte) (int, error) { return c.in.Write(p) }

// CloseWrite ends its stdin, which ends it in order.
func (c *Child) CloseWrite() error { return c.in.Close() }

// PID is its process.
func (c *Child) PID() int { return c.cmd.Process.Pid }

// Close kills the server and waits for it.
func (c *Child) Close() error {
	c.once.Do(func() {
		_ = c.in.Close()
		_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
		_ = c.cmd.Wait()
	})
	return nil
}
