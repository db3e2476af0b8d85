package drive_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
	"holdfast/core/session"
	"holdfast/core/transport"
)

// Each way to connect carries a turn, and leaves a server that is not ours
// running (ruling 37).
func TestEachWayToConnect(t *testing.T) {
	ways := map[string]func(h *realserver.Home) (session.Config, *realserver.Server){
		"stdio": func(h *realserver.Home) (session.Config, *realserver.Server) { return stdio(h), nil },
		"command": func(h *realserver.Home) (session.Config, *realserver.Server) {
			cfg := stdio(h)
			cfg.Target.Transport = transport.Target{
				Kind: transport.Command, Argv: []string{h.Codex, "app-server"}, Cwd: h.Work, Env: h.Env(),
			}
			return cfg, nil
		},
		"websocket": func(h *realserver.Home) (session.Config, *realserver.Server) {
			srv := h.ListenWS()
			return remote(h, srv), srv
		},
		"websocket with a token": func(h *realserver.Home) (session.Config, *realserver.Server) {
			srv := h.ListenToken("a-token-of-some-length")
			return remote(h, srv), srv
		},
		"unix socket": func(h *realserver.Home) (session.Config, *realserver.Server) {
			srv := h.ListenUnix()
			return remote(h, srv), srv
		},
	}
	each(t, func(t *testing.T, version string) {
		for name, way := range ways {
			t.Run(name, func(t *testing.T) {
				h := realserver.New(t, version, fakemodel.Config{})
				cfg, srv := way(h)
				s := begin(t, cfg)
				s.untilState("awaiting-selection")
				if got := s.section("server"); got["version"] != version || got["endpoint"] == "" || (got["pid"] != 0.0) != (name == "stdio") {
					t.Errorf("server %v", got)
				}
				thread := s.fresh(h)
				s.tell(h, "hello", fakemodel.Say("good day"))
				s.turnEnds("completed", "agentMessage: good day")
				s.quit()
				if srv == nil {
					return
				}
				if _, err := srv.Client(seed.Quiet).Call(h.Context(), "thread/read", object{"threadId": thread}); err != nil {
					t.Errorf("the server after quit: %v", err)
				}
			})
		}
	})
}

// A wrong token is said with the name of its file, and a right one works at
// the next attempt, without a restart (ruling 29).
func TestAWrongTokenThenTheRightOne(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		srv := h.ListenToken("the-right-token-here")
		write := func(token string) {
			if err := os.WriteFile(srv.TokenFile, []byte(token), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("a-wrong-token-instead")
		s := begin(t, remote(h, srv))
		s.untilState("sign-in")
		if text, _ := s.state["text"].(string); !strings.Contains(text, srv.TokenFile) || strings.Contains(text, "a-wrong-token") {
			t.Errorf("text %q, want the file's name and no token", text)
		}
		write("the-right-token-here")
		s.must(`{"do":"reconnect"}`)
		s.untilState("awaiting-selection")
		s.quit()
	})
}

// A server that is gone is said, with what can be done; after it is back one
// Reconnect leads on, and the text that was typed waits apart until the user
// has confirmed, selected and restored it.
//
// req: DRF-4, DRF-5, REC-14
func TestALostServerComesBack(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		srv := h.ListenWS()
		cfg := remote(h, srv)
		cfg.Scale = 10 // the five attempts take a second and a half
		s := begin(t, cfg)
		s.untilState("awaiting-selection")
		thread := s.fresh(h)
		s.tell(h, "first", fakemodel.Say("one"))
		s.turnEnds("completed", "agentMessage: one")
		s.run(object{"do": "draft", "text": "half a sentence"})
		srv.Kill()
		s.untilState("manual-reconnect")
		if !s.offers("reconnect") || s.state["stale"] == "" {
			t.Errorf("actions %q, stale %v", s.actions(), s.state["stale"])
		}
		if d := s.do(`{"do":"reconnect"}`); d["ok"] != false || s.state["state"] != "manual-reconnect" {
			t.Errorf("reconnect to nothing: %v, %s", d, s.brief())
		}
		srv.Again()
		s.must(`{"do":"reconnect"}`)
		s.untilState("awaiting-selection")
		drafts := s.list("recoveryDrafts")
		if len(drafts) != 1 || drafts[0]["text"] != "half a sentence" || drafts[0]["thread"] != thread {
			t.Fatalf("recovery drafts %v", drafts)
		}
		restore := line(t, object{"do": "restore", "draft": drafts[0]["id"]})
		s.run(object{"do": "select", "thread": thread})
		s.refused(restore, "not-yet")
		s.must(`{"do":"confirm"}`)
		s.must(restore)
		if got := s.section("composer")["text"]; got != "half a sentence" {
			t.Errorf("composer %q, want the text that was typed", got)
		}
		s.refused(`{"do":"send"}`, "not-joined")
		s.must(`{"do":"join"}`)
		h.Model.Enqueue(fakemodel.Say("two"))
		s.must(`{"do":"send"}`)
		s.turnEnds("completed", "agentMessage: two")
		s.quit()
	})
}

// A socket that drops under a live server comes back by itself; the turn went
// on meanwhile, and joining again shows all of it.
//
// req: REC-6
func TestADroppedSocketComesBackByItself(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		cfg := remote(h, h.ListenWS())
		var links []transport.Conn
		cfg.Dial = func(ctx context.Context, tg transport.Target) (transport.Conn, error) {
			c, err := transport.Dial(ctx, tg, transport.Options{})
			links = append(links, c)
			return c, err
		}
		s := begin(t, cfg)
		s.untilState("awaiting-selection")
		thread := s.fresh(h)
		h.Model.Enqueue(fakemodel.Answer(fakemodel.Text{Text: "the beginning"}, fakemodel.Gate{Name: "drop"}, fakemodel.Text{Text: "and the end"}))
		s.must(`{"do":"draft","text":"go"}`)
		s.must(`{"do":"send"}`)
		s.until("a running turn", func() bool { return s.offers("stop") })
		// Before, the server may not know the turns of so new a conversation.
		if err := h.Model.AwaitGate(h.Context(), "drop"); err != nil {
			t.Fatal(err)
		}
		if err := links[0].Close(); err != nil {
			t.Fatal(err)
		}
		s.untilState("awaiting-selection")
		s.run(object{"do": "select", "thread": thread})
		s.must(`{"do":"join"}`)
		h.Model.Open("drop")
		s.turnEnds("completed", "agentMessage: and the end")
		if got, want := s.said(), []string{"userMessage: go", "agentMessage: the beginning", "agentMessage: and the end"}; !slices.Equal(got, want) {
			t.Errorf("rows %q, want %q", got, want)
		}
		s.quit()
	})
}

// Two server processes on one home: the second one reads, and says why it
// cannot join (ruling 11). What it says of a turn that runs there proves
// nothing (trap 11): it says interrupted, and the turn goes on.
func TestAConversationOfAnotherProcess(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		owner := h.ListenWS().Maker()
		thread, err := owner.Make(h.Context(), seed.Thread{Turns: []seed.Turn{said("mine", "yes")}})
		if err != nil {
			t.Fatal(err)
		}
		h.Model.Enqueue(fakemodel.Answer(fakemodel.Gate{Name: "end"}, fakemodel.Text{Text: "ended"}))
		mark := owner.Client.Mark()
		turn, err := owner.Begin(h.Context(), thread, seed.Turn{Ask: "more"})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Model.AwaitGate(h.Context(), "end"); err != nil {
			t.Fatal(err)
		}
		s := begin(t, remote(h, h.ListenWS()))
		s.untilState("awaiting-selection")
		s.run(object{"do": "select", "thread": thread})
		if got, want := s.said(), []string{"userMessage: mine", "agentMessage: yes", "userMessage: more"}; !slices.Equal(got, want) {
			t.Errorf("rows %q, want %q", got, want)
		}
		if th := s.section("thread"); th["status"] != "notLoaded" || th["turnStatus"] != "interrupted" {
			t.Errorf("thread %v, want what this server says of another's", th)
		}
		s.refused(`{"do":"join"}`, "rejected")
		th := s.section("thread")
		if problem, _ := th["problem"].(string); !strings.Contains(problem, "another server process") {
			t.Errorf("problem %q, want that another process has it", problem)
		}
		if th["joined"] != false || s.state["state"] != "ready" {
			t.Errorf("after the join: %s", s.brief())
		}
		h.Model.Open("end")
		if _, err := owner.Client.Until(h.Context(), mark, seed.Completed(turn)); err != nil {
			t.Fatal(err)
		}
		s.must(`{"do":"refresh"}`)
		if th, got := s.section("thread"), s.said(); th["turnStatus"] != "completed" || got[len(got)-1] != "agentMessage: ended" {
			t.Errorf("after the turn: %v, %q", th, got)
		}
		s.quit()
	})
}

// A conversation that another client writes in is followed once it is joined,
// also from the middle of a turn: what came between the read and the join is
// there, too (traps 6 and 7).
func TestJoinInTheMiddleOfATurn(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		srv := h.ListenWS()
		other := srv.Maker()
		thread, err := other.Make(h.Context(), seed.Thread{Turns: []seed.Turn{said("before", "yes")}})
		if err != nil {
			t.Fatal(err)
		}
		h.Model.Enqueue(fakemodel.Answer(
			fakemodel.Text{Text: "complete"},
			fakemodel.RawEvent{JSON: []byte(started)}, fakemodel.RawEvent{JSON: []byte(halfWay)}, fakemodel.Gate{Name: "joined"},
			fakemodel.RawEvent{JSON: []byte(rest)}, fakemodel.Gate{Name: "partial"}, fakemodel.RawEvent{JSON: []byte(whole)},
		))
		if _, err := other.Begin(h.Context(), thread, seed.Turn{Ask: "go on"}); err != nil {
			t.Fatal(err)
		}
		if err := h.Model.AwaitGate(h.Context(), "joined"); err != nil {
			t.Fatal(err)
		}
		s := begin(t, remote(h, srv))
		s.untilState("awaiting-selection")
		s.run(object{"do": "select", "thread": thread})
		if th := s.section("thread"); th["status"] != "active" || th["live"] != false {
			t.Errorf("a reading of a running turn: %v", th)
		}
		s.must(`{"do":"join"}`)
		h.Model.Open("joined")
		s.until("the rest of the text, partial", func() bool {
			return slices.ContainsFunc(s.list("rows"), func(r map[string]any) bool {
				return r["item"] == "msg_half" && r["state"] == "partial" && strings.HasSuffix(s.texts[key(r)], ", and the rest")
			})
		})
		h.Model.Open("partial")
		s.turnEnds("completed", "agentMessage: half of it, and the rest")
		want := []string{"userMessage: before", "agentMessage: yes", "userMessage: go on", "agentMessage: complete", "agentMessage: half of it, and the rest"}
		if got := s.said(); !slices.Equal(got, want) {
			t.Errorf("rows\n%q\nwant\n%q", got, want)
		}
		s.quit()
	})
}

const rest = `{"type":"response.output_text.delta","item_id":"msg_half","output_index":1,"content_index":0,"delta":", and the rest"}`
