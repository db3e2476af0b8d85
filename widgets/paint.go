package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
)

// paint gives a colour of the theme in force.
func paint(name fyne.ThemeColorName) color.Color {
	s := fyne.CurrentApp().Settings()
	return s.Theme().Color(name, s.ThemeVariant())
}

// mix is the colour halfway between two.
func mix(a, b color.Color) color.Color {
	r1, g1, b1, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	half := func(x, y uint32) uint8 { return uint8((x + y) >> 9) }
	return color.NRGBA{R: half(r1, r2), G: half(g1, g2), B: half(b1, b2), A: 0xff}
}

// size gives a size of the theme in force.
func size(name fyne.ThemeSizeName) float32 {
	return fyne.CurrentApp().Settings().Theme().Size(name)
}

// ringGap and ringWidth are the focus ring's: 3 px, 2 px away from the control.
const (
	ringGap   = 2
	ringWidth = 3
	// Ring is the room a control leaves around itself for its focus ring.
	Ring = ringGap + ringWidth
)

// ring is the outline of the widget that has the keyboard.
func newRing() *canvas.Rectangle {
	r := canvas.NewRectangle(color.Transparent)
	r.StrokeWidth = ringWidth
	r.Hide()
	return r
}

// placeRing puts a ring around the rectangle that starts at pos.
func placeRing(r *canvas.Rectangle, pos fyne.Position, s fyne.Size, corner float32) {
	r.StrokeColor = paint(colorRing)
	r.CornerRadius = corner + Ring
	r.Move(pos.SubtractXY(Ring, Ring))
	r.Resize(s.AddWidthHeight(2*Ring, 2*Ring))
}

func showIf(o fyne.CanvasObject, visible bool) {
	if visible {
		o.Show()
	} else {
		o.Hide()
	}
}

// ForwardKey gives a key that a focused widget has no use for to the window:
// Fyne sends keys to the focused widget only.
func ForwardKey(o fyne.CanvasObject, e *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

// forwardShortcut gives a shortcut that a focused widget has no use for to the
// window: Fyne sends it to a focused Shortcutable only.
func forwardShortcut(o fyne.CanvasObject, s fyne.Shortcut) {
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(o).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

// requestFocus gives the keyboard to a widget that was clicked.
func requestFocus(o fyne.CanvasObject) {
	f, ok := o.(fyne.Focusable)
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); ok && c != nil {
		c.Focus(f)
	}
}

func isShift(k fyne.KeyName) bool {
	return k == desktop.KeyShiftLeft || k == desktop.KeyShiftRight
}

func isEnter(k fyne.KeyName) bool { return k == fyne.KeyReturn || k == fyne.KeyEnter }
