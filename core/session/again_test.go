package session

import (
	"strings"
	"testing"
	"time"

	"holdfast/core/internal/fakeserver"
)

// asked is a user's message.
func asked(turn, id string, parts ...any) map[string]any {
	return map[string]any{"turnId": turn, "item": map[string]any{"type": "userMessage", "id": id, "content": parts}}
}

func spoken(text string) any { return map[string]any{"type": "text", "text": text} }

// twoTurns is a joined conversation of two turns, of which the second ended so.
func (r *rig) twoTurns(status string, parts ...any) {
	r.t.Helper()
	r.srv.Answer("thread/turns/list", page(turn("u2", status), turn("u1", "completed")))
	r.srv.Answer("thread/items/list", page(asked("u2", "m2", parts...), entry("u1", "i1", "one"), asked("u1", "m1", spoken("first"))))
	r.live()
}

// A revert is one mutation; its text comes back into the composer, in front of
// what is there, and the conversation is read anew, whether its notification
// comes before the answer, after it, or never.
//
// req: LED-3
func TestRevert(t *testing.T) {
	for name, notified := range map[string]string{"before": "before", "after": "after", "never": ""} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.twoTurns("completed", spoken("second"), spoken("more"))
				r.must(SetDraft{Text: text("typed")})
				cut := func() { r.srv.Notify("thread/reverted", map[string]any{"threadId": "t1"}) }
				r.srv.Handle("thread/revert", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
				end := r.begin(r.now().At, Revert{Turn: "u2"})
				r.settle()
				r.srv.Answer("thread/turns/list", page(turn("u1", "completed")))
				r.srv.Answer("thread/items/list", page(entry("u1", "i1", "one"), asked("u1", "m1", spoken("first"))))
				if notified == "before" {
					cut()
					r.settle()
				}
				r.srv.Answer("thread/revert", map[string]any{"thread": row("t1", "idle")})
				r.srv.Again("thread/revert")
				r.settle()
				if x := end(); x == nil || !x.OK {
					t.Fatalf("ended with %+v", x)
				}
				if notified == "after" {
					cut()
				}
				r.settle()
				r.state(Ready)
				if got := r.said(); strings.Contains(got, "second") || !strings.Contains(got, "first") {
					t.Errorf("the window shows %q", got)
				}
				if got := r.now().Composer.Text; got != "second\nmore\ntyped" {
					t.Errorf("the composer has %q", got)
				}
				sent := r.srv.Requests("thread/revert")
				if len(sent) != 1 || string(sent[0].Params) != `{"threadId":"t1","beforeTurnId":"u2"}` {
					t.Errorf("sent %v", sent)
				}
				if o := r.op("thread/revert"); o.State != "Confirmed" || o.Text != "second\nmore" {
					t.Errorf("the record is %+v", o)
				}
				// A later cut is another client's: it is said, not read by itself.
				reads := r.count("thread/items/list")
				if notified != "" {
					cut()
					r.settle()
					if r.count("thread/items/list") != reads || r.now().Status.State != HistoryRefresh {
						t.Errorf("after another's revert: %d reads more, %v", r.count("thread/items/list")-reads, r.now().Status.State)
					}
				}
			})
		})
	}
}

// What may not be cut is not asked for, and a refusal or silence leaves the
// composer as it is; an uncertain revert is never sent again.
//
// req: LED-3
func TestRevertRefused(t *testing.T) {
	bubble(t, func(r *rig) {
		r.refused(Revert{Turn: "u2"}, "no-selection")
		r.must(Select{Thread: "t1"})
		r.refused(Revert{Turn: "u1"}, "not-joined")
		r.twoTurns("completed", spoken("second"))
		r.refused(Revert{Turn: "u9"}, "no-turn")
		r.started("u3")
		r.settle()
		r.refused(Revert{Turn: "u2"}, "turn-running")
		r.ended("u3", "completed")
		r.settle()
		if n := r.count("thread/revert"); n != 0 {
			t.Fatalf("sent %d times", n)
		}
		r.srv.Fail("thread/revert", -32600, "turn not found: u2")
		r.refused(Revert{Turn: "u2"}, "rejected")
		r.srv.Handle("thread/revert", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
		end := r.begin(r.now().At, Revert{Turn: "u2"})
		time.Sleep(3 * time.Minute)
		r.settle()
		if x := end(); x == nil || x.Code != "outcome-unknown" {
			t.Errorf("ended with %+v", x)
		}
		if o := r.op("thread/revert"); o.State != "OutcomeUnknown" || r.now().Composer.Text != "" || r.count("thread/revert") != 2 {
			t.Errorf("%s, composer %q, sent %d times", o.State, r.now().Composer.Text, r.count("thread/revert"))
		}
	})
}

// A legacy conversation cannot be cut.
func TestRevertOfALegacyConversation(t *testing.T) {
	bubble(t, func(r *rig) {
		old := row("t1", "idle")
		old["historyMode"] = "legacy"
		r.srv.Answer("thread/read", map[string]any{"thread": old})
		x := opened("t1")
		x["thread"] = old
		r.srv.Answer("thread/resume", x)
		u := turn("u1", "completed")
		u["items"], u["itemsView"] = []any{map[string]any{"type": "userMessage", "id": "item-1", "content": []any{spoken("first")}}}, "summary"
		r.srv.Answer("thread/turns/list", page(u))
		r.live()
		r.refused(Revert{Turn: "u1"}, "legacy")
	})
}

// Retry sends what the failed turn began with, once, under an ID of its own, and
// nothing where it is not the same any more.
//
// req: LED-3
func TestRetry(t *testing.T) {
	skill := map[string]any{"type": "skill", "name": "s", "path": "/s"}
	for _, tc := range []struct {
		name, status, code string
		parts              []any
	}{
		{"a text", "failed", "", []any{spoken("second"), skill}},
		{"it did not fail", "interrupted", "not-failed", []any{spoken("second")}},
		{"an image that is not kept", "failed", "not-whole", []any{spoken("x"), map[string]any{"type": "image", "url": "data:image/png;base64,AAAA"}}},
		{"a text that was cut", "failed", "not-whole", []any{spoken(strings.Repeat("x", 1<<20+1))}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.srv.Answer("turn/start", map[string]any{"turn": turn("u3", "inProgress")})
				r.twoTurns(tc.status, tc.parts...)
				r.must(SetDraft{Text: text("typed")})
				if tc.code != "" {
					r.refused(Retry{}, tc.code)
					if n := r.count("turn/start"); n != 0 {
						t.Errorf("sent %d times", n)
					}
					return
				}
				r.must(Retry{})
				sent := r.srv.Requests("turn/start")
				want := `{"threadId":"t1","input":[{"type":"text","text":"second"},{"type":"skill","name":"s","path":"/s"}],"clientUserMessageId":"client-1"}`
				if len(sent) != 1 || string(sent[0].Params) != want {
					t.Errorf("sent %v, want %s", sent, want)
				}
				if r.now().Composer.Text != "typed" {
					t.Errorf("the composer has %q", r.now().Composer.Text)
				}
				r.refused(Retry{}, "turn-running")
			})
		})
	}
}

// A review is a turn that is asked for once, of what is named.
func TestStartReview(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Answer("review/start", map[string]any{"turn": turn("u3", "inProgress"), "reviewThreadId": "t1"})
		r.live()
		r.refused(StartReview{Kind: "commit", Value: " "}, "bad-review")
		r.refused(StartReview{Kind: "all"}, "bad-review")
		r.must(StartReview{Kind: "baseBranch", Value: " main "})
		sent := r.srv.Requests("review/start")
		if want := `{"threadId":"t1","target":{"branch":"main","type":"baseBranch"}}`; len(sent) != 1 || string(sent[0].Params) != want {
			t.Errorf("sent %v, want %s", sent, want)
		}
		r.started("u4")
		r.settle()
		r.refused(StartReview{Kind: "uncommittedChanges"}, "turn-running")
		r.ended("u3", "completed") // the turn of the answer, not the one that started
		r.settle()
		if !r.now().Status.Allows(ActSend) {
			t.Errorf("after the review: %v", r.now().Status.Actions)
		}
		if o := r.op("review/start"); o.State != "Confirmed" {
			t.Errorf("the record is %+v", o)
		}
	})
}

// The whole diff of a turn is kept with its conversation, until it is cut.
func TestTurnDiff(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.srv.Notify("turn/diff/updated", map[string]any{"threadId": "t1", "turnId": "u2", "diff": "--- a\n+++ b\n"})
		r.settle()
		if d := r.now().Thread.Diff; d == nil || *d != (TurnDiff{Turn: "u2", Text: "--- a\n+++ b\n", Bytes: 12}) {
			t.Errorf("the diff is %+v", d)
		}
		r.srv.Notify("thread/reverted", map[string]any{"threadId": "t1"})
		r.settle()
		if d := r.now().Thread.Diff; d != nil {
			t.Errorf("after a revert the diff is %+v", d)
		}
	})
}

func TestListServers(t *testing.T) {
	bubble(t, func(r *rig) {
		var got []MCPServer
		list := ListServers{To: func(s []MCPServer) { got = s }}
		r.live()
		server := func(name string) any {
			return map[string]any{"name": name, "authStatus": "oAuth", "resources": []any{}, "resourceTemplates": []any{}, "tools": map[string]any{"t": map[string]any{"name": "t"}}}
		}
		r.srv.Handle("mcpServerStatus/list", func(q fakeserver.Request) (any, error) {
			if strings.Contains(string(q.Params), `"cursor":"c"`) {
				return page(server("b")), nil
			}
			p := page(server("a"))
			p["nextCursor"] = "c"
			return p, nil
		})
		r.must(list)
		if len(got) != 2 || got[0].Name != "a" || got[1].Name != "b" || got[0].ToolCount != 1 || got[0].Tools[0] != "t" || got[0].Auth != "oAuth" {
			t.Errorf("found %+v", got)
		}
		r.srv.Fail("mcpServerStatus/list", -32603, "no")
		r.refused(list, "read-failed")
	})
}

// A key that is pressed twice asks for one thing: while something that begins a
// turn is not answered, no other is sent.
//
// req: LED-3
func TestPressedTwiceIsSentOnce(t *testing.T) {
	ways := map[string]struct {
		method string
		in     Intent
	}{
		"retry":   {"turn/start", Retry{}},
		"review":  {"review/start", StartReview{Kind: "uncommittedChanges"}},
		"revert":  {"thread/revert", Revert{Turn: "u2"}},
		"compact": {"thread/compact/start", Compact{}},
	}
	for first, a := range ways {
		for second, b := range ways {
			t.Run(first+", "+second, func(t *testing.T) {
				bubble(t, func(r *rig) {
					r.twoTurns("failed", spoken("second"))
					for _, x := range ways {
						r.held(x.method)
					}
					r.begin(r.now().At, a.in)
					r.settle()
					r.refused(b.in, "busy")
					if n := r.count(a.method) + r.count(b.method); a.method == b.method && n != 2 || a.method != b.method && n != 1 {
						t.Errorf("%d requests", n)
					}
				})
			})
		}
	}
}
