package session

import (
	"testing"
	"testing/synctest"
	"time"

	"holdfast/core/ledger"
	"holdfast/core/protocol"
	"holdfast/core/transport"
)

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

// over gives a rig whose server is reached in a certain way.
func over(t *testing.T, kind transport.Kind, run func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Target.Transport.Kind = kind })
		run(r)
		r.end()
	})
}

// given answers a request whose answer the server does not react to.
func (r *rig) given() (op string) {
	r.live()
	r.started("u2")
	r.askIn("t1", "echo harmless")
	r.begin(r.now().At, Answer{Request: r.now().Requests.Cards[0].ID, Decision: "accept"})
	r.settle()
	return r.op("item/commandExecution/requestApproval").ID
}

func (r *rig) opOf(id string) *Operation {
	for _, o := range r.now().Operations.Rows {
		if o.ID == id {
			return o
		}
	}
	r.t.Fatalf("no operation %s", id)
	return nil
}

// An answer is known not to have counted once its request is asked again after a
// join, over whatever came between: a loss, or another account (ruling 34).
// Another process numbers its requests anew, and another question says nothing.
func TestAnAnsweredQuestionAskedAgainAfterJoin(t *testing.T) {
	lose := func(r *rig) { r.srv.Link().Drop(); r.settle() }
	account := func(r *rig) { r.as("other@example.com") }
	for name, tt := range map[string]struct {
		kind    transport.Kind
		between func(*rig)
		command string
		want    string
	}{
		"a loss":                              {transport.WebSocket, lose, "echo harmless", "Rejected"},
		"a loss of a unix socket":             {transport.Unix, lose, "echo harmless", "Rejected"},
		"a loss of a command":                 {transport.Command, lose, "echo harmless", "Rejected"},
		"two losses":                          {transport.WebSocket, func(r *rig) { lose(r); lose(r) }, "echo harmless", "Rejected"},
		"another account":                     {transport.WebSocket, account, "echo harmless", "Rejected"},
		"another account of our child":        {transport.Stdio, account, "echo harmless", "Rejected"},
		"another process":                     {transport.Stdio, lose, "echo harmless", "OutcomeUnknown"},
		"a loss, and then something else":     {transport.WebSocket, lose, "rm -rf /", "OutcomeUnknown"},
		"another account, and something else": {transport.WebSocket, account, "rm -rf /", "InFlight"},
	} {
		t.Run(name, func(t *testing.T) {
			over(t, tt.kind, func(r *rig) {
				op := r.given()
				tt.between(r)
				r.must(Confirm{})
				r.live()
				r.askIn("t1", tt.command)
				if o := r.opOf(op); o.State != tt.want || (o.Proof == "asked again") != (tt.want == "Rejected") {
					t.Errorf("the answer is %+v, want %s", o, tt.want)
				}
				cards := r.now().Requests.Cards
				if len(cards) != 1 || !cards[0].Live || cards[0].Answered {
					t.Fatalf("cards = %+v, want one to answer", cards)
				}
				r.begin(r.now().At, Answer{Request: cards[0].ID, Decision: "decline"})
				r.srv.Notify("serverRequest/resolved", map[string]any{"threadId": "t1", "requestId": 5})
				r.settle()
				if o := r.op("item/commandExecution/requestApproval"); o.ID == op || o.State != "Confirmed" || o.Proof != "closed" {
					t.Errorf("the second answer is %+v", o)
				}
				if o := r.opOf(op); o.State != tt.want {
					t.Errorf("the first answer has become %+v", o)
				}
			})
		})
	}
}

// What becomes of an answer is told and known over another account's sign-in
// too: it is closed, or nothing is heard of it in time.
func TestAnAnswerOverAnotherAccount(t *testing.T) {
	for want, then := range map[string]func(*rig){
		"Confirmed": func(r *rig) {
			r.srv.Notify("serverRequest/resolved", map[string]any{"threadId": "t1", "requestId": 5})
		},
		"OutcomeUnknown": func(*rig) { time.Sleep(protocol.MutationDeadline) },
		"InFlight": func(r *rig) { // another conversation's
			r.srv.Notify("serverRequest/resolved", map[string]any{"threadId": "t2", "requestId": 5})
		},
	} {
		t.Run(want, func(t *testing.T) {
			bubble(t, func(r *rig) {
				op := r.given()
				r.as("other@example.com")
				then(r)
				r.settle()
				if o := r.opOf(op); o.State != want {
					t.Errorf("the answer is %+v, want %s", o, want)
				}
			})
		})
	}
}

// An answer that provably did not leave is given again, not said to be given
// already.
func TestAnAnswerThatDidNotLeave(t *testing.T) {
	bubble(t, func(r *rig) {
		op := r.given()
		r.s.box.put(delivery{proof: &proof{op: op, outcome: ledger.Outcome{Event: ledger.NotBegun, Proof: ledger.ProofNotBegun}}}, false)
		r.settle()
		cards := r.now().Requests.Cards
		if len(cards) != 1 || cards[0].Answered {
			t.Fatalf("cards = %+v, want one to answer", cards)
		}
		r.begin(r.now().At, Answer{Request: cards[0].ID, Decision: "decline"})
		r.settle()
		if o := r.op("item/commandExecution/requestApproval"); o.ID == op || o.State != "InFlight" || !r.now().Requests.Cards[0].Answered {
			t.Errorf("the second answer is %+v", o)
		}
	})
}

// A connection is watched on when another account signs in on it.
func TestTheWatchGoesOnOverAnotherAccount(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.as("other@example.com")
		r.must(Confirm{})
		looks := make(chan struct{}, 10)
		r.configure(func(c *Config) {
			c.CheckTarget = func(Target) Change { looks <- struct{}{}; return Change{} }
		})
		time.Sleep(2 * watchEvery)
		r.settle()
		if len(looks) == 0 {
			t.Error("nobody looks at the target any more")
		}
	})
}
