package session

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"holdfast/core/recovery"
)

var update = flag.Bool("update", false, "rewrite the golden file; read its diff line by line")

// cases are situations that show every state, some in several ways.
func cases() []struct {
	name string
	f    facts
} {
	online := recovery.State{Phase: recovery.Online}
	offline := func(c recovery.Cause, why string) recovery.State { return recovery.State{Cause: c, Why: why} }
	base := facts{rec: online, endpoint: "ws://127.0.0.1:4500", confirmed: true}
	with := func(edit func(*facts)) facts { f := base; edit(&f); return f }
	selected := func(edit func(*facts)) facts {
		return with(func(f *facts) { f.selected = true; edit(f) })
	}
	return []struct {
		name string
		f    facts
	}{
		{"connecting", with(func(f *facts) { f.rec = recovery.State{Phase: recovery.Connecting, Attempt: 1, Max: 1} })},
		{"an episode's first attempt", with(func(f *facts) {
			f.rec = recovery.State{Phase: recovery.Connecting, Attempt: 1, Max: 5, Why: "the connection was reset"}
			f.evidence, f.drafts = " The turn may still be running on the server.", true
		})},
		{"an episode waits", with(func(f *facts) {
			f.rec = recovery.State{Phase: recovery.Waiting, Attempt: 2, Max: 5, Why: "connection refused at ws://127.0.0.1:4500"}
		})},
		{"listing", with(func(f *facts) { f.rec = recovery.State{Phase: recovery.Listing} })},
		{"reading a conversation", selected(func(f *facts) { f.busy = true })},
		{"joining while a turn runs and asks", selected(func(f *facts) { f.busy, f.joined, f.running, f.asks = true, true, true, true })},
		{"nothing selected", base},
		{"another server answers", with(func(f *facts) { f.confirmed = false })},
		{"a reading", selected(func(f *facts) { f.older = true })},
		{"live", selected(func(f *facts) { f.joined = true })},
		{"live, a turn runs", selected(func(f *facts) { f.joined, f.running, f.queue = true, true, true })},
		{"live, Stop was sent", selected(func(f *facts) { f.joined, f.running, f.stopping = true, true, true })},
		{"a read failed", selected(func(f *facts) { f.joined, f.broken = true, "the items could not be read" })},
		{"never connected", with(func(f *facts) { f.rec = offline(recovery.CauseTemporary, "connection refused at ws://127.0.0.1:4500") })},
		{"five attempts failed", with(func(f *facts) {
			f.rec, f.drafts = offline(recovery.CauseTemporary, "connection refused at ws://127.0.0.1:4500"), true
			f.rec.Attempt, f.rec.Max = 5, 5
		})},
		{"a draft waits, nothing confirmed", with(func(f *facts) { f.drafts, f.confirmed = true, false })},
		{"a draft waits, selected and confirmed", selected(func(f *facts) { f.drafts = true })},
		{"a local server is silent", selected(func(f *facts) { f.joined, f.running, f.silent = true, true, true })},
		{"target changed while connected", selected(func(f *facts) { f.joined, f.confirmed, f.changed = true, false, "The token file is gone." })},
		{"cancelled", with(func(f *facts) { f.rec = offline(recovery.CauseCancelled, "the attempt was cancelled") })},
		{"rejected token", with(func(f *facts) { f.rec, f.tokenFile = offline(recovery.CauseAuth, "401"), "/run/token" })},
		{"no token", with(func(f *facts) { f.rec = offline(recovery.CauseAuth, "401") })},
		{"signed out", with(func(f *facts) { f.signedOut = true })},
		{"target changed", with(func(f *facts) { f.rec = offline(recovery.CauseTarget, "The token file has another path now.") })},
	}
}

// The table of states: each with its words and its actions. A state without
// either is a failure.
//
// req: REC-10, UI-4
func TestStatesHaveWordsAndActions(t *testing.T) {
	var b strings.Builder
	seen := map[State]bool{}
	for _, c := range cases() {
		s := c.f.status()
		seen[s.State] = true
		if s.Text == "" || s.Code == "" || len(s.Actions) == 0 {
			t.Errorf("%s: %v has code %q, text %q, actions %v", c.name, s.State, s.Code, s.Text, s.Actions)
		}
		fmt.Fprintf(&b, "%s\n  %v (%s)\n  %s\n  %v\n", c.name, s.State, s.Code, s.Text, s.Actions)
	}
	for _, s := range States() {
		if !seen[s] {
			t.Errorf("no case shows %v", s)
		}
	}
	const golden = "testdata/states.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the states are:\n%s\nwant:\n%s", b.String(), want)
	}
}
