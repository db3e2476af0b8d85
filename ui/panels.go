package ui

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets"
)

// openOperations lists what was asked of the server and is not plainly done.
func (w *Window) openOperations() {
	var rows []widgets.Row
	ops := w.snap.Operations.Rows
	for i := len(ops) - 1; i >= 0; i-- {
		if o := ops[i]; !plainlyDone(o) {
			rows = append(rows, widgets.Row{
				ID: o.ID, Title: operationTitle(o), Sub: safetext.MakeLine(o.Text),
				Right: safetext.MakeLine(clock(o.At)), Badge: safetext.MakeLine(o.Kind), Warn: o.State == "OutcomeUnknown",
			})
		}
	}
	body := []fyne.CanvasObject{para(safetext.Trusted("Everything that was asked of the server is done."))}
	var m *widgets.Modal
	closeIt := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
	first := fyne.Focusable(closeIt)
	if len(rows) > 0 {
		list := widgets.NewRowList("operations", safetext.Trusted("Operations"))
		list.SetRows(rows)
		list.OnOpen = func(r widgets.Row) { m.Close(); w.openOperation(r.ID) }
		body, first = []fyne.CanvasObject{w.bounded(list)}, list
	}
	m = widgets.NewModal("operations", safetext.Trusted("Operations that are not plainly done"), body, closeIt)
	w.dialog(m, first)
}

// plainlyDone says that nothing about an operation needs a look.
func plainlyDone(o *session.Operation) bool {
	return o.State == "Confirmed" && (o.Seen || !strings.HasPrefix(o.Kind, "turn/st"))
}

// operationTitle says an operation's state in words.
func operationTitle(o *session.Operation) safetext.Line {
	words := map[string]string{
		"NotSent": "Not sent", "InFlight": "Sent, waiting for the answer", "Confirmed": "Accepted",
		"Rejected": "Refused", "OutcomeUnknown": "Sent, no answer. It may have run",
	}
	state, ok := words[o.State]
	if !ok {
		state = o.State
	}
	if o.Proof != "" {
		state += " · " + o.Proof
	}
	return safetext.MakeLine(state)
}

// openOperation shows one operation with its text, which can be copied.
func (w *Window) openOperation(id string) {
	for _, o := range w.snap.Operations.Rows {
		if o.ID != id {
			continue
		}
		body := []fyne.CanvasObject{
			para(operationTitle(o)), dim(line("%s · %s", o.Kind, o.At.Format("2 Jan 15:04:05"))),
		}
		var m *widgets.Modal
		closeIt := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
		buttons := []*widgets.Button{closeIt}
		if o.Text != "" {
			body = append(body, widgets.NewCode(safetext.Plain(o.Text)))
			buttons = append(buttons, closer(safetext.Trusted("Copy the text"), "copy", widgets.Plain, &m, func() {
				w.app.Clipboard().SetContent(o.Text)
				w.say(safetext.Trusted("Copied."))
			}))
		}
		m = widgets.NewModal("operation", safetext.Trusted("Operation"), body, buttons...)
		w.dialog(m, closeIt)
		return
	}
}

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
