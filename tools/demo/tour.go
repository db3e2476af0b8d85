package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"holdfast/tools/internal/screen"
)

// tour is the way through the demo. After the first failure every further step does nothing.
type tour struct {
	ctx context.Context //nolint:containedctx // a tour is one walk under one context
	w   *screen.Window
	out string
	n   int
	err error
}

// take goes through all that there is to see: conversations, a reading, an approval, a diff, a long answer, an error, an
// image, and the other two themes.
func (t *tour) take() {
	t.until("the first conversation", func(s screen.Shown) bool { return s.State == "ready" && s.Rows > 0 && s.Threads > 3 })
	t.shot("start")
	t.press("ctrl+shift+w") // what was to be said once has been
	t.open("Three hundred items")
	t.shot("reading")
	t.open("Check the hour")
	t.press("ctrl+j")
	t.until("the join", func(s screen.Shown) bool { return s.Joined && s.Live && s.State == "ready" })
	t.shot("joined")

	t.say("Run a command")
	t.allow("approval")
	t.say("Change a file")
	t.allow("diff")
	t.say("Tell me a long story")
	t.until("a long answer", func(s screen.Shown) bool { return s.Turn == "inProgress" && s.LastRow == "agentMessage" })
	t.shot("streaming")
	t.press("ctrl+period")
	t.until("the end of the turn", func(s screen.Shown) bool { return s.Turn == "interrupted" || s.Turn == "completed" })
	t.say("Fail on purpose")
	t.until("the failure", func(s screen.Shown) bool { return s.Turn == "failed" })
	t.shot("error")

	t.open("The drawing of the tides")
	t.shot("image")
	for _, theme := range []string{"dark", "contrast"} {
		before := t.now().Theme
		t.press("ctrl+shift+t")
		t.until("another theme", func(s screen.Shown) bool { return s.Theme != before })
		t.shot(theme)
	}
	t.press("alt+F4")
}

// open selects the conversation with that title.
func (t *tour) open(title string) {
	if t.err == nil {
		t.err = t.w.MoveTo(t.ctx, title)
	}
	before := t.now().Thread
	t.press("Return")
	t.until("the conversation "+title, func(s screen.Shown) bool {
		return s.Thread != before && s.State == "ready" && s.Rows > 0
	})
}

// say sends a message.
func (t *tour) say(text string) {
	t.press("alt+3")
	t.until("the keyboard in the message", func(s screen.Shown) bool { return s.Focus == "message" })
	if t.err == nil {
		t.err = screen.Type(t.ctx, text)
	}
	t.until("the typed text", func(s screen.Shown) bool { return s.Composer == len(text) })
	t.press("ctrl+Return")
	t.until("the message on its way", func(s screen.Shown) bool { return s.Composer == 0 })
}

// allow waits for a request, keeps a picture, and allows it once.
func (t *tour) allow(name string) {
	t.until("a request", func(s screen.Shown) bool { return s.Cards > 0 && !s.Answered })
	t.shot(name)
	t.press("ctrl+r")
	t.until("the keyboard in the card", func(s screen.Shown) bool { return s.Focus != "message" })
	for range 30 {
		before := t.now().Focus
		if before == "Allow once" || t.err != nil {
			break
		}
		t.press("Tab")
		t.until("the next thing after "+before, func(s screen.Shown) bool { return s.Focus != before })
	}
	// A card ignores keys when it has just come.
	t.repeat("Return", func(s screen.Shown) bool { return s.Answered || s.Cards == 0 })
	t.until("the end of the turn", func(s screen.Shown) bool { return s.Turn == "completed" && s.Cards == 0 })
	t.shot(name + "-done")
}

func (t *tour) now() screen.Shown {
	s, err := t.w.Now()
	if t.err == nil {
		t.err = err
	}
	return s
}

func (t *tour) press(keys ...string) {
	if t.err == nil {
		t.err = screen.Press(t.ctx, keys...)
	}
}

// repeat presses a key until it had its effect.
func (t *tour) repeat(key string, want func(screen.Shown) bool) {
	for range 20 {
		t.press(key)
		if t.err != nil || t.w.Within(t.ctx, screen.Moment, want) {
			return
		}
	}
	t.err = fmt.Errorf("%s had no effect; the window shows %+v", key, t.now())
}

func (t *tour) until(what string, want func(screen.Shown) bool) {
	if t.err == nil {
		_, t.err = t.w.Until(t.ctx, what, want)
	}
}

// shot keeps a picture and says where.
func (t *tour) shot(name string) {
	if t.err != nil {
		return
	}
	t.n++
	path := filepath.Join(t.out, fmt.Sprintf("%02d-%s.png", t.n, name))
	if t.err = screen.Shot(t.ctx, path); t.err == nil {
		fmt.Fprintln(os.Stdout, path)
	}
}
