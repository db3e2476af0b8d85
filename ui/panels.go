package ui

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets"
)

// openQueue shows the messages that wait for the running turn.
func (w *Window) openQueue() {
	q, at := w.snap.Queue, w.snap.At
	var items []menuItem
	if t := w.comp.entry.Text; strings.TrimSpace(t) != "" {
		items = append(items, menuItem{
			row: widgets.Row{ID: "\x00add", Title: safetext.Trusted("Queue the message that is written")},
			run: func() {
				w.askAt(at, session.EditQueue{Op: "add", Text: t})
				w.comp.entry.SetText("")
				w.comp.push("")
			},
		})
	}
	if len(q.Entries) > 0 {
		items = append(items, menuItem{
			row: widgets.Row{ID: "\x00start", Title: safetext.Trusted("Send the first one now")},
			run: func() { w.askAt(at, session.EditQueue{Op: "start"}) },
		})
	}
	for i, e := range q.Entries {
		items = append(items, menuItem{
			row: widgets.Row{ID: e.ID, Title: safetext.MakeLine(fmt.Sprintf("%d. %s", i+1, e.Text)), Badge: safetext.Trusted("remove…")},
			run: func() {
				w.confirm("queue", line("Remove “%s” from the queue?", e.Text), safetext.Trusted("Remove"),
					func() { w.askAt(at, session.EditQueue{Op: "delete", Entry: e.ID}) })
			},
		})
	}
	head := safetext.Join(" ", safetext.Trusted("Message queue."), safetext.MakeLine(q.Rule))
	if q.Paused {
		head = safetext.Join(" ", head, safetext.Trusted("Paused."))
	}
	w.menu("queue", head, items)
}

// closing asks before unsent text is given up.
func (w *Window) closing() {
	n := 0
	for thread, has := range w.comp.unsent {
		if has && thread != w.comp.thread {
			n++
		}
	}
	if !w.comp.empty() {
		n++
	}
	n += len(w.snap.Drafts.Rows)
	if n == 0 {
		w.opts.Close()
		return
	}
	if m := widgets.Top(w.win.Canvas()); m != nil && m.Name == "close" {
		return
	}
	var m *widgets.Modal
	keep := closer(safetext.Trusted("Keep it open"), "keep", widgets.Primary, &m, w.focusComposer)
	leave := closer(safetext.Trusted("Close and lose it"), "close", widgets.Plain, &m, w.opts.Close)
	m = widgets.NewModal("close", safetext.Trusted("There is unsent text"), []fyne.CanvasObject{
		para(line("%s would be lost: it is kept in memory only.", plural(n, "unsent message", "unsent messages"))),
	}, keep, leave)
	w.dialog(m, keep)
}
