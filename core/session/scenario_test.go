package session

import (
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
	"holdfast/core/protocol"
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
	case "lose", "refuse", "accept", "late", "server", "notify", "late-loss":
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
		c.Dial = countingDial(c.Dial, s.dialled)
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

// since is the time since the verb began, as far as people care.
func (s *scenario) since(t time.Time) string {
	return t.Sub(s.began).Round(10 * time.Millisecond).String()
}

// stateNow tells of a state as soon as it shows.
func (s *scenario) stateNow() {
	now := s.now()
	old := s.told.Status
	if old != nil && old.State == now.Status.State && old.Attempt == now.Status.Attempt {
		return
	}
	line := now.Status.State.String()
	if now.Status.State == Reconnecting || now.Status.Attempt > 0 {
		line += fmt.Sprintf(", attempt %d", now.Status.Attempt)
	}
	s.say("state %s", line)
	s.told.Status = now.Status
}

// tell says what is different from what was told before.
func (s *scenario) tell() {
	now, old := s.now(), s.told
	s.stateNow()
	if now.Status.Text != s.text {
		s.say("says %q", now.Status.Text)
		s.text = now.Status.Text
	}
	if offers := fmt.Sprint(now.Status.Actions); offers != s.offered {
		s.say("offers %s", offers)
		s.offered = offers
	}
	s.effects()
	s.told = *now
	s.ledger(&old, now)
	s.drafts(&old, now)
	if old.Server == nil || old.Server.Confirmed != now.Server.Confirmed {
		s.say("confirmed %v", now.Server.Confirmed)
	}
	if o, n := rowsOf(&old), rowsOf(now); o != n {
		s.say("rows %s", n)
	}
	if o, n := attachedTo(&old), attachedTo(now); o != n {
		s.say("attachments %s", n)
	}
	s.cards(&old, now)
}

// effects are the attempts to connect and the frames that left.
func (s *scenario) effects() {
	s.dialling.Lock()
	dials := s.dials
	s.dials = nil
	s.dialling.Unlock()
	for _, at := range dials {
		s.say("dials at %s", s.since(at))
	}
	if l := s.srv.Link(); len(s.links) == 0 || s.links[len(s.links)-1] != l {
		s.links = append(s.links, l)
	}
	all := s.srv.Requests()
	var methods []string
	for _, q := range all[s.sent:] {
		m := q.Method
		if m == "" {
			m = "an answer"
		}
		methods = append(methods, m)
	}
	s.sent = len(all)
	if len(methods) > 0 {
		s.say("sends %s", strings.Join(methods, ", "))
	}
}

func (s *scenario) ledger(old, now *Snapshot) {
	was := map[string]Operation{}
	if old.Operations != nil {
		for _, o := range old.Operations.Rows {
			was[o.ID] = *o
		}
	}
	for _, o := range now.Operations.Rows {
		if p, known := was[o.ID]; !known || p.State != o.State || p.Proof != o.Proof || p.Seen != o.Seen {
			line := fmt.Sprintf("%s %s %s", o.ID, o.Kind, o.State)
			if o.Proof != "" {
				line += ", " + o.Proof
			}
			if o.Seen {
				line += ", seen"
			}
			if o.Text != "" {
				line += fmt.Sprintf(" %q", o.Text)
			}
			s.say("%s", line)
		}
		delete(was, o.ID)
	}
	for id := range was {
		s.say("%s is not listed any more", id)
	}
}

func (s *scenario) drafts(old, now *Snapshot) {
	was := map[string]bool{}
	if old.Drafts != nil {
		for _, d := range old.Drafts.Rows {
			was[d.ID] = true
		}
	}
	for _, d := range now.Drafts.Rows {
		if !was[d.ID] {
			s.say("draft %s of %q: %q", d.ID, d.Thread, d.Text)
		}
		delete(was, d.ID)
	}
	for id := range was {
		s.say("draft %s is gone", id)
	}
	if old.Composer == nil && now.Composer.Text != "" || old.Composer != nil && old.Composer.Text != now.Composer.Text {
		s.say("composer %q", now.Composer.Text)
	}
}

func (s *scenario) cards(old, now *Snapshot) {
	was := map[string]Request{}
	if old.Requests != nil {
		for _, c := range old.Requests.Cards {
			was[c.ID] = *c
		}
	}
	for _, c := range now.Requests.Cards {
		if p, known := was[c.ID]; !known || p.Live != c.Live || p.Answered != c.Answered {
			s.say("request %s: live %v, answered %v", c.ID, c.Live, c.Answered)
		}
		delete(was, c.ID)
	}
	for id := range was {
		s.say("request %s is closed", id)
	}
}

func rowsOf(s *Snapshot) string {
	if s.History == nil {
		return "none"
	}
	var out []string
	for _, r := range s.History.Rows {
		out = append(out, strconv.Quote(protocol.PlainText(r.Item)))
	}
	line := "[" + strings.Join(out, " ") + "]"
	if s.History.Stale != "" {
		line += ", stale: " + s.History.Stale
	}
	return line
}

func attachedTo(s *Snapshot) string {
	if s.Attachments == nil {
		return "none"
	}
	var out []string
	for _, a := range s.Attachments.Rows {
		line := a.ID
		if a.Reason != "" {
			line += " (" + a.Reason + ")"
		}
		out = append(out, line)
	}
	line := "[" + strings.Join(out, ", ") + "]"
	if s.Attachments.Stale != "" {
		line += ", stale: " + s.Attachments.Stale
	}
	return line
}
