//go:build unix

package transport

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// codex gives the launcher of a pinned Codex; `make tools` installs it.
func codex(t *testing.T, version string) string {
	t.Helper()
	p, err := filepath.Abs(filepath.Join("..", "..", ".tools", "codex", version, "node_modules", ".bin", "codex"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p); err != nil {
		t.Fatalf("this test needs Codex %s: run `make tools` first (%v)", version, err)
	}
	return p
}

const hello = `{"id":1,"method":"initialize","params":{"clientInfo":{"name":"holdfast","version":"0"}}}`

// greet says hello and gives the server's own words about its version.
func greet(t *testing.T, c Conn) string {
	t.Helper()
	if err := c.Write(t.Context(), []byte(hello)); err != nil {
		t.Fatal(err)
	}
	r, err := c.Next()
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		ID     int
		Result struct{ UserAgent string }
	}
	if err := json.NewDecoder(r).Decode(&answer); err != nil || answer.ID != 1 {
		t.Fatalf("answer %+v, %v", answer, err)
	}
	return answer.Result.UserAgent
}

// The real thing: the native program is ours, answers, and is gone after Close.
func TestRealCodexOverStdio(t *testing.T) {
	for _, version := range []string{"0.155.1", "0.159.1"} {
		t.Run(version, func(t *testing.T) {
			launcher := codex(t, version)
			native, err := NativeBinary(launcher)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Dial(t.Context(), Target{Kind: Stdio, Codex: launcher, CodexHome: t.TempDir(), Cwd: t.TempDir()}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			if got := greet(t, c); !strings.HasPrefix(got, "holdfast/"+version+" ") {
				t.Errorf("user agent %q, want version %s", got, version)
			}
			p := c.(*childConn).p
			want := Info{Endpoint: "stdio", PID: p.cmd.Process.Pid, Local: true}
			if got := c.Info(); got != want || p.cmd.Path != native {
				t.Errorf("info %+v of %s, want %+v of %s", got, p.cmd.Path, want, native)
			}
			_ = c.Close()
			if got := p.cmd.ProcessState.String(); got != "exit status 0" {
				t.Errorf("after Close: %v, want an exit in order", got)
			}
		})
	}
}

// dialUntilUp dials a server that has just been started. It says nothing when it
// listens, so it is asked.
func dialUntilUp(t *testing.T, server *process, target Target) Conn {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		c, err := Dial(t.Context(), target, Options{})
		if err == nil {
			return c
		}
		if Classify(err).Kind != Unavailable {
			t.Fatal(err)
		}
		select {
		case <-tick.C:
		case <-server.gone:
			t.Fatal(server.exit())
		case <-t.Context().Done():
			t.Fatal(err)
		}
	}
}

// The real thing over its socket, which is a WebSocket. A long message in
// fragments does not break it.
func TestRealCodexOverUnix(t *testing.T) {
	native, err := NativeBinary(codex(t, Pinned))
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(t.TempDir(), "s")
	server, err := start(t.Context(), command{argv: []string{native, "app-server", "--listen", "unix://" + socket}, env: []string{"CODEX_HOME=" + t.TempDir()}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.stop()
	c := dialUntilUp(t, server, Target{Kind: Unix, Path: socket})
	defer func() { _ = c.Close() }()
	if got := greet(t, c); !strings.HasPrefix(got, "holdfast/"+Pinned+" ") {
		t.Errorf("user agent %q", got)
	}
	long := `{"id":2,"method":"no/such","params":{"x":"` + strings.Repeat("x", 20<<20) + `"}}`
	if err := c.Write(t.Context(), []byte(long)); err != nil {
		t.Fatal(err)
	}
	for {
		r, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			ID    int
			Error struct{ Code int }
		}
		if err := json.NewDecoder(r).Decode(&answer); err != nil {
			t.Fatal(err)
		}
		if answer.ID == 2 {
			if answer.Error.Code != -32600 {
				t.Errorf("answer %+v, want a refusal of the method", answer)
			}
			return
		}
	}
}
