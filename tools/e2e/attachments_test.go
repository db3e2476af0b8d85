//go:build e2e

package e2e

import (
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
	"holdfast/tools/internal/screen"
)

// Attachments are counted and listed by keyboard alone, and the list follows
// what another client does.
func TestAttachments(t *testing.T) {
	h := realserver.New(t, realserver.Target, fakemodel.Config{})
	srv := h.ListenWS()
	thread, err := srv.Maker().Make(h.Context(), seed.Thread{Name: "The harbour", Turns: []seed.Turn{
		{Ask: "When is high water?", Answers: []fakemodel.Script{fakemodel.Say("At five.")}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	other := srv.Client(seed.Quiet)
	does := func(what, key string) {
		t.Helper()
		params := map[string]any{"threadId": thread, "attachmentType": "note", "identityKey": key}
		if what == "add" {
			params["payload"] = map[string]any{"about": key}
		}
		if _, err := other.Call(h.Context(), "thread/attachment/"+what, params); err != nil {
			t.Fatal(err)
		}
	}
	does("add", "tide table")
	does("add", "harbour map")
	p := sitDown(t, h, "attachments", "--theme", "dark", "--size", "1000x700", "--connect", srv.URL, "--thread", thread)
	listed := func(n string) func(screen.Shown) bool {
		return func(s screen.Shown) bool { return s.Attached == n }
	}
	p.sees("two attachments", func(s screen.Shown) bool { return s.State == "ready" && s.Attached == "2" })
	p.picture("1-counted")
	p.presses("ctrl+shift+e")
	p.sees("the list", func(s screen.Shown) bool { return s.Dialog == "attachments" && s.Focus == "attachments" })
	p.picture("2-listed")
	does("add", "wind")
	p.sees("a third one", listed("3"))
	does("remove", "tide table")
	p.sees("two again", listed("2"))
	p.picture("3-changed")
	p.presses("Return")
	p.sees("one of them", func(s screen.Shown) bool { return s.Dialog == "attachment" })
	p.picture("4-one")
	p.presses("Escape")
	p.sees("the window", func(s screen.Shown) bool { return s.Dialog == "" })
	p.presses("alt+F4")
	p.leaves()
}
