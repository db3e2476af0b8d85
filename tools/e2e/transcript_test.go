//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/tools/internal/screen"
)

// What one does with a conversation besides reading it: find, copy, name a file,
// queue a message; by keyboard, on a real server.
func TestTranscriptLight1200(t *testing.T)       { transcriptJob(t, "light", "1200x800") }
func TestTranscriptHighContrast360(t *testing.T) { transcriptJob(t, "high-contrast", "360x740") }

func transcriptJob(t *testing.T, theme, size string) {
	h := realserver.New(t, realserver.Target, fakemodel.Config{})
	thread := seeded(t, h)
	if err := os.WriteFile(filepath.Join(h.Work, "harbour notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := sitDown(t, h, "transcript-"+theme, "--theme", theme, "--size", size)
	p.sees("the list", func(s screen.Shown) bool { return s.State == "awaiting-selection" && s.Threads == 2 })
	readAndJoin(p, thread)
	find(p)
	p.presses("alt+2", "shift+F10")
	p.sees("the menu of the row", func(s screen.Shown) bool { return s.Dialog == "row" })
	p.picture("4-menu")
	p.presses("Escape", "alt+3")
	p.sees("the keyboard in the message", inMessage)
	nameAFile(p)
	queue(p, h)
	leave(p)
}

func find(p *person) {
	p.t.Helper()
	p.presses("alt+3")
	p.sees("the keyboard in the message", inMessage)
	p.presses("ctrl+f")
	p.sees("the keyboard in the bar", func(s screen.Shown) bool { return s.Focus == "find" })
	p.writes("FIVE")
	first := p.sees("three matches", func(s screen.Shown) bool { return strings.HasSuffix(s.Find, " of 3") })
	p.presses("Return")
	p.sees("another match", func(s screen.Shown) bool { return strings.HasSuffix(s.Find, " of 3") && s.Find != first.Find })
	p.picture("3-found")
	p.presses("shift+Return")
	p.sees("the first match again", func(s screen.Shown) bool { return s.Find == first.Find })
	p.presses("Escape")
	p.sees("the keyboard back in the message", func(s screen.Shown) bool { return s.Find == "" && inMessage(s) })
}

func nameAFile(p *person) {
	p.t.Helper()
	p.types("see @harb")
	p.sees("the file", func(s screen.Shown) bool { return s.Offered == 1 })
	p.picture("5-file")
	p.presses("Return")
	p.sees("its name, quoted", func(s screen.Shown) bool { return s.Offered == 0 && s.Composer == len(`see "harbour notes.txt" `) })
	p.presses("ctrl+a", "BackSpace")
	p.sees("an empty message", func(s screen.Shown) bool { return s.Composer == 0 })
}

func queue(p *person, h *realserver.Home) {
	p.t.Helper()
	h.Model.Enqueue(fakemodel.Answer(fakemodel.Text{Text: "It begins,"}, fakemodel.Gate{Name: "hold"}), fakemodel.Say("And that."))
	p.types("Begin")
	p.presses("ctrl+Return")
	p.sees("the running turn", func(s screen.Shown) bool {
		return s.Turn == "inProgress" && s.LastHash == hash("It begins,") && s.Composer == 0
	})
	p.types("Then that")
	p.presses("alt+Return")
	p.sees("the message in the queue", func(s screen.Shown) bool { return s.Queued == 1 && s.Composer == 0 && inMessage(s) })
	p.presses("ctrl+shift+q")
	p.sees("the queue", func(s screen.Shown) bool { return s.Dialog == "queue" && s.Focus == "queue" })
	p.picture("6-queue")
	p.presses("Escape")
	p.sees("the message", inMessage)
	h.Model.Open("hold")
	p.sees("the answer to what waited", func(s screen.Shown) bool { return s.Queued == 0 && ended("And that.")(s) })
}

// writes types into what has the keyboard.
func (p *person) writes(text string) {
	p.t.Helper()
	if err := screen.Type(p.t.Context(), text); err != nil {
		p.t.Fatal(err)
	}
}
