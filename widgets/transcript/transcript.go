package transcript

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
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
	// OnNearTop and OnNearBottom tell when the end of the rows comes within a
	// page of the viewport, and when it leaves it.
	OnNearTop, OnNearBottom func(near bool)
	// OnFocusChanged tells when the transcript gains or loses the keyboard.
	OnFocusChanged func(focused bool)

	fonts *text.Fonts
	look  func() theme.Look
	rows  []*Row
	empty safetext.Line
	stale bool

	raster *canvas.Raster
}

// New makes an empty transcript. look is asked for colours and text size at
// every frame; theme.Current fits.
func New(fonts *text.Fonts, look func() theme.Look) *Transcript {
	t := &Transcript{fonts: fonts, look: look}
	t.raster = canvas.NewRaster(t.draw)
	t.raster.ScaleMode = canvas.ImageScalePixels
	t.ExtendBaseWidget(t)
	return t
}

// SetRows shows these rows instead of those before. The line under the reader's
// eye stays where it is; when no row survives, the view starts at the end.
func (t *Transcript) SetRows(rows []*Row) { t.rows = rows; t.raster.Refresh() }

// SetEmpty sets the text shown in the middle while there are no rows.
func (t *Transcript) SetEmpty(l safetext.Line) { t.empty = l; t.raster.Refresh() }

// SetStale dims the names over the messages: what is shown may not be complete.
func (t *Transcript) SetStale(stale bool) { t.stale = stale; t.raster.Refresh() }

// ScrollToEnd shows the last row and follows what comes.
func (t *Transcript) ScrollToEnd() {}

// AtEnd reports whether the end is in view, so that new rows are followed.
func (t *Transcript) AtEnd() bool { return true }

// SelectedText is the plain text of the selection, "" without one.
func (t *Transcript) SelectedText() string { return "" }

// FocusedKey is the key of the row that the keyboard acts on, "" without one.
func (t *Transcript) FocusedKey() string { return "" }

func (t *Transcript) draw(w, h int) image.Image { return image.NewRGBA(image.Rect(0, 0, w, h)) }

// CreateRenderer is Fyne's way to ask for what is drawn.
func (t *Transcript) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.raster) }
