package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/protocol"
	"holdfast/core/stamp"
)

// cursors makes pages of a listing that goes where next says.
func cursors(data []any, next func(n int) any) fakeserver.Handler {
	n := 0
	return func(fakeserver.Request) (any, error) {
		n++
		return map[string]any{"data": data, "nextCursor": next(n)}, nil
	}
}

// wide is bubble with experimentalApi on, so that there is a queue.
func wide(t *testing.T, run func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Target.Experimental = true })
		run(r)
		r.end()
	})
}

// A cursor that leads nowhere ends every listing, and the end is said: one that
// is empty, one too long to be sent back, one that was followed before, also in
// a circle of several.
func TestCursorsThatLeadNowhere(t *testing.T) {
	for name, next := range map[string]func(n int) any{
		"empty":    func(int) any { return "" },
		"repeats":  func(int) any { return "a" },
		"circles":  func(n int) any { return string("abc"[n%3]) },
		"too long": func(int) any { return strings.Repeat("c", protocol.MaxCursor+1) },
		"no end":   func(n int) any { return fmt.Sprint(n) },
	} {
		wide(t, func(r *rig) {
			r.srv.Handle("thread/list", cursors([]any{row("t1", "idle")}, next))
			r.srv.Handle("model/list", cursors([]any{}, next))
			r.srv.Handle("thread/queue/list", cursors([]any{}, next))
			r.srv.Link().Drop()
			r.settle()
			r.state(AwaitingSelection)
			r.must(Select{Thread: "t1"})
			r.must(Join{})
			lists := r.count("thread/list")
			for range 10 {
				r.do(ListThreads{More: true})
			}
			if name != "no end" && r.now().Threads.More {
				t.Errorf("%s: the list goes on", name)
			}
			if got := r.count("thread/list") - lists; name != "no end" && got > 3 {
				t.Errorf("%s: %d pages of the list", name, got)
			}
			if got := r.count("thread/queue/list"); got > 2*maxQueued {
				t.Errorf("%s: the queue was asked for %d times", name, got)
			}
			if q := r.now().Queue; q == nil || !strings.Contains(q.Rule, "may not be complete") {
				t.Errorf("%s: the queue says %+v", name, q)
			}
		})
	}
}

// The walk over the models ends, whatever cursors come, and says so.
func TestTheWalkOverTheModelsEnds(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Handle("model/list", cursors([]any{}, func(n int) any { return fmt.Sprint(n) }))
		before := r.count("model/list")
		r.srv.Link().Drop()
		r.settle()
		r.s.Do(r.now().At, ListThreads{}, nil)
		r.settle()
		if got := r.count("model/list") - before; got > 2*maxModelPages {
			t.Errorf("it was asked for %d times", got)
		}
	})
}

// Any number of signals makes one read at a time, and one more after it.
func TestSignalsAreReadTogether(t *testing.T) {
	wide(t, func(r *rig) {
		r.must(Select{Thread: "t1"})
		r.must(Join{})
		methods := []string{"account/read", "skills/list", "thread/queue/list"}
		var held []fakeserver.Request
		before := map[string]int{}
		for _, m := range methods {
			before[m] = r.count(m)
			r.srv.Handle(m, func(q fakeserver.Request) (any, error) {
				held = append(held, q)
				return nil, fakeserver.Silent
			})
		}
		for range 100 {
			r.srv.Notify("account/updated", map[string]any{"authMode": nil})
			r.srv.Notify("skills/changed", map[string]any{})
			r.srv.Notify("thread/queue/changed", map[string]any{"threadId": "t1"})
		}
		r.settle()
		for _, m := range methods {
			if got := r.count(m) - before[m]; got != 1 {
				t.Errorf("%s was asked %d times at once", m, got)
			}
		}
		answers := map[string]any{
			"account/read": map[string]any{"account": nil, "requiresOpenaiAuth": false},
			"skills/list":  map[string]any{"data": []any{}}, "thread/queue/list": page(),
		}
		for _, q := range held {
			r.srv.Link().Say(map[string]any{"id": q.ID, "result": answers[q.Method]})
		}
		r.settle()
		for _, m := range methods {
			if got := r.count(m) - before[m]; got != 2 {
				t.Errorf("%s was asked %d times in all, want 2", m, got)
			}
		}
	})
}

// The list, the cards and what is quoted of the server have bounds.
func TestAFloodHasBounds(t *testing.T) {
	bubble(t, func(r *rig) {
		for i := range maxList + 10 {
			r.srv.Notify("thread/started", map[string]any{"thread": row(fmt.Sprint("new", i), "idle")})
		}
		for i := range maxCards + 10 {
			r.srv.Ask(i, "no/such/"+fmt.Sprint(i), map[string]any{"threadId": "t1"})
		}
		r.srv.Notify("warning", map[string]any{"message": strings.Repeat("ä", maxSaid)})
		r.settle()
		now := r.now()
		if rows := now.Threads.Rows; len(rows) != maxList || rows[0].ID != fmt.Sprint("new", maxList+9) {
			t.Errorf("%d rows, the first is %s", len(rows), rows[0].ID)
		}
		if got := len(now.Requests.Cards); got != maxCards {
			t.Errorf("%d cards, want %d", got, maxCards)
		}
		for _, n := range now.Notices.Rows {
			if len(n.Text) > 2*maxSaid {
				t.Errorf("notice %s has %d bytes", n.Code, len(n.Text))
			}
		}
		if !said(now, "requests-full") {
			t.Errorf("nothing says that not all is shown: %+v", now.Notices.Rows)
		}
	})
	bubble(t, func(r *rig) {
		big := strings.Repeat("x", 100<<10)
		for i := range maxCards {
			r.srv.Ask(i, "item/commandExecution/requestApproval", map[string]any{"threadId": "t1", "turnId": "u", "itemId": "i", "command": big})
		}
		r.settle()
		if got, want := len(r.now().Requests.Cards), maxCardBytes/(len(big)+6*fieldWeight); got != want {
			t.Errorf("%d cards of 100 KiB, want %d", got, want)
		}
	})
}

func said(s *Snapshot, code string) bool {
	for _, n := range s.Notices.Rows {
		if n.Code == code {
			return true
		}
	}
	return false
}

// An answer that names another conversation is not taken for the one that was
// asked for, and nothing is joined by it.
func TestAnAnswerForAnotherConversation(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Answer("thread/resume", opened("t2"))
		r.must(Select{Thread: "t1"})
		r.must(SetDraft{Text: text("typed")})
		r.refused(Join{}, "read-failed")
		r.state(HistoryRefresh)
		if now := r.now(); now.Thread.Joined || now.Composer.Text != "typed" {
			t.Errorf("thread %+v, composer %q", now.Thread, now.Composer.Text)
		}
		r.srv.Answer("thread/read", map[string]any{"thread": row("t2", "idle")})
		r.refused(Select{Thread: "t1"}, "read-failed")
	})
}

// An answer that cannot be read is no success of what needs to be read.
func TestAnUnreadableJoin(t *testing.T) {
	for _, answer := range []any{nil, map[string]any{}, map[string]any{"thread": map[string]any{"id": 7}}, "x"} {
		bubble(t, func(r *rig) {
			r.must(Select{Thread: "t1"})
			r.srv.Answer("thread/resume", answer)
			r.refused(Join{}, "unreadable")
			r.srv.Answer("thread/start", answer)
			r.refused(NewThread{}, "unreadable")
			if now := r.now(); now.Thread.ID != "t1" || now.Thread.Joined {
				t.Errorf("%v: thread %+v", answer, now.Thread)
			}
		})
	}
}

// A conversation that is said to be new, and was listed before, is read.
func TestAnOldConversationIsNotEmpty(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Answer("thread/start", opened("t2"))
		r.must(NewThread{})
		if h := r.now().History; h.Empty || len(h.Rows) != 1 {
			t.Errorf("empty %v, %d rows", h.Empty, len(h.Rows))
		}
	})
}

// Who waits for the list hears an end when the account changes meanwhile.
func TestAListThatTheAccountOvertakes(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Handle("thread/list", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
		end := r.begin(r.now().At, ListThreads{})
		r.settle()
		r.srv.Answer("thread/list", page(row("t1", "idle")))
		r.srv.Answer("account/read", map[string]any{"account": map[string]any{"type": "apiKey"}, "requiresOpenaiAuth": true})
		r.srv.Notify("account/updated", map[string]any{"authMode": "apikey"})
		r.settle()
		if got := end(); got == nil || got.OK || got.Code != "replaced" {
			t.Errorf("the list ended as %+v", got)
		}
	})
}

// A form of more fields and choices than a card can hold can only be declined,
// and the card says why. One less and it can be filled in.
func TestAFormThatIsTooLarge(t *testing.T) {
	bubble(t, func(r *rig) {
		for i, n := range []int{maxFields, maxFields + 1} {
			fields, qs := map[string]any{}, []any{}
			for k := range n {
				fields[fmt.Sprint("f", k)] = map[string]any{"type": "string"}
				qs = append(qs, map[string]any{"id": fmt.Sprint("q", k), "question": "?"})
			}
			of := map[string]any{"threadId": "t1", "turnId": "u", "itemId": "i", "questions": qs, "serverName": "s", "mode": "form", "message": "m", "requestedSchema": map[string]any{"type": "object", "properties": fields}}
			r.srv.Ask(10*i, "mcpServer/elicitation/request", of)
			r.srv.Ask(10*i+1, "item/tool/requestUserInput", of)
		}
		r.settle()
		var got []string
		for _, c := range r.now().Requests.Cards {
			line := fmt.Sprint(c.Kind, " ", len(c.Questions), " ", strings.Contains(c.Reason, string(tooMuchText)))
			for _, d := range c.Decisions {
				line += " " + d.Name
			}
			got = append(got, line)
		}
		want := []string{"elicitation 200 false decline accept cancel", "userInput 200 false", "elicitation 0 true decline cancel", "userInput 0 true refuse"}
		if !slices.Equal(got, want) {
			t.Errorf("cards\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		r.refused(Answer{Request: "r3", Decision: "accept"}, "no-decision")
		r.begin(r.now().At, Answer{Request: "r4", Decision: "refuse"})
		r.settle()
		if q := r.srv.Requests(""); len(q) == 0 || q[len(q)-1].Error == nil {
			t.Errorf("the refusal was not sent: %+v", q)
		}
	})
}

// A card weighs what its fields cost, also when no text is in them, and one that
// asks for too much keeps none of them.
func TestEmptyFieldsHaveAWeight(t *testing.T) {
	bubble(t, func(r *rig) {
		ask := func(id, questions int) {
			qs := []any{}
			for range questions {
				qs = append(qs, map[string]any{"id": "", "options": []any{}})
			}
			r.srv.Ask(id, "item/tool/requestUserInput", map[string]any{"threadId": "t1", "turnId": "u", "itemId": "i", "questions": qs})
		}
		for i := range maxCards {
			ask(i, maxFields)
		}
		r.settle()
		if got, most := len(r.now().Requests.Cards), maxCardBytes/(maxFields*fieldWeight); got > most || got < most/2 || !said(r.now(), "requests-full") {
			t.Errorf("%d cards of %d empty fields, want at most %d", got, maxFields, most)
		}
	})
	much := protocol.UserInputRequest{Questions: make([]protocol.Question, 100*maxFields)}
	kept := emptied(protocol.ServerRequest{Params: much})
	if size := protocol.Size(kept); size > 16<<10 || !tooMuch(kept) {
		t.Errorf("a form of %d fields keeps %d bytes, too much: %v", len(much.Questions), size, tooMuch(kept))
	}
}

// A list that could not be read is said to be so by the state and a notice, for
// as long as that holds.
func TestAListThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(*Config) {})
		r.srv.Handle("thread/list", func(fakeserver.Request) (any, error) {
			return nil, &fakeserver.Failure{Code: -32603, Message: "the list is broken"}
		})
		r.srv.Link().Drop()
		r.settle()
		r.state(AwaitingSelection)
		const text = "The conversation list could not be read. The server refused: the list is broken"
		if s := r.now(); s.Status.Code != "list-failed" || s.Status.Text != "Connected. "+text || !said(s, "list-failed") {
			t.Errorf("status %+v, notices %+v", s.Status, s.Notices.Rows)
		}
		r.refused(ListThreads{}, "list-failed")
		r.srv.Answer("thread/list", page(row("t1", "idle")))
		r.must(ListThreads{})
		if s := r.now(); s.Status.Code != "select" || said(s, "list-failed") {
			t.Errorf("status %+v, notices %+v", s.Status, s.Notices.Rows)
		}
		r.end()
	})
}

// A row that cannot be read hides no other, and the list is not said to be whole.
func TestOneRowOfTheListCannotBeRead(t *testing.T) {
	bubble(t, func(r *rig) {
		bad := row("", "idle")
		r.srv.Answer("thread/list", page(row("t1", "idle"), bad, row("t2", "idle")))
		r.srv.Answer("model/list", page(map[string]any{"id": "m1"}, map[string]any{"id": 7}))
		r.srv.Answer("thread/items/list", page(entry("u1", "i1", "one"), entry("", "i2", "two")))
		r.srv.Link().Drop()
		r.settle()
		r.state(AwaitingSelection)
		r.must(Select{Thread: "t1"})
		s := r.now()
		if got := len(s.Threads.Rows); got != 2 || s.Threads.Unread != 1 || !said(s, "list-incomplete") {
			t.Errorf("%d rows, %d unread, notices %+v", got, s.Threads.Unread, s.Notices.Rows)
		}
		if c := s.Catalog; len(c.Models) != 1 || c.Problem != "The list of models is not complete: one entry could not be read." {
			t.Errorf("models %+v, problem %q", c.Models, c.Problem)
		}
		if h := s.History; len(h.Rows) != 1 || h.Stale != "the server lists something that cannot be read" {
			t.Errorf("%d rows, stale %q", len(h.Rows), h.Stale)
		}
		r.srv.Answer("thread/list", page(row("t1", "idle")))
		r.must(ListThreads{})
		if s := r.now(); s.Threads.Unread != 0 || said(s, "list-incomplete") {
			t.Errorf("%d unread, notices %+v", s.Threads.Unread, s.Notices.Rows)
		}
	})
}

// What is in flight off screen has one bound over all conversations: beyond it
// the one that was looked at the longest ago is given up, and read anew when it
// is shown, without being joined again.
func TestOffScreenHasOneBound(t *testing.T) {
	bubble(t, func(r *rig) {
		const each = 128 << 10
		flood := func(id string, n int) {
			for i := range n {
				r.srv.Notify("item/agentMessage/delta", map[string]any{
					"threadId": id, "turnId": "u2", "itemId": fmt.Sprint("m", i), "delta": strings.Repeat("z", each),
				})
			}
			r.settle()
		}
		inLoop := func(f func(l *loop)) {
			r.s.box.put(delivery{event: stamp.At(r.now().At.ConnOnly(), event(f))}, false)
			r.settle()
		}
		for _, id := range []string{"t1", "t2", "t3"} {
			r.must(Select{Thread: id})
			r.must(Join{})
		}
		const most = maxOffScreen / each
		flood("t1", most/2)
		flood("t2", most/2)
		held := func() (t1, t2 int64) {
			inLoop(func(l *loop) { t1, t2 = l.joined["t1"].window.Held(), l.joined["t2"].window.Held() })
			return t1, t2
		}
		if t1, t2 := held(); t1 != maxOffScreen/2 || t2 != maxOffScreen/2 {
			t.Errorf("at the bound: %d and %d bytes are held", t1, t2)
		}
		flood("t2", 1)
		if t1, t2 := held(); t1 != 0 || t2 <= maxOffScreen/2 {
			t.Errorf("beyond it: %d and %d bytes are held", t1, t2)
		}
		joins := r.count("thread/resume")
		r.must(Select{Thread: "t1"})
		if s := r.now(); !s.Thread.Live || len(s.History.Rows) != 1 || r.count("thread/resume") != joins {
			t.Errorf("live %v, %d rows, %d joins, want %d", s.Thread.Live, len(s.History.Rows), r.count("thread/resume"), joins)
		}
	})
}

// What is kept of a conversation is what can be shown of it.
func TestAHugeNameIsCut(t *testing.T) {
	bubble(t, func(r *rig) {
		big := strings.Repeat("ä", 60<<10)
		x := row("big", "idle")
		x["name"], x["cwd"], x["preview"], x["model"], x["gitInfo"] = big, "/"+big, big, big, map[string]any{"branch": big}
		r.srv.Notify("thread/started", map[string]any{"thread": x})
		r.srv.Notify("thread/name/updated", map[string]any{"threadId": "t1", "threadName": big})
		r.srv.Notify("thread/started", map[string]any{"thread": row(big, "idle")})
		r.settle()
		for _, x := range r.now().Threads.Rows {
			if size := protocol.Size(*x); size > 8<<10 || len(x.Title) > 1<<10 || x.ID != "t2" && !strings.HasSuffix(x.Title, "…") {
				t.Errorf("%s keeps %d bytes, its title is %d", x.ID[:min(9, len(x.ID))], size, len(x.Title))
			}
		}
		if n := len(r.now().Threads.Rows); n != 3 || !said(r.now(), "dropped-frame") {
			t.Errorf("%d rows, want 3: an ID that is too long is none", n)
		}
	})
}

// A decision that the server made up does not pass for one of ours.
func TestAMadeUpDecisionIsQuoted(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Ask(0, "item/commandExecution/requestApproval", map[string]any{
			"threadId": "t1", "turnId": "u", "itemId": "i", "command": "c", "availableDecisions": []any{"accept", map[string]any{"Decline": 1}},
		})
		r.settle()
		want := []Decision{{"decline", "Decline"}, {"accept", "Allow once"}, {"Decline", "Answer “Decline”"}}
		if got := r.now().Requests.Cards[0].Decisions; !slices.Equal(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}
