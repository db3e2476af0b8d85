package drive_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// Each decision about a command does what it says, and nothing else is offered
// than what the server takes.
func TestDecisionsAboutACommand(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		s := begin(t, stdio(h))
		s.untilState("awaiting-selection")
		s.fresh(h)
		for _, tc := range []struct {
			decision, turn, last string
			ran                  bool
		}{
			{"accept", "completed", "agentMessage: after accept", true},
			{"decline", "completed", "agentMessage: after decline", false},
			{"cancel", "interrupted", "userMessage: try cancel", false},
		} {
			file := filepath.Join(h.Work, tc.decision)
			h.Model.Reset()
			s.tell(h, "try "+tc.decision, fakemodel.Answer(seed.Command("touch "+file, "why "+tc.decision)), fakemodel.Say("after "+tc.decision))
			r := s.asked()
			if text, _ := r["text"].(string); r["kind"] != "command" || !strings.Contains(text, "touch "+file) || r["reason"] != "why "+tc.decision {
				t.Errorf("asked %v", r)
			}
			if got := names(r["decisions"], "name"); !slices.Contains(got, tc.decision) || got[0] != "decline" {
				t.Errorf("decisions %q, want decline first and %s", got, tc.decision)
			}
			s.refused(line(t, object{"do": "answer", "request": r["id"], "decision": "perhaps"}), "no-decision")
			s.run(object{"do": "answer", "request": r["id"], "decision": tc.decision})
			s.turnEnds(tc.turn, tc.last)
			if _, err := os.Stat(file); (err == nil) != tc.ran {
				t.Errorf("%s: the command ran: %v, want %v", tc.decision, err == nil, tc.ran)
			}
		}
		s.quit()
	})
}

// A file change shows its diff in the card, and is made when it is allowed.
func TestAFileChangeShowsItsDiff(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		s := begin(t, stdio(h))
		s.untilState("awaiting-selection")
		s.fresh(h)
		s.tell(h, "write", fakemodel.Answer(seed.Patch("*** Add File: new.txt\n+first line\n")), fakemodel.Say("written"))
		r := s.asked()
		if diff, _ := r["diff"].(string); r["kind"] != "fileChange" || !strings.Contains(diff, "first line") {
			t.Errorf("asked %v, want a file change with its diff", r)
		}
		s.run(object{"do": "answer", "request": r["id"], "decision": "accept"})
		s.turnEnds("completed", "agentMessage: written")
		if got, err := os.ReadFile(filepath.Join(h.Work, "new.txt")); string(got) != "first line\n" {
			t.Errorf("the file holds %q, %v", got, err)
		}
		s.quit()
	})
}

// A question of the model is answered with values, and so is a form of an MCP
// server. The answers reach the model.
func TestQuestionsAreAnswered(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, realserver.AskingConfig(t))
		s := begin(t, stdio(h))
		s.untilState("awaiting-selection")
		s.fresh(h)
		question := fakemodel.Call{Name: "request_user_input", Arguments: object{"questions": []object{{
			"id": "q1", "header": "Pick", "question": "Which one?",
			"options": []object{{"label": "A (Recommended)", "description": "a"}, {"label": "B", "description": "b"}},
		}}}}
		s.tell(h, "ask me", fakemodel.Answer(question), fakemodel.Say("thanks"))
		r := s.asked()
		if got := names(r["questions"], "id"); r["kind"] != "userInput" || !slices.Equal(got, []string{"q1"}) {
			t.Errorf("asked %v", r)
		}
		s.run(object{"do": "answer", "request": r["id"], "answers": object{"q1": []string{"B"}}})
		s.turnEnds("completed", "agentMessage: thanks")
		modelGot(t, h, "B")

		h.Model.SetAnswer(realserver.AskByMCP)
		s.tell(h, "ask by form")
		r = s.asked()
		if got := names(r["questions"], "id"); r["kind"] != "elicitation" || !slices.Equal(got, []string{"colour"}) || r["text"] != "Which colour?" {
			t.Errorf("asked %v", r)
		}
		s.run(object{"do": "answer", "request": r["id"], "decision": "accept", "answers": object{"colour": "red"}})
		s.until("the end", func() bool { return len(s.open()) == 0 && s.section("thread")["turnStatus"] == "completed" })
		modelGot(t, h, "red")
		s.quit()
	})
}

// modelGot checks the newest answer to a tool call.
func modelGot(t *testing.T, h *realserver.Home, want string) {
	t.Helper()
	all := h.Model.Requests()
	if _, got := all[len(all)-1].Answered(); !strings.Contains(got, want) {
		t.Errorf("the model got %q, want %q in it", got, want)
	}
}

// A request that another client answers closes here, and a late answer is
// refused without a word to the server.
func TestAnotherClientAnswersFirst(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		srv := h.ListenWS()
		s := begin(t, remote(h, srv))
		s.untilState("awaiting-selection")
		thread := s.fresh(h)
		s.tell(h, "first", fakemodel.Say("one"))
		s.turnEnds("completed", "agentMessage: one")
		other := srv.Client(seed.Quiet)
		if _, err := other.Call(h.Context(), "thread/resume", object{"threadId": thread, "excludeTurns": true}); err != nil {
			t.Fatal(err)
		}
		s.tell(h, "second", fakemodel.Answer(seed.Command("echo x", "why")), fakemodel.Say("two"))
		r := s.asked()
		q, err := other.Until(h.Context(), 0, seed.Message.Asks)
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Reply(h.Context(), q, seed.Accept(q)); err != nil {
			t.Fatal(err)
		}
		s.turnEnds("completed", "agentMessage: two")
		if got := s.open(); len(got) != 0 {
			t.Errorf("open requests %v, want none", got)
		}
		if d := s.do(line(t, object{"do": "answer", "request": r["id"], "decision": "accept"})); d["ok"] != false {
			t.Errorf("a late answer: %v, want a refusal", d)
		}
		s.quit()
	})
}
