//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/tools/internal/screen"
)

// A long conversation in every way it can be incomplete, in each theme, wide and
// narrow, by keyboard alone: paging to both ends of the window, a failed page,
// an overflow, a stale reading, rows that were shortened, a folded turn, an
// older conversation, one whose history is lost, and the attachments in each of
// their states. It leaves a
// picture of each in out/matrix.
//
// req: UI-1, HIS-6, HIS-8, HIS-10, ATT-4, ATT-6
func TestMatrixOfTheHistory(t *testing.T) {
	for _, theme := range []string{"light", "dark", "high-contrast"} {
		for _, size := range []string{"1200x800", "360x740"} {
			t.Run(theme+" "+size, func(t *testing.T) {
				m := beginHistory(t, theme, size)
				m.cutRows()
				m.folds()
				m.pages()
				m.overflows()
				m.attachments()
				m.olderConversation()
				m.lostConversation()
				m.conversations()
				m.presses("alt+F4")
				m.leaves()
			})
		}
	}
}

// historyMatrix is a person before a window on a scripted server.
type historyMatrix struct {
	*person
	srv *scripted
}

// items is how many the archive has: more than a window holds.
const items = 1300

func beginHistory(t *testing.T, theme, size string) *historyMatrix {
	srv := startScripted(t)
	for n := range items/4 - 1 {
		srv.add(asks(fmt.Sprintf("What was the tide on day %d?", n+1)), runs(fmt.Sprintf("tide --day %d", n+1), "high 04:12\nlow 10:31\n"),
			answers("One moment."), answers(fmt.Sprintf("On day %d it was high at **04:12** and low at 10:31.", n+1)))
	}
	var log strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&log, "%05d  buoy %02d  light on, mooring holds\n", i, i%40)
	}
	half := strings.Repeat("all quiet at the pier\n", 1488)[:32_724] // the server keeps 64 KiB, its mark in the middle
	server := half + "\n... command output truncated for persistence ...\n" + half
	srv.add(asks("Show me the log of the buoys."), runs("cat buoys.log", log.String()), runs("cat everything.log", server),
		answers("The log is long; every light is on."))
	h := realserver.New(t, realserver.Target, fakemodel.Config{})
	narrow := "wide"
	if strings.HasPrefix(size, "360") {
		narrow = "narrow"
	}
	p := sitDown(t, h, theme+"-"+narrow, "--theme", theme, "--size", size, "--connect", srv.URL)
	p.out = filepath.Join(filepath.Dir(p.out), "matrix")
	m := &historyMatrix{person: p, srv: srv}
	m.sees("the list", func(s screen.Shown) bool { return s.State == "awaiting-selection" && s.Threads == 50 })
	m.opens("The archive", 100)
	m.picture("h01-newest")
	return m
}

func (m *historyMatrix) opens(title string, rows int) screen.Shown {
	m.t.Helper()
	m.movesTo(title)
	m.presses("Return")
	return m.sees("the reading", func(s screen.Shown) bool {
		return s.State == "ready" && s.Header == title && s.Rows == rows
	})
}

func (m *historyMatrix) toRows(keys ...string) {
	m.t.Helper()
	m.presses("alt+2")
	m.sees("the keyboard in the transcript", func(s screen.Shown) bool { return s.Focus == "transcript" })
	m.presses(keys...)
}

// cutRows shows a row that we shortened, one that the server did, and all of the
// first, which is copied and saved.
func (m *historyMatrix) cutRows() {
	m.t.Helper()
	m.toRows("End", "Up", "Return", "End")
	m.picture("h02-cut-by-the-server")
	m.presses("Up", "Return", "Up", "Return", "End")
	m.picture("h03-cut-here")
	m.presses("Up", "Up", "Return")
	m.sees("the whole text", func(s screen.Shown) bool { return s.Dialog == "whole row" && s.Focus == "code" })
	m.presses("Next")
	m.picture("h04-whole")
	m.tabsTo("next part")
	m.presses("Return")
	m.tabsTo("save")
	m.presses("Return")
	m.sees("the question where", func(s screen.Shown) bool { return s.Dialog == "save to a file" && s.Focus == "file" })
	m.picture("h05-save")
	path := filepath.Join(m.t.TempDir(), "buoys.txt")
	if err := screen.Type(m.t.Context(), path); err != nil {
		m.t.Fatal(err)
	}
	m.presses("Return")
	m.sees("the file", func(s screen.Shown) bool { return s.Dialog == "whole row" && strings.Contains(s.Note, path) })
	m.picture("h06-saved")
	m.presses("Escape")
	m.sees("the transcript", func(s screen.Shown) bool { return s.Dialog == "" && s.Focus == "transcript" })
}

func (m *historyMatrix) folds() {
	m.t.Helper()
	m.toRows("End")
	m.presses("ctrl+shift+u")
	m.picture("h07-folded")
	m.presses("ctrl+shift+u")
}

// pages walks to the oldest row, over the window's bound, and back.
func (m *historyMatrix) pages() {
	m.t.Helper()
	m.toRows("Home")
	m.picture("h08-load-older")
	release := m.srv.holds("thread/items/list")
	m.presses("ctrl+o")
	m.picture("h09-loading-older")
	release()
	s := m.sees("older rows", func(s screen.Shown) bool { return s.Rows == 200 })
	m.srv.breaks("thread/items/list", "the disk is on fire")
	m.presses("Home", "ctrl+o")
	m.sees("why not", func(s screen.Shown) bool { return len(s.Notices) > 0 })
	m.picture("h10-page-failed")
	m.srv.breaks("thread/items/list", "")
	m.presses("ctrl+shift+w")
	m.sees("no notice", func(s screen.Shown) bool { return len(s.Notices) == 0 })
	for n := 300; n <= items; n += 100 {
		rows, last := min(n, 1000), s.LastHash
		m.toRows("Home", "ctrl+o")
		s = m.sees(fmt.Sprint(n, " items walked"), func(s screen.Shown) bool {
			return s.Rows == rows && (n <= 1000) == (s.LastHash == last)
		})
	}
	m.toRows("Home")
	m.picture("h11-oldest")
	m.toRows("End")
	m.picture("h12-window-end")
	release = m.srv.holds("thread/items/list")
	m.presses("ctrl+shift+o")
	m.picture("h13-loading-newer")
	release()
	m.sees("newer rows", func(now screen.Shown) bool { return now.LastHash != s.LastHash && now.Rows <= 1000 })
	m.picture("h13-newer-rows")
	m.presses("F5")
	m.sees("the newest page", func(s screen.Shown) bool { return s.State == "ready" && s.Rows == 100 })
}

// overflows says more during a read than may be held back (HIS-8), and then a
// status that makes the reading old.
func (m *historyMatrix) overflows() {
	m.t.Helper()
	release := m.srv.holds("thread/items/list")
	m.presses("F5")
	m.sees("the read", func(s screen.Shown) bool { return s.State == "synchronizing" })
	m.picture("h14-synchronizing")
	of := object{"threadId": archive, "turn": object{"id": "turn-x", "status": "inProgress", "items": array{}}}
	m.srv.says("turn/started", of)
	for i := range 1024 {
		it := answers("x")
		it["id"] = fmt.Sprint("live-", i)
		m.srv.says("item/completed", object{"threadId": archive, "turnId": "turn-x", "item": it, "completedAtMs": 1})
	}
	release()
	m.sees("the overflow", func(s screen.Shown) bool { return s.State == "history-refresh" && s.Rows > 0 })
	m.picture("h15-overflow")
	m.presses("F5")
	m.sees("the rows anew", func(s screen.Shown) bool { return s.State == "ready" && s.Rows == 100 })
	m.srv.says("thread/status/changed", object{"threadId": archive, "status": object{"type": "active", "activeFlags": array{}}})
	m.sees("the change", func(s screen.Shown) bool { return strings.Contains(s.Stale, "changed since read") })
	m.picture("h16-changed-since-read")
	m.presses("F5")
	m.sees("a reading of now", func(s screen.Shown) bool { return s.State == "ready" && s.Stale == "" })
}

func note(id, kind, key string, payload any) any {
	return object{"id": id, "attachmentType": kind, "identityKey": key, "payload": payload, "createdAt": began}
}

// attachments shows the panel empty, reading, with rows of every kind, full,
// changing without end, and failed.
func (m *historyMatrix) attachments() {
	m.t.Helper()
	is := func(attached string) func(screen.Shown) bool {
		return func(s screen.Shown) bool { return s.Dialog == "attachments" && s.Attached == attached }
	}
	refresh := func() {
		m.tabsTo("refresh attachments")
		m.presses("Return")
	}
	m.presses("ctrl+shift+e")
	m.sees("no attachment", func(s screen.Shown) bool { return s.Dialog == "attachments" })
	m.picture("h20-attachments-none")
	some := []any{
		note("a1", "note", "tide table", object{"about": "tides"}), note("a2", "text/html", "chart.html", strings.Repeat("x", 2000)),
		note("a3", "note", strings.Repeat("a long key ", 24), 1), note("a4", "note", "too large", strings.Repeat("x", 65_535)),
	}
	m.srv.attaches(func(string) (object, error) { return pageOf(nil, some...), nil })
	release := m.srv.holds("thread/attachment/list")
	refresh()
	m.sees("the reading", is("0…"))
	m.picture("h21-attachments-reading")
	release()
	m.sees("four", is("4"))
	m.picture("h22-attachments-unavailable")
	m.srv.attaches(func(string) (object, error) {
		m.srv.mu.Unlock() // it is called with the server in hand
		m.srv.says("thread/attachment/updated", object{
			"threadId": archive, "attachmentType": "note", "identityKey": "k", "attachmentId": "a9", "operation": "created",
		})
		m.srv.mu.Lock()
		return pageOf(nil, some...), nil
	})
	refresh()
	m.sees("endless changes", is("4, not complete"))
	m.picture("h23-attachments-changing")
	m.srv.attaches(func(string) (object, error) { return nil, errors.New("the list is locked") })
	refresh()
	m.sees("the failure", func(s screen.Shown) bool { return strings.Contains(strings.Join(s.Notices, " "), "the list is locked") })
	m.picture("h24-attachments-failed")
	var many []any
	for i := range 101 {
		many = append(many, note(fmt.Sprint("m", i), "note", fmt.Sprint("page ", i), i))
	}
	m.srv.attaches(func(cursor string) (object, error) {
		switch cursor {
		case "":
			return pageOf("c1", many[:50]...), nil
		case "c1":
			return pageOf("c2", many[50:100]...), nil
		}
		return pageOf(nil, many[100]), nil
	})
	refresh()
	m.sees("a hundred", is("100, not complete"))
	m.picture("h25-attachments-full")
	m.presses("Escape", "ctrl+shift+w")
	m.sees("the window", func(s screen.Shown) bool { return s.Dialog == "" && len(s.Notices) == 0 })
	m.picture("h26-attachments-counted")
}

// olderConversation has summaries first, whole turns on demand.
func (m *historyMatrix) olderConversation() {
	m.t.Helper()
	m.opens("An older one", 6)
	m.picture("h30-summaries")
	m.toRows("End", "Return")
	m.sees("the whole turn", func(s screen.Shown) bool { return s.Rows == 9 })
	m.picture("h31-whole-turn")
	m.toRows("End", "Return")
	m.sees("it folded again", func(s screen.Shown) bool { return s.Rows == 6 })
	m.picture("h32-folded-again")
}

// lostConversation is one that the server has and lists nothing of.
func (m *historyMatrix) lostConversation() {
	m.t.Helper()
	m.opens("A lost one", 0)
	m.sees("why there is nothing", func(s screen.Shown) bool { return strings.Contains(s.Stale, "history database") })
	m.picture("h33-incomplete")
}

// conversations filters the list, which says what it has looked at, and pages
// it at its end.
func (m *historyMatrix) conversations() {
	m.t.Helper()
	m.presses("ctrl+p")
	m.sees("the keyboard in the filter", func(s screen.Shown) bool { return s.Focus == "filter" })
	if err := screen.Type(m.t.Context(), "watch 3"); err != nil {
		m.t.Fatal(err)
	}
	m.picture("h40-filter")
	m.presses("ctrl+a", "BackSpace", "alt+1", "End")
	m.sees("the next page", func(s screen.Shown) bool { return s.Threads == 100 })
	m.picture("h41-list-paged")
}
