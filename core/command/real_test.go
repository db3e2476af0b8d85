package command_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"holdfast/core/command"
	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
)

// asProgram makes the test binary be the program.
const asProgram = "HOLDFAST_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := command.Headless(ctx, os.Args[1:], command.Std{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(status)
}

// The program itself, by its flags, on each way to connect: it lists, begins a
// conversation, sends, streams to the end, quits with 0 and leaves no server
// of its own behind.
func TestDriveAsAProgram(t *testing.T) {
	ways := map[string]func(h *realserver.Home) []string{
		"stdio":   func(h *realserver.Home) []string { return []string{"--codex", h.Codex, "--codex-home", h.Dir} },
		"command": func(h *realserver.Home) []string { return []string{"--connect", "cmd:'" + h.Codex + "' app-server"} },
		"websocket with a token": func(h *realserver.Home) []string {
			srv := h.ListenToken("a-token-of-some-length")
			return []string{"--connect", srv.URL, "--token-file", srv.TokenFile}
		},
		"unix socket": func(h *realserver.Home) []string { return []string{"--connect", h.ListenUnix().URL} },
	}
	for _, version := range realserver.Versions() {
		for name, way := range ways {
			t.Run(version+"/"+name, func(t *testing.T) {
				h := realserver.New(t, version, fakemodel.Config{})
				h.Model.SetDefault(fakemodel.Say("good day"))
				p := run(t, h, append([]string{"drive", "--cwd", h.Work}, way(h)...))
				p.until(`"state":"awaiting-selection"`)
				p.send(`{"do":"new"}`)
				p.until(`"cmd":1,"ok":true`)
				p.send(`{"do":"draft","text":"hello"}`)
				p.send(`{"do":"send"}`)
				p.until(`"cmd":3,"ok":true`)
				p.until(`"turnStatus":"completed"`)
				if !p.said("good day") {
					t.Errorf("no answer in\n%s", p.all())
				}
				p.send(`{"do":"quit"}`)
				p.until(`"cmd":4,"ok":true`)
				p.ends(0)
				for _, pid := range p.children() {
					if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err == nil {
						t.Errorf("server %d is still there", pid)
					}
				}
			})
		}
	}
}

// The end of the input quits in order; wrong flags are 2 and a sentence.
func TestExitStatus(t *testing.T) {
	h := realserver.New(t, realserver.Target, fakemodel.Config{})
	p := run(t, h, []string{"drive", "--codex", h.Codex, "--codex-home", h.Dir, "--cwd", h.Work})
	p.until(`"state":"awaiting-selection"`)
	_ = p.in.Close()
	p.ends(0)
	for _, args := range [][]string{{"drive", "--no-such-flag"}, {"drive", "word"}, {"drive", "--connect", "gopher://x"}, {"nothing"}} {
		p := run(t, h, args)
		p.ends(2)
		if p.errs.String() == "" {
			t.Errorf("%q says nothing", args)
		}
	}
}

// A program is the test binary as the program, with what it wrote so far.
type program struct {
	t     *testing.T
	pid   int
	cmds  int // how many were sent by does
	in    io.WriteCloser
	lines chan string
	got   []string
	errs  *strings.Builder
	ended chan int // the exit status
}

func run(t *testing.T, h *realserver.Home, args []string) *program {
	t.Helper()
	return runIn(t, h, t.TempDir(), args)
}

// runIn is run with a folder for what the program itself keeps.
func runIn(t *testing.T, h *realserver.Home, own string, args []string) *program {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(h.Env(), asProgram+"=1", "XDG_CONFIG_HOME="+own, "XDG_STATE_HOME="+own, "XDG_CACHE_HOME="+own)
	p := &program{t: t, lines: make(chan string, 4096), errs: &strings.Builder{}, ended: make(chan int, 1)}
	out, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, p.errs
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.pid = cmd.Process.Pid
	go func() {
		_ = cmd.Wait() // the status says it
		_ = w.Close()
		p.ended <- cmd.ProcessState.ExitCode()
	}()
	go func() {
		defer close(p.lines)
		sc := bufio.NewScanner(out)
		sc.Buffer(nil, 1<<24)
		for sc.Scan() {
			p.lines <- sc.Text()
		}
	}()
	return p
}

func (p *program) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

func (p *program) all() string { return strings.Join(p.got, "\n") + "\n" + p.errs.String() }

func (p *program) said(part string) bool { return strings.Contains(strings.Join(p.got, "\n"), part) }

// until reads lines until one contains part.
func (p *program) until(part string) {
	p.t.Helper()
	over := time.NewTimer(realserver.Deadline)
	defer over.Stop()
	for {
		select {
		case line, more := <-p.lines:
			if !more {
				p.t.Fatalf("it ended before %s:\n%s", part, p.all())
			}
			p.got = append(p.got, line)
			if strings.Contains(line, part) {
				return
			}
		case <-over.C:
			p.t.Fatalf("no %s in\n%s", part, p.all())
		}
	}
}

// ends reads the rest and checks the exit status.
func (p *program) ends(status int) {
	p.t.Helper()
	for line := range p.lines {
		p.got = append(p.got, line)
	}
	if got := <-p.ended; got != status {
		p.t.Errorf("exit status %d, want %d:\n%s", got, status, p.all())
	}
}

// children are the processes that the program called its own.
func (p *program) children() []int {
	var pids []int
	for _, line := range p.got {
		var e struct{ Server struct{ PID int } }
		if json.Unmarshal([]byte(line), &e) == nil && e.Server.PID != 0 {
			pids = append(pids, e.Server.PID)
		}
	}
	return pids
}
