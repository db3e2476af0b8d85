package ui

import (
	"fmt"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets"
	"holdfast/widgets/theme"
)

// mostNotices is how many lines are shown at once; the oldest wait.
const mostNotices = 3

// noticeArea shows what is said once: the core's notices, what failed here, and
// which other conversations ask.
type noticeArea struct {
	w     *Window
	box   *fyne.Container
	local []session.Notice
	next  int
	shown string
}

func newNoticeArea(w *Window) *noticeArea {
	n := &noticeArea{w: w, box: widgets.NewPaddedColumn(0, theme.Space12, 2)}
	n.box.Hide()
	return n
}

// add says a line of the window's own. The same line is said once.
func (n *noticeArea) add(l safetext.Line) {
	for _, x := range n.local {
		if x.Text == l.String() {
			return
		}
	}
	n.next++
	n.local = append(n.local, session.Notice{ID: fmt.Sprintf("\x00local%d", n.next), Text: l.String()})
	n.show()
}

func (n *noticeArea) all() []session.Notice {
	return append(append([]session.Notice{}, n.w.snap.Notices.Rows...), n.local...)
}

// show rebuilds the lines when what is said changed.
func (n *noticeArea) show() {
	all, ask := n.all(), n.asking()
	key := fmt.Sprint(all, ask)
	if key == n.shown {
		setVisible(n.box, len(n.box.Objects) > 0)
		return
	}
	n.shown = key
	n.box.RemoveAll()
	if ask != nil {
		row := ask
		open := widgets.NewButton(safetext.Trusted("Open"), widgets.Chip, func() { n.w.ask(session.Select{Thread: row.ID}) })
		open.Name = "open asking"
		n.box.Add(n.line(line("Another conversation asks: %s", title(row.Title)), open))
	}
	for i, x := range all {
		if i == mostNotices {
			n.box.Add(widgets.NewText(line("and %d more", len(all)-i), widgets.Style{Size: theme.SizeSmall, Color: theme.ColorDim}))
			break
		}
		dismiss := widgets.NewButton(safetext.Trusted("Dismiss"), widgets.Chip, func() { n.dismiss(x.ID) })
		dismiss.Name = "dismiss"
		n.box.Add(n.line(safetext.MakeLine(x.Text), dismiss))
	}
	setVisible(n.box, len(n.box.Objects) > 0)
}

func (n *noticeArea) line(l safetext.Line, b *widgets.Button) fyne.CanvasObject {
	return widgets.NewSplit(widgets.NewText(l, widgets.Style{Size: theme.SizeSmall}), b)
}

// asking is the first conversation with an open request that is not on screen.
func (n *noticeArea) asking() *session.ThreadRow {
	s := n.w.snap
	for _, r := range s.Threads.Rows {
		if r.Asks && (s.Thread == nil || s.Thread.ID != r.ID) {
			return r
		}
	}
	return nil
}

func (n *noticeArea) dismiss(id string) {
	for i, x := range n.local {
		if x.ID == id {
			n.local = append(n.local[:i:i], n.local[i+1:]...)
			n.show()
			n.w.settle()
			return
		}
	}
	n.w.ask(session.DismissNotice{ID: id})
}

func (w *Window) dismissNotices() {
	w.notices.local = nil
	for _, x := range w.snap.Notices.Rows {
		w.ask(session.DismissNotice{ID: x.ID})
	}
	w.notices.show()
	w.settle()
}
