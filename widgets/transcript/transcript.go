package transcript

import (
	"image"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
	"holdfast/core/words"
	"holdfast/widgets/text"
	"holdfast/widgets/theme"
)

// A Transcript shows rows. Its methods belong to the UI goroutine.
type Transcript struct {
	widget.BaseWidget

	// OnOpenLink is called when the user explicitly asks for a link, with its
	// raw target and the words it was shown as.
	OnOpenLink func(url, shown string)
	// OnAction is called when the user asks for a Note's action.
	OnAction func(key, action string)
	// OnMenu is called when the user asks with the mouse what can be done with a
	// row, which then is the one of KeyRow.
	OnMenu func()
	// OnNearTop and OnNearBottom tell when the end of the rows comes within a
	// page of the viewport, and when it leaves it.
	OnNearTop, OnNearBottom func(near bool)
	// OnMoved tells when another row is the first in view, or the end came into
	// view or left it. It may be called while a frame is drawn.
	OnMoved func()
	// OnNews tells how many rows came below that the reader has not been to. It
	// may be called while a frame is drawn.
	OnNews func(n int)
	// MarkNew says that rows that come at the end are new, not older ones that
	// were loaded.
	MarkNew bool
	// OnFocusChanged tells when the transcript gains or loses the keyboard.
	OnFocusChanged func(focused bool)
	// OnShortcut takes the shortcuts that are not the transcript's; nil sends
	// them to the canvas.
	OnShortcut func(fyne.Shortcut)

	fonts *text.Fonts
	look  func() theme.Look
	buf   scratch

	items []*item
	index map[string]int
	folds map[string]bool // what the user opened and closed
	empty []safetext.Line
	stale bool

	view  viewport
	place place
	moved place // what OnMoved was called for: a key, and whether the end is in view
	eye   eye
	near  nearness

	focused  bool
	shift    bool // is held
	focusKey string
	sel      selection
	found    *Found // what is looked for, nil for nothing
	match    match
	news     news
	told     int // of them, last
	mouse    mouse

	raster  *canvas.Raster
	frame   *image.RGBA
	frames  uint64
	layouts int // parts laid out since the start, for tests
	held    int // layouts in memory, at most
}

// A viewport is what the last frame was drawn into.
type viewport struct {
	w, h  int // device pixels
	left  int // of the reading column
	m     metrics
	exact float32 // device pixels per Fyne unit, for the mouse
	top   float32 // of the widget, in Fyne units
	size  fyne.Size
}

var (
	_ fyne.Widget     = (*Transcript)(nil)
	_ fyne.Accessible = (*Transcript)(nil)
)

// New makes an empty transcript. look is asked for colours and text size at
// every frame; theme.Current fits.
func New(fonts *text.Fonts, look func() theme.Look) *Transcript {
	t := &Transcript{fonts: fonts, look: look, index: map[string]int{}, folds: map[string]bool{}}
	t.place.stick = true
	t.raster = canvas.NewRaster(t.draw)
	t.raster.ScaleMode = canvas.ImageScalePixels
	t.ExtendBaseWidget(t)
	return t
}

// SetRows shows these rows instead of those before. The line under the reader's
// eye stays where it is; when no row survives, the view starts at the end.
func (t *Transcript) SetRows(rows []*Row) {
	old, oldIndex := t.items, t.index
	t.items = make([]*item, len(rows))
	t.index = make(map[string]int, len(rows))
	for i, r := range rows {
		var was *item
		if j, ok := oldIndex[r.Key]; ok {
			was = old[j]
		}
		t.items[i] = t.item(r, was)
		t.index[r.Key] = i
	}
	t.noteNews(old)
	t.keepPlace(old)
	t.keepSelection()
	t.settle()
	t.tellNews()
	t.keepFocus() // a row in view, which is known only now
	t.repaint()
}

func (t *Transcript) item(r *Row, was *item) *item {
	if was != nil && (was.row == r || sameRow(was.row, r)) {
		return was
	}
	it := newItem(r, t.isOpen(r), was)
	if t.view.w > 0 {
		it.guess(&t.view.m)
	}
	return it
}

// sameRow reports whether two rows of one key look alike. The version vouches
// for what is long; what is short is compared, so that a version that came twice
// does no harm to it.
func sameRow(a, b *Row) bool {
	return a.Version == b.Version && a.Form == b.Form && a.Who == b.Who && a.When == b.When && a.Head == b.Head &&
		a.Running == b.Running && a.Partial == b.Partial && len(a.Body) == len(b.Body) &&
		slices.Equal(a.Verdict, b.Verdict) && slices.Equal(a.Notes, b.Notes) && slices.Equal(a.Steps, b.Steps)
}

func (t *Transcript) isOpen(r *Row) bool {
	if !r.Form.Folds() {
		return false
	}
	if open, ok := t.folds[r.Key]; ok {
		return open
	}
	return r.Open
}

// SetEmpty sets the text shown in the middle while there are no rows; of several
// lines the first is the head.
func (t *Transcript) SetEmpty(lines ...safetext.Line) {
	if !slices.Equal(t.empty, lines) {
		t.empty = lines
		t.repaint()
	}
}

// SetStale dims the names over the messages: what is shown may not be complete.
func (t *Transcript) SetStale(stale bool) {
	if t.stale != stale {
		t.stale = stale
		t.repaint()
	}
}

// Toggle opens or closes the fold of a row; its head stays where it is.
func (t *Transcript) Toggle(key string) {
	i, ok := t.index[key]
	if !ok || !t.items[i].row.Form.Folds() {
		return
	}
	t.setOpen(i, !t.items[i].open)
}

func (t *Transcript) setOpen(i int, open bool) {
	it := t.items[i]
	if it.open == open {
		return
	}
	y := t.yOf(i)
	t.folds[it.row.Key] = open
	t.items[i] = newItem(it.row, open, it)
	t.keepSelection()
	if t.view.w > 0 {
		t.items[i].guess(&t.view.m)
		t.holdHead(i, y)
	}
	t.repaint()
}

// FocusedKey is the key of the row that the keyboard acts on, "" without one.
func (t *Transcript) FocusedKey() string { return t.focusKey }

// CreateRenderer is Fyne's way to ask for what is drawn.
func (t *Transcript) CreateRenderer() fyne.WidgetRenderer { return renderer{t} }

type renderer struct{ t *Transcript }

func (r renderer) Layout(s fyne.Size)           { r.t.raster.Resize(s) }
func (r renderer) MinSize() fyne.Size           { return fyne.NewSize(120, 60) }
func (r renderer) Refresh()                     { r.t.repaint() }
func (r renderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.t.raster} }
func (r renderer) Destroy()                     {}

func (t *Transcript) repaint() { t.raster.Refresh() }

// AccessibilityLabel says which row has the keyboard.
func (t *Transcript) AccessibilityLabel() string {
	i, ok := t.index[t.focusKey]
	if !ok {
		return words.T("Conversation")
	}
	r := t.items[i].row
	return words.T("Conversation: %s", safetext.Join(" ", r.Who, r.When, r.Head).String())
}

// AccessibilityRole is that of text.
func (t *Transcript) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// lay gives the layout of a part, made now if need be.
func (t *Transcript) lay(i, p int) *layout {
	it := t.items[i]
	pt := &it.parts[p]
	pt.used = t.frames
	if pt.lay == nil {
		pt.lay = layPart(t.fonts, &t.view.m, &t.buf, it, pt)
		pt.h, pt.exact = pt.lay.h, true
		t.layouts++
		t.held++
	}
	return pt.lay
}

// height gives the exact height of a part; it is laid out if need be.
func (t *Transcript) height(i, p int) int {
	if pt := &t.items[i].parts[p]; pt.exact {
		return pt.h
	}
	return t.lay(i, p).h
}

const (
	mostHeld  = 256 // layouts in memory before those long unseen are dropped
	keptSince = 8   // frames
)

// tidy drops the layouts that were not seen for a while; heights stay.
func (t *Transcript) tidy() {
	if t.held <= mostHeld {
		return
	}
	t.held = 0
	for _, it := range t.items {
		for p := range it.parts {
			pt := &it.parts[p]
			if pt.lay != nil && pt.used+keptSince < t.frames {
				pt.lay = nil
			}
			if pt.lay != nil {
				t.held++
			}
		}
	}
}
