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
)

// The main job by keyboard alone: from the start over a reading and a join to
// an answered approval and a sent message.
func TestLight1200(t *testing.T)       { mainJob(t, "light", "1200x800") }
func TestHighContrast360(t *testing.T) { mainJob(t, "contrast", "360x740") }

func mainJob(t *testing.T, theme, size string) {
	h := realserver.New(t, realserver.Target, fakemodel.Config{})
	thread := seeded(t, h)
	w := open(t, h, "--theme", theme, "--size", size)
	picture := func(name string) { shot(t, theme+"-"+name) }

	w.until("the list", func(s shown) bool { return s.State == "awaiting-selection" && s.Threads == 2 })
	picture("1-start")

	press(t, "alt+1")
	w.until("the keyboard in the list", func(s shown) bool { return s.Focus == "conversations" })
	for range 4 {
		if w.now().Listed == "The harbour" {
			break
		}
		before := w.now().Listed
		press(t, "Down")
		w.until("another row", func(s shown) bool { return s.Listed != before })
	}
	press(t, "Return")
	w.until("the reading", func(s shown) bool { return s.Thread == thread && s.State == "ready" && !s.Joined && s.Rows == 4 })
	picture("2-reading")

	press(t, "ctrl+j")
	w.until("the join", func(s shown) bool { return s.Joined && s.Live && s.State == "ready" })

	file := filepath.Join(h.Work, "asked.txt")
	h.Model.Enqueue(
		fakemodel.Answer(fakemodel.Text{Text: "I would write a file."}, seed.Command("echo yes > "+file, "You asked for it.")),
		fakemodel.Say("The file is written."),
	)
	press(t, "alt+3")
	w.until("the keyboard in the message", func(s shown) bool { return s.Focus == "message" })
	typeText(t, "Please write the file")
	w.until("the text", func(s shown) bool { return s.Composer == len("Please write the file") })
	press(t, "ctrl+Return")
	w.until("the request", func(s shown) bool { return s.Cards == 1 && s.Card == "command" && s.Composer == 0 })
	picture("3-asked")

	press(t, "ctrl+r")
	w.until("the keyboard in the card", func(s shown) bool { return s.Focus != "message" })
	w.tabTo("Allow once")
	w.retry("the answer", "Return", func(s shown) bool { return s.Answered || s.Cards == 0 })
	w.until("the end of the turn", func(s shown) bool { return s.Turn == "completed" && s.LastHash == hash("The file is written.") })
	if got, err := os.ReadFile(file); string(got) != "yes\n" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	picture("4-answered")

	h.Model.Enqueue(fakemodel.Answer(fakemodel.Text{Text: "It begins,"}, fakemodel.Gate{Name: "end"}, fakemodel.Text{Text: "and it ends."}))
	press(t, "alt+3")
	w.until("the keyboard in the message", func(s shown) bool { return s.Focus == "message" })
	typeText(t, "Thank you")
	press(t, "ctrl+Return")
	w.until("the beginning", func(s shown) bool { return s.Turn == "inProgress" && s.LastHash == hash("It begins,") })
	picture("5-streaming")
	h.Model.Open("end")
	w.until("the end", func(s shown) bool { return s.Turn == "completed" && s.LastHash == hash("and it ends.") })
	picture("6-done")

	typeText(t, "unsent")
	w.until("the unsent text", func(s shown) bool { return s.Composer == len("unsent") })
	press(t, "alt+F4")
	w.until("the question", func(s shown) bool { return s.Dialog != "" })
	picture("7-closing")
	press(t, "Escape")
	w.until("the window again", func(s shown) bool { return s.Dialog == "" && s.Composer == len("unsent") })
	press(t, "alt+3", "ctrl+a", "BackSpace")
	w.until("an empty message", func(s shown) bool { return s.Composer == 0 })
	press(t, "alt+F4")
	w.ends()
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
