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
	attach  *widgets.Button
	refresh *widgets.Button
	menu    *widgets.Button
	title   *widgets.Text
	live    *widgets.Text
	use     *widgets.Text
	access  *widgets.Text
	model   *widgets.Text
	count   *widgets.Text // of attachments, where the button has no room
	words   *fyne.Container
}

func newHeader(w *Window) *header {
	h := &header{w: w}
	small := widgets.Style{Size: theme.SizeSmall, Color: theme.ColorDim, Lines: 2}
	warn := widgets.Style{Size: theme.SizeSmall, Color: theme.ColorWarn, Bold: true}
	h.open = widgets.NewButton(safetext.Trusted("Conversations"), widgets.Plain, w.openDrawer)
	h.open.Name = "open conversations"
	h.attach = widgets.NewButton(safetext.Trusted("Attachments"), widgets.Quiet, func() { w.run("attachments") })
	h.attach.Name = "attachments"
	h.refresh = widgets.NewButton(safetext.Trusted("Refresh"), widgets.Quiet, func() { w.run("refresh") })
	h.refresh.Name = "refresh"
	h.menu = widgets.NewButton(safetext.Trusted("Menu"), widgets.Quiet, func() { w.run("commands") })
	h.menu.Name = "menu"
	h.title = widgets.NewText(safetext.Line{}, widgets.Style{Bold: true, Size: theme.SizeTitle, Lines: 1})
	h.live, h.model = widgets.NewText(safetext.Line{}, small), widgets.NewText(safetext.Line{}, small)
	h.use = widgets.NewText(safetext.Trusted("possibly in use"), warn)
	h.access = widgets.NewText(safetext.Line{}, small)
	h.count = widgets.NewText(safetext.Line{}, small)
	h.words = widgets.NewFlow(theme.Space12, h.live, h.use, h.access, h.model, h.count)
	h.box = container.New(&headLayout{h: h}, h.open, h.title, h.words, h.attach, h.refresh, h.menu, widgets.NewRule())
	return h
}

// liveWord says whether what is shown follows the server.
func liveWord(s *session.Snapshot) safetext.Line {
	t := s.Thread
	switch {
	case kept(s):
		return safetext.Trusted("not live")
	case t == nil:
		return safetext.Line{}
	case !connected(s):
		return safetext.Trusted("not live")
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
	if a := s.Attachments; attachmentsShown(a) {
		h.attach.SetLabel(line("Attachments (%s)", attachmentsCount(a)))
		h.count.Set(line("attachments: %s", attachmentsCount(a)))
	}
	h.live.Set(liveWord(s))
	setVisible(h.live, h.live.String() != "")
	h.fit()
	setVisible(h.use, t != nil && t.PossiblyInUse)
	h.title.Set(safetext.MakeLine(h.w.opts.Product))
	if t != nil || kept(s) {
		h.title.Set(h.w.from.title())
	}
	if t == nil {
		return
	}
	h.access.Set(safetext.Join(" · ", accessWord(t.Access), safetext.MakeLine(t.Approval)))
	h.access.SetColor(accessColor(t.Access))
	h.model.Set(safetext.Join(" · ", safetext.MakeLine(t.Model), safetext.MakeLine(t.Effort)))
}

// fit shows what the width has room for. Refresh and the attachments are in the
// menu and on their keys as well.
func (h *header) fit() {
	setVisible(h.open, h.w.shell.narrow)
	t := h.w.snap.Thread
	// What the model may do is known only of a conversation that is there; a
	// narrow window has no room for what is not known.
	there := t != nil && connected(h.w.snap)
	setVisible(h.access, there && (t.Access != session.AccessUnknown || !h.w.shell.narrow))
	setVisible(h.model, there && t.Model != "")
	setVisible(h.refresh, h.w.snap.Thread != nil && !h.w.shell.narrow)
	attached := there && attachmentsShown(h.w.snap.Attachments)
	setVisible(h.attach, attached && !h.w.shell.narrow)
	setVisible(h.count, attached && h.w.shell.narrow)
}

// accessColor repeats the word's warning.
func accessColor(a session.Access) fyne.ThemeColorName {
	if a == session.AccessFull {
		return theme.ColorWarn
	}
	return theme.ColorDim
}

// headLayout puts buttons, title and words in one line as far as they fit; the
// words go under it first, then the title.
type headLayout struct{ h *header }

func (*headLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 52) }

// A headPlan says where things of the header go.
type headPlan struct {
	line, left, right, words float32
	titleBelow, wordsBelow   bool
}

func (l *headLayout) plan(width float32) headPlan {
	h := l.h
	p := headPlan{line: max(h.menu.MinSize().Height+4, 44), left: theme.Space16}
	if h.open.Visible() {
		p.left = h.open.MinSize().Width + theme.Space8
	}
	p.right = widgets.NaturalWidth(0, h.attach, h.refresh, h.menu) + theme.Space4
	p.words = widgets.NaturalWidth(theme.Space12, h.words.Objects...) + 1
	room := width - p.left - p.right
	title := min(h.title.MinSize().Width, 120)
	p.titleBelow = room < title
	p.wordsBelow = p.titleBelow || room < p.words+theme.Space12+min(h.title.MinSize().Width, 160)
	return p
}

func (l *headLayout) heights(p headPlan, in float32) (title, words float32) {
	if p.titleBelow {
		title = l.h.title.HeightAt(in)
	}
	if p.wordsBelow {
		words = widgets.HeightAt(l.h.words, in)
	}
	return title, words
}

// HeightAt implements widgets.TallLayout.
func (l *headLayout) HeightAt(_ []fyne.CanvasObject, width float32) float32 {
	p := l.plan(width)
	title, words := l.heights(p, width-2*theme.Space12)
	if title+words > 0 {
		return p.line + title + words + 7
	}
	return p.line + 1
}

func (l *headLayout) Layout(objects []fyne.CanvasObject, s fyne.Size) {
	h := l.h
	p := l.plan(s.Width)
	if h.open.Visible() {
		m := h.open.MinSize()
		place(h.open, theme.Space4, (p.line-m.Height)/2, m.Width, m.Height)
	}
	x := s.Width - p.right
	for _, b := range []*widgets.Button{h.attach, h.refresh, h.menu} {
		if b.Visible() {
			m := b.MinSize()
			place(b, x, (p.line-m.Height)/2, m.Width, m.Height)
			x += m.Width
		}
	}
	l.below(p, s)
	room := s.Width - p.left - p.right
	if !p.wordsBelow {
		room -= p.words + theme.Space12
		hh := widgets.HeightAt(h.words, p.words)
		place(h.words, s.Width-p.right-p.words-theme.Space4, (p.line-hh)/2, p.words, hh)
	}
	if !p.titleBelow {
		hh := h.title.HeightAt(room)
		place(h.title, p.left, (p.line-hh)/2, room, hh)
	}
	place(objects[len(objects)-1], 0, s.Height-1, s.Width, 1)
}

// below places what did not fit into the first line.
func (l *headLayout) below(p headPlan, s fyne.Size) {
	in := s.Width - 2*theme.Space12
	title, words := l.heights(p, in)
	if p.titleBelow {
		place(l.h.title, theme.Space12, p.line, in, title)
	}
	if p.wordsBelow {
		place(l.h.words, theme.Space12, p.line+title, in, words)
	}
}
