package drive_test

import (
	"slices"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/start"
)

// A steer joins the running turn: its message stands in it, and the model sees
// it. Send is refused meanwhile (ruling 2).
func TestSteer(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		s := begin(t, stdio(h))
		s.untilState("awaiting-selection")
		s.fresh(h)
		s.tell(h, "begin",
			fakemodel.Answer(fakemodel.Text{Text: "working"}, fakemodel.Gate{Name: "hold"}), fakemodel.Say("after the steer"))
		s.until("the running turn", func() bool { return slices.Contains(s.said(), "agentMessage: working") })
		s.run(object{"do": "draft", "text": "and faster"})
		s.refused(`{"do":"send"}`, "turn-running")
		s.must(`{"do":"steer"}`)
		h.Model.Open("hold")
		s.turnEnds("completed", "userMessage: and faster")
		if got := s.section("composer")["text"]; got != "" {
			t.Errorf("composer %q, want it empty", got)
		}
		turns := map[any]bool{}
		for _, r := range s.list("rows") {
			turns[r["turn"]] = true
		}
		if len(turns) != 1 {
			t.Errorf("rows of %d turns, want one: %q", len(turns), s.said())
		}
		s.until("both messages seen", func() bool {
			seen := 0
			for _, op := range s.list("operations") {
				if op["seen"] == true {
					seen++
				}
			}
			return seen == 2
		})
		s.quit()
	})
}

// Stop is for the running turn; what was in flight is gone, what was complete
// stays, and the next turn works (ruling 13).
func TestStopKeepsWhatWasComplete(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		s := begin(t, stdio(h))
		s.untilState("awaiting-selection")
		s.fresh(h)
		s.refused(`{"do":"stop"}`, "no-turn")
		s.tell(h, "begin", fakemodel.Answer(fakemodel.Text{Text: "complete"}, fakemodel.RawEvent{JSON: []byte(started)},
			fakemodel.RawEvent{JSON: []byte(halfWay)}, fakemodel.Gate{Name: "never"}))
		s.until("the partial text", func() bool { return slices.Contains(s.said(), "agentMessage: half of it") })
		s.must(`{"do":"stop"}`)
		s.turnEnds("interrupted", "agentMessage: complete")
		if got, want := s.said(), []string{"userMessage: begin", "agentMessage: complete"}; !slices.Equal(got, want) {
			t.Errorf("rows %q, want %q", got, want)
		}
		s.tell(h, "again", fakemodel.Say("here"))
		s.turnEnds("completed", "agentMessage: here")
		s.quit()
	})
}

// An item that is begun and never completed.
const (
	started = `{"type":"response.output_item.added","output_index":1,"item":{"type":"message","id":"msg_half","role":"assistant","status":"in_progress","content":[]}}`
	halfWay = `{"type":"response.output_text.delta","item_id":"msg_half","output_index":1,"content_index":0,"delta":"half of it"}`
)

// A turn that fails says why, and sending goes on to work (trap 15).
func TestAFailedTurn(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		s := begin(t, stdio(h))
		s.untilState("awaiting-selection")
		s.fresh(h)
		s.tell(h, "fail", fakemodel.Answer(fakemodel.Status{Code: 400, Body: `{"error":{"message":"no such luck"}}`}))
		s.turnEnds("failed", "userMessage: fail")
		if got := s.section("thread")["status"]; got != "systemError" {
			t.Errorf("status %v, want systemError", got)
		}
		s.tell(h, "again", fakemodel.Say("better"))
		s.turnEnds("completed", "agentMessage: better")
		s.quit()
	})
}

// Streaming: the row is there and partial before the answer is complete.
func TestAnAnswerStreams(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		s := begin(t, stdio(h))
		s.untilState("awaiting-selection")
		s.fresh(h)
		s.tell(h, "go", fakemodel.Answer(
			fakemodel.RawEvent{JSON: []byte(started)}, fakemodel.RawEvent{JSON: []byte(halfWay)}, fakemodel.Gate{Name: "rest"},
			fakemodel.RawEvent{JSON: []byte(whole)}))
		state := func() string {
			for _, r := range s.list("rows") {
				if r["item"] == "msg_half" {
					return r["state"].(string) + ": " + s.texts[key(r)]
				}
			}
			return ""
		}
		s.until("half the text", func() bool { return state() == "partial: half of it" })
		h.Model.Open("rest")
		s.until("the whole text", func() bool { return state() == "final: half of it, and the rest" })
		s.until("the end", func() bool { return s.section("thread")["turnStatus"] == "completed" })
		s.quit()
	})
}

const whole = `{"type":"response.output_item.done","output_index":1,"item":{"type":"message","id":"msg_half","role":"assistant","status":"completed","content":[{"type":"output_text","text":"half of it, and the rest","annotations":[]}]}}`

// A queued message is sent by the server when the turn ends.
func TestQueue(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		s := begin(t, stdio(h))
		s.untilState("awaiting-selection")
		s.fresh(h)
		s.tell(h, "first", fakemodel.Answer(fakemodel.Text{Text: "one"}, fakemodel.Gate{Name: "hold"}), fakemodel.Say("two"), fakemodel.Say("three"))
		s.until("the running turn", func() bool { return slices.Contains(s.said(), "agentMessage: one") })
		s.run(object{"do": "queue", "op": "add", "text": "second"})
		s.run(object{"do": "draft", "text": "third"}) // the composer's, as send does
		s.run(object{"do": "queue", "op": "add"})
		entries := func() []string { return names(s.section("queue")["entries"], "text") }
		s.until("both entries", func() bool { return slices.Equal(entries(), []string{"second", "third"}) })
		last := names(s.section("queue")["entries"], "id")[1]
		s.run(object{"do": "queue", "op": "update", "entry": last, "text": "last"})
		s.until("the new text", func() bool { return slices.Equal(entries(), []string{"second", "last"}) })
		h.Model.Open("hold")
		s.turnEnds("completed", "agentMessage: three")
		want := []string{"userMessage: first", "agentMessage: one", "userMessage: second", "agentMessage: two", "userMessage: last", "agentMessage: three"}
		if got := s.said(); !slices.Equal(got, want) {
			t.Errorf("rows\n%q\nwant\n%q", got, want)
		}
		s.until("an empty queue", func() bool { return len(entries()) == 0 })
		s.quit()
	})
}

// A local image goes along with the text.
func TestAnImageIsSent(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		path := h.Image("dot.png")
		cfg := stdio(h)
		cfg.ReadImage = start.ReadImage
		s := begin(t, cfg)
		s.untilState("awaiting-selection")
		s.fresh(h)
		h.Model.Enqueue(fakemodel.Say("seen"))
		s.run(object{"do": "draft", "text": "look", "images": []string{path}})
		s.must(`{"do":"send"}`)
		s.until("the answer", func() bool { return slices.Contains(s.said(), "agentMessage: seen") })
		all := h.Model.Requests()
		if body := string(all[len(all)-1].Body); !strings.Contains(body, "data:image/png;base64,") {
			t.Errorf("the model got no image: …%s", body[max(0, len(body)-500):])
		}
		s.quit()
	})
}

// The server would take any model, effort, tier, skill and image, and an empty
// message: what its catalogue does not have is refused here, and the field is
// named (trap 17).
func TestWhatTheServerDoesNotCheck(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		cfg := stdio(h)
		cfg.ReadImage = start.ReadImage
		s := begin(t, cfg)
		s.untilState("awaiting-selection")
		s.fresh(h)
		s.tell(h, "first", fakemodel.Say("one"))
		s.turnEnds("completed", "agentMessage: one")
		before := len(h.Model.Requests())
		s.refused(`{"do":"send"}`, "empty")
		s.until("the catalogue", func() bool {
			return s.do(`{"do":"draft","text":"hi","model":"no-such-model"}`)["ok"] == true && s.do(`{"do":"send"}`)["code"] == "invalid-model"
		})
		if got, _ := s.section("composer")["problem"].(string); !strings.HasPrefix(got, "model: ") {
			t.Errorf("problem %q, want the field named", got)
		}
		for _, tc := range []struct {
			draft object
			code  string
		}{
			{object{"model": fakemodel.Model, "effort": "endless"}, "invalid-effort"},
			{object{"effort": "", "tier": "warp"}, "invalid-tier"},
			{object{"tier": "", "skill": "no-such-skill"}, "invalid-skill"},
			{object{"skill": "", "images": []string{h.Work + "/none.png"}}, "invalid-images"},
			{object{"images": []string{}, "text": strings.Repeat("y", 1<<20+1)}, "invalid-text"},
		} {
			tc.draft["do"] = "draft"
			s.run(tc.draft)
			s.refused(`{"do":"send"}`, tc.code)
		}
		if got := s.section("composer")["text"]; got != strings.Repeat("y", 1<<20+1) {
			t.Errorf("the text is not kept whole")
		}
		if after := len(h.Model.Requests()); after != before {
			t.Errorf("%d requests reached the model", after-before)
		}
		s.run(object{"do": "draft", "text": strings.Repeat("y", 1<<20), "model": ""})
		h.Model.Enqueue(fakemodel.Say("long"))
		s.must(`{"do":"send"}`)
		s.until("the answer to the longest text", func() bool { return slices.Contains(s.said(), "agentMessage: long") })
		s.quit()
	})
}
