//go:build e2e

package e2e

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
	"holdfast/tools/internal/screen"
)

// The main job by keyboard alone: from the start over a reading and a join to
// an answered approval and a sent message, and out again.
func TestLight1200(t *testing.T)       { mainJob(t, "light", "1200x800") }
func TestHighContrast360(t *testing.T) { mainJob(t, "high-contrast", "360x740") }

func mainJob(t *testing.T, theme, size string) {
	h := realserver.New(t, realserver.Target, fakemodel.Config{})
	thread := seeded(t, h)
	p := sitDown(t, h, theme, "--theme", theme, "--size", size)
	p.sees("the list", func(s screen.Shown) bool { return s.State == "awaiting-selection" && s.Threads == 2 })
	p.picture("1-start")
	readAndJoin(p, thread)
	approve(p, h)
	followAnAnswer(p, h)
	leave(p)
}

func readAndJoin(p *person, thread string) {
	p.t.Helper()
	p.movesTo("The harbour")
	p.presses("Return")
	p.sees("the reading", func(s screen.Shown) bool { return s.Thread == thread && s.State == "ready" && !s.Joined && s.Rows == 4 })
	p.picture("2-reading")
	p.presses("ctrl+j")
	p.sees("the join", func(s screen.Shown) bool { return s.Joined && s.Live && s.State == "ready" })
}

func approve(p *person, h *realserver.Home) {
	p.t.Helper()
	file := filepath.Join(h.Work, "asked.txt")
	h.Model.Enqueue(
		fakemodel.Answer(fakemodel.Text{Text: "I would write a file."}, seed.Command("echo yes > "+file, "You asked for it.")),
		fakemodel.Say("The file is written."),
	)
	p.presses("alt+3")
	p.sees("the keyboard in the message", inMessage)
	p.types("Please write the file")
	p.presses("ctrl+Return")
	p.sees("the request", func(s screen.Shown) bool { return s.Cards == 1 && s.Card == "command" && s.Composer == 0 })
	p.picture("3-asked")
	p.presses("ctrl+r")
	p.sees("the keyboard in the card", func(s screen.Shown) bool { return !inMessage(s) })
	p.tabsTo("Allow once")
	p.insists("Return", "the answer", func(s screen.Shown) bool { return s.Answered || s.Cards == 0 })
	p.sees("the end of the turn", ended("The file is written."))
	if got, err := os.ReadFile(file); string(got) != "yes\n" {
		p.t.Errorf("the file holds %q, %v", got, err)
	}
	s := p.sees("the card gone", func(s screen.Shown) bool { return s.Cards == 0 })
	if s.Focus == "" {
		p.t.Error("nothing has the keyboard after the card went")
	}
	p.picture("4-answered")
}

func followAnAnswer(p *person, h *realserver.Home) {
	p.t.Helper()
	h.Model.Enqueue(fakemodel.Answer(fakemodel.Text{Text: "It begins,"}, fakemodel.Gate{Name: "end"}, fakemodel.Text{Text: "and it ends."}))
	p.presses("alt+3")
	p.sees("the keyboard in the message", inMessage)
	p.types("Thank you")
	p.presses("ctrl+Return")
	p.sees("the beginning", func(s screen.Shown) bool { return s.Turn == "inProgress" && s.LastHash == hash("It begins,") })
	p.picture("5-streaming")
	h.Model.Open("end")
	p.sees("the end", ended("and it ends."))
	p.picture("6-done")
}

// leave closes the window, which asks while there is unsent text.
func leave(p *person) {
	p.t.Helper()
	p.presses("alt+3")
	p.sees("the keyboard in the message", inMessage)
	p.types("unsent")
	p.presses("alt+F4")
	p.sees("the question", func(s screen.Shown) bool { return s.Dialog != "" })
	p.picture("7-closing")
	p.presses("Escape")
	p.sees("the window again", func(s screen.Shown) bool { return s.Dialog == "" && s.Composer == len("unsent") })
	p.presses("alt+3")
	p.sees("the keyboard in the message", inMessage)
	p.presses("ctrl+a", "BackSpace")
	p.sees("an empty message", func(s screen.Shown) bool { return s.Composer == 0 })
	p.presses("alt+F4")
	p.leaves()
}

func inMessage(s screen.Shown) bool { return s.Focus == "message" }

func ended(answer string) func(screen.Shown) bool {
	return func(s screen.Shown) bool { return s.Turn == "completed" && s.LastHash == hash(answer) }
}

// seeded makes two conversations and returns the id of "The harbour".
func seeded(t *testing.T, h *realserver.Home) string {
	t.Helper()
	srv := h.ListenWS()
	m := srv.Maker()
	turn := func(ask, answer string) seed.Turn {
		return seed.Turn{Ask: ask, Answers: []fakemodel.Script{fakemodel.Say(answer)}}
	}
	id, err := m.Make(h.Context(), seed.Thread{Name: "The harbour", Turns: []seed.Turn{
		turn("When is high water?", "At **five** in the morning and at five in the afternoon."),
		turn("How high?", "Five metres.\n\n- morning: 4.9 m\n- afternoon: 5.0 m"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Make(h.Context(), seed.Thread{Name: "Another one", Turns: []seed.Turn{turn("Hello", "Good day.")}}); err != nil {
		t.Fatal(err)
	}
	_ = m.Client.Close()
	srv.Stop()
	return id
}

// hash is how the state file names a text.
func hash(text string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(text))
	return fmt.Sprintf("%x", sum.Sum64())
}
