package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/stamp"
	"holdfast/core/transport"
)

// Each file below testdata/scenarios plays one promise of the recovery: lines
// that begin with ">" are what happens, the others what follows from it. Time
// is the bubble's, so every run gives the same transcript.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			synctest.Test(t, func(t *testing.T) { got = playScenario(t, string(raw)) })
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(raw) {
				t.Errorf("got\n%s\nwant\n%s", got, raw)
			}
		})
	}
}

// A scenario is a rig with what was told of it so far.
type scenario struct {
	*rig
	out  strings.Builder
	told Snapshot
	// text and offered are the status's as last told.
	text, offered string
	began         time.Time
	sent          int
	dialling      sync.Mutex // time.Sleep in a bubble orders no memory
	dials         []time.Time
	links         []*fakeserver.Link
	// gate holds what is written, change is what became of the target.
	gate   chan struct{}
	change Change
}

// A gated link writes when the scenario's gate is open.
type gated struct {
	transport.Conn
	s *scenario
}

func (g gated) Write(ctx context.Context, frame []byte) error {
	g.s.dialling.Lock()
	gate := g.s.gate
	g.s.dialling.Unlock()
	if gate != nil {
		<-gate
	}
	return g.Conn.Write(ctx, frame)
}

func playScenario(t *testing.T, script string) string {
	s := &scenario{}
	for line := range strings.Lines(script) {
		line = strings.TrimRight(line, "\n")
		verb, isVerb := strings.CutPrefix(line, "> ")
		switch {
		case isVerb:
			s.out.WriteString(line + "\n")
			s.verb(t, strings.Fields(verb))
		case strings.HasPrefix(line, "#") || line == "":
			s.out.WriteString(line + "\n")
		}
	}
	s.end()
	return s.out.String()
}

func (s *scenario) say(format string, args ...any) { fmt.Fprintf(&s.out, "  "+format+"\n", args...) }

// verb carries out one line and tells what followed.
func (s *scenario) verb(t *testing.T, words []string) {
	s.began = time.Now()
	rest := func(i int) string { return strings.Join(words[min(i, len(words)):], " ") }
	arg := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	switch words[0] {
	case "connect":
		s.connect(t)
	case "tick":
		d, err := time.ParseDuration(arg(1))
		if err != nil {
			t.Fatal(err)
		}
		for end := s.began.Add(d); time.Now().Before(end); {
			step := 50 * time.Millisecond
			if time.Since(s.began) > time.Minute {
				step = time.Second
			}
			time.Sleep(step)
			synctest.Wait()
			s.stateNow()
		}
	case "lose", "refuse", "accept", "late", "server", "notify", "late-loss", "again", "block", "unblock", "target":
		s.outside(t, words, arg, rest)
		s.settle()
	default:
		in := intentFor(words[0], arg, rest)
		if in == nil {
			t.Fatalf("there is no verb %q", words[0])
		}
		if r := s.doAt(stamp.Stamp{}, in); r == nil {
			s.say("not done yet")
		} else if !r.OK {
			s.say("refused: %s: %s", r.Code, r.Error)
		}
	}
	s.tell()
}

// connect starts the session, with its dials noted.
func (s *scenario) connect(t *testing.T) {
	s.rig = newRig(t, func(c *Config) {
		dial := countingDial(c.Dial, s.dialled)
		c.Dial = func(ctx context.Context, t transport.Target) (transport.Conn, error) {
			conn, err := dial(ctx, t)
			if err != nil {
				return nil, err
			}
			return gated{conn, s}, nil
		}
		c.CheckTarget = func(Target) Change {
			s.dialling.Lock()
			defer s.dialling.Unlock()
			return s.change
		}
		c.Profiles = func(string) (Target, error) { return Target{Profile: "other"}, nil }
		c.Target.Experimental = true
	})
}

func (s *scenario) dialled() {
	s.dialling.Lock()
	defer s.dialling.Unlock()
	s.dials = append(s.dials, time.Now())
}

// outside is what the server and the network do.
func (s *scenario) outside(t *testing.T, words []string, arg func(int) string, rest func(int) string) {
	switch words[0] {
	case "lose":
		s.srv.Link().End(failure(arg(1)))
	case "late-loss": // a signal of a link that was given up long ago
		s.links[0].End(failure("reset"))
	case "refuse":
		s.srv.Refuse(failure(arg(1)))
	case "accept":
		s.srv.Refuse(nil)
	case "late": // what a link says after it was given up
		s.links[0].Say(map[string]any{"method": "thread/name/updated", "params": map[string]any{"threadId": "t1", "threadName": "late"}})
	case "server":
		s.server(t, arg(1), arg(2), rest(3))
	case "notify":
		s.notify(arg(1), arg(2), arg(3))
	case "again": // what was not answered is answered now
		s.srv.Again(arg(1))
	case "block", "unblock", "target":
		s.hold(words[0], rest(1))
	}
}

// hold changes what the network lets through, or what the target is now.
func (s *scenario) hold(what, why string) {
	s.dialling.Lock()
	defer s.dialling.Unlock()
	switch what {
	case "block":
		s.gate = make(chan struct{})
	case "unblock":
		close(s.gate)
		s.gate = nil
	case "target":
		s.change = Change{Why: why}
	}
}

// server changes how a method is answered.
func (s *scenario) server(t *testing.T, method, how, rest string) {
	switch how {
	case "silent":
		s.srv.Handle(method, func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
	case "overloaded":
		s.srv.Handle(method, func(fakeserver.Request) (any, error) { return nil, fakeserver.Overloaded() })
	case "fails":
		code, text, _ := strings.Cut(rest, " ")
		n, err := strconv.ParseInt(code, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		s.srv.Fail(method, n, text)
	case "answers":
		var v any
		if err := json.Unmarshal([]byte(rest), &v); err != nil {
			t.Fatal(err)
		}
		s.srv.Answer(method, v)
	default:
		t.Fatalf("a server is not %q", how)
	}
}

func (s *scenario) notify(what, id, more string) {
	switch what {
	case "started":
		s.started(id)
	case "ended":
		s.ended(id, more)
	case "message": // a user message with a client ID
		s.completed(id, map[string]any{"type": "userMessage", "id": "um-" + more, "clientId": more, "content": []any{}})
	case "asks":
		s.command(id)
	case "delta", "item": // the beginning of an agent's message, or all of it
		if what == "item" {
			s.completed(id, message("live", more))
			return
		}
		s.srv.Notify("item/agentMessage/delta", map[string]any{"threadId": "t1", "turnId": id, "itemId": "live", "delta": more})
	case "flood": // more than a read may keep
		for i := range 1025 {
			s.srv.Notify("item/agentMessage/delta", map[string]any{"threadId": "t1", "turnId": id, "itemId": fmt.Sprint("f", i), "delta": "x"})
		}
	case "deleted", "created":
		s.changed(what, id, more)
	case "forked":
		s.forked(id, more)
	case "other-account":
		s.as(id)
	case "signed-out":
		s.srv.Answer("account/read", map[string]any{"account": nil, "requiresOpenaiAuth": true})
		s.srv.Notify("account/updated", map[string]any{"authMode": nil})
	}
}

// failure is a classified end of a link or an attempt.
func failure(kind string) error {
	k := map[string]transport.Error{
		"reset":       {Kind: transport.Reset, Text: "the connection was reset by fake"},
		"closed":      {Kind: transport.Closed, Text: "the connection was closed by fake", Err: io.EOF},
		"exit":        {Kind: transport.ProcessExit, Text: "codex ended (signal: killed)"},
		"unavailable": {Kind: transport.Unavailable, Text: "connection refused at fake"},
		"silent":      {Kind: transport.Unresponsive, Text: "no answer in time from fake"},
		"auth":        {Kind: transport.Auth, Text: "fake rejected the sign-in (HTTP 401)"},
		"permission":  {Kind: transport.Permission, Text: "permission denied at fake"},
		"profile":     {Kind: transport.InvalidProfile, Text: "the program codex was not found"},
		"identity":    {Kind: transport.ServerIdentity, Text: "the server's certificate is not trusted at fake"},
		"unknown":     {Kind: transport.Unknown, Text: "the connection failed at fake", Err: errors.New("odd")},
		"ours":        {Kind: transport.Cancelled, Text: "cancelled", Err: net.ErrClosed},
	}[kind]
	return &k
}

// intentFor is the intent of a verb, nil if there is none.
func intentFor(verb string, arg func(int) string, rest func(int) string) Intent {
	switch verb {
	case "select":
		return Select{Thread: arg(1)}
	case "join":
		return Join{}
	case "new":
		return NewThread{}
	case "draft":
		return SetDraft{Text: text(rest(1))}
	case "send":
		return Send{}
	case "steer":
		return Steer{}
	case "stop":
		return Stop{}
	case "refresh":
		return Refresh{}
	case "older":
		return Older{}
	case "rename":
		return Rename{Thread: arg(1), Name: rest(2)}
	case "answer":
		return Answer{Request: arg(1), Decision: arg(2)}
	case "reconnect":
		return Reconnect{}
	case "cancel":
		return Cancel{}
	case "confirm":
		return Confirm{}
	case "restore":
		return Restore{Draft: arg(1), Mode: arg(2)}
	case "discard":
		return Discard{Draft: arg(1)}
	case "review":
		return Review{Op: arg(1), Action: arg(2), Mode: arg(3)}
	case "profile":
		return ApplyProfile{Name: arg(1)}
	case "edited":
		return ProfileEdited{}
	}
	return nil
}
