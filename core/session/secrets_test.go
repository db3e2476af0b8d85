package session

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/recovery"
	"holdfast/core/stamp"
)

// A draft that was frozen while everything secret was at hand holds what was
// typed and chosen, and none of that: no key, grant, decision, nor answer to a
// request. Restored, it brings no access with it.
//
// req: DRF-3
func TestADraftHoldsNoSecret(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Answer("account/read", map[string]any{"account": nil, "requiresOpenaiAuth": true})
		r.srv.Notify("account/updated", map[string]any{"authMode": nil})
		r.settle()
		r.srv.Answer("account/login/start", map[string]any{"type": "apiKey"})
		r.srv.Answer("account/read", map[string]any{"account": map[string]any{"type": "apiKey"}, "requiresOpenaiAuth": true})
		r.must(SignIn{Key: "secret-key"})
		r.live()
		r.command(1)
		r.srv.Ask(2, "mcpServer/elicitation/request", map[string]any{
			"threadId": "t1", "turnId": "u2", "serverName": "s", "mode": "form", "message": "password?",
			"requestedSchema": map[string]any{"type": "object", "properties": map[string]any{"p": map[string]any{"type": "string"}}},
		})
		r.command(3) // stays open
		r.settle()
		cards := r.now().Requests.Cards
		full := AccessFull
		r.must(SetDraft{
			Text: text("typed"), Skill: text("skill"), Model: text("m1"), Effort: text("low"), Tier: text("fast"), Personality: text("kind"),
			Blocks: &[]string{"block"}, Images: &[]string{"/a.png"}, Access: &full,
		})
		r.s.Do(r.now().At, Answer{Request: cards[0].ID, Decision: "acceptWithExecpolicyAmendment"}, nil)
		r.s.Do(r.now().At, Answer{Request: cards[1].ID, Decision: "accept", Answers: map[string][]string{"p": {"secret-answer"}}}, nil)
		r.settle()
		r.srv.Link().Drop()
		r.settle()
		got := *r.now().Drafts.Rows[0]
		want := Draft{
			ID: got.ID, Thread: "t1", Title: "about t1", At: got.At, Text: "typed", Blocks: []string{"block"}, Images: []string{"/a.png"},
			Skill: "skill", Model: "m1", Effort: "low", Tier: "fast", Personality: "kind",
		}
		if !reflect.DeepEqual(got, want) || got.At.After(time.Now()) {
			t.Errorf("draft = %+v\nwant    %+v", got, want)
		}
		all, err := json.Marshal(r.now())
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"secret-key", "secret-answer"} {
			if strings.Contains(string(all), secret) {
				t.Errorf("%s is in the snapshot after the loss", secret)
			}
		}
		r.must(Select{Thread: "t1"})
		r.must(Confirm{})
		r.must(Restore{Draft: got.ID})
		if c := r.now().Composer; c.Text != "typed" || c.Access != AccessUnknown {
			t.Errorf("composer = %+v: a grant came along", c)
		}
	})
}

// A draft has a field for each thing that it may hold, and for nothing else.
//
// req: DRF-3
func TestWhatADraftHasRoomFor(t *testing.T) {
	var got []string
	for f := range reflect.TypeFor[recovery.Draft]().Fields() {
		if f.Anonymous {
			for c := range f.Type.Fields() {
				got = append(got, c.Name)
			}
			continue
		}
		got = append(got, f.Name)
	}
	want := "ID Thread Title At Owner Text Blocks Images Skill Model Effort Tier Personality"
	if strings.Join(got, " ") != want {
		t.Errorf("a draft has %v, want %s: may the new one cross owners?", got, want)
	}
}

// Nothing that is typed reaches the log, not at its most talkative either: not a
// message whose end is uncertain, not a draft over a loss and a restore, not by
// a panic whose value holds it.
//
// req: DRF-2
func TestNothingTypedReachesTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const secret = "xyzzy-typed"
		var log bytes.Buffer
		r := newRig(t, func(c *Config) {
			c.Log = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		})
		r.breaks = true
		r.live()
		r.srv.Handle("turn/start", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
		r.must(SetDraft{Text: text(secret)})
		r.s.Do(r.now().At, Send{}, nil)
		r.settle()
		r.must(SetDraft{Text: text(secret), Blocks: &[]string{secret}})
		r.srv.Link().Drop()
		r.settle()
		r.live()
		r.must(Confirm{})
		r.must(Restore{Draft: r.now().Drafts.Rows[0].ID})
		r.must(Review{Op: r.op("turn/start").ID, Action: "restore", Mode: "after"})
		r.s.box.put(delivery{event: stamp.At(r.now().At, event(func(l *loop) { panic("in " + l.board.at("t1").Text) }))}, false)
		<-r.over
		if got := r.now().Drafts.Rows; len(got) != 1 || !strings.Contains(got[0].Text, secret) {
			t.Errorf("drafts after the panic: %+v", got)
		}
		if !strings.Contains(log.String(), "panicked") || strings.Contains(log.String(), secret) {
			t.Errorf("the log holds\n%s", log.String())
		}
		r.stop()
	})
}
