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
	// lines are those on screen: one that stays keeps its button, and with it
	// the keyboard.
	lines map[string]fyne.CanvasObject
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
	old := n.lines
	n.lines = map[string]fyne.CanvasObject{}
	n.box.RemoveAll()
	if ask != nil {
		n.keep(old, "ask\x00"+ask.ID+ask.Title, func() fyne.CanvasObject {
			open := widgets.NewButton(safetext.Trusted("Open"), widgets.Chip, func() { n.w.ask(session.Select{Thread: ask.ID}) })
			open.Name = "open asking"
			return n.line(line("Another conversation asks: %s", title(ask.Title)), open)
		})
	}
	for i, x := range all {
		if i == mostNotices {
			n.box.Add(widgets.NewText(line("and %d more", len(all)-i), widgets.Style{Size: theme.SizeSmall, Color: theme.ColorDim}))
			break
		}
		n.keep(old, x.ID+"\x00"+x.Text, func() fyne.CanvasObject {
			dismiss := widgets.NewButton(safetext.Trusted("Dismiss"), widgets.Chip, func() { n.dismiss(x.ID) })
			dismiss.Name = "dismiss"
			return n.line(safetext.MakeLine(x.Text), dismiss)
		})
	}
	setVisible(n.box, len(n.box.Objects) > 0)
}

// keep adds the line of a key, the one that was shown before if there was one.
func (n *noticeArea) keep(old map[string]fyne.CanvasObject, key string, fresh func() fyne.CanvasObject) {
	o, ok := old[key]
	if !ok {
		o = fresh()
	}
	n.lines[key] = o
	n.box.Add(o)
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
