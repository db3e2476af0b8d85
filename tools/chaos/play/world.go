package play

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/session"
	"holdfast/core/transport"
	"holdfast/tools/chaos/fault"
	"holdfast/tools/chaos/judge"
)

// A Plan is what a run is made of.
type Plan struct {
	Seed    uint64
	Version string
	// Kind is how to connect, one of Kinds.
	Kind string
	// Account says that the model wants an account: the user signs in and out.
	Account bool
	// Timing divides the product's delays.
	Timing int
	Steps  int
	// Break wraps each connection of the product, to test the judge.
	Break func(transport.Conn) transport.Conn
	// patience bounds the waits for what must come; 0 is the usual one.
	patience time.Duration
	// Lie changes each line of drive's output, to test the judge.
	Lie func([]byte) []byte
}

// Kinds are the ways to connect: over a socket, the one with the most ways to
// fail, also with a token, or over a unix socket; a child of ours; a command.
var Kinds = []string{"ws", "stdio", "cmd", "token", "unix", "ws", "cmd", "token"}

// remote reports whether the server listens, and outlives a connection.
func (p Plan) remote() bool { return p.Kind == "ws" || p.Kind == "token" || p.Kind == "unix" }

// PlanFor is the plan of a seed.
func PlanFor(seed uint64, version string) Plan {
	p := Plan{Seed: seed, Version: version, Kind: Kinds[seed%uint64(len(Kinds))], Timing: 10, Steps: 45, Account: seed%3 == 0}
	if seed%20 == 0 {
		p.Timing, p.Steps = 1, 25
	}
	return p
}

// A world is everything but the product: home, servers, proxy, model.
type world struct {
	t     testing.TB
	plan  Plan
	home  *realserver.Home
	wire  *judge.Wire
	proxy *fault.Proxy // nil for stdio

	mu      sync.Mutex
	version string // of the next server
	upTo    string // host:port or path of the server that listens
	token   string // what the token file holds
	tokens  int    // how many there were
	served  string // the token that the server took at its start
	server  *realserver.Server
	rival   *realserver.Server
	child   *fault.Child // of the cmd kind
	pid     int          // of the stdio kind
	stopped []int        // by SIGSTOP
	faults  map[string]int
	trap    *trap
}

func newWorld(t testing.TB, p Plan) *world {
	w := &world{
		t: t, plan: p, wire: judge.NewWire(), version: p.Version, faults: map[string]int{},
		home: realserver.New(t, p.Version, fakemodel.Config{NeedsSignIn: p.Account}),
	}
	w.wire.Trap = w.sprung
	w.home.Model.SetAnswer(newModel(p.Seed).answer)
	if p.Kind == "token" {
		w.newToken()
	}
	if p.remote() {
		w.serve(p.Version)
	}
	if p.Kind != "stdio" {
		var err error
		path := ""
		if p.Kind == "unix" {
			path = w.socket()
		}
		if w.proxy, err = fault.Listen(context.WithoutCancel(t.Context()), path, w.open); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.proxy.Close)
	}
	return w
}

// as is the home for a server of another version.
func (w *world) as(version string) *realserver.Home {
	h := *w.home
	codex, err := realserver.Find(version)
	if err != nil {
		w.t.Fatal(err)
	}
	h.Version, h.Codex = version, codex
	return &h
}

// serve starts a server that listens, and leads new connections to it.
func (w *world) serve(version string) {
	w.mu.Lock()
	token := w.token
	w.mu.Unlock()
	s := w.listen(version)
	_, addr, _ := strings.Cut(s.URL, "://")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.server, w.upTo, w.served = s, addr, token
}

// listen starts a server that listens as the plan says. One that was killed
// while it began may have left a lock behind, for which the next one waits half
// a minute and gives up.
func (w *world) listen(version string) *realserver.Server {
	var problem error
	for range 4 {
		url, tokenFile := "ws://127.0.0.1:0", ""
		switch w.plan.Kind {
		case "unix":
			url = "unix://" + w.socket()
		case "token":
			tokenFile = w.tokenFile()
		}
		s, err := w.as(version).Try(url, tokenFile)
		if err == nil {
			return s
		}
		problem = err
		w.count("a server that does not start")
	}
	w.t.Fatal(problem)
	return nil
}

// socket is a new path that is short enough for a socket.
func (w *world) socket() string {
	dir, err := os.MkdirTemp("", "hf")
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "s")
}

// open is the server's side of a link.
func (w *world) open(ctx context.Context) (fault.Upstream, error) {
	w.mu.Lock()
	addr, version := w.upTo, w.version
	w.mu.Unlock()
	if w.plan.remote() {
		network := "tcp"
		if w.plan.Kind == "unix" {
			network = "unix"
		}
		var d net.Dialer
		c, err := d.DialContext(ctx, network, addr)
		if err != nil {
			return nil, fmt.Errorf("reach the server: %w", err)
		}
		return c.(fault.Upstream), nil
	}
	codex, err := realserver.Find(version)
	if err != nil {
		return nil, err
	}
	c, err := fault.StartChild(codex, w.home.Work, w.home.Env())
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.child = c
	w.mu.Unlock()
	return c, nil
}

// target is where the product connects to.
func (w *world) target() transport.Target {
	target := transport.Target{Cwd: w.home.Work, Env: w.home.Env()}
	switch w.plan.Kind {
	case "ws":
		target = transport.Target{Kind: transport.WebSocket, URL: "ws://" + w.proxy.Addr()}
	case "token":
		target = transport.Target{Kind: transport.WebSocket, URL: "ws://" + w.proxy.Addr(), TokenFile: w.tokenFile()}
	case "unix":
		target = transport.Target{Kind: transport.Unix, Path: w.proxy.Addr()}
	case "cmd":
		self, err := os.Executable()
		if err != nil {
			w.t.Fatal(err)
		}
		target.Kind, target.Argv = transport.Command, []string{self}
		target.Env = []string{fault.RelayVar + "=" + w.proxy.Addr()}
	default:
		target.Kind, target.CodexHome = transport.Stdio, w.home.Dir
	}
	return target
}

// config is the product's side.
func (w *world) config() session.Config {
	target, err := w.profiles("")
	if err != nil {
		w.t.Fatal(err)
	}
	jitter := rand.New(rand.NewPCG(w.plan.Seed, 7))
	return session.Config{
		Target: target, Profiles: w.profiles, CheckTarget: w.checkTarget,
		Scale: w.plan.Timing, Jitter: jitter.Float64, Product: "Holdfast", Version: "chaos",
		Dial: w.dial,
	}
}

// dial is the product's own dial, recorded.
func (w *world) dial(ctx context.Context, t transport.Target) (transport.Conn, error) {
	n, over := w.wire.Dialling()
	if t.Kind == transport.Stdio {
		w.mu.Lock()
		version := w.version
		w.mu.Unlock()
		codex, err := realserver.Find(version)
		if err != nil {
			return nil, err
		}
		t.Codex = codex
	}
	c, err := transport.Dial(ctx, t, transport.Options{Scale: w.plan.Timing})
	over(err == nil)
	if err != nil {
		return nil, err
	}
	if t.Kind == transport.Stdio {
		w.mu.Lock()
		w.pid = c.Info().PID
		w.mu.Unlock()
	}
	if w.plan.Break != nil {
		return w.plan.Break(w.wire.Record(n, c)), nil
	}
	return w.wire.Record(n, c), nil
}

// serverPID is the process of the server that is used, 0 if there is none.
func (w *world) serverPID() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.plan.remote() && w.server != nil:
		return w.server.PID()
	case w.plan.Kind == "cmd" && w.child != nil:
		return w.child.PID()
	case w.plan.Kind == "stdio":
		return w.pid
	}
	return 0
}

func (w *world) count(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults[name]++
}

// signal sends a signal to the server.
func (w *world) signal(s syscall.Signal) {
	pid := w.serverPID()
	if !w.ours(pid) {
		return
	}
	if s == syscall.SIGSTOP {
		w.mu.Lock()
		w.stopped = append(w.stopped, pid)
		w.mu.Unlock()
	}
	_ = syscall.Kill(pid, s)
}

// wake continues what was stopped.
func (w *world) wake() {
	w.mu.Lock()
	pids := w.stopped
	w.stopped = nil
	w.mu.Unlock()
	for _, p := range pids {
		if w.ours(p) {
			_ = syscall.Kill(p, syscall.SIGCONT)
		}
	}
}

// ours reports whether a process is a server of this run's home: the number of
// one that has ended may be another's by now.
func (w *world) ours(pid int) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && bytes.Contains(env, []byte("CODEX_HOME="+w.home.Dir))
}

// alive starts the listening server again when it has ended, or when it took
// another token than the one there is now.
func (w *world) alive() {
	if !w.plan.remote() {
		return
	}
	w.tokenBack()
	w.mu.Lock()
	s, version, same := w.server, w.version, w.token == w.served
	w.mu.Unlock()
	if s != nil && !same {
		s.Kill()
	}
	if s != nil && !s.Ended() {
		return
	}
	w.serve(version)
}

// heal ends every fault.
func (w *world) heal() {
	w.mu.Lock()
	w.trap = nil
	rival := w.rival
	w.rival = nil
	w.mu.Unlock()
	w.wake()
	if rival != nil {
		rival.Kill()
	}
	if w.proxy != nil {
		deadline := time.Now().Add(10 * time.Second)
		for w.proxy.Reopen() != nil && time.Now().Before(deadline) {
			pause(20 * time.Millisecond)
		}
		w.proxy.Heal()
	}
	w.alive()
}

func pause(d time.Duration) { time.Sleep(d) }
