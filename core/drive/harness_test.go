package drive_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"holdfast/core/drive"
	"holdfast/core/session"
	"holdfast/core/transport"
)

// limit bounds every wait; nothing that works comes near it.
const limit = 60 * time.Second

// A surface is drive as a program sees it: lines in, events out, folded into
// the newest state of every section.
type surface struct {
	t      *testing.T
	in     io.WriteCloser
	events chan map[string]any
	ended  chan error
	n      int
	state  map[string]any
	texts  map[string]string // of rows, by turn and item
	dones  map[int]map[string]any
	rows   map[int]map[string]any // row events by command
}

func begin(t *testing.T, cfg session.Config) *surface {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	if cfg.Dial == nil {
		cfg.Dial = func(ctx context.Context, tg transport.Target) (transport.Conn, error) {
			return transport.Dial(ctx, tg, transport.Options{})
		}
	}
	cfg.NewID = uuid.NewString
	cfg.Product, cfg.Version = "Holdfast", "test"
	s := &surface{
		t: t, in: inW, events: make(chan map[string]any, 4096), ended: make(chan error, 1),
		state: map[string]any{}, texts: map[string]string{}, dones: map[int]map[string]any{}, rows: map[int]map[string]any{},
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	go func() {
		err := drive.Run(ctx, cfg, inR, outW)
		_ = outW.Close()
		s.ended <- err
	}()
	go func() {
		lines := bufio.NewReader(outR)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				close(s.events)
				return
			}
			var e map[string]any
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Errorf("a line is not JSON: %q", line)
			}
			s.events <- e
		}
	}()
	t.Cleanup(func() {
		cancel()
		_ = inW.Close()
		for range s.events {
		}
	})
	return s
}

// step takes in one event; false at the end of the output.
func (s *surface) step() bool {
	s.t.Helper()
	select {
	case e, more := <-s.events:
		if more {
			s.fold(e)
		}
		return more
	case <-time.After(limit):
		s.t.Fatalf("nothing came for %v; state: %s", limit, s.brief())
		return false
	}
}

func (s *surface) fold(e map[string]any) {
	switch e["event"] {
	case "done":
		n := int(e["cmd"].(float64))
		if s.dones[n] != nil {
			s.t.Errorf("command %d is done twice: %v", n, e)
		}
		s.dones[n] = e
	case "row":
		s.rows[int(e["cmd"].(float64))] = e
	case "snapshot":
		maps.Copy(s.state, e)
		for _, r := range s.list("rows") {
			if text, has := r["text"].(string); has {
				s.texts[key(r)] = text
			}
		}
	default:
		s.state[e["event"].(string)] = e
	}
}

func key(r map[string]any) string { return r["turn"].(string) + "/" + r["item"].(string) }

// send writes a command and returns its number.
func (s *surface) send(line string) int {
	s.t.Helper()
	s.n++
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
	return s.n
}

// do sends a command and waits for its end.
func (s *surface) do(line string) map[string]any {
	s.t.Helper()
	return s.done(s.send(line))
}

func (s *surface) done(n int) map[string]any {
	s.t.Helper()
	for s.dones[n] == nil {
		if !s.step() {
			s.t.Fatalf("the output ended before command %d was done", n)
		}
	}
	return s.dones[n]
}

// must is do for a command that has to succeed.
func (s *surface) must(line string) {
	s.t.Helper()
	if d := s.do(line); d["ok"] != true {
		s.t.Fatalf("%s: %v\nstate: %s", line, d, s.brief())
	}
}

// refused is do for a command that has to fail with a code.
func (s *surface) refused(line, code string) {
	s.t.Helper()
	if d := s.do(line); d["ok"] != false || d["code"] != code {
		s.t.Fatalf("%s: %v, want a refusal with code %q", line, d, code)
	}
}

// until takes events in until the state is as wanted.
func (s *surface) until(what string, want func() bool) {
	s.t.Helper()
	for !want() {
		if !s.step() {
			s.t.Fatalf("the output ended before: %s", what)
		}
	}
}

func (s *surface) untilState(word string) {
	s.t.Helper()
	s.until("state "+word, func() bool { return s.state["state"] == word })
}

func (s *surface) list(section string) []map[string]any {
	var out []map[string]any
	all, _ := s.state[section].([]any)
	for _, x := range all {
		out = append(out, x.(map[string]any))
	}
	return out
}

func (s *surface) section(name string) map[string]any {
	m, _ := s.state[name].(map[string]any)
	return m
}

// said lists the rows as "kind: text".
func (s *surface) said() []string {
	var out []string
	for _, r := range s.list("rows") {
		out = append(out, r["kind"].(string)+": "+s.texts[key(r)])
	}
	return out
}

func (s *surface) actions() []string {
	var out []string
	all, _ := s.state["actions"].([]any)
	for _, x := range all {
		out = append(out, x.(string))
	}
	return out
}

func (s *surface) offers(action string) bool { return slices.Contains(s.actions(), action) }

func (s *surface) brief() string {
	b, _ := json.Marshal(map[string]any{
		"state": s.state["state"], "code": s.state["code"], "text": s.state["text"], "actions": s.state["actions"],
		"thread": s.state["thread"], "stale": s.state["stale"], "operations": s.state["operations"],
		"requests": s.state["requests"], "notices": s.state["notices"], "said": s.said(),
	})
	return strings.ReplaceAll(string(b), `\u003c`, "<")
}

// quit ends it in order.
func (s *surface) quit() {
	s.t.Helper()
	n := s.send(`{"do":"quit"}`)
	s.done(n)
	for s.step() {
		s.t.Error("something was written after quit was done")
	}
	if err := <-s.ended; err != nil {
		s.t.Errorf("drive ended with %v", err)
	}
}
