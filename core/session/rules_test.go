package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/core/history"
	"holdfast/core/internal/fakeserver"
	"holdfast/core/protocol"
	"holdfast/core/transport"
)

func rowText(r *history.Row) string { return protocol.PlainText(r.Item) }

// Selecting reads, in this order, and resumes nothing: metadata without turns,
// the newest 50 turns as summary, the newest 100 items of the whole thread.
//
// req: HIS-1, HIS-2, HIS-3, JON-3
func TestSelectReadsAndNeverResumes(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Answer("thread/read", map[string]any{"thread": row("t1", "active")})
		r.must(Select{Thread: "t1"})
		r.state(Ready)
		var got []string
		for _, q := range r.srv.Requests("thread/read", "thread/turns/list", "thread/items/list", "thread/resume", "thread/start") {
			got = append(got, q.Method+" "+string(q.Params))
		}
		slices.Sort(got)
		want := []string{
			`thread/items/list {"threadId":"t1","limit":100,"sortDirection":"desc"}`,
			`thread/read {"threadId":"t1","includeTurns":false}`,
			`thread/turns/list {"threadId":"t1","limit":50,"sortDirection":"desc","itemsView":"summary"}`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("requests:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if th := r.now().Thread; !th.PossiblyInUse || th.Joined || th.ReadAt.IsZero() {
			t.Errorf("thread = %+v: active, so possibly in use, and a reading", th)
		}
	})
}

// Join is asked for, sent once and not asked again when it is overloaded; what
// was read stays, and another Join is possible.
//
// req: JON-1, JON-2
func TestJoinIsSentOnceAndAFailureKeepsTheReading(t *testing.T) {
	bubble(t, func(r *rig) {
		r.must(Select{Thread: "t1"})
		r.must(SetDraft{Text: text("typed")})
		r.srv.Handle("thread/resume", func(fakeserver.Request) (any, error) { return nil, fakeserver.Overloaded() })
		r.refused(Join{}, "outcome-unknown")
		time.Sleep(time.Hour)
		if n := r.count("thread/resume"); n != 1 {
			t.Errorf("%d resumes were sent, want 1", n)
		}
		if got := string(r.srv.Requests("thread/resume")[0].Params); got != `{"threadId":"t1","excludeTurns":true}` {
			t.Errorf("params = %s", got)
		}
		r.state(Ready)
		if r.said() != "one" || r.now().Composer.Text != "typed" || r.now().Thread.Joined {
			t.Errorf("rows %q, composer %q, joined %v", r.said(), r.now().Composer.Text, r.now().Thread.Joined)
		}
		if !strings.Contains(r.now().Thread.JoinProblem, "may have joined") {
			t.Errorf("problem = %q", r.now().Thread.JoinProblem)
		}
		r.srv.Answer("thread/resume", opened("t1"))
		r.must(Join{})
		if th := r.now().Thread; !th.Joined || !th.Live || th.JoinProblem != "" {
			t.Errorf("thread after the second join = %+v", th)
		}
	})
}

// Each refusal of a join says what is the matter.
//
// req: JON-2
func TestJoinProblems(t *testing.T) {
	for message, want := range map[string]string{
		"thread t1 already has an active writer":                                  "In use by another server process",
		"session t1 is archived. Run `codex unarchive t1` to unarchive it first.": "Unarchive it to join",
		"no rollout found for thread id t1":                                       "Start a new one; your text is kept",
		"something nobody has seen before":                                        "Joining failed",
	} {
		bubble(t, func(r *rig) {
			r.must(Select{Thread: "t1"})
			r.srv.Fail("thread/resume", -32600, message)
			r.refused(Join{}, "rejected")
			if got := r.now().Thread.JoinProblem; !strings.Contains(got, want) {
				t.Errorf("%q: problem = %q, want %q in it", message, got, want)
			}
		})
	}
}

// What happens between the resume and the end of the re-read is kept back and
// merged once (ruling 4).
//
// req: HIS-7, FLD-7
func TestEventsDuringAJoinAreMergedOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.must(Select{Thread: "t1"})
		r.srv.Answer("thread/turns/list", page(turn("u2", "inProgress"), turn("u1", "completed")))
		r.srv.Handle("thread/items/list", func(fakeserver.Request) (any, error) {
			r.completed("u2", message("i2", "two"))
			r.completed("u2", message("i3", "three"))
			return page(entry("u2", "i2", "two"), entry("u1", "i1", "one")), nil
		})
		r.must(Join{})
		if got := r.said(); got != "one|two|three" {
			t.Errorf("rows = %q", got)
		}
	})
}

// Send and Join are apart: Send never joins, and says why not.
//
// req: UI-5
func TestSendNeverJoins(t *testing.T) {
	bubble(t, func(r *rig) {
		r.must(Select{Thread: "t1"})
		r.must(SetDraft{Text: text("hi")})
		r.refused(Send{}, "not-joined")
		if r.count("thread/resume") != 0 || r.count("turn/start") != 0 {
			t.Errorf("sent: %v", r.srv.Methods())
		}
	})
}

// A Send moves the text into the operation; a refusal puts it back in front of
// what was typed since, an uncertain end does not.
//
// req: LED-2, LED-3, LED-6, LED-7
func TestWhereTheTextGoes(t *testing.T) {
	for _, tc := range []struct {
		name     string
		answer   fakeserver.Handler
		state    string
		composer string
	}{
		{"accepted", func(fakeserver.Request) (any, error) { return map[string]any{"turn": turn("u2", "inProgress")}, nil }, "Confirmed", "since"},
		{"refused", func(fakeserver.Request) (any, error) { return nil, &fakeserver.Failure{Code: -32600, Message: "no"} }, "Rejected", "typed\nsince"},
		{"overloaded", func(fakeserver.Request) (any, error) { return nil, fakeserver.Overloaded() }, "Rejected", "typed\nsince"},
		{"no answer", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent }, "OutcomeUnknown", "since"},
	} {
		bubble(t, func(r *rig) {
			r.live()
			r.srv.Mute(true)
			r.must(SetDraft{Text: text("typed")})
			r.s.Do(r.now().At, Send{}, nil)
			r.settle()
			if got := r.now().Composer.Text; got != "" {
				t.Errorf("%s: composer = %q in flight, want it empty", tc.name, got)
			}
			r.must(SetDraft{Text: text("since")})
			r.srv.Mute(false)
			id := r.srv.Requests("turn/start")[0].ID
			if result, err := tc.answer(fakeserver.Request{}); err == nil {
				r.srv.Link().Say(map[string]any{"id": id, "result": result})
			} else if f, isFailure := errors.AsType[*fakeserver.Failure](err); isFailure {
				r.srv.Link().Say(map[string]any{"id": id, "error": f})
			}
			time.Sleep(2 * time.Minute)
			r.settle()
			o := r.op("turn/start")
			if o.State != tc.state || o.Text != "typed" || r.now().Composer.Text != tc.composer {
				t.Errorf("%s: state %s, text %q, composer %q; want %s, typed, %q", tc.name, o.State, o.Text, r.now().Composer.Text, tc.state, tc.composer)
			}
			if n := r.count("turn/start"); n != 1 {
				t.Errorf("%s: %d turn/start, want 1", tc.name, n)
			}
		})
	}
}

// A message's own ID, seen in its thread, proves acceptance after a loss; equal
// text proves nothing.
//
// req: LED-4, LED-5
func TestClientIDProvesAcceptance(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.srv.Handle("turn/start", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
		r.must(SetDraft{Text: text("typed")})
		r.s.Do(r.now().At, Send{}, nil)
		r.settle()
		r.srv.Link().Drop()
		r.settle()
		if got := r.op("turn/start").State; got != "OutcomeUnknown" {
			t.Fatalf("after the loss: %s", got)
		}
		user := map[string]any{"type": "userMessage", "id": "x1", "clientId": nil, "content": []any{map[string]any{"type": "text", "text": "typed"}}}
		r.srv.Answer("thread/items/list", page(map[string]any{"turnId": "u2", "item": user}))
		r.state(AwaitingSelection)
		r.must(Select{Thread: "t1"})
		if got := r.op("turn/start").State; got != "OutcomeUnknown" {
			t.Errorf("equal text made it %s", got)
		}
		mine := map[string]any{"type": "userMessage", "id": "x1", "clientId": "client-1", "content": user["content"]}
		r.srv.Answer("thread/items/list", page(map[string]any{"turnId": "u2", "item": mine}))
		r.must(Refresh{})
		if o := r.op("turn/start"); o.State != "Confirmed" || o.Proof != "accepted, by item" || !o.Seen {
			t.Errorf("after its own ID: %+v", o)
		}
	})
}

// Stop is sent once a turn; only the turn's own end says what happened (trap 18).
//
// req: FLD-13
func TestStopOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.started("u2")
		r.settle()
		r.srv.Handle("turn/interrupt", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
		r.s.Do(r.now().At, Stop{}, nil)
		r.settle()
		r.refused(Stop{}, "stopping")
		time.Sleep(9 * time.Second)
		r.settle()
		if got := r.op("turn/interrupt").State; got != "InFlight" {
			t.Errorf("before its bound a Stop is %s", got)
		}
		r.must(Select{Thread: "t2"}) // the window stays usable
		r.srv.Answer("thread/read", map[string]any{"thread": row("t1", "active")})
		r.must(Select{Thread: "t1"})
		time.Sleep(2 * time.Second)
		r.settle()
		if got := r.op("turn/interrupt").State; got != "OutcomeUnknown" {
			t.Errorf("an unanswered Stop is %s", got)
		}
		r.refused(Stop{}, "stopping")
		if n := r.count("turn/interrupt"); n != 1 {
			t.Errorf("%d interrupts, want 1", n)
		}
		r.ended("u2", "interrupted")
		r.settle()
		if got := r.op("turn/interrupt").State; got != "Confirmed" {
			t.Errorf("after the turn's end it is %s", got)
		}
		r.state(Ready)
	})
}

// A request is a card with its real decisions in their order, and is answered
// once.
func TestCardIsAnsweredOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.started("u2")
		r.command(0)
		r.settle()
		c := r.now().Requests.Cards[0]
		var names []string
		for _, d := range c.Decisions {
			names = append(names, d.Name)
		}
		want := []string{"decline", "accept", "acceptWithExecpolicyAmendment", "cancel"}
		if !slices.Equal(names, want) {
			t.Errorf("decisions = %v, want %v", names, want)
		}
		r.refused(Answer{Request: c.ID, Decision: "acceptForever"}, "no-decision")
		r.s.Do(r.now().At, Answer{Request: c.ID, Decision: "acceptWithExecpolicyAmendment"}, nil)
		r.settle()
		r.refused(Answer{Request: c.ID, Decision: "accept"}, "answered")
		var answers []string
		for _, q := range r.srv.Requests("") {
			if q.ID != nil {
				answers = append(answers, string(q.Result))
			}
		}
		if len(answers) != 1 || !strings.Contains(answers[0], `"execpolicy_amendment":["ls"]`) {
			t.Errorf("answers = %v, want the object the server offered, once", answers)
		}
		if got := r.op("item/commandExecution/requestApproval").State; got != "InFlight" {
			t.Errorf("before it is closed: %s", got)
		}
		r.srv.Notify("serverRequest/resolved", map[string]any{"threadId": "t1", "requestId": 0})
		r.settle()
		if o := r.op("item/commandExecution/requestApproval"); o.State != "Confirmed" || o.Proof != "closed" {
			t.Errorf("after it is closed: %+v", o)
		}
		if len(r.now().Requests.Cards) != 0 {
			t.Error("the card is still there")
		}
	})
}

// Reading history answers nothing: a request that waits stays, whatever is read.
//
// req: HIS-9
func TestReadingAnswersNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.command("id-text")
		r.settle()
		r.must(Refresh{})
		r.must(Select{Thread: "t2"})
		r.must(Select{Thread: "t1"})
		if got := len(r.now().Requests.Cards); got != 1 || !r.now().Requests.Cards[0].Live {
			t.Errorf("%d cards", got)
		}
		for _, q := range r.srv.Requests("") {
			if q.ID != nil {
				t.Errorf("something was answered: %+v", q)
			}
		}
	})
}

// A card of a lost connection cannot be answered; after the join the server
// asks again, with the same ID.
//
// req: FLD-12
func TestApprovalOverTheGap(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.command(7)
		r.settle()
		old := r.now().Requests.Cards[0].ID
		r.srv.Refuse(refusedDial())
		r.srv.Link().Drop()
		r.settle()
		r.state(Reconnecting)
		r.refused(Answer{Request: old, Decision: "accept"}, "not-live")
		r.srv.Refuse(nil)
		time.Sleep(2 * time.Second)
		r.settle()
		if len(r.now().Requests.Cards) != 0 {
			t.Error("a card of the old owner is shown")
		}
		r.must(Select{Thread: "t1"})
		r.must(Join{})
		r.command(7)
		r.settle()
		if c := r.now().Requests.Cards; len(c) != 1 || !c[0].Live || c[0].ID == old {
			t.Errorf("cards = %+v", c)
		}
		r.srv.Notify("serverRequest/resolved", map[string]any{"threadId": "t1", "requestId": 7})
		r.settle()
		if c := r.now().Requests.Cards; len(c) != 0 {
			t.Errorf("after it was closed: %+v", c)
		}
	})
}

// A request that comes right after the end of its turn is nobody's to answer but
// the user's.
//
// req: FLD-12
func TestARequestAfterItsTurn(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.started("u2")
		r.ended("u2", "completed")
		r.command(7)
		r.settle()
		time.Sleep(time.Hour)
		r.settle()
		for _, q := range r.srv.Requests("") {
			if q.ID != nil {
				t.Errorf("something was answered: %s", q.Result)
			}
		}
		if c := r.now().Requests.Cards; len(c) != 1 || !c[0].Live || c[0].Answered {
			t.Errorf("cards = %+v, want one to answer", c)
		}
	})
}

// What was made from a view that was replaced does nothing; a draft that names
// its conversation is kept all the same.
//
// req: UI-3
func TestIntentsOfAnOldViewDoNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		old := r.now().At
		r.must(Select{Thread: "t2"})
		if got := r.doAt(old, Rename{Name: "wrong"}); got == nil || got.Code != "stale" {
			t.Errorf("rename = %+v", got)
		}
		if got := r.doAt(old, SetDraft{Thread: text("t1"), Text: text("late")}); got == nil || !got.OK {
			t.Errorf("draft = %+v", got)
		}
		if r.count("thread/name/set") != 0 {
			t.Error("the rename was sent")
		}
		r.must(Select{Thread: "t1"})
		if got := r.now().Composer.Text; got != "late" {
			t.Errorf("composer = %q", got)
		}
	})
}

// Published snapshots are never written again.
//
// req: UI-3
func TestSnapshotsAreFrozen(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		frozen := r.now()
		before, err := json.Marshal(frozen)
		if err != nil {
			t.Fatal(err)
		}
		r.started("u2")
		for range 1000 {
			r.srv.Notify("item/agentMessage/delta", map[string]any{"threadId": "t1", "turnId": "u2", "itemId": "i9", "delta": "x"})
		}
		r.command(3)
		r.settle()
		after, err := json.Marshal(frozen)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(before, after) {
			t.Error("a published snapshot changed")
		}
		if !strings.HasSuffix(r.said(), strings.Repeat("x", 1000)) {
			t.Error("the deltas did not arrive")
		}
	})
}

// A failed read keeps what is there, marked, and one press reads again.
//
// req: HIS-10
func TestFailedReadAsksForARefresh(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.srv.Fail("thread/items/list", -32603, "broken")
		r.refused(Refresh{}, "read-failed")
		r.state(HistoryRefresh)
		if r.said() != "one" || r.now().History.Stale == "" {
			t.Errorf("rows %q stale %q", r.said(), r.now().History.Stale)
		}
		r.must(SetDraft{Text: text("x")})
		r.refused(Send{}, "not-now")
		r.srv.Answer("thread/items/list", page(entry("u1", "i1", "one")))
		r.must(Refresh{})
		r.state(Ready)
	})
}

// An empty conversation is no error, and is asked again after its first message.
// One word beside the exact text, and it is a failure (ruling 15).
//
// req: FLD-6
func TestEmptyThread(t *testing.T) {
	const none = "thread t1 is not materialized yet; thread/turns/list is unavailable before first user message"
	for _, c := range []struct {
		text  string
		state State
	}{{none, Ready}, {strings.Replace(none, "yet;", "yet,", 1), HistoryRefresh}, {"thread t1 cannot be read", HistoryRefresh}} {
		bubble(t, func(r *rig) {
			fresh := row("t1", "idle")
			fresh["preview"] = ""
			r.srv.Answer("thread/read", map[string]any{"thread": fresh})
			r.srv.Fail("thread/turns/list", -32600, c.text)
			r.srv.Fail("thread/items/list", -32601, "thread/items/list is not supported yet")
			r.do(Select{Thread: "t1"})
			r.state(c.state)
			if h := r.now().History; h.Empty != (c.state == Ready) || (h.Stale == "") != (c.state == Ready) {
				t.Errorf("%q: empty %v, stale %q", c.text, h.Empty, h.Stale)
			}
			if c.state != Ready {
				return
			}
			r.must(Join{})
			turns, items := r.count("thread/turns/list"), r.count("thread/items/list")
			r.srv.Answer("thread/turns/list", page(turn("u1", "completed")))
			r.srv.Answer("thread/items/list", page(entry("u1", "i1", "first")))
			r.must(Refresh{})
			if r.count("thread/turns/list") == turns || r.count("thread/items/list") == items || r.said() != "first" || r.now().History.Empty {
				t.Errorf("after the first message: %q, empty %v", r.said(), r.now().History.Empty)
			}
		})
	}
}

// An attempt that hangs ends at 45 seconds.
//
// req: FLD-2
func TestAttemptThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.end()
		r.srv.Refuse(&transport.Error{Kind: transport.Permission, Text: "not allowed"})
		r.srv.Link().Drop()
		r.settle()
		r.state(ManualReconnect)
		r.srv.Refuse(nil)
		r.srv.Mute(true)
		end := r.begin(r.now().At, Reconnect{})
		r.settle()
		r.state(Reconnecting)
		time.Sleep(44 * time.Second)
		synctest.Wait()
		if got := end(); got != nil {
			t.Fatalf("it ended early: %+v", got)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := end(); got == nil || got.OK {
			t.Fatalf("after 45 s: %+v", got)
		}
		r.state(ManualReconnect)
	})
}

// Too much during a read: nothing of it is applied, the view says so, one press
// reads again.
//
// req: HIS-8, FLD-8
func TestOverflowDuringARead(t *testing.T) {
	for events, want := range map[int]State{1024: Ready, 1025: HistoryRefresh} {
		bubble(t, func(r *rig) {
			r.live()
			r.srv.Handle("thread/items/list", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
			r.s.Do(r.now().At, Refresh{}, nil)
			r.settle()
			id := r.srv.Requests("thread/items/list")
			for i := range events {
				r.completed("u2", message(fmt.Sprintf("n%d", i), "new"))
			}
			r.settle()
			r.srv.Link().Say(map[string]any{"id": id[len(id)-1].ID, "result": page(entry("u1", "i1", "one"))})
			r.settle()
			r.state(want)
			if got := strings.Contains(r.said(), "new"); got != (want == Ready) {
				t.Errorf("%d events: applied = %v", events, got)
			}
			r.srv.Answer("thread/items/list", page(entry("u1", "i1", "one")))
			r.must(Refresh{})
			r.state(Ready)
		})
	}
}

// A conversation off screen keeps its items in flight: coming back, the text
// whose beginning came before is whole, without another resume (DRIVE.md).
func TestItemsInFlightOffScreen(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.started("u2")
		r.srv.Notify("item/started", map[string]any{"threadId": "t1", "turnId": "u2", "item": message("i2", "")})
		say := func(s string) {
			r.srv.Notify("item/agentMessage/delta", map[string]any{"threadId": "t1", "turnId": "u2", "itemId": "i2", "delta": s})
		}
		say("on screen, ")
		r.must(Select{Thread: "t2"})
		say("off screen, ")
		r.settle()
		r.srv.Answer("thread/turns/list", page(turn("u2", "inProgress"), turn("u1", "completed")))
		r.must(Select{Thread: "t1"})
		say("back")
		r.settle()
		if got := r.said(); got != "one|on screen, off screen, back" {
			t.Errorf("rows = %q", got)
		}
		if th := r.now().Thread; !th.Live || r.count("thread/resume") != 1 {
			t.Errorf("thread = %+v, %d resumes", th, r.count("thread/resume"))
		}
	})
}

// Eight conversations stay joined; the ninth leaves the oldest idle one.
func TestNinthJoinLeavesTheOldestIdle(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Answer("thread/unsubscribe", map[string]any{"status": "unsubscribed"})
		for i := range 9 {
			id := fmt.Sprintf("j%d", i)
			r.srv.Answer("thread/read", map[string]any{"thread": row(id, "idle")})
			r.srv.Answer("thread/resume", opened(id))
			r.must(Select{Thread: id})
			r.must(Join{})
			if i == 0 {
				r.srv.Notify("turn/started", map[string]any{"threadId": id, "turn": turn("busy", "inProgress")})
				r.settle()
			}
		}
		left := r.srv.Requests("thread/unsubscribe")
		if len(left) != 1 || string(left[0].Params) != `{"threadId":"j1"}` {
			t.Errorf("left = %v: the oldest that is idle, j1, once", left)
		}
	})
}

// A steer that was accepted and never taken is said to be so when its turn ends.
//
// req: LED-5
func TestSteerNotTaken(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.started("u2")
		r.settle()
		r.srv.Answer("turn/steer", map[string]any{"turnId": "u2"})
		r.must(SetDraft{Text: text("and also")})
		r.must(Steer{})
		r.ended("u2", "interrupted")
		r.settle()
		if o := r.op("turn/steer"); o.State != "Confirmed" || o.Proof != "accepted, not taken" || o.Text != "and also" {
			t.Errorf("steer = %+v", o)
		}
	})
}
