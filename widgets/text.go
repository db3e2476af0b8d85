package widgets

import (
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
)

// A Style says how a Text looks. The zero Style is body text in ink.
type Style struct {
	Color    fyne.ThemeColorName
	Size     fyne.ThemeSizeName
	Bold     bool
	Mono     bool
	Centered bool
	// Faded shows it half gone: it does nothing now.
	Faded bool
	// Lines is the most lines shown, 0 for all.
	Lines int
}

func (s Style) ink() color.Color {
	if s.Faded {
		return mix(paint(s.Color), paint(colorBG))
	}
	return paint(s.Color)
}

func (s Style) text() fyne.TextStyle { return fyne.TextStyle{Bold: s.Bold, Monospace: s.Mono} }

// Text is short wrapped text. It cannot take the focus.
type Text struct {
	widget.BaseWidget
	style   Style
	content string
	lines   []string
	width   float32
	size    float32
}

// NewText shows l in a style.
func NewText(l safetext.Line, style Style) *Text {
	if style.Color == "" {
		style.Color = colorInk
	}
	if style.Size == "" {
		style.Size = sizeBody
	}
	t := &Text{style: style, content: l.String()}
	t.ExtendBaseWidget(t)
	return t
}

// Set shows other lines.
func (t *Text) Set(lines ...safetext.Line) {
	s := joinLines(lines)
	if s == t.content {
		return
	}
	t.content, t.lines = s, nil
	t.Refresh()
}

// SetColor changes the colour.
func (t *Text) SetColor(name fyne.ThemeColorName) {
	if t.style.Color != name {
		t.style.Color = name
		t.Refresh()
	}
}

// String is what is shown, with line ends.
func (t *Text) String() string { return t.content }

// AccessibilityLabel is the text itself.
func (t *Text) AccessibilityLabel() string { return t.content }

// AccessibilityRole is text.
func (t *Text) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

func joinLines(lines []safetext.Line) string {
	s := make([]string, len(lines))
	for i, l := range lines {
		s[i] = l.String()
	}
	return strings.Join(s, "\n")
}

func (t *Text) wrapped(width float32) []string {
	sz := size(t.style.Size)
	if t.lines == nil || t.width != width || t.size != sz {
		t.lines = wrap(t.content, width, sz, t.style.text(), t.style.Lines)
		t.width, t.size = width, sz
	}
	return t.lines
}

func lineHeight(name fyne.ThemeSizeName) float32 { return float32(int(size(name)*1.48 + .5)) }

// HeightAt implements Tall.
func (t *Text) HeightAt(width float32) float32 {
	return float32(len(t.wrapped(width))) * lineHeight(t.style.Size)
}

// MinSize is the text on one line per line of it.
func (t *Text) MinSize() fyne.Size {
	w := float32(0)
	lines := strings.Split(t.content, "\n")
	for _, l := range lines {
		if len(l) > maxWrapped {
			l = l[:maxWrapped]
		}
		w = max(w, fyne.MeasureText(l, size(t.style.Size), t.style.text()).Width)
	}
	return fyne.NewSize(w+1, float32(len(lines))*lineHeight(t.style.Size))
}

// CreateRenderer implements fyne.Widget.
func (t *Text) CreateRenderer() fyne.WidgetRenderer { return &textRenderer{t: t} }

type textRenderer struct {
	t       *Text
	objects []fyne.CanvasObject
}

func (r *textRenderer) MinSize() fyne.Size           { return r.t.MinSize() }
func (r *textRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *textRenderer) Destroy()                     {}
func (r *textRenderer) Refresh()                     { r.Layout(r.t.Size()); canvas.Refresh(r.t) }
func (r *textRenderer) Layout(s fyne.Size) {
	if s.Width <= 0 {
		return
	}
	st := r.t.style
	r.objects = slices.Grow(r.objects[:0], 4)
	align := fyne.TextAlignLeading
	if st.Centered {
		align = fyne.TextAlignCenter
	}
	lh := lineHeight(st.Size)
	for i, line := range r.t.wrapped(s.Width) {
		ct := newCanvasText(line, st, paint(st.Color))
		ct.Alignment = align
		ct.Move(fyne.NewPos(0, float32(i)*lh+(lh-ct.MinSize().Height)/2))
		ct.Resize(fyne.NewSize(s.Width, ct.MinSize().Height))
		r.objects = append(r.objects, ct)
	}
}

func newCanvasText(s string, st Style, c color.Color) *canvas.Text {
	t := canvas.NewText(s, c)
	t.TextSize, t.TextStyle = size(st.Size), st.text()
	return t
}
