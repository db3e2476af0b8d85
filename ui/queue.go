package ui

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets"
	"holdfast/widgets/theme"
)

// A queuePanel is the open queue of messages. It follows the snapshots; its
// buttons act on the row that is marked.
type queuePanel struct {
	w      *Window
	thread string
	modal  *widgets.Modal
	note   *widgets.Text
	list   *widgets.RowList
	up     *widgets.Button
	down   *widgets.Button
	edit   *widgets.Button
	remove *widgets.Button
	start  *widgets.Button
	close  *widgets.Button
}

// openQueue shows the messages that wait for the running turn.
func (w *Window) openQueue() {
	s := w.snap
	if s.Thread == nil || s.Queue == nil {
		w.say(safetext.Trusted("There is no queue to show yet."))
		return
	}
	p := &queuePanel{w: w, thread: s.Thread.ID}
	p.note = widgets.NewText(safetext.Line{}, widgets.Style{Size: theme.SizeSmall, Color: theme.ColorDim})
	p.list = widgets.NewRowList("queue", safetext.Trusted("Waiting messages"))
	p.list.MarkCurrent = true
	p.list.OnOpen = func(widgets.Row) { p.editEntry() }
	p.list.OnMove = func(widgets.Row) { p.showButtons() }
	button := func(label safetext.Line, name string, do func()) *widgets.Button {
		b := widgets.NewButton(label, widgets.Plain, do)
		b.Name = name
		return b
	}
	p.up = button(safetext.Trusted("Up"), "up", func() { p.move(-1) })
	p.down = button(safetext.Trusted("Down"), "down", func() { p.move(1) })
	p.edit = button(safetext.Trusted("Edit…"), "edit", p.editEntry)
	p.remove = button(safetext.Trusted("Remove…"), "remove", p.removeEntry)
	p.start = button(safetext.Trusted("Send now"), "start", func() { p.change(session.EditQueue{Op: "start"}) })
	p.close = closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &p.modal, nil)
	body := []fyne.CanvasObject{p.note, container.New(listRoom{w, p.list}, p.list)}
	p.modal = widgets.NewModal("queue", safetext.Trusted("Message queue"), body, p.close, p.edit, p.up, p.down, p.remove, p.start)
	p.modal.OnClosed = func() { w.queue = nil }
	w.queue = p
	p.show(s)
	first := fyne.Focusable(p.list)
	if len(s.Queue.Entries) == 0 {
		first = p.close
	}
	w.dialog(p.modal, first)
}

// show follows a snapshot; the panel of another conversation closes.
func (p *queuePanel) show(s *session.Snapshot) {
	if s.Thread == nil || s.Thread.ID != p.thread || s.Queue == nil {
		p.modal.Close()
		return
	}
	rows := make([]widgets.Row, len(s.Queue.Entries))
	for i, e := range s.Queue.Entries {
		rows[i] = widgets.Row{ID: e.ID, Title: safetext.MakeLineMax(e.Text, 200), Badge: safetext.MakeLine(fmt.Sprintf("%d.", i+1))}
		if !e.TextOnly {
			rows[i].Sub = safetext.Trusted("with more than text")
		}
	}
	p.list.SetRows(rows)
	setVisible(p.list, len(rows) > 0)
	p.note.Set(queueNote(s))
	p.showButtons()
	p.modal.Refresh()
	p.repairFocus()
}

// queueNote says what the queue does now, and whose rule holds.
func queueNote(s *session.Snapshot) safetext.Line {
	rule := safetext.MakeLine(s.Queue.Rule)
	switch {
	case len(s.Queue.Entries) == 0:
		return safetext.Join(" ", safetext.Trusted("Nothing waits."), rule)
	case s.Thread.TurnStatus != "inProgress":
		return safetext.Join(" ", safetext.Trusted("It waits: nothing is sent until you start it, or another turn ends."), rule)
	}
	return rule
}

// place is where the marked row stands, and among how many.
func (p *queuePanel) place() (i, n int) { return p.list.Place(), len(p.list.Rows()) }

func (p *queuePanel) showButtons() {
	s := p.w.snap
	i, n := p.place()
	may := s.Status.Allows(session.ActQueue) && n > 0
	p.up.SetEnabled(may && i > 0)
	p.down.SetEnabled(may && i < n-1)
	p.edit.SetEnabled(may && p.entry().TextOnly && widgets.Fits(p.entry().Text))
	p.remove.SetEnabled(may)
	p.start.SetEnabled(may && s.Thread.TurnStatus != "inProgress")
}

// entry is the message of the marked row.
func (p *queuePanel) entry() session.QueueEntry {
	for _, e := range p.w.snap.Queue.Entries {
		if e.ID == p.list.Current().ID {
			return e
		}
	}
	return session.QueueEntry{}
}

// repairFocus moves the keyboard off what is hidden or disabled now: to the
// list, where no key does harm.
func (p *queuePanel) repairFocus() {
	c := p.w.win.Canvas()
	if widgets.Top(c) != p.modal {
		return
	}
	f := c.Focused()
	d, can := f.(fyne.Disableable)
	switch {
	case f == fyne.Focusable(p.list) && !p.list.Visible():
		c.Focus(p.close)
	case can && d.Disabled() && p.list.Visible():
		c.Focus(p.list)
	case can && d.Disabled():
		c.Focus(p.close)
	}
}

// change asks for a change of the marked message.
func (p *queuePanel) change(in session.EditQueue) {
	in.Entry = p.list.Current().ID
	p.w.ask(in)
}

// move asks for another place: before the row that will follow, or last.
func (p *queuePanel) move(by int) {
	i, n := p.place()
	next := i + by
	if by > 0 {
		next++
	}
	in := session.EditQueue{Op: "reorder"}
	if next < n {
		in.Before = p.list.Rows()[next].ID
	}
	p.change(in)
}

func (p *queuePanel) removeEntry() {
	id, at := p.list.Current().ID, p.w.snap.At
	p.w.confirm("unqueue", line("Remove “%s” from the queue?", safetext.MakeLineMax(p.entry().Text, 80)), safetext.Trusted("Remove"),
		func() { p.w.askAt(at, session.EditQueue{Op: "delete", Entry: id}) }, safetext.Trusted("Its text is kept nowhere else."))
}

// editEntry opens the text of the marked message.
func (p *queuePanel) editEntry() {
	if p.edit.Disabled() {
		return
	}
	e, at := p.entry(), p.w.snap.At
	var m *widgets.Modal
	text := widgets.NewComposer(safetext.Trusted("Message"))
	text.Name = "queued text"
	text.SetText(e.Text)
	problem := widgets.NewText(safetext.Line{}, widgets.Style{Size: theme.SizeSmall, Color: theme.ColorErr})
	complain := func(l safetext.Line) { problem.Set(l); m.Refresh() }
	text.OnFull = func() { complain(safetext.Trusted("The message is full.")) }
	text.OnLong = func(string) { complain(safetext.Trusted("That is too long to be put in here. Nothing was changed.")) }
	saving, refused := false, false
	save := func() {
		switch {
		case saving:
			return
		case strings.TrimSpace(text.Text) == "":
			complain(safetext.Trusted("There is nothing in it. Cancel, and remove it instead."))
			return
		}
		saving = true
		in := session.EditQueue{Op: "update", Entry: e.ID, Text: text.Text}
		p.w.core.Do(at, in, func(r session.Result) {
			p.w.opts.Do(func() {
				saving = false
				switch {
				case r.OK:
					m.Close()
				case r.Code == "rejected" || r.Code == "not-sent": // the core put it into the message
					m.Close()
					p.w.say(safetext.Join(" ", refusal(in, r), safetext.Trusted("Its text is in the message now.")))
				default:
					refused = true
					complain(refusal(in, r)) // what was typed stays
				}
			})
		})
	}
	text.OnSend = save
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, nil)
	ok := widgets.NewKeyButton(safetext.Trusted("Save"), p.w.keyOf(session.ActSend), widgets.Primary, save)
	ok.Name = "save"
	m = widgets.NewModal("edit queued", safetext.Trusted("Edit the waiting message"), []fyne.CanvasObject{text, problem}, cancel, ok)
	m.OnClosed = func() {
		if refused && text.Text != e.Text {
			p.w.cards.keepText(text.Text)
		}
	}
	p.w.dialog(m, text)
}

// mayEnqueue is what the key of the queue needs: a turn to wait for.
func mayEnqueue(w *Window) (bool, safetext.Line) {
	s := w.snap
	switch {
	case !s.Status.Allows(session.ActQueue):
		return false, w.reason(session.ActQueue)
	case !w.comp.steers(s):
		return false, line("No turn is running: send it (%s).", w.keyOf(session.ActSend))
	}
	return true, safetext.Line{}
}

// queueLabel says how many messages wait.
func queueLabel(s *session.Snapshot) (l safetext.Line, n int) {
	if s.Queue == nil {
		return l, 0
	}
	n = len(s.Queue.Entries)
	return line("%d queued", n), n
}
