package transcript

import (
	"image"

	"holdfast/widgets/text"
)

// A layout is a part of a row, broken into lines at a width. All lengths are
// device pixels from the part's top and the column's left.
type layout struct {
	h       int
	lines   []line
	runs    []run
	shapes  []shape
	plain   string // its text; runs are ranges of it
	targets []target
	texts   []int32 // where each text that was set begins in plain; -1: unseen
	// found are the matches of foundFor, kept since they were last drawn.
	foundFor *needle
	found    []bytesOf
	// edge is where the frame of the row begins (in a head) or ends (in a
	// tail); bar is where a fold's head ends.
	edge, bar int
}

// A line is one line of text, its runs from left to right.
type line struct {
	y, h, base int
	from, to   int // runs
}

// A run is text in one style. Simple text is drawn from the plain text, shaped
// text from its glyphs.
type run struct {
	from, to int // bytes of plain
	x, w     float32
	px       float32
	glyphs   []text.Glyph
	literal  string // drawn instead of plain: the mark of cut text
	style    text.Style
	paint    paint
	flags    runFlags
	target   int16 // 1 + index of targets; 0 for none
}

type runFlags uint8

const (
	struck runFlags = 1 << iota
	coded           // inline code, on a ground of its own
	backwards
)

// A target is what a click on a run asks for.
type target struct {
	url, shown string
	action     string
}

// A shape is drawn under the text.
type shape struct {
	kind  shapeKind
	at    image.Rectangle
	paint paint
}

type shapeKind uint8

const (
	block      shapeKind = iota // filled
	card                        // filled, with round corners
	cardTop                     // only the upper corners are round
	cardBottom                  // only the lower ones
	closedMark
	openMark
	dot
	boxPending
	boxDoing
	boxDone
)

// A setter lays one part out. It is used once; the scratch memory is the
// caller's and may be used again.
type setter struct {
	f    *text.Fonts
	m    *metrics
	out  *layout
	buf  *scratch
	y    int
	base paint // of text without a class

	left, right int // of the text being set
	wideL       int // of the tint behind a changed line
	wideR       int
	flat        bool // code stands on the row's own ground
}

type scratch struct {
	plain  []byte
	units  []unit
	pieces []piece
	runes  []rune
	offs   []int
	spans  []text.Span
}

func newSetter(f *text.Fonts, m *metrics, buf *scratch) *setter {
	buf.plain = buf.plain[:0]
	return &setter{f: f, m: m, out: &layout{}, buf: buf, right: m.col, wideR: m.col}
}

// done closes the layout.
func (s *setter) done() *layout {
	s.out.h = s.y
	s.out.plain = string(s.buf.plain)
	return s.out
}

func (s *setter) shape(k shapeKind, at image.Rectangle, p paint) {
	s.out.shapes = append(s.out.shapes, shape{k, at, p})
}

// inset narrows the text.
func (s *setter) inset(d int) {
	s.left += d
	s.right = max(s.right-d, s.left+1)
}

// say appends to the plain text what no run shows.
func (s *setter) say(t string) { s.buf.plain = append(s.buf.plain, t...) }

func (s *setter) target(t target) int16 {
	const most = 1 << 14
	if len(s.out.targets) >= most {
		return 0
	}
	s.out.targets = append(s.out.targets, t)
	return int16(len(s.out.targets))
}

// textOf is the text that a run shows.
func (l *layout) textOf(r *run) string {
	if r.literal != "" {
		return r.literal
	}
	return l.plain[r.from:r.to]
}
