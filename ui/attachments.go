package ui

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
	"holdfast/widgets/theme"
)

// attachmentsShown says that there is something to say of a list: a row, or why
// there may be one.
func attachmentsShown(a *session.Attachments) bool {
	return a != nil && (len(a.Rows) > 0 || a.Stale != "" && !a.Loading)
}

// attachmentsCount is the number in words; a list that may not be complete looks
// different from one that is.
func attachmentsCount(a *session.Attachments) string {
	switch n := len(a.Rows); {
	case a.Loading:
		return fmt.Sprintf("%d…", n)
	case a.Stale != "":
		return words.T("%d, not complete", n)
	default:
		return fmt.Sprint(n)
	}
}

// An attachPanel is the open list of attachments. It follows the snapshots.
type attachPanel struct {
	w       *Window
	thread  string
	modal   *widgets.Modal
	note    *widgets.Text
	list    *widgets.RowList
	refresh *widgets.Button
	close   *widgets.Button
	seen    *session.Attachments
}

// openAttachments lists what is stored with the conversation. Nothing in it can
// be opened or previewed.
func (w *Window) openAttachments() {
	s := w.snap
	if s.Thread == nil || s.Attachments == nil {
		w.say(safetext.Trusted("No conversation is selected."))
		return
	}
	p := &attachPanel{w: w, thread: s.Thread.ID}
	p.note = widgets.NewText(safetext.Line{}, widgets.Style{Size: theme.SizeSmall, Color: theme.ColorDim})
	p.list = widgets.NewRowList("attachments", safetext.Trusted("Attachments"))
	p.list.OnOpen = func(r widgets.Row) { p.openRow(r.ID) }
	p.refresh = widgets.NewButton(safetext.Trusted("Refresh"), widgets.Plain, func() { w.ask(session.ListAttachments{}) })
	p.refresh.Name = "refresh attachments"
	p.close = closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &p.modal, nil)
	body := []fyne.CanvasObject{p.note, container.New(listRoom{w, p.list}, p.list)}
	p.modal = widgets.NewModal("attachments", safetext.Trusted("Attachments"), body, p.close, p.refresh)
	p.modal.OnClosed = func() { w.attach = nil }
	w.attach = p
	p.show(s)
	first := fyne.Focusable(p.list)
	if len(s.Attachments.Rows) == 0 {
		first = p.close
	}
	w.dialog(p.modal, first)
}

// show follows a snapshot; the panel of another conversation closes.
func (p *attachPanel) show(s *session.Snapshot) {
	if s.Thread == nil || s.Thread.ID != p.thread || s.Attachments == nil {
		p.modal.Close()
		return
	}
	p.refresh.SetEnabled(s.Status.Allows(session.ActSelect)) // that is: connected
	if a := s.Attachments; a != p.seen {
		p.seen = a
		p.list.SetRows(attachmentRows(a, p.w.opts.Now()))
		setVisible(p.list, len(a.Rows) > 0)
		p.sayNote(a)
	}
	p.modal.Refresh()
	p.repairFocus()
}

// sayNote says what the list is.
func (p *attachPanel) sayNote(a *session.Attachments) {
	p.note.SetColor(theme.ColorDim)
	switch {
	case a.Loading:
		p.note.Set(safetext.Trusted("Reading the list…"))
	case a.Stale != "":
		p.note.SetColor(theme.ColorWarn)
		p.note.Set(line("This list may not be complete: %s. Refresh reads it again.", words.Key(a.Stale)))
	case len(a.Rows) == 0:
		p.note.Set(safetext.Trusted("Nothing is attached to this conversation."))
	default:
		p.note.Set(safetext.Trusted("Attachments are listed here; none can be opened."))
	}
}

// repairFocus moves the keyboard off what is hidden or disabled now.
func (p *attachPanel) repairFocus() {
	c := p.w.win.Canvas()
	f := c.Focused()
	if f == fyne.Focusable(p.list) && !p.list.Visible() || f == fyne.Focusable(p.refresh) && p.refresh.Disabled() {
		c.Focus(p.close)
	}
}

// attachmentRows makes a row of each attachment.
func attachmentRows(a *session.Attachments, now time.Time) []widgets.Row {
	rows := make([]widgets.Row, 0, len(a.Rows))
	for _, x := range a.Rows {
		rows = append(rows, widgets.Row{
			ID: x.ID, Title: attachmentKey(x.Identity), Badge: attachmentKey(x.Type),
			Sub: line("unavailable: %s", words.Key(x.Reason)), Right: safetext.Join(" · ", safetext.MakeLine(ago(now, x.CreatedAt)), safetext.MakeLine(bytesWord(x.Bytes))),
		})
	}
	return rows
}

// attachmentKey is a type or an identity, also where there is nothing to see.
func attachmentKey(s string) safetext.Line {
	if l := safetext.MakeLine(s); !l.Empty() {
		return l
	}
	return safetext.Trusted("(empty)")
}

// openRow shows one attachment's facts in full; in the list a long one is cut.
func (p *attachPanel) openRow(id string) {
	for _, x := range p.seen.Rows {
		if x.ID == id {
			p.modal.Close()
			p.w.openAttachment(x)
			return
		}
	}
}

func (w *Window) openAttachment(x *session.AttachmentRow) {
	fact := func(label words.Key, value safetext.Line) fyne.CanvasObject {
		return widgets.Labelled(safetext.Own(label), para(value))
	}
	created := safetext.Trusted("unknown")
	if x.CreatedAt > 0 {
		created = safetext.MakeLine(words.Date(time.Unix(x.CreatedAt, 0), "2 Jan 2006 15:04:05"))
	}
	body := []fyne.CanvasObject{
		fact("Key", attachmentKey(x.Identity)), fact("Type", attachmentKey(x.Type)), fact("Created", created),
		fact("Size", safetext.MakeLine(bytesWord(x.Bytes))), fact("Unavailable", safetext.Own(words.Key(x.Reason))),
		fact("ID", safetext.MakeLine(x.ID)),
	}
	var m *widgets.Modal
	back := closer(safetext.Trusted("Back"), "back", widgets.Plain, &m, w.openAttachments)
	done := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
	m = widgets.NewModal("attachment", safetext.Trusted("Attachment"), body, done, back)
	w.dialog(m, done)
}

// listRoom gives a list as much height as it needs and the window has.
type listRoom struct {
	w    *Window
	list *widgets.RowList
}

// HeightAt implements widgets.TallLayout.
func (r listRoom) HeightAt([]fyne.CanvasObject, float32) float32 {
	if !r.list.Visible() {
		return 0
	}
	return min(r.list.HeightAt(0), max(r.w.win.Canvas().Size().Height-200, 120))
}

func (r listRoom) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(40, r.HeightAt(o, 0))
}

func (r listRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		place(o, 0, 0, size.Width, size.Height)
	}
}
