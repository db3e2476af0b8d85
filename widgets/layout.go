package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A Tall object knows how high it wants to be at a given width. Fyne asks for
// one fixed minimum size, which wrapped text cannot answer.
type Tall interface{ HeightAt(width float32) float32 }

// A TallLayout is a layout that knows its height at a width.
type TallLayout interface {
	fyne.Layout
	HeightAt(objects []fyne.CanvasObject, width float32) float32
}

// HeightAt gives the height that o wants when it is width wide.
func HeightAt(o fyne.CanvasObject, width float32) float32 {
	if t, ok := o.(Tall); ok {
		return t.HeightAt(width)
	}
	if c, ok := o.(*fyne.Container); ok {
		if l, ok := c.Layout.(TallLayout); ok {
			return l.HeightAt(c.Objects, width)
		}
	}
	return o.MinSize().Height
}

// column stacks its objects, each as wide as the column.
type column struct {
	gap, padX, padY float32
	width           float32 // of the last layout, so that MinSize can answer
}

// NewColumn stacks objects under each other with gap between them.
func NewColumn(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&column{gap: gap}, objects...)
}

// NewPaddedColumn is NewColumn with space around.
func NewPaddedColumn(gap, padX, padY float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&column{gap: gap, padX: padX, padY: padY}, objects...)
}

// HeightAt implements TallLayout. What has no height takes no gap either.
func (c *column) HeightAt(objects []fyne.CanvasObject, width float32) float32 {
	h, n := 2*c.padY, 0
	for _, o := range objects {
		oh := c.one(o, width)
		if oh == 0 {
			continue
		}
		if n > 0 {
			h += c.gap
		}
		h += oh
		n++
	}
	if n == 0 {
		return 0
	}
	return h
}

func (c *column) one(o fyne.CanvasObject, width float32) float32 {
	if !o.Visible() {
		return 0
	}
	return HeightAt(o, width-2*c.padX)
}

func (c *column) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(40, c.HeightAt(objects, max(c.width, 40)))
}

func (c *column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	c.width = size.Width
	y := c.padY
	for _, o := range objects {
		h := c.one(o, size.Width)
		if h == 0 {
			continue
		}
		o.Move(fyne.NewPos(c.padX, y))
		o.Resize(fyne.NewSize(size.Width-2*c.padX, h))
		y += h + c.gap
	}
}

// inset sets text where the edges of controls are, which leave room for their
// ring.
func inset(o fyne.CanvasObject) fyne.CanvasObject {
	if t, ok := o.(*Text); ok {
		return NewPaddedColumn(0, Ring, 0, t)
	}
	return o
}

// flow puts its objects beside each other and wraps; an object that is wider
// than the flow gets the flow's width and the height it wants there.
type flow struct {
	gap      float32
	trailing bool
	width    float32
}

// NewFlow puts objects in lines that wrap.
func NewFlow(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&flow{gap: gap}, objects...)
}

// NewTrailingFlow is NewFlow with its lines set to the right.
func NewTrailingFlow(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&flow{gap: gap, trailing: true}, objects...)
}

type flowLine struct {
	objects       []fyne.CanvasObject
	sizes         []fyne.Size
	width, height float32
}

func (f *flow) lines(objects []fyne.CanvasObject, width float32) []flowLine {
	var out []flowLine
	var cur flowLine
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		w := min(o.MinSize().Width, width)
		size := fyne.NewSize(w, HeightAt(o, w))
		if len(cur.objects) > 0 && cur.width+f.gap+w > width {
			out, cur = append(out, cur), flowLine{}
		}
		if len(cur.objects) > 0 {
			cur.width += f.gap
		}
		cur.objects, cur.sizes = append(cur.objects, o), append(cur.sizes, size)
		cur.width += w
		cur.height = max(cur.height, size.Height)
	}
	if len(cur.objects) > 0 {
		out = append(out, cur)
	}
	return out
}

func (f *flow) HeightAt(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for i, l := range f.lines(objects, width) {
		if i > 0 {
			h += f.gap
		}
		h += l.height
	}
	return h
}

func (f *flow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(40, f.HeightAt(objects, max(f.width, 40)))
}

func (f *flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	y := float32(0)
	for _, l := range f.lines(objects, size.Width) {
		x := float32(0)
		if f.trailing {
			x = size.Width - l.width
		}
		for i, o := range l.objects {
			o.Move(fyne.NewPos(x, y+(l.height-l.sizes[i].Height)/2))
			o.Resize(l.sizes[i])
			x += l.sizes[i].Width + f.gap
		}
		y += l.height + f.gap
	}
}

// NaturalWidth is how wide a flow would be on one line.
func NaturalWidth(gap float32, objects ...fyne.CanvasObject) float32 {
	w := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		if w > 0 {
			w += gap
		}
		w += o.MinSize().Width
	}
	return w
}

// ResizeScroll gives a scroll its size after its content has the width it will
// be shown at, so that the content's height is that of this width.
func ResizeScroll(s *container.Scroll, size fyne.Size) {
	h := HeightAt(s.Content, size.Width)
	s.Content.Resize(fyne.NewSize(size.Width, max(h, size.Height)))
	s.Resize(size)
	s.Refresh()
}

// NewFixed gives an object a fixed height, as wide as it is told to be.
func NewFixed(height float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(fixed{height}, o)
}

type fixed struct{ height float32 }

func (f fixed) HeightAt([]fyne.CanvasObject, float32) float32 { return f.height }
func (f fixed) MinSize([]fyne.CanvasObject) fyne.Size         { return fyne.NewSize(40, f.height) }
func (f fixed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(size)
	}
}

// NewSplit puts control at the right of text, in the middle of its height.
func NewSplit(text, control fyne.CanvasObject) *fyne.Container {
	return container.New(split{}, text, control)
}

type split struct{}

func (split) HeightAt(objects []fyne.CanvasObject, width float32) float32 {
	m := objects[1].MinSize()
	return max(HeightAt(objects[0], width-m.Width-8), m.Height)
}

func (split) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(80, 20) }

func (s split) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	m := objects[1].MinSize()
	w := size.Width - m.Width - 8
	h := HeightAt(objects[0], w)
	objects[0].Move(fyne.NewPos(0, (size.Height-h)/2))
	objects[0].Resize(fyne.NewSize(w, h))
	objects[1].Move(fyne.NewPos(w+8, (size.Height-m.Height)/2))
	objects[1].Resize(m)
}
