package session

import "testing"

func (r *rig) askIn(thread, command string) {
	r.srv.Ask(5, "item/commandExecution/requestApproval", map[string]any{
		"threadId": thread, "turnId": "u2", "itemId": "c1", "command": command, "cwd": "/w",
		"availableDecisions": []any{"accept", "cancel"},
	})
	r.settle()
}

// The same question under the same ID is one card; another one under that ID is
// a card of its own, and the old card can no longer be answered.
func TestAnotherQuestionUnderTheSameID(t *testing.T) {
	for name, tt := range map[string]struct {
		thread, command string
		same            bool
	}{
		"the same again":       {"t1", "echo harmless", true},
		"another command":      {"t1", "rm -rf /", false},
		"another conversation": {"t2", "echo harmless", false},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.live()
				r.started("u2")
				r.askIn("t1", "echo harmless")
				old := r.now().Requests.Cards[0].ID
				r.askIn(tt.thread, tt.command)
				cards := r.now().Requests.Cards
				if len(cards) != 1 || cards[0].Text != tt.command || cards[0].Thread != tt.thread || (cards[0].ID == old) != tt.same {
					t.Fatalf("cards = %+v, the first was %s", cards[0], old)
				}
				if tt.same {
					return
				}
				if !r.noticed("request-replaced") {
					t.Errorf("notices = %+v", r.now().Notices.Rows)
				}
				r.refused(Answer{Request: old, Decision: "accept"}, "no-request")
				for _, q := range r.srv.Requests("") {
					if q.Result != nil {
						t.Errorf("answered %s with %s", q.ID, q.Result)
					}
				}
			})
		})
	}
}

// An answer whose ID is asked again did not count; asked something else under
// it, nobody can tell.
func TestAnAnsweredQuestionUnderTheSameID(t *testing.T) {
	for command, want := range map[string]string{"echo harmless": "Rejected", "rm -rf /": "OutcomeUnknown"} {
		t.Run(command, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.live()
				r.started("u2")
				r.askIn("t1", "echo harmless")
				r.begin(r.now().At, Answer{Request: r.now().Requests.Cards[0].ID, Decision: "accept"})
				r.settle()
				r.askIn("t1", command)
				if o := r.op("item/commandExecution/requestApproval"); o.State != want {
					t.Errorf("the answer is %+v, want %s", o, want)
				}
				if c := r.now().Requests.Cards; len(c) != 1 || c[0].Text != command || c[0].Answered {
					t.Errorf("cards = %+v", c)
				}
			})
		})
	}
}

func (r *rig) noticed(code string) bool {
	for _, n := range r.now().Notices.Rows {
		if n.Code == code {
			return true
		}
	}
	return false
}
