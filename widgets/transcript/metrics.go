package transcript

import (
	"math"

	"holdfast/widgets/theme"
)

// Proportions of the faces, in parts of their size.
const (
	sansUp, sansDown float32 = 1.069, 0.293
	monoUp, monoDown float32 = 0.928, 0.236
)

// A fount is a size of type in device pixels.
type fount struct {
	px   float32
	line int // height of a line
	base int // from the top of a line to its baseline
}

func newFount(px, line, up, down float32) fount {
	h := round(line)
	return fount{px: px, line: h, base: round((float32(h)-px*(up+down))/2 + px*up)}
}

// grown is the fount k times as large.
func (f fount) grown(k float32) fount {
	return newFount(f.px*k, float32(f.line)*k, sansUp, sansDown)
}

// Metrics is all that a layout depends on besides what is laid out, in device
// pixels. Two equal Metrics give equal layouts.
type metrics struct {
	scale             float32 // device pixels per Fyne unit
	text              float32 // text size factor
	col               int     // width of the reading column
	body, small, code fount
	line              fount // prose in the size of code: heads of quiet folds
}

func round(x float32) int { return int(math.Round(float64(x))) }

// px turns Fyne units into device pixels.
func (m *metrics) px(units float32) int { return round(units * m.scale) }

// em is a length that grows with the text.
func (m *metrics) em(units float32) int { return round(units * m.scale * m.text) }

// newMetrics gives the metrics of a viewport w device pixels wide, and where
// its reading column begins.
func newMetrics(w int, scale, text float32) (m metrics, left int) {
	m = metrics{scale: scale, text: text}
	pad := m.px(theme.Space24)
	if float32(w) < theme.NarrowWidth*scale {
		pad = m.px(theme.Space12)
	}
	m.col = max(min(w-2*pad, m.px(theme.ColumnWidth)), m.px(40))
	k := scale * text
	m.body = newFount(theme.BodyText*k, theme.BodyLine*k, sansUp, sansDown)
	m.small = newFount(theme.SmallText*k, theme.SmallLine*k, sansUp, sansDown)
	m.code = newFount(theme.CodeText*k, theme.CodeLine*k, monoUp, monoDown)
	m.line = newFount(theme.CodeText*k, theme.CodeLine*k, sansUp, sansDown)
	return m, max((w-m.col)/2, 0)
}

// scaleOf is the scale of a viewport of w pixels and width units. It is kept
// to steps of 1/120, so that rounding the width to pixels does not change it.
func scaleOf(w int, width float32) float32 {
	if width <= 0 {
		return 1
	}
	const steps = 120
	return max(float32(round(float32(w)/width*steps))/steps, 0.25)
}
