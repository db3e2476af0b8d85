package realserver

import (
	"bufio"
	"context"
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

func (h *Home) listen(url, tokenFile string) *Server {
	h.t.Helper()
	args := []string{"app-server", "--listen", url}
	if tokenFile != "" {
		args = append(args, "--ws-auth", "capability-token", "--ws-token-file", tokenFile)
	}
	cmd := exec.CommandContext(context.WithoutCancel(h.t.Context()), h.Codex, args...)
	cmd.Dir, cmd.Env = h.Work, h.Env()
	out, in, err := os.Pipe()
	if err != nil {
		h.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = in, in
	s := &Server{URL: url, TokenFile: tokenFile, h: h, log: &tail{}}
	s.child, err = start(cmd)
	_ = in.Close()
	if err != nil {
		_ = out.Close()
		h.t.Fatalf("start codex %s: %v", h.Version, err)
	}
	h.t.Cleanup(func() {
		s.Stop()
		if h.t.Failed() {
			h.t.Logf("codex %s at %s printed:\n%s", h.Version, s.URL, s.log)
		}
	})
	said := s.follow(out)
	s.awaitListening(said)
	return s
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

// awaitListening returns once the server takes connections.
func (s *Server) awaitListening(said <-chan string) {
	t := s.h.t
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Deadline)
	defer cancel()
	if path, ok := strings.CutPrefix(s.URL, "unix://"); ok {
		s.awaitSocket(ctx, path)
		return
	}
	select {
	case url := <-said:
		s.URL = url
	case <-s.child.gone:
		t.Fatalf("codex %s ended before it listened:\n%s", s.h.Version, s.log)
	case <-ctx.Done():
		t.Fatalf("codex %s did not say where it listens:\n%s", s.h.Version, s.log)
	}
}

// awaitSocket connects until that works: a server says nothing about a socket.
func (s *Server) awaitSocket(ctx context.Context, path string) {
	t := s.h.t
	t.Helper()
	var d net.Dialer
	for {
		if conn, err := d.DialContext(ctx, "unix", path); err == nil {
			_ = conn.Close()
			return
		}
		if ctx.Err() != nil || s.child.ended() {
			t.Fatalf("codex %s does not listen at %s:\n%s", s.h.Version, path, s.log)
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
