package widgets

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
)

// A CardModel is what a Card shows; it never changes for a card.
type CardModel struct {
	// ID is the request's, Name what tests and the state file call the card.
	ID, Name string
	Title    safetext.Line
	// Codes are the exact command or patches, Why says why and where.
	Codes []safetext.Doc
	Why   []safetext.Line
	// Inputs are asked for, Choices are the answers, the least far-reaching
	// first.
	Inputs  []Input
	Choices []Choice
}

// A Choice is one answer. NeedsInputs says that it sends the inputs.
type Choice struct {
	Name        string
	Text        safetext.Line
	Quiet       bool
	NeedsInputs bool
}

// Card is a request of the server. It never takes the focus by itself, and its
// buttons do nothing before Ready says so (ruling 40).
type Card struct {
	widget.BaseWidget
	// Model is what it shows.
	Model CardModel
	// OnAnswer gets the chosen answer and the inputs by their ID.
	OnAnswer func(choice string, inputs map[string][]string)
	// Ready says that the card has been on screen long enough to be meant.
	Ready func() bool

	back    *area
	body    *fyne.Container
	note    *Text
	buttons *fyne.Container
	inputs  []*inputView
}

// NewCard makes a card.
func NewCard(m CardModel) *Card {
	c := &Card{Model: m, back: newCardArea(colorRaised, colorAccent)}
	c.note = NewText(safetext.Line{}, Style{Color: colorWarn})
	c.note.Hide()
	// The parts are put in at once: each Add would lay out all of them.
	parts := []fyne.CanvasObject{inset(NewText(m.Title, Style{Bold: true}))}
	for _, d := range m.Codes {
		parts = append(parts, NewCode(d))
	}
	for _, w := range m.Why {
		if !w.Empty() {
			parts = append(parts, inset(NewText(w, Style{Size: sizeSmall, Color: colorDim})))
		}
	}
	for _, in := range m.Inputs {
		v := newInputView(in)
		c.inputs = append(c.inputs, v)
		parts = append(parts, v.box)
	}
	c.buttons = NewFlow(0)
	for _, ch := range m.Choices {
		c.buttons.Add(c.button(ch))
	}
	c.body = NewColumn(6, append(parts, inset(c.note), c.buttons)...)
	c.ExtendBaseWidget(c)
	return c
}

func (c *Card) button(ch Choice) *Button {
	kind := Plain
	if ch.Quiet {
		kind = Quiet
	}
	b := NewButton(ch.Text, kind, nil)
	b.OnTapped = func() { c.choose(ch) }
	return b
}

func (c *Card) choose(ch Choice) {
	if c.Ready != nil && !c.Ready() || c.OnAnswer == nil {
		return
	}
	if !ch.NeedsInputs {
		c.OnAnswer(ch.Name, nil)
		return
	}
	answers := map[string][]string{}
	for _, v := range c.inputs {
		values, problem := v.values()
		if !problem.Empty() {
			c.Say(problem)
			requestFocus(v.first)
			return
		}
		if values != nil {
			answers[v.in.ID] = values
		}
	}
	c.OnAnswer(ch.Name, answers)
}

// Say shows a line above the buttons.
func (c *Card) Say(l safetext.Line) {
	c.note.Set(l)
	showIf(c.note, !l.Empty())
	c.Refresh()
}

// Answered takes the buttons and inputs away and says what happened.
func (c *Card) Answered(l safetext.Line) {
	c.buttons.Hide()
	for _, v := range c.inputs {
		v.clear()
		v.box.Hide()
	}
	c.note.SetColor(colorDim)
	c.Say(l)
}

// Typed is what was typed into its inputs and is no secret, "" for nothing.
func (c *Card) Typed() string {
	var out []string
	for _, v := range c.inputs {
		if v.field == nil || v.in.Kind == SecretInput {
			continue
		}
		if text := v.field.Text; strings.TrimSpace(text) != "" && text != v.in.Default {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n")
}

// Focusables are what can have the keyboard, in Tab order.
func (c *Card) Focusables() []fyne.Focusable { return Focusables(c.body) }

// Buttons are its buttons.
func (c *Card) Buttons() []*Button {
	var out []*Button
	for _, o := range c.buttons.Objects {
		if b, ok := o.(*Button); ok {
			out = append(out, b)
		}
	}
	return out
}

// HeightAt implements Tall.
func (c *Card) HeightAt(width float32) float32 { return HeightAt(c.body, width-2*cardPad) + 2*cardPad }

// MinSize is small: who shows it gives it the height it needs.
func (c *Card) MinSize() fyne.Size { return fyne.NewSize(100, 40) }

// AccessibilityLabel is its title.
func (c *Card) AccessibilityLabel() string { return c.Model.Title.String() }

// AccessibilityRole is container.
func (c *Card) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

func (c *Card) held() fyne.CanvasObject { return c.body }

const cardPad = 10

// CreateRenderer implements fyne.Widget.
func (c *Card) CreateRenderer() fyne.WidgetRenderer { return &cardRenderer{c} }

type cardRenderer struct{ c *Card }

func (r *cardRenderer) MinSize() fyne.Size { return r.c.MinSize() }
func (r *cardRenderer) Destroy()           {}
func (r *cardRenderer) Refresh()           { r.Layout(r.c.Size()); canvas.Refresh(r.c) }
func (r *cardRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.c.back, r.c.body}
}

func (r *cardRenderer) Layout(s fyne.Size) {
	r.c.back.Resize(s)
	r.c.body.Move(fyne.NewPos(cardPad, cardPad))
	r.c.body.Resize(s.SubtractWidthHeight(2*cardPad, 2*cardPad))
}

// Focusables are the widgets below root that can have the keyboard, in Tab
// order.
func Focusables(root fyne.CanvasObject) []fyne.Focusable {
	if root == nil || !root.Visible() {
		return nil
	}
	if f, ok := root.(fyne.Focusable); ok {
		if canFocus(f) {
			return []fyne.Focusable{f}
		}
		return nil
	}
	var out []fyne.Focusable
	switch r := root.(type) {
	case *fyne.Container:
		for _, o := range r.Objects {
			out = append(out, Focusables(o)...)
		}
	case *container.Scroll:
		return Focusables(r.Content)
	case holder:
		return Focusables(r.held())
	}
	return out
}
