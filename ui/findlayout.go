package ui

import (
	"fyne.io/fyne/v2"

	"holdfast/widgets"
	"holdfast/widgets/theme"
)

// findLayout puts the bar in the reading column: on one line where there is
// room, else the buttons under the field. The note is below.
type findLayout struct{ f *finder }

func (findLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 40) }

const findPad = 4

// A findPlan says how much room things of the bar get.
type findPlan struct {
	in, buttons, count, line, note float32
	below                          bool
}

func (l findLayout) plan(width float32) findPlan {
	f := l.f
	p := findPlan{
		in:      min(width-2*theme.Space12, theme.ColumnWidth) + 2*widgets.Ring,
		buttons: widgets.NaturalWidth(0, f.prev, f.next, f.close),
		count:   max(f.count.MinSize().Width+theme.Space8, 72),
		line:    max(f.field.MinSize().Height, f.next.MinSize().Height),
	}
	const leastField = 200
	p.below = p.in < p.buttons+p.count+leastField
	p.note = f.note.HeightAt(p.in - 2*widgets.Ring)
	return p
}

// HeightAt implements widgets.TallLayout.
func (l findLayout) HeightAt(_ []fyne.CanvasObject, width float32) float32 {
	p := l.plan(width)
	h := p.line + p.note + 2*findPad + 4 + 1
	if p.below {
		h += p.line
	}
	return h
}

func (l findLayout) Layout(objects []fyne.CanvasObject, s fyne.Size) {
	f, p := l.f, l.plan(s.Width)
	x, y, room := (s.Width-p.in)/2, float32(findPad), p.in-p.buttons-p.count
	if p.below {
		room = p.in
	}
	h := f.field.MinSize().Height
	place(f.field, x, y+(p.line-h)/2, room, h)
	if p.below {
		y += p.line
	}
	h = f.count.HeightAt(p.count)
	at := x + p.in - p.buttons
	countAt := at - p.count + theme.Space8
	if p.below {
		countAt = x + widgets.Ring
	}
	place(f.count, countAt, y+(p.line-h)/2, p.count, h)
	for _, b := range []*widgets.Button{f.prev, f.next, f.close} {
		m := b.MinSize()
		place(b, at, y+(p.line-m.Height)/2, m.Width, m.Height)
		at += m.Width
	}
	place(f.note, x+widgets.Ring, y+p.line, p.in-2*widgets.Ring, p.note)
	place(objects[len(objects)-1], 0, s.Height-1, s.Width, 1)
}
