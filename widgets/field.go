package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
)

// ringed adds a focus ring to an entry's own renderer and leaves room for it.
type ringed struct {
	fyne.WidgetRenderer
	ring    *canvas.Rectangle
	focused func() bool
	after   func()
}

func (r ringed) MinSize() fyne.Size {
	return r.WidgetRenderer.MinSize().AddWidthHeight(2*Ring, 2*Ring)
}

func (r ringed) Layout(s fyne.Size) {
	inner := s.SubtractWidthHeight(2*Ring, 2*Ring)
	r.WidgetRenderer.Layout(inner)
	for _, o := range r.WidgetRenderer.Objects() {
		o.Move(o.Position().AddXY(Ring, Ring))
	}
	placeRing(r.ring, fyne.NewPos(Ring, Ring), inner, size("inputRadius"))
}

func (r ringed) Objects() []fyne.CanvasObject {
	return append(r.WidgetRenderer.Objects(), r.ring)
}

func (r ringed) Refresh() {
	r.ring.StrokeColor = paint(colorRing)
	showIf(r.ring, r.focused())
	r.WidgetRenderer.Refresh()
	if r.after != nil {
		r.after()
	}
	r.ring.Refresh()
}

// Field is a one-line entry: it shows a ring, and gives keys it has no use for
// to the window.
type Field struct {
	widget.Entry
	// OnEnter runs on Enter, OnShiftEnter on Shift+Enter where it is set, OnDown
	// on Down.
	OnEnter, OnShiftEnter func(string)
	OnDown                func()
	// Name is what tests and the state file call it, Says what readers say in
	// place of the words in the empty entry.
	Name    string
	Says    safetext.Line
	focused bool
	secret  bool
	shift   bool
}

// NewField makes an empty entry.
func NewField(placeholder safetext.Line) *Field {
	f := &Field{}
	f.PlaceHolder = placeholder.String()
	f.Scroll = fyne.ScrollHorizontalOnly
	f.ExtendBaseWidget(f)
	return f
}

// NewSecretField makes an entry that shows dots and cannot be copied from.
func NewSecretField(placeholder safetext.Line) *Field {
	f := &Field{secret: true}
	f.PlaceHolder = placeholder.String()
	f.Password = true
	f.ActionItem = widget.NewLabel("")
	f.ActionItem.Hide()
	f.ExtendBaseWidget(f)
	return f
}

// CreateRenderer implements fyne.Widget.
func (f *Field) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	return ringed{WidgetRenderer: f.Entry.CreateRenderer(), ring: newRing(), focused: func() bool { return f.focused }}
}

// AccessibilityLabel says what belongs into the field.
func (f *Field) AccessibilityLabel() string {
	if !f.Says.Empty() {
		return f.Says.String()
	}
	return f.PlaceHolder
}

// AccessibilityRole is text.
func (f *Field) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// FocusGained implements fyne.Focusable.
func (f *Field) FocusGained() { f.focused = true; f.Entry.FocusGained(); reveal(f) }

// FocusLost implements fyne.Focusable.
func (f *Field) FocusLost() { f.focused, f.shift = false, false; f.Entry.FocusLost() }

// KeyDown implements desktop.Keyable.
func (f *Field) KeyDown(e *fyne.KeyEvent) {
	f.shift = f.shift || isShift(e.Name)
	f.Entry.KeyDown(e)
}

// KeyUp implements desktop.Keyable.
func (f *Field) KeyUp(e *fyne.KeyEvent) {
	f.shift = f.shift && !isShift(e.Name)
	f.Entry.KeyUp(e)
}

// TypedKey implements fyne.Focusable.
func (f *Field) TypedKey(e *fyne.KeyEvent) {
	switch {
	case isEnter(e.Name) && f.shift && f.OnShiftEnter != nil:
		f.OnShiftEnter(f.Text)
	case isEnter(e.Name) && f.OnEnter != nil:
		f.OnEnter(f.Text)
	case e.Name == fyne.KeyDown && f.OnDown != nil:
		f.OnDown()
	case isEnter(e.Name), isWindowKey(e.Name):
		ForwardKey(f, e)
	default:
		f.Entry.TypedKey(e)
	}
}

// TypedShortcut edits, or gives the shortcut to the window.
func (f *Field) TypedShortcut(s fyne.Shortcut) {
	if IsEditing(s) {
		f.Entry.TypedShortcut(s)
		return
	}
	forwardShortcut(f, s)
}

// isWindowKey says that a plain key is the window's also while one types.
func isWindowKey(k fyne.KeyName) bool {
	switch k {
	case fyne.KeyEscape, fyne.KeyF1, fyne.KeyF2, fyne.KeyF3, fyne.KeyF4, fyne.KeyF5, fyne.KeyF6, fyne.KeyF7, fyne.KeyF8, desktop.KeyMenu:
		return true
	}
	return false
}

// IsEditing says that an entry has a use for a shortcut.
func IsEditing(s fyne.Shortcut) bool {
	c, ok := s.(*desktop.CustomShortcut)
	if !ok {
		return true
	}
	switch c.KeyName {
	case fyne.KeyLeft, fyne.KeyRight, fyne.KeyBackspace, fyne.KeyDelete:
		return true
	}
	return false
}

// Inset sets a text where the edges of controls are, which leave room for their
// ring.
func Inset(t *Text) fyne.CanvasObject { return inset(t) }

// Labelled puts a label above an object.
func Labelled(label safetext.Line, o fyne.CanvasObject) *fyne.Container {
	return NewColumn(2, inset(NewText(label, Style{Size: sizeSmall, Color: colorDim})), inset(o))
}

// NewRule is a thin line across.
func NewRule() fyne.CanvasObject { return newArea(colorLine, 1) }

// An area is a rectangle that follows the theme.
type area struct {
	widget.BaseWidget
	name   fyne.ThemeColorName
	height float32
	edge   fyne.ThemeColorName
	corner float32
}

// NewArea is a background in a colour of the theme.
func NewArea(name fyne.ThemeColorName) fyne.CanvasObject { return newArea(name, 0) }

func newArea(name fyne.ThemeColorName, height float32) *area {
	a := &area{name: name, height: height}
	a.ExtendBaseWidget(a)
	return a
}

func newCardArea(fill, edge fyne.ThemeColorName) *area {
	a := newArea(fill, 0)
	a.edge, a.corner = edge, 8
	return a
}

// SetColor changes the colour.
func (a *area) SetColor(name fyne.ThemeColorName) {
	if a.name != name {
		a.name = name
		a.Refresh()
	}
}

func (a *area) CreateRenderer() fyne.WidgetRenderer {
	r := &areaRenderer{a: a, rect: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type areaRenderer struct {
	a    *area
	rect *canvas.Rectangle
}

func (r *areaRenderer) MinSize() fyne.Size           { return fyne.NewSize(1, r.a.height) }
func (r *areaRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }
func (r *areaRenderer) Destroy()                     {}
func (r *areaRenderer) Layout(s fyne.Size)           { r.rect.Resize(s) }
func (r *areaRenderer) Refresh() {
	r.rect.FillColor = paint(r.a.name)
	if r.a.edge != "" {
		r.rect.StrokeColor, r.rect.StrokeWidth = paint(r.a.edge), size(sizeEdge)
		r.rect.CornerRadius = r.a.corner
	}
	r.rect.Refresh()
}
