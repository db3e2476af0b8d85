//go:build e2e

package e2e

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
	"holdfast/tools/chaos/fault"
	"holdfast/tools/internal/screen"
)

// harbour is a home with a conversation of more than a page, and another one.
var harbour = realserver.Seed{Name: "harbour", Revision: 1, Make: func(h *realserver.Home, m *seed.Maker) error {
	if _, err := m.Make(h.Context(), seed.Long("The harbour", 15, 10)); err != nil {
		return err
	}
	_, err := m.Make(h.Context(), seed.Thread{Name: "Another one", Turns: []seed.Turn{
		{Ask: "Hello", Answers: []fakemodel.Script{fakemodel.Say("Good day.")}},
	}})
	return err
}}

// A loss and everything after it, in each theme, in a narrow window, by keyboard
// alone, on a real server behind a proxy that breaks the connection. It leaves a
// picture of each step in out/matrix.
//
// req: UI-1, JON-2, DRF-4, DRF-5, LED-7
func TestMatrix(t *testing.T) {
	for _, theme := range []string{"light", "dark", "high-contrast"} {
		t.Run(theme, func(t *testing.T) {
			m := beginMatrix(t, theme)
			m.readAndJoin()
			m.loseAndReconnect()
			m.restore()
			m.restoreOntoText()
			m.send()
			m.doubt()
			m.discard()
			m.refresh()
			m.presses("alt+F4")
			m.leaves()
		})
	}
}

// matrix is a person before the window, and the connection to be broken.
type matrix struct {
	*person
	home  *realserver.Home
	proxy *fault.Proxy
}

func beginMatrix(t *testing.T, theme string) *matrix {
	h := realserver.New(t, realserver.Target, fakemodel.Config{})
	harbour.Into(h)
	srv := h.ListenWS()
	proxy, err := fault.Listen(context.WithoutCancel(t.Context()), "", func(ctx context.Context) (fault.Upstream, error) {
		var d net.Dialer
		c, err := d.DialContext(ctx, "tcp", strings.TrimPrefix(srv.URL, "ws://"))
		if err != nil {
			return nil, err
		}
		return c.(*net.TCPConn), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Close)
	p := sitDown(t, h, theme, "--theme", theme, "--size", "360x740", "--connect", "ws://"+proxy.Addr(), "--timing", "4")
	p.out = filepath.Join(filepath.Dir(p.out), "matrix")
	m := &matrix{person: p, home: h, proxy: proxy}
	m.sees("the list", func(s screen.Shown) bool { return s.State == "awaiting-selection" && s.Threads == 2 })
	return m
}

// opens chooses The harbour from the list.
func (m *matrix) opens() screen.Shown {
	m.t.Helper()
	m.movesTo("The harbour")
	m.presses("Return")
	return m.sees("the reading", func(s screen.Shown) bool {
		return s.State == "ready" && s.Header == "The harbour" && s.Thread != "" && !s.Joined && s.Rows > 0
	})
}

func (m *matrix) joins() {
	m.t.Helper()
	m.presses("ctrl+j")
	m.sees("the join", func(s screen.Shown) bool { return s.Joined && s.Live && s.State == "ready" })
}

// writes types into the message, behind what is there.
func (m *matrix) writes(text string) {
	m.t.Helper()
	m.presses("alt+3")
	s := m.sees("the keyboard in the message", inMessage)
	m.presses("ctrl+End")
	if err := screen.Type(m.t.Context(), text); err != nil {
		m.t.Fatal(err)
	}
	m.sees("the text "+text, func(now screen.Shown) bool { return now.Composer == s.Composer+len(text) })
}

// loses drops the connection and waits for the next one.
func (m *matrix) loses(drafts int) screen.Shown {
	m.t.Helper()
	m.proxy.Reset()
	return m.sees("the new connection", func(s screen.Shown) bool {
		return s.State == "awaiting-selection" && s.Thread == "" && s.Drafts == drafts
	})
}

// asked counts how often the model was asked with a text.
func (m *matrix) asked(text string) int {
	n := 0
	for _, r := range m.home.Model.Requests() {
		if r.Asked() == text {
			n++
		}
	}
	return n
}

func (m *matrix) readAndJoin() {
	m.t.Helper()
	s := m.opens()
	m.picture("01-reading")
	m.presses("ctrl+o")
	m.sees("older rows", func(now screen.Shown) bool { return now.Rows > s.Rows })
	m.picture("02-load-older")
	m.joins()
	m.picture("03-join")
}

const thought = "an unsent thought"

func (m *matrix) loseAndReconnect() {
	m.t.Helper()
	m.writes(thought)
	hang := fault.Greeting{Hang: true}
	m.proxy.Greet(hang, hang, hang, hang, hang)
	m.proxy.Reset()
	s := m.sees("the attempts", func(s screen.Shown) bool {
		return s.State == "reconnecting" && s.Drafts == 1 && s.Composer == 0 && strings.Contains(s.Banner, "of 5")
	})
	if s.Focus != "message" || s.Rows == 0 || s.Header != "The harbour" {
		m.t.Errorf("the loss left %+v", s)
	}
	m.picture("04-reconnecting")
	m.presses("ctrl+shift+x")
	m.sees("the end of the attempts", func(s screen.Shown) bool { return s.State == "manual-reconnect" && s.Code == "cancelled" })
	m.picture("05-manual")
	m.proxy.Heal()
	m.proxy.Shut()
	m.presses("ctrl+shift+r")
	m.sees("a failed retry", func(s screen.Shown) bool { return s.State == "manual-reconnect" && s.Code == "not-connected" })
	m.picture("06-retry-failed")
	if err := m.proxy.Reopen(); err != nil {
		m.t.Fatal(err)
	}
	m.presses("ctrl+shift+r")
	s = m.sees("the new connection", func(s screen.Shown) bool {
		return s.State == "awaiting-selection" && s.Drafts == 1 && strings.Contains(s.Draft, "confirm the connection")
	})
	if s.Thread != "" || s.Rows == 0 || s.Header != "The harbour" || s.Composer != 0 {
		m.t.Errorf("the new connection shows %+v", s)
	}
	m.picture("07-recovered")
}

// restore needs a confirmation and a selection, and sends nothing.
func (m *matrix) restore() {
	m.t.Helper()
	m.presses("F3")
	m.presses("ctrl+shift+y")
	m.sees("the confirmation", func(s screen.Shown) bool {
		return strings.HasSuffix(s.Draft, "To restore it, choose a conversation.") && s.Drafts == 1 && s.Composer == 0
	})
	m.opens()
	m.picture("08-restore-offered")
	m.presses("F3")
	s := m.sees("the draft in the message", func(s screen.Shown) bool { return s.Composer == len(thought) && s.Drafts == 0 })
	if s.Joined || m.asked(thought) != 0 {
		m.t.Errorf("restoring led to %+v, and %d requests", s, m.asked(thought))
	}
	m.picture("09-restored")
}

func (m *matrix) restoreOntoText() {
	m.t.Helper()
	m.loses(1)
	m.presses("ctrl+shift+y")
	m.opens()
	m.writes("first this")
	m.presses("F3")
	m.sees("the question where", func(s screen.Shown) bool { return s.Dialog == "where" && s.Focus == "cancel" })
	m.picture("10-where")
	m.presses("Tab", "Tab")
	m.sees("the keyboard on the choice", func(s screen.Shown) bool { return s.Focus == "after" })
	m.presses("Return")
	m.sees("both texts", func(s screen.Shown) bool { return s.Composer == len("first this\n"+thought) && s.Drafts == 0 })
}

// send is an action of its own, after a join of its own.
func (m *matrix) send() {
	m.t.Helper()
	text := "first this\n" + thought
	m.home.Model.Enqueue(fakemodel.Say("Noted."))
	m.joins()
	if n := m.asked(text); n != 0 {
		m.t.Errorf("the model was asked %d times before Send", n)
	}
	m.presses("alt+3", "ctrl+Return")
	m.sees("the answer", ended("Noted."))
	if n := m.asked(text); n != 1 {
		m.t.Errorf("the model was asked %d times, want once", n)
	}
	m.picture("11-sent")
}

// doubt sends a message whose answer is lost: it is shown as uncertain, can be
// looked at, and is not sent again.
func (m *matrix) doubt() {
	m.t.Helper()
	const text = "did it arrive"
	m.home.Model.Enqueue(fakemodel.Say("It did."))
	m.writes(text)
	m.proxy.Set(fault.Pass, fault.Hold, 0)
	m.presses("ctrl+Return")
	m.sees("the message on its way", func(s screen.Shown) bool { return s.Composer == 0 })
	if _, err := m.home.Model.Await(m.t.Context(), func(r fakemodel.Request) bool { return r.Asked() == text }); err != nil {
		m.t.Fatal(err)
	}
	m.loses(0)
	m.sees("the doubt", func(s screen.Shown) bool { return s.Unsure == 1 })
	m.picture("12-uncertain")
	m.presses("ctrl+shift+g")
	m.sees("the operations", func(s screen.Shown) bool { return s.Dialog == "operations" })
	m.picture("13-operations")
	m.presses("Return")
	m.sees("the operation", func(s screen.Shown) bool { return s.Dialog == "operation" })
	m.picture("14-operation")
	m.presses("Escape")
	m.sees("no dialog", func(s screen.Shown) bool { return s.Dialog == "" })
	m.opens()
	if n := m.asked(text); n != 1 {
		m.t.Errorf("the model was asked %d times, want once", n)
	}
}

func (m *matrix) discard() {
	m.t.Helper()
	m.writes("never mind")
	m.loses(1)
	m.presses("F8")
	m.sees("the question", func(s screen.Shown) bool { return s.Dialog == "discard" && s.Focus == "cancel" })
	m.picture("15-discard")
	m.presses("Tab")
	m.sees("the keyboard on Discard", func(s screen.Shown) bool { return s.Focus == "ok" })
	m.presses("Return")
	m.sees("no draft", func(s screen.Shown) bool { return s.Drafts == 0 && s.Draft == "" && s.Dialog == "" })
}

// refresh is offered when a read had no answer.
func (m *matrix) refresh() {
	m.t.Helper()
	rows := m.opens().Rows
	m.proxy.Set(fault.Pass, fault.Hold, 0)
	m.presses("F5")
	s := m.sees("the failed read", func(s screen.Shown) bool { return s.State == "history-refresh" })
	m.proxy.Heal()
	if s.Rows == 0 {
		m.t.Error("the failed read took the rows away")
	}
	m.picture("16-refresh")
	m.presses("F5")
	m.sees("the rows anew", func(s screen.Shown) bool { return s.State == "ready" && s.Rows >= rows })
	m.picture("17-refreshed")
}
