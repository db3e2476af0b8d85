package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
	"holdfast/core/words"
)

// Suggestions are lines to choose from while one types elsewhere: it never has
// the keyboard. Who has it moves the mark and takes the marked line.
type Suggestions struct {
	widget.BaseWidget
	// OnTapped runs when a line is clicked, with -1 beside the lines: a click takes
	// the keyboard from where one types.
	OnTapped func(i int)
	lines    []*Text
	hint     *Text
	back     *area
	mark     *area
	bar      *area
	at       int
}

// NewSuggestions makes an empty list; hint says under it which keys there are.
func NewSuggestions(hint safetext.Line) *Suggestions {
	s := &Suggestions{
		back: newCardArea(colorRaised, colorEdge), mark: newArea(colorMarked, 0), bar: newArea(colorAccent, 0),
		hint: NewText(hint, Style{Size: sizeSmall, Color: colorDim, Lines: 1}),
	}
	s.mark.corner = 4
	s.ExtendBaseWidget(s)
	return s
}

// Set shows lines; the first is marked.
func (s *Suggestions) Set(lines []safetext.Line) {
	s.lines, s.at = nil, 0
	for _, l := range lines {
		s.lines = append(s.lines, NewText(l, Style{Mono: true, Size: sizeSmall, Lines: 1}))
	}
	s.Refresh()
}

// Step moves the mark, around the ends.
func (s *Suggestions) Step(by int) {
	if n := len(s.lines); n > 0 {
		s.at = (s.at + by + n) % n
		s.Refresh()
	}
}

// At is the marked line.
func (s *Suggestions) At() int { return s.at }

// AccessibilityLabel says the marked line, and where it stands.
func (s *Suggestions) AccessibilityLabel() string {
	if len(s.lines) == 0 {
		return ""
	}
	return words.T("%s, %d of %d", s.lines[s.at].String(), s.at+1, len(s.lines))
}

// AccessibilityRole is that of a container.
func (s *Suggestions) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

const (
	suggestPad  = 6
	suggestLine = 8 // over the height of the text
)

func (s *Suggestions) lineHeight() float32 { return lineHeight(sizeSmall) + suggestLine }

// HeightAt implements Tall.
func (s *Suggestions) HeightAt(float32) float32 {
	return float32(len(s.lines))*s.lineHeight() + lineHeight(sizeSmall) + 3*suggestPad
}

// Tapped takes the line under the mouse.
func (s *Suggestions) Tapped(e *fyne.PointEvent) {
	i := int((e.Position.Y - suggestPad) / s.lineHeight())
	if e.Position.Y < suggestPad || i >= len(s.lines) {
		i = -1
	}
	if s.OnTapped != nil {
		s.OnTapped(i)
	}
}

// CreateRenderer implements fyne.Widget.
func (s *Suggestions) CreateRenderer() fyne.WidgetRenderer { return &suggestRenderer{s} }

type suggestRenderer struct{ s *Suggestions }

func (r *suggestRenderer) MinSize() fyne.Size { return fyne.NewSize(120, r.s.HeightAt(0)) }
func (r *suggestRenderer) Destroy()           {}

func (r *suggestRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.s.back, r.s.mark, r.s.bar}
	for _, l := range r.s.lines {
		out = append(out, l)
	}
	return append(out, r.s.hint)
}

func (r *suggestRenderer) Refresh() {
	r.Layout(r.s.Size())
	canvas.Refresh(r.s)
}

func (r *suggestRenderer) Layout(size fyne.Size) {
	s, h := r.s, r.s.lineHeight()
	put := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(max(w, 0), h))
	}
	put(s.back, 0, 0, size.Width, size.Height)
	y := float32(suggestPad)
	put(s.mark, suggestPad, y+float32(s.at)*h, size.Width-2*suggestPad, h)
	put(s.bar, suggestPad, y+float32(s.at)*h, 3, h)
	for _, l := range s.lines {
		put(l, 2*suggestPad+4, y+suggestLine/2, size.Width-4*suggestPad-4, h-suggestLine)
		y += h
	}
	put(s.hint, 2*suggestPad+4, y+suggestPad, size.Width-4*suggestPad, lineHeight(sizeSmall))
	showIf(s.mark, len(s.lines) > 0)
	showIf(s.bar, len(s.lines) > 0)
}
