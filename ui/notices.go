package ui

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
	"holdfast/widgets/theme"
)

// room is how many notices are shown at once, and how long each may be,
// in a wide and in a narrow window. The rest is a key away.
func (n *noticeArea) room() (mostNotices, mostLines int) {
	if n.w.shell.narrow {
		return 1, 2
	}
	return 3, 3
}

// noticeArea shows what is said once: the core's notices, what failed here, and
// which other conversations ask.
type noticeArea struct {
	w     *Window
	box   *fyne.Container
	local []localNotice
	next  int
	shown string
	// kept are the lines on screen: one that stays keeps its button, and with
	// it the keyboard.
	kept map[string]fyne.CanvasObject
}

// A localNotice is one of the window's own. A passing one goes when the state
// it is about does.
type localNotice struct {
	session.Notice
	passing bool
	state   session.State
}

func newNoticeArea(w *Window) *noticeArea {
	n := &noticeArea{w: w, box: widgets.NewPaddedColumn(0, theme.Space12, 2)}
	n.box.Hide()
	return n
}

// add says a line of the window's own. The same line is said once.
func (n *noticeArea) add(l safetext.Line, passing bool) {
	for _, x := range n.local {
		if x.Text == l.String() {
			return
		}
	}
	n.next++
	n.local = append(n.local, localNotice{
		session.Notice{ID: fmt.Sprintf("\x00local%d", n.next), Text: l.String()}, passing, n.w.snap.Status.State,
	})
	n.show()
}

// drop takes back a line of the window's own that holds no more.
func (n *noticeArea) drop(l safetext.Line) {
	n.local = slices.DeleteFunc(n.local, func(x localNotice) bool { return x.Text == l.String() })
}

// all are the notices, the newest of the window's own first: it answers a key.
func (n *noticeArea) all() []session.Notice {
	n.local = slices.DeleteFunc(n.local, func(x localNotice) bool {
		return x.passing && x.state != n.w.snap.Status.State
	})
	var out []session.Notice
	for _, x := range slices.Backward(n.local) {
		out = append(out, x.Notice)
	}
	return append(out, n.w.snap.Notices.Rows...)
}

// show rebuilds the lines when what is said changed.
func (n *noticeArea) show() {
	all, ask, unsure := n.all(), n.asking(), n.unsure()
	most, _ := n.room()
	key := fmt.Sprint(all, ask, unsure, most, n.lineRunes())
	if key == n.shown {
		setVisible(n.box, len(n.box.Objects) > 0)
		return
	}
	n.shown = key
	old := n.kept
	n.kept = map[string]fyne.CanvasObject{}
	n.box.RemoveAll()
	for _, x := range n.lines(all, ask, unsure) {
		key := fmt.Sprint(x.key, "\x00", x.do, x.most, x.text)
		o, same := old[key]
		if !same {
			b := widgets.NewButton(safetext.MakeLine(x.do), widgets.Chip, x.run)
			b.Name = x.name
			o = widgets.NewSplit(widgets.NewText(x.text, widgets.Style{Size: theme.SizeSmall, Lines: x.most}), b)
		}
		n.kept[key] = o
		n.box.Add(o)
	}
	setVisible(n.box, len(n.box.Objects) > 0)
}

// A noticeLine is one line of the area: its text, at most so many lines of it,
// and the button beside it.
type noticeLine struct {
	key, do, name string
	text          safetext.Line
	most          int
	run           func()
}

// lines are what the area shows: who asks and what is uncertain first, then as
// many notices as there is room for, and where the rest is.
func (n *noticeArea) lines(all []session.Notice, ask *session.ThreadRow, unsure int) []noticeLine {
	var out []noticeLine
	if ask != nil {
		out = append(out, noticeLine{
			"ask\x00" + ask.ID, words.T("Open"), "open asking", line("Another conversation asks: %s", title(ask.Title)), 2,
			func() { n.w.ask(session.Select{Thread: ask.ID}) },
		})
	}
	if unsure > 0 {
		out = append(out, noticeLine{
			"unsure", words.T("Review"), "review", safetext.MakeLine(words.N(unsure, "1 operation is uncertain.", "%d operations are uncertain.")), 2,
			n.w.openOperations,
		})
	}
	most, lines := n.room()
	if n.w.shell.narrow && (len(all) > most || n.cut(all, lines)) {
		read := words.T("Read")
		if len(all) > 1 {
			read = words.T("Read all %d", len(all))
		}
		return append(out, noticeLine{all[0].ID, read, "notices", safetext.MakeLine(all[0].Text), lines, n.w.openNotices})
	}
	for _, x := range all[:min(len(all), most)] {
		out = append(out, noticeLine{x.ID, words.T("Dismiss"), "dismiss", safetext.MakeLine(x.Text), lines, func() { n.dismiss(x.ID) }})
	}
	rest := noticeLine{"rest", words.T("Read all"), "notices", safetext.Trusted("Shortened here."), 1, n.w.openNotices}
	switch more := len(all) - most; {
	case more > 0:
		rest.text = line("and %d more", more)
	case !n.cut(all, lines):
		return out
	}
	return append(out, rest)
}

// cut says that one of the notices is certainly longer than what is shown.
func (n *noticeArea) cut(all []session.Notice, lines int) bool {
	line := n.lineRunes()
	return slices.ContainsFunc(all, func(x session.Notice) bool { return utf8.RuneCountInString(x.Text) > line*lines })
}

// lineRunes is about how many letters a line of a notice holds beside its button, in tens: rather too few.
func (n *noticeArea) lineRunes() int {
	const button = 120
	letter := 0.6 * theme.SmallText * float32(n.w.settings.TextSize) / 100
	return max(int((n.w.trans.Size().Width-button)/letter)/10*10, 40)
}

// unsure counts uncertain operations that nothing else on screen says: a narrow
// window hides the list with its badge.
func (n *noticeArea) unsure() int {
	count := 0
	for _, o := range n.w.snap.Operations.Rows {
		t := n.w.from.thread
		row := t != nil && t.ID == o.Thread && (o.Kind == "turn/start" || o.Kind == "turn/steer")
		if n.w.shell.narrow && o.State == uncertain && !row {
			count++
		}
	}
	return count
}

// openNotices shows every notice in full.
func (w *Window) openNotices() {
	all := w.notices.all()
	body := []fyne.CanvasObject{para(safetext.Trusted("There are no notices."))}
	if len(all) > 0 {
		body = nil
	}
	for _, x := range all {
		body = append(body, para(safetext.MakeLine(x.Text)))
	}
	var m *widgets.Modal
	closeIt := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
	dismiss := closer(safetext.Trusted("Dismiss all"), "dismiss", widgets.Plain, &m, w.dismissNotices)
	m = widgets.NewModal("notices", safetext.Trusted("Notices"), body, closeIt, dismiss)
	w.dialog(m, closeIt)
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
