package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"holdfast/widgets"
	"holdfast/widgets/theme"
)

const (
	sideWidth = 264
	minWidth  = 320
	minHeight = 360
)

// shell places the regions of the window. The order of its objects is the Tab
// order, whatever the geometry: a region that moves on screen keeps its place
// among the keys.
type shell struct {
	w *Window
	// drawer says that the narrow window shows the list instead of the rest.
	drawer bool
	narrow bool
	rules  [3]fyne.CanvasObject
	ground fyne.CanvasObject
	panel  fyne.CanvasObject
	// What can grow scrolls where the window is too low for it.
	banner, notices, comp *container.Scroll
	banners               *fyne.Container
}

func (l *shell) objects() []fyne.CanvasObject {
	w := l.w
	// The canvas clears itself with a slightly other colour than it draws.
	l.ground = widgets.NewArea(theme.ColorBG)
	l.panel = widgets.NewArea(theme.ColorPanel)
	l.banners = widgets.NewColumn(0, w.banner, w.drafts.bar)
	l.banner = container.NewVScroll(l.banners)
	l.notices = container.NewVScroll(w.notices.box)
	l.comp = container.NewVScroll(w.comp.box)
	l.rules = [3]fyne.CanvasObject{widgets.NewRule(), widgets.NewRule(), widgets.NewRule()}
	return []fyne.CanvasObject{
		l.ground, l.panel, l.rules[0], l.rules[1], l.rules[2],
		l.banner, l.notices, w.side.box, w.head.box, w.find.box, w.older, w.trans, w.news, w.newer,
		w.cards.scroll, l.comp, w.mention.list,
	}
}

// MinSize is what the window may not be smaller than: everything in it wraps.
func (l *shell) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(minWidth, minHeight) }

// Layout implements fyne.Layout.
func (l *shell) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	w := l.w
	l.narrow = s.Width < theme.NarrowWidth
	if !l.narrow {
		l.drawer = false
	}
	place(l.ground, 0, 0, s.Width, s.Height)
	w.head.fit()
	w.comp.chips.fit()
	l.showRegions()
	if l.drawer {
		place(l.panel, 0, 0, s.Width, s.Height)
		place(w.side.box, 0, 0, s.Width, s.Height)
		return
	}
	x := float32(0)
	if !l.narrow {
		x = l.sideWidth(s.Width)
		place(l.panel, 0, 0, x, s.Height)
		place(w.side.box, 0, 0, x-1, s.Height)
		place(l.rules[0], x-1, 0, 1, s.Height)
	}
	l.column(x, s.Width-x, s.Height)
}

// sideWidth grows with the text, as far as the column can spare it.
func (l *shell) sideWidth(width float32) float32 {
	return max(sideWidth, min(sideWidth*float32(l.w.settings.TextSize)/100, width*0.32))
}

// showRegions hides what a drawer covers, so that the keyboard cannot get there.
func (l *shell) showRegions() {
	w := l.w
	setVisible(w.side.box, !l.narrow || l.drawer)
	setVisible(l.panel, !l.narrow || l.drawer)
	setVisible(l.rules[0], !l.narrow)
	setVisible(l.rules[1], !l.drawer)
	for _, o := range []fyne.CanvasObject{w.head.box, w.trans, l.comp} {
		setVisible(o, !l.drawer)
	}
	setVisible(l.banner, !l.drawer && (w.banner.Visible() || w.drafts.bar.Visible()))
	setVisible(l.notices, !l.drawer && w.notices.box.Visible())
	setVisible(l.rules[2], l.notices.Visible())
	setVisible(w.mention.list, !l.drawer && w.mention.open())
	setVisible(w.news, !l.drawer && w.trans.News() > 0)
	setVisible(w.find.box, !l.drawer && w.find.open)
	if l.drawer {
		for _, o := range []fyne.CanvasObject{w.older, w.newer, w.cards.scroll} {
			setVisible(o, false)
		}
	}
}

// leastTranscript is what the transcript keeps in the lowest window.
const leastTranscript = 48

// column places header, banner, notices, transcript, cards and composer under
// each other. The transcript gets the rest; where that is too little, the parts
// that can scroll give way.
func (l *shell) column(x, width, height float32) {
	w := l.w
	inner := min(width-2*theme.Space12, theme.ColumnWidth)
	left := x + (width-inner)/2
	y := widgets.HeightAt(w.head.box, width)
	place(w.head.box, x, 0, width, y)
	find := float32(0)
	if w.find.box.Visible() {
		find = widgets.HeightAt(w.find.box, width)
	}
	room := height - y - find - leastTranscript
	for _, b := range []*widgets.Button{w.older, w.newer} {
		if b.Visible() {
			room -= b.HeightAt(min(b.MinSize().Width, width))
		}
	}
	h := divide(room, []part{
		{wanted(l.comp, w.comp.box, width), 0.42},
		{wanted(w.cards.scroll, w.cards.column, inner), 0.26},
		{wanted(l.banner, l.banners, width), 0.2},
		{wanted(l.notices, w.notices.box, width), 0.12},
	})
	y += scrollAt(l.banner, x, y, width, h[2])
	y += scrollAt(l.notices, x, y, width, h[3])
	place(l.rules[2], x, y-1, width, 1)
	place(w.find.box, x, y, width, find)
	y += find
	bottom := height - h[0]
	scrollAt(l.comp, x, bottom, width, h[0])
	if list := w.mention.list; list.Visible() {
		high := min(list.HeightAt(inner), bottom-y)
		place(list, left, bottom-high, inner, high)
	}
	place(l.rules[1], x, bottom, width, 1)
	bottom -= h[1]
	scrollAt(w.cards.scroll, left, bottom, inner, h[1])
	if w.older.Visible() {
		y += l.centred(w.older, x, y, width)
	}
	if w.newer.Visible() {
		bottom -= w.newer.HeightAt(min(w.newer.MinSize().Width, width))
		l.centred(w.newer, x, bottom, width)
	}
	place(w.trans, x, y, width, max(bottom-y, 0))
	if w.news.Visible() {
		l.centred(w.news, x, bottom-w.news.HeightAt(min(w.news.MinSize().Width, width)), width)
	}
}

// A part wants a height, and has a share where not all get what they want.
type part struct{ want, share float32 }

// divide gives each part what it wants if there is room for all; else its
// share, and what others left of theirs, the first first.
func divide(room float32, parts []part) []float32 {
	room = max(room, 0)
	out := make([]float32, len(parts))
	left := room
	for i, p := range parts {
		out[i] = min(p.want, p.share*room)
		left -= out[i]
	}
	for i, p := range parts {
		more := min(p.want-out[i], left)
		out[i] += more
		left -= more
	}
	return out
}

func wanted(scroll *container.Scroll, content fyne.CanvasObject, width float32) float32 {
	if !scroll.Visible() {
		return 0
	}
	return widgets.HeightAt(content, width)
}

// scrollAt places a scrolled part and gives its height.
func scrollAt(s *container.Scroll, x, y, width, height float32) float32 {
	if s.Visible() {
		s.Move(fyne.NewPos(x, y))
		widgets.ResizeScroll(s, fyne.NewSize(width, height))
	}
	return height
}

// centred places a button in the middle, and gives its height.
func (l *shell) centred(b *widgets.Button, x, y, width float32) float32 {
	bw := min(b.MinSize().Width, width)
	h := b.HeightAt(bw)
	place(b, x+(width-bw)/2, y, bw, h)
	return h
}

func place(o fyne.CanvasObject, x, y, width, height float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(width, height))
}
