package widgets

import (
	"image/color"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
)

// Code shows a command or a patch exactly, in lines of fixed width. What does
// not fit scrolls, and only then it can take the focus.
type Code struct {
	widget.DisableableWidget
	// Rows is how many lines are seen at once.
	Rows int
	// Name is what tests and the state file call it.
	Name string
	// Prose breaks lines between words where it can.
	Prose bool
	// Source is what the text was made from, for whoever made it.
	Source string

	source  []codeLine
	shown   []codeLine
	cols    int
	top     int
	focused bool
}

type codeLine struct {
	text  string
	class safetext.Class
}

// NewCode shows a document of code, a diff, or plain text.
func NewCode(doc safetext.Doc) *Code {
	c := &Code{Rows: 12, Name: "code"}
	for _, b := range doc.Blocks() {
		if b.Kind == safetext.CodeBlock {
			for _, l := range b.Lines {
				c.source = append(c.source, joinSpans(l))
			}
			continue
		}
		for _, l := range strings.Split(joinSpans(b.Spans).text, "\n") {
			c.source = append(c.source, codeLine{text: l})
		}
	}
	c.ExtendBaseWidget(c)
	return c
}

func joinSpans(spans []safetext.Span) codeLine {
	var l codeLine
	for i, s := range spans {
		l.text += s.Text
		if i == 0 {
			l.class = s.Class
		}
	}
	l.text = strings.ReplaceAll(l.text, "\t", "    ")
	return l
}

func (c *Code) advance() float32 {
	return fyne.MeasureText("MMMMMMMMMM", size(sizeCode), fyne.TextStyle{Monospace: true}).Width / 10
}

// flow breaks the lines at the columns that fit.
func (c *Code) flow(width float32) {
	cols := max(int((width-2*codePad-10)/c.advance()), 8)
	if cols == c.cols {
		return
	}
	c.cols, c.shown = cols, nil
	for _, l := range c.source {
		for _, part := range cutColumns(l.text, cols, c.Prose) {
			c.shown = append(c.shown, codeLine{part, l.class})
		}
	}
}

// cutColumns cuts s into parts of at most cols columns, behind a space if
// between words.
func cutColumns(s string, cols int, words bool) []string {
	var out []string
	start, used := 0, 0
	for i, r := range s {
		w := columnsOf(r)
		if used+w > cols {
			end := i
			if space := strings.LastIndexByte(s[start:i], ' '); words && r != ' ' && space > 0 {
				end = start + space + 1
			}
			out = append(out, s[start:end])
			start, used = end, 0
			for _, r := range s[end:i] {
				used += columnsOf(r)
			}
		}
		used += w
	}
	return append(out, s[start:])
}

func columnsOf(r rune) int {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
		return 2
	}
	return 1
}

const codePad = 8

// HeightAt implements Tall.
func (c *Code) HeightAt(width float32) float32 {
	c.flow(width)
	return float32(min(len(c.shown), c.Rows))*lineHeight(sizeCode) + 2*codePad + 2*Ring
}

// MinSize is one line.
func (c *Code) MinSize() fyne.Size { return fyne.NewSize(80, lineHeight(sizeCode)+2*codePad+2*Ring) }

// Disabled says that the focus passes by: everything is seen.
func (c *Code) Disabled() bool { return len(c.shown) <= c.Rows }

// String is the text shown.
func (c *Code) String() string {
	parts := make([]string, len(c.source))
	for i, l := range c.source {
		parts[i] = l.text
	}
	return strings.Join(parts, "\n")
}

// AccessibilityLabel is the text.
func (c *Code) AccessibilityLabel() string { return c.String() }

// AccessibilityRole is text.
func (c *Code) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// FocusGained implements fyne.Focusable.
func (c *Code) FocusGained() { c.focused = true; c.Refresh(); reveal(c) }

// FocusLost implements fyne.Focusable.
func (c *Code) FocusLost() { c.focused = false; c.Refresh() }

// TypedRune implements fyne.Focusable.
func (c *Code) TypedRune(rune) {}

// TypedKey scrolls.
func (c *Code) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyDown:
		c.scroll(1)
	case fyne.KeyUp:
		c.scroll(-1)
	case fyne.KeyPageDown:
		c.scroll(c.Rows - 1)
	case fyne.KeyPageUp:
		c.scroll(1 - c.Rows)
	case fyne.KeyHome:
		c.scroll(-len(c.shown))
	case fyne.KeyEnd:
		c.scroll(len(c.shown))
	default:
		ForwardKey(c, e)
	}
}

func (c *Code) scroll(n int) {
	c.top = max(min(c.top+n, len(c.shown)-c.Rows), 0)
	c.Refresh()
}

// Scrolled implements fyne.Scrollable.
func (c *Code) Scrolled(e *fyne.ScrollEvent) { c.scroll(-int(e.Scrolled.DY / 8)) }

// CreateRenderer implements fyne.Widget.
func (c *Code) CreateRenderer() fyne.WidgetRenderer {
	return &codeRenderer{c: c, bg: canvas.NewRectangle(color.Transparent), ring: newRing(), bar: canvas.NewRectangle(color.Transparent)}
}

type codeRenderer struct {
	c             *Code
	bg, ring, bar *canvas.Rectangle
	objects       []fyne.CanvasObject
}

func (r *codeRenderer) MinSize() fyne.Size           { return r.c.MinSize() }
func (r *codeRenderer) Destroy()                     {}
func (r *codeRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *codeRenderer) Refresh()                     { r.Layout(r.c.Size()); canvas.Refresh(r.c) }

func (r *codeRenderer) Layout(s fyne.Size) {
	c := r.c
	if s.Width <= 0 {
		return
	}
	c.flow(s.Width)
	box := s.SubtractWidthHeight(2*Ring, 2*Ring)
	r.bg.FillColor, r.bg.CornerRadius = paint(colorCode), 6
	r.bg.StrokeColor, r.bg.StrokeWidth = paint(colorLine), 1
	r.bg.Move(fyne.NewPos(Ring, Ring))
	r.bg.Resize(box)
	placeRing(r.ring, fyne.NewPos(Ring, Ring), box, 6)
	showIf(r.ring, c.focused)
	r.objects = append(r.objects[:0], r.bg)
	c.top = max(min(c.top, len(c.shown)-c.Rows), 0)
	lh := lineHeight(sizeCode)
	for i := c.top; i < min(c.top+c.Rows, len(c.shown)); i++ {
		r.line(c.shown[i], Ring+codePad+float32(i-c.top)*lh, s.Width, lh)
	}
	if len(c.shown) > c.Rows {
		h := max(20, box.Height*float32(c.Rows)/float32(len(c.shown)))
		r.bar.FillColor, r.bar.CornerRadius = paint(colorScroll), 3
		r.bar.Resize(fyne.NewSize(6, h))
		r.bar.Move(fyne.NewPos(s.Width-Ring-8, Ring+(box.Height-h)*float32(c.top)/float32(len(c.shown)-c.Rows)))
		r.objects = append(r.objects, r.bar)
	}
	r.objects = append(r.objects, r.ring)
}

func (r *codeRenderer) line(l codeLine, y, width, lh float32) {
	st := Style{Size: sizeCode, Mono: true, Color: colorInk}
	if l.class == safetext.Added || l.class == safetext.Removed {
		tint := canvas.NewRectangle(paint(colorAdded))
		if l.class == safetext.Removed {
			tint.FillColor = paint(colorRemoved)
		}
		tint.Move(fyne.NewPos(Ring+1, y))
		tint.Resize(fyne.NewSize(width-2*Ring-2, lh))
		r.objects = append(r.objects, tint)
	}
	if l.class == safetext.Hunk || l.class == safetext.Muted {
		st.Color = colorDim
	}
	t := newCanvasText(l.text, st, paint(st.Color))
	m := t.MinSize()
	t.Move(fyne.NewPos(Ring+codePad, y+(lh-m.Height)/2))
	t.Resize(m)
	r.objects = append(r.objects, t)
}
