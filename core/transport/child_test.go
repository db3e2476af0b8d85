//go:build unix

package transport

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test program plays the children of its own tests: this names the part.
const roleVar, callVar = "HOLDFAST_TEST_ROLE", "HOLDFAST_TEST_CALL"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		play(role)
		return
	}
	os.Exit(m.Run())
}

// play is a child: it tells the test what happens to it over a connection,
// whose end is the child's own end.
func play(role string) {
	var d net.Dialer
	tell, err := d.DialContext(context.Background(), "tcp", os.Getenv(callVar))
	if err != nil {
		os.Exit(9)
	}
	say := func(s string) { _, _ = fmt.Fprintln(tell, s) }
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	eof := make(chan struct{})
	go func() {
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			_, _ = fmt.Fprintln(os.Stdout, in.Text())
		}
		close(eof)
	}()
	say("up")
	switch role {
	case "orderly": // ends with its stdin, after a last word
		<-eof
		say("eof")
		_, _ = fmt.Fprintln(os.Stdout, "last")
	case "stubborn": // wants to be asked
		<-eof
		say("eof")
		<-term
		say("term")
	case "deaf": // must be killed
		<-eof
		say("eof")
		<-term
		say("term")
		select {}
	case "family": // leaves somebody behind who listens to nothing
		c := exec.CommandContext(context.Background(), os.Args[0])
		c.Env = append(os.Environ(), roleVar+"=deaf")
		c.Stdin, _ = os.Open(os.DevNull)
		if c.Start() != nil {
			os.Exit(9)
		}
		<-eof
	case "failing":
		_, _ = fmt.Fprint(os.Stderr, "one\ntwo\n\x1b[31mred\x1b[0m Bearer abc.def\n\nlast words\n")
		os.Exit(3)
	case "parent": // starts a child of its own through Dial, and is killed
		c, err := Dial(context.Background(), Target{Kind: Command, Argv: []string{os.Args[0]}, Env: []string{roleVar + "=" + os.Getenv("HOLDFAST_TEST_CHILD")}}, Options{Scale: 20})
		if err != nil {
			os.Exit(9)
		}
		_, _ = c.Next()
	}
}

// A theatre hears the children of one test.
type theatre struct {
	t *testing.T
	l *net.TCPListener
}

func newTheatre(t *testing.T) *theatre {
	t.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	_ = l.SetDeadline(time.Now().Add(time.Minute))
	return &theatre{t, l}
}

// target is a child that plays role.
func (s *theatre) target(role string) Target {
	return Target{Kind: Command, Argv: []string{os.Args[0]}, Env: []string{roleVar + "=" + role, callVar + "=" + s.l.Addr().String()}}
}

// An actor is one child as the test hears it.
type actor struct {
	t *testing.T
	s *bufio.Scanner
}

// next waits for a child to say that it is up.
func (s *theatre) next() *actor {
	s.t.Helper()
	c, err := s.l.Accept()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	// Only a failing test gets this far: it ends instead of hanging.
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	a := &actor{s.t, bufio.NewScanner(c)}
	if !a.s.Scan() || a.s.Text() != "up" {
		s.t.Fatalf("a child said %q, want up", a.s.Text())
	}
	return a
}

// rest is what a child said until its end. It waits for that.
func (a *actor) rest() (said []string) {
	a.t.Helper()
	for a.s.Scan() {
		said = append(said, a.s.Text())
	}
	if err := a.s.Err(); errors.Is(err, os.ErrDeadlineExceeded) {
		a.t.Error("the child is still there")
	}
	return said
}

// Ruling 41: the end of stdin, then SIGTERM, then SIGKILL; gone when Close
// returns.
func TestStopOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		role string
		said []string
		exit string
	}{
		{"orderly", []string{"eof"}, "exit status 0"},
		{"stubborn", []string{"eof", "term"}, "exit status 0"},
		{"deaf", []string{"eof", "term"}, "signal: killed"},
	} {
		t.Run(tt.role, func(t *testing.T) {
			t.Parallel() // two of them take real seconds
			s := newTheatre(t)
			c, err := Dial(t.Context(), s.target(tt.role), Options{})
			if err != nil {
				t.Fatal(err)
			}
			a := s.next()
			_ = c.Close()
			state := c.(*childConn).p.cmd.ProcessState
			if state == nil || state.String() != tt.exit {
				t.Errorf("after Close the child's state is %v, want %v", state, tt.exit)
			}
			if got := a.rest(); !slices.Equal(got, tt.said) {
				t.Errorf("the child saw %q, want %q", got, tt.said)
			}
			_, err = c.Next()
			for err == nil {
				_, err = c.Next()
			}
			wantErr(t, err, Closed, "the connection to "+c.Info().Endpoint+" was closed by us")
		})
	}
}

// What a child says while it is being stopped is still read.
func TestAStoppedChildIsHeardToItsEnd(t *testing.T) {
	s := newTheatre(t)
	c, err := Dial(t.Context(), s.target("orderly"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := s.next()
	if err := c.Write(t.Context(), []byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	heard := make(chan []string, 1)
	go func() {
		lines, _ := drain(c)
		heard <- lines
	}()
	_ = c.Close()
	a.rest()
	if got, want := <-heard, []string{`{"a":1}`, "last"}; !slices.Equal(got, want) {
		t.Errorf("heard %q, want %q", got, want)
	}
}

// Nobody of the child's group outlives it.
func TestTheGroupEndsWithTheChild(t *testing.T) {
	s := newTheatre(t)
	c, err := Dial(t.Context(), s.target("family"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	one, two := s.next(), s.next()
	_ = c.Close()
	one.rest()
	two.rest() // returns when both are gone
}

// The end of a child by itself is told with its status and its last words.
func TestAnEndedChild(t *testing.T) {
	s := newTheatre(t)
	var log strings.Builder
	o := Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	c, err := Dial(t.Context(), s.target("failing"), o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = drain(c)
	name := filepath.Base(os.Args[0])
	wantErr(t, err, ProcessExit, name+" ended (exit status 3): one / two / red Bearer *** / last words")
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		t.Errorf("%v does not wrap the exit", err)
	}
	if werr := c.Write(t.Context(), []byte("x")); Classify(werr).Kind != ProcessExit {
		t.Errorf("Write to an ended child: %v, want its end", werr)
	}
	_ = c.Close()
	if got := log.String(); !strings.Contains(got, "last words") || strings.Contains(got, "abc.def") {
		t.Errorf("the log is %q", got)
	}
}

// Ruling 41: kill -9 of our own process leaves no child, not even one that
// listens to nothing.
func TestAKilledParentLeavesNoChild(t *testing.T) {
	for _, role := range []string{"orderly", "stubborn", "deaf"} {
		t.Run(role, func(t *testing.T) {
			s := newTheatre(t)
			parent := exec.CommandContext(t.Context(), os.Args[0])
			parent.Env = append(os.Environ(), roleVar+"=parent", callVar+"="+s.l.Addr().String(), "HOLDFAST_TEST_CHILD="+role)
			in, err := parent.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = in.Close() }()
			if err := parent.Start(); err != nil {
				t.Fatal(err)
			}
			s.next()
			child := s.next()
			if err := parent.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = parent.Wait()
			child.rest() // returns when the child is gone
		})
	}
}

func TestChildrenThatCannotBeStarted(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string, mode os.FileMode) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return p
	}
	noexec := write("noexec", "#!/bin/sh\n", 0o600)
	garbage := write("garbage", "\x01\x02\x03", 0o700)
	for _, tt := range []struct {
		t    Target
		kind FailKind
		text string
	}{
		{Target{Kind: Command}, InvalidProfile, "this connection names no command"},
		{Target{Kind: Command, Argv: []string{""}}, InvalidProfile, "this connection names no command"},
		{Target{Kind: Command, Argv: []string{"no-such-program-here"}}, InvalidProfile, "the program no-such-program-here was not found"},
		{Target{Kind: Command, Argv: []string{filepath.Join(dir, "none")}}, InvalidProfile, "the program none was not found"},
		{Target{Kind: Command, Argv: []string{noexec}}, Permission, "noexec may not be started: permission denied"},
		{Target{Kind: Command, Argv: []string{garbage}}, InvalidProfile, "garbage is not a program for this machine"},
		{Target{Kind: Command, Argv: []string{"cat"}, Cwd: filepath.Join(dir, "gone")}, InvalidProfile, "the working folder " + filepath.Join(dir, "gone") + " does not exist"},
		{Target{Kind: Stdio, Codex: filepath.Join(dir, "none")}, InvalidProfile, "there is no codex program at " + filepath.Join(dir, "none")},
		{Target{Kind: Stdio, Codex: codex(t, Pinned), CodexHome: filepath.Join(dir, "gone")}, InvalidProfile, "the CODEX_HOME folder " + filepath.Join(dir, "gone") + " does not exist"},
		{Target{Kind: Stdio, Codex: codex(t, Pinned), CodexHome: noexec}, InvalidProfile, "CODEX_HOME is " + noexec + ", which is no folder"},
		{Target{Kind: 9}, InvalidProfile, "this kind of connection does not exist"},
	} {
		c, err := Dial(t.Context(), tt.t, Options{})
		if c != nil {
			t.Errorf("%+v: a link", tt.t)
		}
		wantErr(t, err, tt.kind, tt.text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Dial(ctx, Target{Kind: Command, Argv: []string{"cat"}}, Options{})
	wantErr(t, err, Cancelled, "cancelled")
}

// The bytes of a child's stderr cannot grow in memory, and no secret of it is
// told.
func TestTail(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"a\n\n \nb", "a / b"},
		{"1\n2\n3\n4\n5\n", "2 / 3 / 4 / 5"},
		{long + "\nnext\n", long[:tailLine] + "… / next"},
		{strings.Repeat("\u00e4", tailLine+1), strings.Repeat("\u00e4", tailLine) + "…"},
		{"a\tb\x00\u202ec\xff", "a b  c\uFFFD"},
		{"open ws://user:pw@host/x?token=abc failed", "open ws://***host/x?*** failed"},
		{"WARNING: a\nError: b\n\nStack backtrace:\n   0: <unknown>\n   1: main\n             at ./x.rs:1\n", "Error: b"},
		{"error: a\nERROR: b\nerrors are bad\n", "ERROR: b"},
		{`api_key: "abc" sk-abcdef TOKEN=xyz`, "api_key: *** *** TOKEN=***"},
	} {
		tl := newTail(slog.New(slog.DiscardHandler))
		tl.read(strings.NewReader(tt.in))
		if got := tl.last(); got != tt.want {
			t.Errorf("%.40q: %q, want %q", tt.in, got, tt.want)
		}
	}
}
