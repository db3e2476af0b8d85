package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
	"holdfast/widgets/theme"
)

// A Tone is how grave a banner is. Its words say the same.
type Tone uint8

// The tones.
const (
	Calm Tone = iota
	Warning
	Failure
)

// Banner says what is, what follows, and what can be done. It never takes the
// focus.
type Banner struct {
	widget.BaseWidget
	back    *area
	lead    *Text
	text    *Text
	actions *fyne.Container
	line    *area
}

// NewBanner makes an empty banner.
func NewBanner() *Banner {
	b := &Banner{
		back: newArea(colorPanel, 0), line: newArea(colorLine, 1), actions: NewFlow(0),
		lead: NewText(safetext.Line{}, Style{Bold: true}), text: NewText(safetext.Line{}, Style{}),
	}
	b.ExtendBaseWidget(b)
	return b
}

// Set shows words; the buttons stay while they are the same.
func (b *Banner) Set(tone Tone, lead, text safetext.Line) {
	ink, ground := tone.colors()
	b.back.SetColor(ground)
	b.lead.SetColor(ink)
	b.text.SetColor(ink)
	b.lead.Set(lead)
	b.text.Set(text)
	b.Refresh()
}

// SetActions replaces the buttons.
func (b *Banner) SetActions(buttons ...*Button) {
	b.actions.RemoveAll()
	for _, x := range buttons {
		b.actions.Add(x)
	}
	b.Refresh()
}

// Buttons are the buttons shown, in Tab order.
func (b *Banner) Buttons() []*Button {
	var out []*Button
	for _, o := range b.actions.Objects {
		if x, ok := o.(*Button); ok {
			out = append(out, x)
		}
	}
	return out
}

// Words are what it says.
func (b *Banner) Words() string { return b.lead.String() + " " + b.text.String() }

func (t Tone) colors() (ink, ground fyne.ThemeColorName) {
	switch t {
	case Warning:
		return theme.ColorWarn, theme.ColorWarnBG
	case Failure:
		return theme.ColorErr, theme.ColorErrBG
	case Calm:
	}
	return theme.ColorInk, theme.ColorPanel
}

// bannerGap keeps the ring of a button below the words off them.
const bannerPadX, bannerPadY, bannerGap = 16, 6, 4

// leastWords is how wide the words stay beside buttons.
const leastWords = 140

// plan divides width between words and buttons: beside each other or under
// each other, whichever is lower.
func (b *Banner) plan(width float32) (words, buttons float32, beside bool) {
	in := width - 2*bannerPadX
	n := NaturalWidth(0, b.actions.Objects...)
	if words := in - n - 8; n > 0 && words >= leastWords {
		under := b.wordsHeight(in) + bannerGap + HeightAt(b.actions, in+2*Ring)
		if max(b.wordsHeight(words), HeightAt(b.actions, n)) <= under {
			return words, n, true
		}
	}
	return in, in + 2*Ring, false
}

func (b *Banner) wordsHeight(width float32) float32 {
	return textHeight(b.lead, width) + textHeight(b.text, width)
}

// HeightAt implements Tall.
func (b *Banner) HeightAt(width float32) float32 {
	words, buttons, beside := b.plan(width)
	h := b.wordsHeight(words)
	a := HeightAt(b.actions, buttons)
	if beside {
		return max(h, a) + 2*bannerPadY + 1
	}
	if a > 0 {
		h += bannerGap
	}
	return h + a + 2*bannerPadY + 1
}

func textHeight(t *Text, width float32) float32 {
	if t.String() == "" {
		return 0
	}
	return t.HeightAt(width)
}

// MinSize is small: the window gives it the height it needs.
func (b *Banner) MinSize() fyne.Size { return fyne.NewSize(100, 20) }

func (b *Banner) held() fyne.CanvasObject { return b.actions }

// CreateRenderer implements fyne.Widget.
func (b *Banner) CreateRenderer() fyne.WidgetRenderer { return &bannerRenderer{b} }

type bannerRenderer struct{ b *Banner }

func (r *bannerRenderer) MinSize() fyne.Size { return r.b.MinSize() }
func (r *bannerRenderer) Destroy()           {}
func (r *bannerRenderer) Refresh()           { r.Layout(r.b.Size()); canvas.Refresh(r.b) }
func (r *bannerRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.b.back, r.b.line, r.b.lead, r.b.text, r.b.actions}
}

func (r *bannerRenderer) Layout(s fyne.Size) {
	b := r.b
	b.back.Resize(s)
	b.line.Move(fyne.NewPos(0, s.Height-1))
	b.line.Resize(fyne.NewSize(s.Width, 1))
	words, buttons, beside := b.plan(s.Width)
	lead, text := textHeight(b.lead, words), textHeight(b.text, words)
	y := float32(bannerPadY)
	if beside {
		y = (s.Height - lead - text) / 2
	}
	b.lead.Move(fyne.NewPos(bannerPadX, y))
	b.lead.Resize(fyne.NewSize(words, lead))
	b.text.Move(fyne.NewPos(bannerPadX, y+lead))
	b.text.Resize(fyne.NewSize(words, text))
	h := HeightAt(b.actions, buttons)
	if beside {
		b.actions.Move(fyne.NewPos(s.Width-bannerPadX-buttons, (s.Height-h)/2))
	} else {
		b.actions.Move(fyne.NewPos(bannerPadX-Ring, y+lead+text+bannerGap))
	}
	b.actions.Resize(fyne.NewSize(buttons, h))
}

// NewStack lays objects over each other.
func NewStack(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(stack{}, objects...)
}

type stack struct{}

func (stack) HeightAt(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for _, o := range objects {
		h = max(h, HeightAt(o, width))
	}
	return h
}
func (stack) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(40, 20) }
func (stack) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(size)
	}
}
