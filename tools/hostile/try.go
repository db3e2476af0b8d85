package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// typed is the text that must never be lost.
const typed = "precious words, typed by hand"

// limit bounds every wait of a trial; delays are divided by timing.
const (
	limit  = 45 * time.Second
	timing = 10
)

// A trial is drive at work against one case.
type trial struct {
	s      *server
	in     io.WriteCloser
	events chan []byte
	n      int
	dones  map[int]obj
	state  obj
	states []string
	said   []string // what went wrong
}

func (t *trial) wrong(format string, a ...any) { t.said = append(t.said, fmt.Sprintf(format, a...)) }

// step takes in one event, false at the end or after too long.
func (t *trial) step(wait time.Duration) bool {
	select {
	case line, more := <-t.events:
		if more {
			t.fold(line)
		}
		return more
	case <-time.After(wait):
		return false
	}
}

func (t *trial) fold(line []byte) {
	for i, b := range line {
		if b < 0x20 || b == 0x7f {
			t.wrong("a raw control 0x%02x was written at %d", b, i)
			break
		}
	}
	for _, bad := range []string{"\u202e", "\u2066", "\u0085", "\u009b", "\u200f"} {
		if strings.Contains(string(line), bad) {
			t.wrong("a raw %+q was written", bad)
		}
	}
	var e obj
	if err := json.Unmarshal(line, &e); err != nil {
		t.wrong("a line is not JSON: %v", err)
		return
	}
	switch e["event"] {
	case "done":
		n := int(e["cmd"].(float64))
		if t.dones[n] != nil {
			t.wrong("command %d is done twice", n)
		}
		t.dones[n] = e
	case "snapshot":
		for k, v := range e {
			t.state[k] = v
		}
		if s := t.word(); len(t.states) == 0 || t.states[len(t.states)-1] != s {
			t.states = append(t.states, s)
		}
	}
}

func (t *trial) word() string {
	s, _ := t.state["state"].(string)
	return s
}

func (t *trial) send(cmd string) int {
	t.n++
	_, _ = io.WriteString(t.in, cmd+"\n")
	return t.n
}

// do sends a command and waits for its end.
func (t *trial) do(cmd string) {
	n, end := t.send(cmd), time.Now().Add(limit)
	for t.dones[n] == nil && time.Now().Before(end) {
		if !t.step(time.Until(end)) {
			break
		}
	}
	if t.dones[n] == nil {
		t.wrong("%.60s has no end in %v (state %s)", cmd, limit, t.word())
	}
}

// until waits for a condition.
func (t *trial) until(wait time.Duration, want func() bool) bool {
	end := time.Now().Add(wait)
	for !want() {
		if !t.step(time.Until(end)) {
			return want()
		}
	}
	return true
}

// settled waits until the first connection has come to something.
func (t *trial) settled() {
	ok := t.until(limit, func() bool {
		switch t.word() {
		case "", "reconnecting", "synchronizing":
			return false
		}
		return true
	})
	if !ok {
		t.wrong("nothing came of connecting in %v (state %s)", limit, t.word())
	}
}

// kept reports whether what was typed is anywhere: in the composer, a draft, an
// operation.
func (t *trial) kept() bool {
	b, _ := json.Marshal(list{t.state["composer"], t.state["recoveryDrafts"], t.state["operations"]})
	return strings.Contains(string(b), typed)
}

// tour does what a user does.
func (t *trial) tour() {
	t.settled()
	t.do(`{"do":"threads"}`)
	t.do(`{"do":"select","thread":"` + threadIDs[0] + `"}`)
	t.do(`{"do":"draft","text":"` + typed + `"}`)
	t.do(`{"do":"join"}`)
	t.do(`{"do":"send"}`)
	t.until(300*time.Millisecond, func() bool { return false })
	t.do(`{"do":"older"}`)
	t.do(`{"do":"refresh"}`)
	t.do(`{"do":"select","thread":"` + threadIDs[1] + `"}`)
	t.do(`{"do":"full"}`)
	t.do(`{"do":"select","thread":"` + threadIDs[0] + `"}`) // and its composer
}

// A verdict is how a trial ended.
type verdict struct {
	name   string
	states []string
	wrong  []string
	peak   int64 // KiB
	took   time.Duration
	last   obj
}

// try runs one case against a drive.
func try(ctx context.Context, drive string, c *testCase) verdict {
	s := newServer(c)
	addr, stop, err := s.listen("ws://127.0.0.1:0")
	if err != nil {
		return verdict{name: c.name, wrong: []string{err.Error()}}
	}
	defer stop()
	if c.before != nil {
		c.before()
	}
	args := append([]string{"drive", "--connect", cmp.Or(c.target, addr), "--timing", strconv.Itoa(cmp.Or(c.timing, timing))}, c.args...)
	cmd := exec.CommandContext(ctx, drive, args...)
	cmd.Env = append(os.Environ(), c.env...)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	t := &trial{s: s, in: in, events: make(chan []byte, 1024), dones: map[int]obj{}, state: obj{}}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return verdict{name: c.name, wrong: []string{err.Error()}}
	}
	var peak atomic.Int64
	watch, done := context.WithCancel(ctx)
	defer done()
	go read(out, t.events)
	go measure(watch, cmd.Process.Pid, &peak)
	if c.tour != nil {
		c.tour(t)
	} else {
		t.tour()
	}
	last := t.state
	t.judge(c)
	if !t.quit() {
		_ = cmd.Process.Kill()
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.wrong("drive ended with %v: %.2000s", err, stderr.String())
	}
	if bound := max(c.peak, 200<<10); peak.Load() > bound {
		t.wrong("it used %d MiB", peak.Load()>>10)
	}
	return verdict{c.name, t.states, t.said, peak.Load(), time.Since(began), last}
}

// judge looks at what must hold in every case.
func (t *trial) judge(c *testCase) {
	if !t.kept() && !c.noDraft {
		t.wrong("what was typed is nowhere")
	}
	if times, ids := t.s.count("turn/start"); times != ids {
		t.wrong("turn/start came %d times for %d messages", times, ids)
	}
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.said = append(t.said, t.s.wrong...)
}

// quit ends drive in order, and reports whether it could.
func (t *trial) quit() bool {
	n := t.send(`{"do":"quit"}`)
	for t.step(20 * time.Second) {
	}
	for i := 1; i <= t.n; i++ {
		if t.dones[i] == nil {
			t.wrong("command %d has no end", i)
			break
		}
	}
	return t.dones[n] != nil
}

func read(out io.Reader, events chan<- []byte) {
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			close(events)
			return
		}
		events <- line[:len(line)-1]
	}
}

// measure follows the most memory a process ever had.
func measure(ctx context.Context, pid int, peak *atomic.Int64) {
	for ctx.Err() == nil {
		b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, rest, _ := strings.Cut(string(b), "VmHWM:")
		var kib int64
		_, _ = fmt.Sscan(rest, &kib)
		if kib > peak.Load() {
			peak.Store(kib)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
