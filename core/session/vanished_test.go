package session

import (
	"encoding/json"
	"strings"
	"testing"
)

// A model or skill that is not there any more is named on every way a message
// can leave: the text stays, nothing is sent.
//
// req: DRF-6, FLD-5
func TestWhatVanishedIsNamedOnEveryWay(t *testing.T) {
	for method, in := range map[string]Intent{"turn/start": Send{}, "turn/steer": Steer{}, "thread/queue/add": Enqueue{}} {
		for field, chosen := range map[string]SetDraft{"model": {Model: text("mx")}, "skill": {Skill: text("review")}} {
			t.Run(method+" "+field, func(t *testing.T) {
				wide(t, func(r *rig) {
					r.offer("m2", "low", "fast")
					r.skills("other")
					r.srv.Link().Drop()
					r.settle()
					r.live()
					if method != "turn/start" {
						r.started("u2")
						r.settle()
					}
					chosen.Text = text("do it")
					r.must(chosen)
					r.refused(in, "invalid-"+field)
					if c := r.now().Composer; !strings.HasPrefix(c.Problem, field+": ") || c.Text != "do it" || r.count(method) != 0 {
						t.Errorf("problem %q, text %q, sent %d times", c.Problem, c.Text, r.count(method))
					}
				})
			})
		}
	}
}

// A skill that vanishes while it is chosen: the server says that its skills
// changed, and a Send before they are read anew waits for them.
//
// req: DRF-6
func TestASkillThatVanishesBeforeSend(t *testing.T) {
	skills := func(names ...string) map[string]any {
		list := []any{}
		for _, n := range names {
			list = append(list, map[string]any{"name": n, "path": "/skills/" + n, "enabled": true, "scope": "user"})
		}
		return map[string]any{"data": []any{map[string]any{"cwd": "/w", "skills": list, "errors": []any{}}}}
	}
	for _, tc := range []struct {
		name   string
		answer map[string]any
		code   string
	}{
		{"it is gone", result(skills("other")), "invalid-skill"},
		{"it is there", result(skills("other", "review")), ""},
		{"nobody knows", refusing("no"), ""}, // what was read of it last stands
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.skills("review")
				r.srv.Answer("turn/start", map[string]any{"turn": turn("u2", "inProgress")})
				r.srv.Link().Drop()
				r.settle()
				r.live()
				r.must(SetDraft{Text: text("do it"), Skill: text("review")})
				answer := r.held("skills/list")
				r.srv.Notify("skills/changed", map[string]any{})
				r.settle()
				end := r.begin(r.now().At, Send{})
				r.settle()
				if got := end(); got != nil || r.count("turn/start") != 0 {
					t.Fatalf("before the skills were read: %+v, sent %d times", got, r.count("turn/start"))
				}
				answer(tc.answer)
				got, want := end(), map[bool]int{true: 1}[tc.code == ""]
				if got == nil || got.Code != tc.code || r.count("turn/start") != want {
					t.Errorf("it ended as %+v, sent %d times; want %q, %d", got, r.count("turn/start"), tc.code, want)
				}
				if c := r.now().Composer; tc.code != "" && c.Text != "do it" {
					t.Errorf("the composer holds %q", c.Text)
				}
			})
		})
	}
}

// What looks like a mention of a file is words: it is sent as it was written,
// whether such a file is there or not, and as text alone.
func TestAnAtSignIsText(t *testing.T) {
	for _, said := range []string{
		"ask me@example.org", "what does @property do", "read @../outside and @/etc/passwd", `fix "a file/that is gone.go" and @lines.go`, "@",
	} {
		bubble(t, func(r *rig) {
			r.srv.Answer("turn/start", map[string]any{"turn": turn("u2", "inProgress")})
			r.live()
			r.must(SetDraft{Text: text(said)})
			r.must(Send{})
			var p struct {
				Input []struct{ Type, Text string }
			}
			sent := r.srv.Requests("turn/start")
			if len(sent) != 1 {
				t.Fatalf("%q was sent %d times", said, len(sent))
			}
			if err := json.Unmarshal(sent[0].Params, &p); err != nil {
				t.Fatal(err)
			}
			if len(p.Input) != 1 || p.Input[0].Type != "text" || p.Input[0].Text != said {
				t.Errorf("%q was sent as %+v", said, p.Input)
			}
		})
	}
}
