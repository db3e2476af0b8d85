package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
)

// A Kind says how a Button looks.
type Kind uint8

// The kinds of buttons.
const (
	Plain   Kind = iota // outlined
	Primary             // filled
	Quiet               // text only
	Chip                // a small pill
)

// Button is a labelled action. Enter and Space press it, a ring shows that it
// has the keyboard, and a press that began under another label does nothing
// (UI-5).
type Button struct {
	widget.DisableableWidget
	// OnTapped runs when the button is pressed.
	OnTapped func()
	// Name is what tests and the state file call it; its label when "".
	Name string
	kind Kind

	label, key       string
	warn             bool
	focused, hovered bool
	// pressed is the label at key-down or mouse-down; mouse and keyDown say
	// which of them began a press.
	pressed        string
	mouse, keyDown bool
}

// NewButton makes a button with a label of server text or of our own words.
func NewButton(label safetext.Line, kind Kind, tapped func()) *Button {
	b := &Button{label: label.String(), kind: kind, OnTapped: tapped}
	b.ExtendBaseWidget(b)
	return b
}

// NewKeyButton is NewButton with the name of its key shown beside the label.
func NewKeyButton(label safetext.Line, key string, kind Kind, tapped func()) *Button {
	b := NewButton(label, kind, tapped)
	b.key = key
	return b
}

// SetLabel changes the label. A press that began before it does nothing.
func (b *Button) SetLabel(l safetext.Line) {
	if s := l.String(); s != b.label {
		b.label = s
		b.Refresh()
	}
}

// SetKind changes how it looks.
func (b *Button) SetKind(k Kind) {
	if b.kind != k {
		b.kind = k
		b.Refresh()
	}
}

// SetWarn shows its label in the warning colour.
func (b *Button) SetWarn(on bool) {
	if b.warn != on {
		b.warn = on
		b.Refresh()
	}
}

// SetEnabled enables or disables it.
func (b *Button) SetEnabled(on bool) {
	if on == !b.Disabled() {
		return
	}
	if on {
		b.Enable()
	} else {
		b.Disable()
	}
}

// Label is the label.
func (b *Button) Label() string { return b.label }

// Key is the name of its key, "" when none is shown.
func (b *Button) Key() string { return b.key }

// AccessibilityLabel is the label and its key.
func (b *Button) AccessibilityLabel() string {
	if b.key == "" {
		return b.label
	}
	return b.label + ", " + b.key
}

// AccessibilityRole is button.
func (b *Button) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// FocusGained implements fyne.Focusable.
func (b *Button) FocusGained() { b.focused = true; b.Refresh(); reveal(b) }

// FocusLost implements fyne.Focusable. It ends a press of the keyboard.
func (b *Button) FocusLost() { b.focused, b.keyDown = false, false; b.Refresh() }

// TypedRune presses the button on a space: the rune is the last that comes of the
// key. On the key itself, the rune would go where the press moves the keyboard.
func (b *Button) TypedRune(r rune) {
	if r == ' ' || r == '\u3000' {
		b.typed()
	}
}

// KeyDown notes the label under which a press began.
func (b *Button) KeyDown(e *fyne.KeyEvent) {
	if isEnter(e.Name) || e.Name == fyne.KeySpace {
		b.pressed, b.keyDown = b.label, true
	}
}

// KeyUp implements desktop.Keyable.
func (b *Button) KeyUp(*fyne.KeyEvent) { b.keyDown = false }

// TypedKey presses the button on Enter.
func (b *Button) TypedKey(e *fyne.KeyEvent) {
	switch {
	case isEnter(e.Name):
		b.typed()
	case e.Name != fyne.KeySpace:
		ForwardKey(b, e)
	}
}

// typed presses the button once for each key-down: a key that is held, or was
// pressed elsewhere, does nothing.
func (b *Button) typed() {
	if b.keyDown && b.pressed == b.label {
		b.keyDown = false
		b.press()
	}
	b.keyDown = false
}

// MouseDown notes the label under which a press began.
func (b *Button) MouseDown(*desktop.MouseEvent) { b.pressed, b.mouse = b.label, true }

// MouseUp implements desktop.Mouseable.
func (b *Button) MouseUp(*desktop.MouseEvent) {}

// Tapped presses the button, unless its label changed since the mouse went down.
func (b *Button) Tapped(*fyne.PointEvent) {
	began := b.mouse
	b.mouse = false
	if b.Disabled() {
		return
	}
	requestFocus(b)
	if !began || b.pressed == b.label {
		b.press()
	}
}

func (b *Button) press() {
	if !b.Disabled() && b.Visible() && b.OnTapped != nil {
		b.OnTapped()
	}
}

// MouseIn implements desktop.Hoverable.
func (b *Button) MouseIn(*desktop.MouseEvent) { b.hovered = true; b.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (b *Button) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (b *Button) MouseOut() { b.hovered = false; b.Refresh() }

func (b *Button) style() Style {
	if b.kind == Chip {
		return Style{Size: sizeSmall}
	}
	return Style{Size: sizeBody, Bold: b.kind != Quiet}
}

func (b *Button) padding() (x, y float32) {
	if b.kind == Chip {
		return 10, 3
	}
	return 12, 5
}

func (b *Button) keyWidth() float32 {
	if b.key == "" {
		return 0
	}
	return fyne.MeasureText(b.key, size(sizeSmall), fyne.TextStyle{}).Width + 8
}

// MinSize is the label on one line, with room for the ring.
func (b *Button) MinSize() fyne.Size {
	px, py := b.padding()
	st := b.style()
	w := fyne.MeasureText(b.label, size(st.Size), st.text()).Width + b.keyWidth() + 2*px + 2*Ring
	return fyne.NewSize(w+1, lineHeight(st.Size)+2*py+2*Ring)
}

// HeightAt implements Tall: a label that does not fit wraps.
func (b *Button) HeightAt(width float32) float32 {
	_, py := b.padding()
	return float32(len(b.wrapped(width)))*lineHeight(b.style().Size) + 2*py + 2*Ring
}

func (b *Button) wrapped(width float32) []string {
	px, _ := b.padding()
	st := b.style()
	return wrap(b.label, width-2*px-2*Ring-b.keyWidth(), size(st.Size), st.text(), 6)
}

// CreateRenderer implements fyne.Widget.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	return &buttonRenderer{b: b, bg: canvas.NewRectangle(color.Transparent), ring: newRing()}
}

type buttonRenderer struct {
	b        *Button
	bg, ring *canvas.Rectangle
	objects  []fyne.CanvasObject
}

func (r *buttonRenderer) MinSize() fyne.Size           { return r.b.MinSize() }
func (r *buttonRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *buttonRenderer) Destroy()                     {}
func (r *buttonRenderer) Refresh()                     { r.Layout(r.b.Size()); canvas.Refresh(r.b) }

func (r *buttonRenderer) Layout(s fyne.Size) {
	if s.Width <= 0 {
		return
	}
	b := r.b
	px, _ := b.padding()
	box := s.SubtractWidthHeight(2*Ring, 2*Ring)
	corner := float32(6)
	if b.kind == Chip {
		corner = box.Height / 2
	}
	ink := r.colours()
	r.bg.CornerRadius = corner
	r.bg.Move(fyne.NewPos(Ring, Ring))
	r.bg.Resize(box)
	placeRing(r.ring, fyne.NewPos(Ring, Ring), box, corner)
	showIf(r.ring, b.focused)
	r.objects = append(r.objects[:0], r.bg)
	st := b.style()
	lh := lineHeight(st.Size)
	lines := b.wrapped(s.Width)
	top := (s.Height - lh*float32(len(lines))) / 2
	room := s.Width - 2*px - 2*Ring - b.keyWidth()
	for i, line := range lines {
		t := newCanvasText(line, st, ink)
		h := t.MinSize().Height
		if b.key == "" {
			t.Alignment = fyne.TextAlignCenter
		}
		t.Move(fyne.NewPos(Ring+px, top+float32(i)*lh+(lh-h)/2))
		t.Resize(fyne.NewSize(room, h))
		r.objects = append(r.objects, t)
	}
	if b.key != "" {
		t := newCanvasText(b.key, Style{Size: sizeSmall}, ink)
		h := t.MinSize().Height
		t.Move(fyne.NewPos(s.Width-Ring-px-b.keyWidth()+8, (s.Height-h)/2))
		t.Resize(fyne.NewSize(b.keyWidth()-8, h))
		r.objects = append(r.objects, t)
	}
	r.objects = append(r.objects, r.ring)
}

// colours sets the box's and gives the ink's.
func (r *buttonRenderer) colours() color.Color {
	b := r.b
	r.bg.StrokeWidth = size(sizeEdge)
	r.bg.FillColor, r.bg.StrokeColor = paint(colorRaised), paint(colorEdge)
	ink := paint(colorInk)
	switch {
	case b.kind == Quiet:
		r.bg.FillColor, r.bg.StrokeColor = color.Transparent, color.Transparent
	case b.kind == Primary && !b.Disabled():
		r.bg.FillColor, r.bg.StrokeColor = paint(colorAccent), paint(colorAccent)
		ink = paint(colorOnAccent)
	}
	if b.Disabled() {
		// Ink and edge are half gone, so that it is told apart without colour.
		faded := mix(paint(colorInk), paint(colorRaised))
		if b.kind != Quiet {
			r.bg.StrokeColor = mix(paint(colorEdge), paint(colorRaised))
		}
		return faded
	}
	if b.warn {
		ink = paint(colorWarn)
	}
	if b.hovered && b.kind != Primary {
		r.bg.FillColor = paint(colorHover)
	}
	return ink
}
