package ui

import (
	"fyne.io/fyne/v2"

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
	rules  [2]fyne.CanvasObject
	panel  fyne.CanvasObject
}

func (l *shell) objects() []fyne.CanvasObject {
	w := l.w
	l.panel = widgets.NewArea(theme.ColorPanel)
	l.rules = [2]fyne.CanvasObject{widgets.NewRule(), widgets.NewRule()}
	return []fyne.CanvasObject{
		l.panel, l.rules[0], l.rules[1],
		w.banner, w.notices.box, w.side.box, w.head.box, w.older, w.trans, w.newer,
		w.cards.scroll, w.comp.box,
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
		x = sideWidth
		place(l.panel, 0, 0, sideWidth, s.Height)
		place(w.side.box, 0, 0, sideWidth-1, s.Height)
		place(l.rules[0], sideWidth-1, 0, 1, s.Height)
	}
	l.column(x, s.Width-x, s.Height)
}

// showRegions hides what a drawer covers, so that the keyboard cannot get there.
func (l *shell) showRegions() {
	w := l.w
	setVisible(w.side.box, !l.narrow || l.drawer)
	setVisible(l.panel, !l.narrow || l.drawer)
	setVisible(l.rules[0], !l.narrow)
	setVisible(l.rules[1], !l.drawer)
	for _, o := range []fyne.CanvasObject{w.head.box, w.trans, w.comp.box} {
		setVisible(o, !l.drawer)
	}
	if l.drawer {
		for _, o := range []fyne.CanvasObject{w.banner, w.notices.box, w.older, w.newer, w.cards.scroll} {
			setVisible(o, false)
		}
	}
}

// column places header, banner, notices, transcript, cards and composer under
// each other, from the top and from the bottom; the transcript gets the rest.
func (l *shell) column(x, width, height float32) {
	w := l.w
	y := float32(0)
	for _, o := range []fyne.CanvasObject{w.head.box, w.banner, w.notices.box} {
		if o.Visible() {
			h := widgets.HeightAt(o, width)
			place(o, x, y, width, h)
			y += h
		}
	}
	bottom := height - min(widgets.HeightAt(w.comp.box, width), height/2)
	place(w.comp.box, x, bottom, width, height-bottom)
	place(l.rules[1], x, bottom, width, 1)
	inner := min(width-2*theme.Space12, theme.ColumnWidth)
	left := x + (width-inner)/2
	if w.cards.scroll.Visible() {
		// The transcript keeps a few lines where the window has them.
		room := max(bottom-y-120, (bottom-y)*0.6)
		h := min(widgets.HeightAt(w.cards.column, inner), room)
		bottom -= h
		w.cards.scroll.Move(fyne.NewPos(left, bottom))
		widgets.ResizeScroll(w.cards.scroll, fyne.NewSize(inner, h))
	}
	if w.older.Visible() {
		y += l.centred(w.older, x, y, width)
	}
	if w.newer.Visible() {
		bottom -= w.newer.HeightAt(inner)
		l.centred(w.newer, x, bottom, width)
	}
	place(w.trans, x, y, width, max(bottom-y, 0))
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
