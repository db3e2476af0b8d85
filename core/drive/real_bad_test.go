package drive_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/session"
	"holdfast/core/transport"
)

// Each bad target gets a sentence and a state with something to do, and what
// was typed before stays.
func TestEachBadTargetIsSaid(t *testing.T) {
	h := realserver.New(t, realserver.Target, fakemodel.Config{})
	guarded := h.ListenToken("a-token-of-some-length")
	stale := h.ListenUnix()
	stale.Kill()
	taken := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(taken, []byte("not a folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := func(argv ...string) transport.Target {
		return transport.Target{Kind: transport.Command, Argv: argv, Cwd: h.Work, Env: h.Env()}
	}
	child := func(codex, home string) transport.Target {
		return transport.Target{Kind: transport.Stdio, Codex: codex, CodexHome: home, Cwd: h.Work, Env: h.Env()}
	}
	ws := func(url string) transport.Target { return transport.Target{Kind: transport.WebSocket, URL: url} }
	unix := func(path string) transport.Target { return transport.Target{Kind: transport.Unix, Path: path} }
	for _, tc := range []struct {
		name   string
		target transport.Target
		state  string
		text   string
	}{
		{"no codex", child(filepath.Join(h.Work, "none"), h.Dir), "confirmation", "There is no codex program at "},
		{"a CODEX_HOME that is not there", child(h.Codex, filepath.Join(h.Work, "none")), "confirmation", " does not exist."},
		{"a CODEX_HOME that is a file", child(h.Codex, taken), "confirmation", "which is no folder."},
		{"a command that is not there", command(filepath.Join(h.Work, "none")), "confirmation", "The program none was not found."},
		{"a command that ends at once", command("true"), "manual-reconnect", "true ended (exit status 0)."},
		{"a command that says other things", command("cat"), "manual-reconnect", "no answer within the time for one attempt."},
		{"a closed port", ws("ws://127.0.0.1:1"), "manual-reconnect", "connection refused at ws://127.0.0.1:1."},
		{"a server of another kind", ws(strings.Replace(h.Model.URL(), "http://", "ws://", 1)), "manual-reconnect", "did not accept a WebSocket (HTTP 404)."},
		{"no token where one is wanted", ws(guarded.URL), "sign-in", "The server asks for a token."},
		{"plain ws to elsewhere", ws("ws://192.0.2.1:4500"), "confirmation", "ws://192.0.2.1:4500 is not encrypted and not this machine"},
		{"a socket path that is too long", unix("/" + strings.Repeat("s", 107)), "confirmation", "The socket path is 108 bytes long; the system allows 107."},
		{"a socket without a server", unix(strings.TrimPrefix(stale.URL, "unix://")), "manual-reconnect", "connection refused at unix://"},
		{"no socket", unix(filepath.Join(h.Work, "none")), "manual-reconnect", "there is no socket at unix://"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := begin(t, session.Config{Target: session.Target{Transport: tc.target}, Scale: 100})
			s.must(`{"do":"draft","text":"typed before"}`)
			s.until("an end of the attempts", func() bool {
				state := s.state["state"]
				return state != nil && state != "reconnecting" && state != "synchronizing"
			})
			text, _ := s.state["text"].(string)
			if s.state["state"] != tc.state || !strings.Contains(text, tc.text) || len(s.actions()) == 0 {
				t.Errorf("state %v, actions %q, text %q, want %s and %q", s.state["state"], s.actions(), text, tc.state, tc.text)
			}
			if got := s.section("composer")["text"]; got != "typed before" {
				t.Errorf("composer %q, want what was typed", got)
			}
			s.quit()
		})
	}
}
