package session

import (
	"strings"
	"testing"
	"testing/synctest"

	"holdfast/core/internal/fakeserver"
)

// offer makes the server's catalogue one model, with what it offers.
func (r *rig) offer(model, effort, tier string) {
	r.srv.Answer("model/list", map[string]any{"data": []any{map[string]any{
		"id": model, "model": model, "displayName": strings.ToUpper(model),
		"supportedReasoningEfforts": []any{map[string]any{"reasoningEffort": effort}},
		"serviceTiers":              []any{map[string]any{"id": tier, "name": tier}},
	}}})
}

func (r *rig) skills(names ...string) {
	list := []any{}
	for _, n := range names {
		list = append(list, map[string]any{"name": n, "description": n, "path": "/skills/" + n, "enabled": true, "scope": "user"})
	}
	r.srv.Answer("skills/list", map[string]any{"data": []any{map[string]any{"cwd": "/w", "skills": list, "errors": []any{}}}})
}

// What a restored draft chose is checked against what the server offers now:
// each thing that is gone is named, the text stays, nothing is sent. What is
// still there is sent.
//
// req: DRF-6, FLD-5
func TestWhatIsGoneAtSendIsNamed(t *testing.T) {
	for _, tc := range []struct {
		name  string
		after func(r *rig)
		field string // "" when it is sent
	}{
		{"all is there", func(*rig) {}, ""},
		{"the model is gone", func(r *rig) { r.offer("m2", "low", "fast") }, "model"},
		{"the effort is gone", func(r *rig) { r.offer("mx", "high", "fast") }, "effort"},
		{"the tier is gone", func(r *rig) { r.offer("mx", "low", "slow") }, "tier"},
		{"the skill is gone", func(r *rig) { r.skills("other") }, "skill"},
		{"the models cannot be read", func(r *rig) { r.srv.Fail("model/list", -32603, "no") }, "model"},
		{"the skills cannot be read", func(r *rig) { r.srv.Fail("skills/list", -32603, "no") }, "skill"},
	} {
		bubble(t, func(r *rig) {
			r.srv.Answer("turn/start", map[string]any{"turn": turn("u2", "inProgress")})
			r.offer("mx", "low", "fast")
			r.skills("review")
			r.srv.Link().Drop()
			r.settle()
			r.live()
			r.must(SetDraft{Text: text("do it"), Model: text("mx"), Effort: text("low"), Tier: text("fast"), Skill: text("review")})
			tc.after(r)
			r.srv.Link().Drop()
			r.settle()
			r.live()
			r.must(Confirm{})
			r.must(Restore{Draft: "d1"})
			if tc.field == "" {
				r.must(Send{})
				if got := r.count("turn/start"); got != 1 {
					t.Errorf("%s: sent %d times", tc.name, got)
				}
				return
			}
			r.refused(Send{}, "invalid-"+tc.field)
			c := r.now().Composer
			if !strings.HasPrefix(c.Problem, tc.field+": ") || c.Text != "do it" || r.count("turn/start") != 0 {
				t.Errorf("%s: problem %q, text %q, sent %d times", tc.name, c.Problem, c.Text, r.count("turn/start"))
			}
		})
	}
}

// An effort or a tier without a model of one's own is checked against the
// conversation's.
//
// req: DRF-6
func TestTheConversationsOwnModelIsAsked(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.must(SetDraft{Text: text("x"), Effort: text("endless")})
		r.refused(Send{}, "invalid-effort")
		r.must(SetDraft{Effort: text(""), Tier: text("warp")})
		r.refused(Send{}, "invalid-tier")
		if r.count("turn/start") != 0 {
			t.Error("it was sent")
		}
	})
}

// A Send that comes before the catalogue waits for it, is sent once if it is
// still the same message, and not at all if it or the view is another by then.
//
// req: DRF-6
func TestASendWaitsForTheCatalogue(t *testing.T) {
	for _, tc := range []struct {
		name      string
		meanwhile func(r *rig)
		code      string // "" when it is sent
	}{
		{"nothing happens", func(*rig) {}, ""},
		{"it is sent twice", func(r *rig) { r.s.Do(r.now().At, Send{}, nil) }, ""},
		{"the text changes", func(r *rig) { r.must(SetDraft{Text: text("other")}) }, "changed"},
		{"another conversation is chosen", func(r *rig) { r.must(Select{Thread: "t2"}) }, "replaced"},
		{"the connection is lost", func(r *rig) {
			r.srv.Refuse(refusedDial())
			r.srv.Link().Drop()
			r.settle()
		}, "lost"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				defer r.end()
				var held fakeserver.Request
				r.srv.Handle("model/list", func(q fakeserver.Request) (any, error) { held = q; return nil, fakeserver.Silent })
				r.srv.Link().Drop()
				r.settle()
				r.live()
				r.srv.Answer("turn/start", map[string]any{"turn": turn("u2", "inProgress")})
				r.must(SetDraft{Text: text("x"), Model: text("m2")})
				end := r.begin(r.now().At, Send{})
				r.settle()
				if got := end(); got != nil || r.count("turn/start") != 0 {
					t.Errorf("before the catalogue: %+v, sent %d times", got, r.count("turn/start"))
				}
				tc.meanwhile(r)
				r.srv.Link().Say(map[string]any{"id": held.ID, "result": page(map[string]any{"id": "m2", "model": "m2", "displayName": "M2"})})
				r.settle()
				got, want := end(), map[bool]int{true: 1}[tc.code == ""]
				if got == nil || got.Code != tc.code || r.count("turn/start") != want {
					t.Errorf("it ended as %+v, sent %d times; want %q, %d", got, r.count("turn/start"), tc.code, want)
				}
			})
		})
	}
}
