package transport

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"holdfast/core/words"
)

// exitGrace is how long the end of a child's output may come before its exit.
const exitGrace = time.Second

// dialStdio starts an app-server of our own, the native program (trap 19).
func dialStdio(ctx context.Context, t Target, o Options) (Conn, error) {
	codex, err := Find(t.Codex)
	if err != nil {
		return nil, err
	}
	native, err := NativeBinary(codex)
	if err != nil {
		return nil, err
	}
	c := command{argv: []string{native, "app-server"}, env: nativeEnv(native), dir: t.Cwd}
	if t.CodexHome != "" {
		home, err := codexHome(t.CodexHome)
		if err != nil {
			return nil, err
		}
		c.env = append(c.env, "CODEX_HOME="+home)
	}
	c.env = append(c.env, t.Env...)
	p, err := start(ctx, c, o)
	if err != nil {
		return nil, notStarted(err, "codex", t.Cwd)
	}
	return newChildConn(p, Info{Endpoint: "stdio", PID: p.cmd.Process.Pid, Local: true}), nil
}

// codexHome checks the folder that codex would refuse, and makes it independent
// of the child's working folder.
func codexHome(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", invalid(words.T("the CODEX_HOME folder %s cannot be used", dir), err)
	}
	switch s, err := os.Stat(abs); {
	case errors.Is(err, os.ErrPermission):
		return "", &Error{Kind: Permission, Text: words.T("the CODEX_HOME folder %s may not be used", abs), Err: err}
	case err != nil:
		return "", invalid(words.T("the CODEX_HOME folder %s does not exist", abs), err)
	case !s.IsDir():
		return "", invalid(words.T("CODEX_HOME is %s, which is no folder", abs), nil)
	}
	return abs, nil
}

// nativeEnv puts the tools that come with codex on its PATH, as its launcher
// would.
func nativeEnv(native string) []string {
	tools := filepath.Join(filepath.Dir(filepath.Dir(native)), "codex-path")
	if _, err := os.Stat(tools); err != nil {
		return nil
	}
	return []string{"PATH=" + tools + string(os.PathListSeparator) + os.Getenv("PATH")}
}

// dialCommand starts a program whose stdio speaks the protocol, such as ssh. The
// child is ours, the server behind it is not (ruling 37).
func dialCommand(ctx context.Context, t Target, o Options) (Conn, error) {
	if len(t.Argv) == 0 || t.Argv[0] == "" {
		return nil, invalid(words.T("this connection names no command"), nil)
	}
	p, err := start(ctx, command{argv: t.Argv, env: t.Env, dir: t.Cwd}, o)
	name := filepath.Base(t.Argv[0])
	if err != nil {
		return nil, notStarted(err, name, t.Cwd)
	}
	// The arguments may hold a password: only the program is shown.
	return newChildConn(p, Info{Endpoint: "command " + name}), nil
}

// notStarted words why a child could not be started.
func notStarted(err error, name, dir string) *Error {
	if dir != "" {
		if s, serr := os.Stat(dir); serr != nil || !s.IsDir() {
			return invalid(words.T("the working folder %s does not exist", dir), err)
		}
	}
	switch {
	case errors.Is(err, os.ErrPermission):
		return &Error{Kind: Permission, Text: words.T("%s may not be started: permission denied", name), Err: err}
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, exec.ErrNotFound):
		return invalid(words.T("the program %s was not found", name), err)
	case errors.Is(err, syscall.ENOEXEC):
		return invalid(words.T("%s is not a program for this machine", name), err)
	}
	return &Error{Kind: Unknown, Text: words.T("%s could not be started", name), Err: err}
}

// A childConn is a link over the stdio of a child, one frame a line.
type childConn struct {
	p     *process
	info  Info
	lines *lines
	out   *bufio.Writer
	// writing holds a token while somebody writes.
	writing chan struct{}
	closed  atomic.Bool
}

func newChildConn(p *process, info Info) *childConn {
	return &childConn{
		p: p, info: info, lines: newLines(p.stdout, MaxFrame),
		out: bufio.NewWriterSize(p.stdin, 64<<10), writing: make(chan struct{}, 1),
	}
}

// Info says what the link leads to.
func (c *childConn) Info() Info { return c.info }

// Next waits for the next line.
func (c *childConn) Next() (io.Reader, error) {
	r, err := c.lines.next()
	if err == nil {
		return r, nil
	}
	_ = c.p.stdout.Close()
	return nil, c.ended(err)
}

// ended says why there will be no more lines: best that the child is gone, and
// how; else what the pipe said.
func (c *childConn) ended(err error) *Error {
	if c.closed.Load() {
		return &Error{Kind: Closed, Text: words.T("the connection to %s was closed by us", c.info.Endpoint), Err: net.ErrClosed}
	}
	if errors.Is(err, errTooLong) {
		return classify(err, c.info.Endpoint)
	}
	select {
	case <-c.p.gone:
		return c.p.exit()
	case <-time.After(exitGrace):
	}
	return classify(err, c.info.Endpoint)
}

// Write sends one line. A child that does not read makes it wait: on stdio only
// an exit or the end of the output is a loss (ruling 16).
func (c *childConn) Write(ctx context.Context, frame []byte) error {
	select {
	case c.writing <- struct{}{}:
	case <-ctx.Done():
		return classify(context.Cause(ctx), c.info.Endpoint)
	}
	defer func() { <-c.writing }()
	if ctx.Err() != nil {
		return classify(context.Cause(ctx), c.info.Endpoint)
	}
	_, err := c.out.Write(frame)
	if err == nil {
		err = c.out.WriteByte('\n')
	}
	if err == nil {
		err = c.out.Flush()
	}
	if err != nil {
		return c.ended(err) // a broken pipe says less than how the child ended
	}
	return nil
}

// Close stops the child in order.
func (c *childConn) Close() error {
	c.closed.Store(true)
	c.p.stop()
	return nil
}
