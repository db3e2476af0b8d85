package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets"
	"holdfast/widgets/theme"
)

// header names the conversation and says what it is: live or a reading, what
// the model may do, and which model it is.
type header struct {
	w       *Window
	box     *fyne.Container
	open    *widgets.Button
	refresh *widgets.Button
	menu    *widgets.Button
	title   *widgets.Text
	live    *widgets.Text
	use     *widgets.Text
	access  *widgets.Text
	model   *widgets.Text
	words   *fyne.Container
}

func newHeader(w *Window) *header {
	h := &header{w: w}
	small := widgets.Style{Size: theme.SizeSmall, Color: theme.ColorDim, Lines: 2}
	warn := widgets.Style{Size: theme.SizeSmall, Color: theme.ColorWarn, Bold: true}
	h.open = widgets.NewButton(safetext.Trusted("Conversations"), widgets.Plain, w.openDrawer)
	h.open.Name = "open conversations"
	h.refresh = widgets.NewButton(safetext.Trusted("Refresh"), widgets.Quiet, func() { w.run("refresh") })
	h.refresh.Name = "refresh"
	h.menu = widgets.NewButton(safetext.Trusted("Menu"), widgets.Quiet, func() { w.run("commands") })
	h.menu.Name = "menu"
	h.title = widgets.NewText(safetext.Line{}, widgets.Style{Bold: true, Size: theme.SizeTitle, Lines: 1})
	h.live, h.model = widgets.NewText(safetext.Line{}, small), widgets.NewText(safetext.Line{}, small)
	h.use = widgets.NewText(safetext.Trusted("possibly in use"), warn)
	h.access = widgets.NewText(safetext.Line{}, small)
	h.words = widgets.NewFlow(theme.Space12, h.live, h.use, h.access, h.model)
	h.box = container.New(&headLayout{h: h}, h.open, h.title, h.words, h.refresh, h.menu, widgets.NewRule())
	return h
}

// liveWord says whether what is shown follows the server.
func liveWord(s *session.Snapshot) safetext.Line {
	t := s.Thread
	switch {
	case t == nil:
		return safetext.Line{}
	case t.Live:
		return safetext.Trusted("live")
	case t.Joined:
		return safetext.Trusted("joined · not live")
	case t.ReadAt.IsZero():
		return safetext.Trusted("not live")
	}
	return line("reading · not live · read %s", clock(t.ReadAt))
}

func (h *header) show(s *session.Snapshot) {
	t := s.Thread
	h.refresh.SetEnabled(s.Status.Allows(session.ActRefresh))
	setVisible(h.live, t != nil)
	setVisible(h.access, t != nil)
	h.fit()
	setVisible(h.use, t != nil && t.PossiblyInUse)
	setVisible(h.model, t != nil && t.Model != "")
	if t == nil {
		h.title.Set(safetext.MakeLine(h.w.opts.Product))
		return
	}
	h.title.Set(title(t.Title))
	h.live.Set(liveWord(s))
	h.access.Set(safetext.Join(" · ", accessWord(t.Access), safetext.MakeLine(t.Approval)))
	h.access.SetColor(accessColor(t.Access))
	h.model.Set(safetext.Join(" · ", safetext.MakeLine(t.Model), safetext.MakeLine(t.Effort)))
}

// fit shows what the width has room for. Refresh is in the menu and on its key
// as well.
func (h *header) fit() {
	setVisible(h.open, h.w.shell.narrow)
	setVisible(h.refresh, h.w.snap.Thread != nil && !h.w.shell.narrow)
}

// accessColor repeats the word's warning.
func accessColor(a session.Access) fyne.ThemeColorName {
	if a == session.AccessFull {
		return theme.ColorWarn
	}
	return theme.ColorDim
}

// headLayout has one line when the words fit beside the title, else two.
type headLayout struct{ h *header }

func (*headLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 52) }

const headLine = 44

// plan gives the widths of the buttons on both sides, of the words, and whether
// these stand in the first line.
func (l *headLayout) plan(width float32) (left, right, words float32, one bool) {
	h := l.h
	left = theme.Space16
	if h.open.Visible() {
		left = h.open.MinSize().Width + theme.Space8
	}
	right = widgets.NaturalWidth(0, h.refresh, h.menu) + theme.Space4
	words = widgets.NaturalWidth(theme.Space12, h.words.Objects...)
	return left, right, words, words == 0 || left+right+words+min(h.title.MinSize().Width, 160)+theme.Space24 <= width
}

// HeightAt implements widgets.TallLayout.
func (l *headLayout) HeightAt(_ []fyne.CanvasObject, width float32) float32 {
	_, _, _, one := l.plan(width)
	if one {
		return headLine + 1
	}
	return headLine + widgets.HeightAt(l.h.words, width-2*theme.Space12) + 7
}

func (l *headLayout) Layout(objects []fyne.CanvasObject, s fyne.Size) {
	h := l.h
	left, right, words, one := l.plan(s.Width)
	if h.open.Visible() {
		m := h.open.MinSize()
		place(h.open, theme.Space4, (headLine-m.Height)/2, m.Width, m.Height)
	}
	x := s.Width - right
	for _, b := range []*widgets.Button{h.refresh, h.menu} {
		if b.Visible() {
			m := b.MinSize()
			place(b, x, (headLine-m.Height)/2, m.Width, m.Height)
			x += m.Width
		}
	}
	room := s.Width - left - right
	if one {
		room -= words + theme.Space12
		place(h.words, s.Width-right-words-theme.Space4, (headLine-widgets.HeightAt(h.words, words+1))/2, words+1, widgets.HeightAt(h.words, words+1))
	} else {
		in := s.Width - 2*theme.Space12
		place(h.words, theme.Space12, headLine, in, widgets.HeightAt(h.words, in))
	}
	place(h.title, left, (headLine-h.title.HeightAt(room))/2, max(room, 0), h.title.HeightAt(room))
	place(objects[len(objects)-1], 0, s.Height-1, s.Width, 1)
}
