package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
)

// What is not possible now says why, never how well everything is.
// req: UI-4
func TestWhatIsNotPossibleSaysWhy(t *testing.T) {
	tests := []struct {
		name   string
		change func(*session.Snapshot)
		id     string
		want   string
	}{
		{"stop without a turn", joined, "stop", "Stop is not possible now. No turn is running, or it is being stopped."},
		{"stop without a join", reading, "stop", "Stop is not possible now. Join first (Ctrl+J)."},
		{"join twice", joined, "join", "Join is not possible now. This conversation is joined already."},
		{"answer nothing", joined, "answer", "Go to the request is not possible now. Nothing is asked here."},
		{"newer than the newest", joined, "newer", "Load newer is not possible now. There is nothing newer."},
		{"compact while it runs", running, "compact", "Compact the context is not possible now. A turn is running."},
		{"queue without one", joined, "queue", "Message queue is not possible now. This server has no message queue."},
		{"reconnect what is up", joined, "reconnect", "Reconnect is not possible now. The connection is up."},
		{"cancel nothing", joined, "cancel", "Cancel is not possible now. Nothing is under way."},
		{"rename nothing", func(s *session.Snapshot) { s.Status.Actions = nil }, "rename", "Rename is not possible now. Choose a conversation first."},
		{"join while offline", manual, "join", "Join is not possible now. Not connected: connection refused at ws://127.0.0.1:4500. What you typed is kept. Reconnect tries once."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, 1200, 800)
			d.show(tt.change)
			d.w.run(tt.id)
			if n := d.w.notices.local; len(n) != 1 || n[0].Text != tt.want {
				t.Errorf("it says %+v, want %q", n, tt.want)
			}
			wantList(t, "asked", d.core.names(), nil)
		})
	}
	d := newDesk(t, 1200, 800)
	d.show(joined)
	for _, c := range d.w.commands {
		if d.w.enabled(c) || c.spoken {
			continue
		}
		if why := d.w.whyNot(c).String(); strings.Contains(why, d.snap.Status.Text) {
			t.Errorf("%s: %q says no reason", c.id, why)
		}
	}
}

// How the window is connected can be looked up at any time.
func TestConnectionDetailsAreAlwaysShown(t *testing.T) {
	for name, change := range map[string]func(*session.Snapshot){"ready": joined, "offline": manual} {
		d := newDesk(t, 1200, 800)
		d.show(change)
		d.press(fyne.KeyP, shiftCtrl)
		wantEqual(t, "dialog when "+name, d.dialog(), "connection")
	}
}
