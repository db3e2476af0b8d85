package drive_test

import (
	"context"
	"strings"
	"testing"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/session"
	"holdfast/core/transport"
)

// The version comes from the handshake: older than the oldest supported one is
// refused with a sentence, an unknown newer one works with a notice.
func TestVersionsOfTheServer(t *testing.T) {
	for _, tc := range []struct {
		agent, state, text, notice string
	}{
		{"holdfast/0.155.0 (x) y (holdfast; 1)", "confirmation", "Codex 0.155.0 is too old", ""},
		{"holdfast/0.9.9 (x) y (holdfast; 1)", "confirmation", "Codex 0.9.9 is too old", ""},
		{"holdfast/0.155.1 (x) y (holdfast; 1)", "awaiting-selection", "", ""},
		{"other/0.171.0 (x) y (other; 1)", "awaiting-selection", "", ""},
		{"holdfast/0.171.1 (x) y (holdfast; 1)", "awaiting-selection", "", "newer-server"},
		{"holdfast/1.0.0 (x) y (holdfast; 1)", "awaiting-selection", "", "newer-server"},
		{"nothing of the kind", "confirmation", "did not say which version", ""},
	} {
		t.Run(tc.agent, func(t *testing.T) {
			srv := fakeserver.New(t)
			srv.Answer("initialize", object{"userAgent": tc.agent, "codexHome": "/h", "platformFamily": "unix", "platformOs": "linux"})
			srv.Answer("account/read", object{"account": nil, "requiresOpenaiAuth": false})
			srv.Answer("thread/list", object{"data": []any{}, "nextCursor": nil})
			srv.Answer("model/list", object{"data": []any{}})
			srv.Answer("skills/list", object{"data": []any{}})
			s := begin(t, session.Config{
				Target: session.Target{Transport: transport.Target{Kind: transport.Command, Argv: []string{"server"}}, Experimental: true},
				Dial:   func(context.Context, transport.Target) (transport.Conn, error) { return srv.Dial() },
			})
			s.untilState(tc.state)
			if text, _ := s.state["text"].(string); !strings.Contains(text, tc.text) {
				t.Errorf("text %q, want %q in it", text, tc.text)
			}
			got := strings.Join(names(s.state["notices"], "code"), " ")
			if got != tc.notice {
				t.Errorf("notices %q, want %q", got, tc.notice)
			}
			s.quit()
		})
	}
}

// A warning about the server's own settings may follow the handshake at once,
// and again with each connection: it is said once (trap 20).
func TestAConfigWarningIsSaidOnce(t *testing.T) {
	srv := fakeserver.New(t)
	warn := func() {
		srv.Notify("configWarning", object{"summary": "A tool is missing.", "details": nil})
	}
	srv.Handle("account/read", func(fakeserver.Request) (any, error) {
		warn()
		return object{"account": nil, "requiresOpenaiAuth": false}, nil
	})
	srv.Answer("thread/list", object{"data": []any{}, "nextCursor": nil})
	s := begin(t, session.Config{
		Target: session.Target{Transport: transport.Target{Kind: transport.Command, Argv: []string{"server"}}},
		Dial:   func(context.Context, transport.Target) (transport.Conn, error) { return srv.Dial() },
	})
	s.untilState("awaiting-selection")
	warn()
	first := s.section("generations")["connection"].(float64)
	srv.Link().Drop()
	s.until("another connection", func() bool {
		return s.state["state"] == "awaiting-selection" && s.section("generations")["connection"].(float64) > first
	})
	if got := names(s.state["notices"], "text"); len(got) != 1 || !strings.Contains(got[0], "A tool is missing.") {
		t.Errorf("notices %q, want the warning once", got)
	}
	s.quit()
}
