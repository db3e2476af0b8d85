package drive_test

import (
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
	"holdfast/core/session"
	"holdfast/core/transport"
)

func stdio(h *realserver.Home) session.Config {
	return session.Config{Target: session.Target{
		Transport: transport.Target{
			Kind: transport.Stdio, Codex: h.Codex, CodexHome: h.Dir, Cwd: h.Work, Env: h.Env(),
		},
		Experimental: true, SharedFiles: true, Cwd: h.Work,
	}}
}

// each runs with both versions that the product is for.
func each(t *testing.T, run func(t *testing.T, version string)) {
	for _, v := range realserver.Versions() {
		t.Run(v, func(t *testing.T) { run(t, v) })
	}
}

// The newest known version: a smoke test.
func TestWholePathOnTheNewest(t *testing.T) { wholePath(t, realserver.Newest) }

// The whole path on the real servers: list, new, send, stream to the end,
// approve, stop, read, join, older, quit.
//
// req: HIS-1, JON-1
func TestWholePath(t *testing.T) { each(t, wholePath) }

func wholePath(t *testing.T, version string) {
	h := realserver.New(t, version, fakemodel.Config{})
	s := begin(t, stdio(h))
	s.untilState("awaiting-selection")
	if got := s.section("server")["version"]; got != version {
		t.Errorf("version = %v, want %s", got, version)
	}

	s.must(`{"do":"new","cwd":"` + h.Work + `"}`)
	if th := s.section("thread"); th["joined"] != true || th["live"] != true {
		t.Fatalf("a new conversation is joined and live: %s", s.brief())
	}

	h.Model.Enqueue(fakemodel.Say("Hello to you too."))
	s.must(`{"do":"draft","text":"Hello"}`)
	s.must(`{"do":"send"}`)
	s.until("the answer", func() bool {
		return s.section("thread")["turnStatus"] == "completed" && strings.Contains(strings.Join(s.said(), "\n"), "agentMessage: Hello to you too.")
	})
	if got := s.section("composer")["text"]; got != "" {
		t.Errorf("composer = %q after the send, want it empty", got)
	}

	h.Model.Enqueue(fakemodel.Answer(seed.Command("echo approved > made.txt", "to see")), fakemodel.Say("done"))
	s.must(`{"do":"draft","text":"Run it"}`)
	s.must(`{"do":"send"}`)
	s.until("a request", func() bool { return len(s.list("requests")) == 1 })
	id := s.list("requests")[0]["id"].(string)
	s.must(`{"do":"answer","request":"` + id + `","decision":"accept"}`)
	s.until("the end of the turn", func() bool { return s.section("thread")["turnStatus"] == "completed" && len(s.list("requests")) == 0 })

	h.Model.Enqueue(fakemodel.Answer(fakemodel.Text{Text: "I am"}, fakemodel.Gate{Name: "never"}))
	s.must(`{"do":"draft","text":"Go on for long"}`)
	s.must(`{"do":"send"}`)
	s.until("a running turn", func() bool { return s.offers("stop") && s.section("thread")["turnStatus"] == "inProgress" })
	s.refused(`{"do":"send"}`, "turn-running")
	s.must(`{"do":"stop"}`)
	s.until("the stop", func() bool { return s.section("thread")["turnStatus"] == "interrupted" })
	h.Model.Open("never")
	thread := s.section("thread")["id"].(string)
	s.quit()

	again := begin(t, stdio(h))
	again.untilState("awaiting-selection")
	if rows := again.list("threads"); len(rows) != 1 || rows[0]["id"] != thread {
		t.Fatalf("threads = %v", rows)
	}
	again.must(`{"do":"select","thread":"` + thread + `"}`)
	if th := again.section("thread"); again.state["state"] != "ready" || th["joined"] != false || th["readAt"] == nil {
		t.Fatalf("a reading: %s", again.brief())
	}
	before := again.said()
	again.refused(`{"do":"send"}`, "not-joined")
	again.must(`{"do":"join"}`)
	if got := again.said(); strings.Join(got, "\n") != strings.Join(before, "\n") {
		t.Errorf("rows after the join:\n%q\nbefore:\n%q", got, before)
	}
	again.refused(`{"do":"older"}`, "end")
	again.quit()
}
