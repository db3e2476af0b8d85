package realserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A Server is an app-server with a listener. To a client it is remote.
type Server struct {
	// URL is what a client connects to: ws://… or unix://….
	URL string
	// TokenFile holds the bearer token, "" when none is wanted.
	TokenFile string

	h     *Home
	child *child
	log   *tail
}

// PID is the process id of the server.
func (s *Server) PID() int { return s.child.cmd.Process.Pid }

// ListenWS starts a server on a free loopback port.
func (h *Home) ListenWS() *Server {
	h.t.Helper()
	return h.listen("ws://127.0.0.1:0", "")
}

// ListenToken starts one that wants the bearer token of Server.TokenFile.
func (h *Home) ListenToken(token string) *Server {
	h.t.Helper()
	path := filepath.Join(filepath.Dir(h.Dir), "token")
	if err := os.WriteFile(path, []byte(token+"\n"), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return h.listen("ws://127.0.0.1:0", path)
}

// ListenUnix starts a server on a socket with a short path: 107 bytes is all a
// socket path may have.
func (h *Home) ListenUnix() *Server {
	h.t.Helper()
	dir, err := os.MkdirTemp("", "hf")
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return h.listen("unix://"+filepath.Join(dir, "s"), "")
}

// Again starts a server at the address of one that has ended.
func (s *Server) Again() *Server {
	s.h.t.Helper()
	return s.h.listen(s.URL, s.TokenFile)
}

// Try starts a server at ws://127.0.0.1:0 or unix://PATH, which wants the token
// of tokenFile if there is one. It is for a home whose servers were killed: the
// next one may find a lock that it waits for in vain.
func (h *Home) Try(url, tokenFile string) (*Server, error) { return h.tryListen(url, tokenFile) }

func (h *Home) listen(url, tokenFile string) *Server {
	h.t.Helper()
	s, err := h.tryListen(url, tokenFile)
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

func (h *Home) tryListen(url, tokenFile string) (*Server, error) {
	args := []string{"app-server", "--listen", url}
	if tokenFile != "" {
		args = append(args, "--ws-auth", "capability-token", "--ws-token-file", tokenFile)
	}
	cmd := exec.CommandContext(context.WithoutCancel(h.t.Context()), h.Codex, args...)
	cmd.Dir, cmd.Env = h.Work, h.Env()
	out, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	cmd.Stdout, cmd.Stderr = in, in
	s := &Server{URL: url, TokenFile: tokenFile, h: h, log: &tail{}}
	s.child, err = start(cmd)
	_ = in.Close()
	if err != nil {
		_ = out.Close()
		return nil, err
	}
	h.t.Cleanup(func() {
		s.Stop()
		if h.t.Failed() {
			h.t.Logf("codex %s at %s printed:\n%s", h.Version, s.URL, s.log)
		}
	})
	said := s.follow(out)
	if err := s.awaitListening(said); err != nil {
		return nil, fmt.Errorf("codex %s: %w:\n%s", h.Version, err, s.log)
	}
	return s, nil
}

// follow keeps what the server prints, and tells the address once it is said.
func (s *Server) follow(out io.ReadCloser) <-chan string {
	said := make(chan string, 1)
	go func() {
		defer func() { _ = out.Close() }()
		told := false
		sc := bufio.NewScanner(out)
		sc.Buffer(nil, 1<<20)
		for sc.Scan() {
			s.log.add(sc.Text())
			if _, url, ok := strings.Cut(sc.Text(), "listening on: "); ok && !told {
				told = true
				said <- strings.TrimSpace(url)
			}
		}
	}()
	return said
}

var (
	errEnded  = errors.New("it ended before it listened")
	errSilent = errors.New("it does not listen")
)

// awaitListening returns once the server takes connections.
func (s *Server) awaitListening(said <-chan string) error {
	ctx, cancel := context.WithTimeout(s.h.t.Context(), Deadline)
	defer cancel()
	if path, ok := strings.CutPrefix(s.URL, "unix://"); ok {
		return s.awaitSocket(ctx, path)
	}
	select {
	case url := <-said:
		s.URL = url
		return nil
	case <-s.child.gone:
		return errEnded
	case <-ctx.Done():
		return errSilent
	}
}

// awaitSocket connects until that works: a server says nothing about a socket.
func (s *Server) awaitSocket(ctx context.Context, path string) error {
	var d net.Dialer
	for {
		if conn, err := d.DialContext(ctx, "unix", path); err == nil {
			return conn.Close()
		}
		if s.child.ended() {
			return errEnded
		}
		if ctx.Err() != nil {
			return errSilent
		}
		pause, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
		<-pause.Done()
		cancel()
	}
}

// Stop ends the server in order, and with force when that takes long. It
// returns when the server is gone; a second call does nothing.
func (s *Server) Stop() { s.child.stop() }

// Ended reports whether the server's process is gone.
func (s *Server) Ended() bool { return s.child.ended() }

// Kill ends the server as kill -9 does.
func (s *Server) Kill() { s.child.kill() }
