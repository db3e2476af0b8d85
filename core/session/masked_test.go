package session

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/protocol"
	"holdfast/core/rpc"
	"holdfast/core/transport"
)

// A keyed link was made with a token.
type keyed struct{ transport.Conn }

func (keyed) Secret() string { return "opaque-token-9" }

const typedKey, typedAnswer = `qx7"typed-key`, "hunter2 answer"

// secretly gives a session that has a token, and where a key and a secret answer
// were typed.
func secretly(t *testing.T, run func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) {
			dial := c.Dial
			c.Dial = func(ctx context.Context, t transport.Target) (transport.Conn, error) {
				conn, err := dial(ctx, t)
				if err != nil {
					return nil, err
				}
				return keyed{conn}, nil
			}
		})
		r.srv.Answer("account/read", map[string]any{"account": nil, "requiresOpenaiAuth": true})
		r.srv.Notify("account/updated", map[string]any{"authMode": nil})
		r.settle()
		r.srv.Fail("account/login/start", -32600, "bad key "+typedKey)
		if got := r.do(SignIn{Key: typedKey}); got == nil || got.Error != "The server refused: bad key [secret]" {
			t.Errorf("sign-in = %+v", got)
		}
		if o := r.op("account/login/start"); o.Proof != "refused: bad key [secret]" {
			t.Errorf("the record is %+v", o)
		}
		r.as("me@example.com")
		r.must(Confirm{})
		r.live()
		r.started("u2")
		r.srv.Ask(7, "item/tool/requestUserInput", map[string]any{"threadId": "t1", "turnId": "u2", "itemId": "c", "questions": []any{
			map[string]any{"id": "q", "header": "H", "question": "password?", "isSecret": true},
			map[string]any{"id": "plain", "header": "H", "question": "name?"},
		}})
		r.settle()
		r.begin(r.now().At, Answer{Request: r.now().Requests.Cards[0].ID, Answers: map[string][]string{"q": {typedAnswer}, "plain": {"anybody"}}})
		r.settle()
		run(r)
		all, err := json.Marshal(r.now())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{"typed-key", typedAnswer, "hunter2%20", "hunter2+", "opaque-token-9"} {
			if strings.Contains(string(all), s) {
				t.Errorf("%q is in %s", s, all)
			}
		}
		if !strings.Contains(string(all), "[secret]") {
			t.Error("nothing is masked in what is shown")
		}
		r.end()
	})
}

// What was typed or read as a secret is masked wherever the server's words about
// what was asked of it come back: in the answer, in a notice, in a turn's end, in
// why something could not be read, in how the connection ended.
//
// req: HIS-9
func TestASecretThatComesBackIsMasked(t *testing.T) {
	const quoted = "bad: " + typedKey + ", " + typedAnswer + ", hunter2%20answer, hunter2+answer, opaque-token-9"
	const shown = "bad: [secret], [secret], [secret], [secret], [secret]"
	refuses := func(r *rig, methods ...string) {
		for _, m := range methods {
			r.srv.Fail(m, -32600, quoted)
		}
	}
	for name, run := range map[string]func(r *rig){
		"a mutation": func(r *rig) {
			refuses(r, "thread/name/set")
			if got := r.do(Rename{Thread: "t1", Name: "n"}); got.Error != "The server refused: "+shown {
				t.Errorf("refused: %+v", got)
			}
		},
		"a late refusal": func(r *rig) {
			r.srv.Handle("thread/name/set", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
			r.begin(r.now().At, Rename{Thread: "t1", Name: "n"})
			r.settle()
			time.Sleep(protocol.MutationDeadline + time.Second)
			refuses(r, "thread/name/set")
			r.srv.Again("thread/name/set")
			r.settle()
			if o := r.op("thread/name/set"); o.State != "Rejected" || o.Proof != "refused: "+shown {
				t.Errorf("the record is %+v", o)
			}
		},
		"a message": func(r *rig) {
			refuses(r, "turn/steer")
			r.must(SetDraft{Text: text("mine")})
			r.do(Steer{})
			if got := r.now().Composer.Problem; got != "The server refused: "+shown {
				t.Errorf("the composer says %q", got)
			}
		},
		"reads": func(r *rig) {
			refuses(r, "thread/list", "thread/items/list", "thread/queue/list", "model/list", "thread/attachment/list", "skills/list")
			r.do(ListThreads{})
			r.do(Refresh{})
			r.do(ListAttachments{})
		},
		"notices": func(r *rig) {
			r.srv.Notify("warning", map[string]any{"message": quoted})
			r.srv.Notify("configWarning", map[string]any{"summary": "s", "details": quoted})
			r.srv.Notify("error", map[string]any{"threadId": "t1", "turnId": "u2", "willRetry": true, "error": map[string]any{"message": quoted}})
		},
		"a failed turn": func(r *rig) {
			x := turn("u2", "failed")
			x["error"] = map[string]any{"message": quoted, "additionalDetails": quoted}
			r.srv.Notify("turn/completed", map[string]any{"threadId": "t1", "turn": x})
			r.settle()
			if e := r.now().History.Turns["u2"].Error; e == nil || e.Message != shown || e.Details != shown {
				t.Errorf("the turn failed of %+v", e)
			}
		},
		"a failed turn that is read": func(r *rig) {
			x := turn("u2", "failed")
			x["error"] = map[string]any{"message": quoted}
			r.srv.Answer("thread/turns/list", page(x, turn("u1", "completed")))
			r.must(Refresh{})
		},
		"a loss": func(r *rig) {
			r.srv.Refuse(&transport.Error{Kind: transport.InvalidProfile, Text: quoted})
			r.srv.Link().End(&transport.Error{Kind: transport.InvalidProfile, Text: quoted})
		},
		"a handshake": func(r *rig) {
			refuses(r, "initialize")
			r.srv.Link().Drop()
		},
	} {
		t.Run(name, func(t *testing.T) {
			secretly(t, func(r *rig) { run(r); r.settle() })
		})
	}
}

// A key whose sign-in fails later is masked in what is said then.
func TestASignInThatFailsLater(t *testing.T) {
	secretly(t, func(r *rig) {
		r.srv.Handle("account/logout", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
		r.begin(r.now().At, SignOut{})
		r.settle()
		r.srv.Notify("account/login/completed", map[string]any{"success": false, "error": "no such key: " + typedKey})
		r.settle()
		if n := r.now().Notices.Rows; len(n) == 0 || n[len(n)-1].Text != "Signing in failed. no such key: [secret]" {
			t.Errorf("notices %+v", n)
		}
	})
}

// What a refusal means is read from its own words, whatever was typed; what is
// masked is no secret that is too short to be one.
func TestWhatIsMaskedStillMeansTheSame(t *testing.T) {
	var s secrets
	s.add("Server overloaded")
	s.add("abc")
	s.add("")
	err := s.veil(&rpc.ServerError{Code: -32001, Message: "Server overloaded; retry later."})
	if !rpc.IsOverload(err) {
		t.Error("an overload is none any more")
	}
	if got := textOf(s.veil(&rpc.ServerError{Code: 1, Message: "Server overloaded, abc, sk-abcdefgh"})); got != "The server refused: [secret], abc, [secret]" {
		t.Errorf("it says %q", got)
	}
	for i := range 2 * maxSecrets {
		s.add(strings.Repeat("x", minSecret+i))
	}
	if n := len(s.kept); n != maxSecrets {
		t.Errorf("%d are remembered, want %d", n, maxSecrets)
	}
}
