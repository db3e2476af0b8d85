package widgets

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
)

// Modal is a dialog: Tab stays inside it, the keyboard begins at the safe
// choice, Escape cancels, and the focus goes back to where it was.
type Modal struct {
	widget.BaseWidget
	// Name is what tests and the state file call it.
	Name string
	// Wide is how wide it may be, 0 for the usual.
	Wide float32
	// OnCancel runs on Escape, OnClosed however it closed.
	OnCancel, OnClosed func()

	title   *Text
	body    *fyne.Container
	scroll  *container.Scroll
	buttons *fyne.Container
	on      fyne.Canvas
	back    fyne.Focusable
	closed  bool
}

// NewModal makes a dialog that is not shown yet.
func NewModal(name string, title safetext.Line, body []fyne.CanvasObject, buttons ...*Button) *Modal {
	m := &Modal{Name: name, title: NewText(title, Style{Bold: true, Size: sizeTitle})}
	m.body = NewPaddedColumn(8, modalEdge, modalEdge)
	for _, o := range body {
		m.body.Add(inset(o))
	}
	m.scroll = container.NewVScroll(m.body)
	m.buttons = NewTrailingFlow(0)
	for _, b := range buttons {
		m.buttons.Add(b)
	}
	m.ExtendBaseWidget(m)
	return m
}

// Open shows the dialog with the keyboard at first.
func (m *Modal) Open(on fyne.Canvas, first fyne.Focusable) {
	m.on, m.back = on, on.Focused()
	m.Resize(on.Size())
	on.Overlays().Add(m)
	if first != nil {
		on.Focus(first)
	}
}

// Close closes it. A second Close does nothing.
func (m *Modal) Close() {
	if m.closed || m.on == nil {
		return
	}
	m.closed = true
	above, held := m.above(), m.on.Focused()
	m.on.Overlays().Remove(m) // and with it all that lie above
	for _, o := range above {
		m.on.Overlays().Add(o)
	}
	switch {
	case len(above) > 0 && held != nil:
		m.on.Focus(held)
	case len(above) == 0 && m.back != nil && canFocus(m.back):
		m.on.Focus(m.back)
	}
	if m.OnClosed != nil {
		m.OnClosed()
	}
}

// above are the overlays that lie above it, the lowest first.
func (m *Modal) above() []fyne.CanvasObject {
	all := m.on.Overlays().List()
	for i, o := range all {
		if o == fyne.CanvasObject(m) {
			return slices.Clone(all[i+1:])
		}
	}
	return nil
}

// Cancel closes it as Escape does.
func (m *Modal) Cancel() {
	if m.closed {
		return
	}
	m.Close()
	if m.OnCancel != nil {
		m.OnCancel()
	}
}

// Title is the title.
func (m *Modal) Title() string { return m.title.String() }

// Body is what it shows between its title and its buttons.
func (m *Modal) Body() []fyne.CanvasObject { return m.body.Objects }

// Top is the dialog on top of a canvas, or nil.
func Top(c fyne.Canvas) *Modal {
	m, _ := c.Overlays().Top().(*Modal)
	return m
}

// canFocus says that a widget is shown and enabled.
func canFocus(f fyne.Focusable) bool {
	o, ok := f.(fyne.CanvasObject)
	if !ok || !o.Visible() {
		return false
	}
	d, ok := f.(fyne.Disableable)
	return !ok || !d.Disabled()
}

// AccessibilityLabel is the title.
func (m *Modal) AccessibilityLabel() string { return m.title.String() }

// AccessibilityRole is container.
func (m *Modal) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

func (m *Modal) held() fyne.CanvasObject { return m.scroll }

// Tapped keeps taps beside the dialog from what lies behind it.
func (m *Modal) Tapped(*fyne.PointEvent) {}

// CreateRenderer implements fyne.Widget.
func (m *Modal) CreateRenderer() fyne.WidgetRenderer {
	r := &modalRenderer{m: m, veil: canvas.NewRectangle(color.Transparent), panel: canvas.NewRectangle(color.Transparent)}
	r.paint()
	return r
}

type modalRenderer struct {
	m           *Modal
	veil, panel *canvas.Rectangle
}

func (r *modalRenderer) MinSize() fyne.Size { return fyne.NewSize(100, 100) }
func (r *modalRenderer) Destroy()           {}
func (r *modalRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.veil, r.panel, r.m.title, r.m.scroll, r.m.buttons}
}

func (r *modalRenderer) Refresh() {
	r.paint()
	r.Layout(r.m.Size())
	canvas.Refresh(r.m)
}

func (r *modalRenderer) paint() {
	r.veil.FillColor = paint(colorShadow)
	r.panel.FillColor = paint(colorPanel)
	r.panel.StrokeColor, r.panel.StrokeWidth = paint(colorEdge), size(sizeEdge)
	r.panel.CornerRadius = 8
}

// modalEdge keeps rings from the edge at which the scrolled body is cut.
const modalWidth, modalPad, modalEdge = 560, 16, 2

func (r *modalRenderer) Layout(s fyne.Size) {
	r.veil.Resize(s)
	w := min(s.Width-16, max(r.m.Wide, modalWidth))
	in := w - 2*modalPad
	title := r.m.title.HeightAt(in)
	buttons := HeightAt(r.m.buttons, in+2*Ring)
	body := HeightAt(r.m.body, in+2*Ring+2*modalEdge)
	rest := title + buttons + 2*modalPad + 16
	room := min(body, max(s.Height-16-rest, 40))
	h := rest + room
	at := fyne.NewPos((s.Width-w)/2, max((s.Height-h)/2, 8))
	r.panel.Move(at)
	r.panel.Resize(fyne.NewSize(w, h))
	r.m.title.Move(at.AddXY(modalPad, modalPad))
	r.m.title.Resize(fyne.NewSize(in, title))
	// Controls leave room for their ring: the body is as much wider.
	r.m.scroll.Move(at.AddXY(modalPad-Ring-modalEdge, modalPad+title+8))
	ResizeScroll(r.m.scroll, fyne.NewSize(in+2*Ring+2*modalEdge, room))
	r.m.buttons.Move(at.AddXY(modalPad-Ring, modalPad+title+8+room+8))
	r.m.buttons.Resize(fyne.NewSize(in+2*Ring, buttons))
}
