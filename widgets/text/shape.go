package text

import (
	"math"
	"slices"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// A Glyph is one glyph of shaped text.
type Glyph struct {
	// Advance moves the pen, in px.
	Advance float32
	// Cluster is the first rune of the paragraph that the glyph stands for.
	Cluster int32
	face    faceID
	gid     font.GID
	dx, dy  float32 // from the pen, in px
}

// A Span is a range of a paragraph's runes in one style.
type Span struct {
	Start, End int
	Style      Style
	Size       float32 // px
}

// A Piece is a part of a line in one span and one direction.
type Piece struct {
	Span       int // index of the Span it lies in
	Start, End int // runes of the paragraph
	Width      float32
	Glyphs     []Glyph // in the order they are drawn
}

// A Line is one line of a shaped paragraph.
type Line struct {
	Pieces      []Piece // in the order they are drawn
	Width       float32
	RightToLeft bool // the paragraph runs from the right
}

// ShapeWrap shapes a paragraph and breaks it at a width in px. The spans must
// cover all of it, in order. With anywhere, lines break inside words too.
func (f *Fonts) ShapeWrap(rs []rune, spans []Span, width float32, anywhere bool) []Line {
	if len(rs) == 0 || len(spans) == 0 {
		return nil
	}
	dir, rtl := di.DirectionLTR, rightToLeft(rs)
	if rtl {
		dir = di.DirectionRTL
	}
	var outs []shaping.Output
	var of []int // the span of each output, by its first rune
	for _, in := range f.split(rs, spans, dir) {
		outs = append(outs, f.shape(in.Input, spans[in.span].Size))
		of = append(of, in.span)
	}
	starts := make([]int, len(outs))
	for i := range outs {
		starts[i] = outs[i].Runes.Offset
	}
	cfg := shaping.WrapConfig{Direction: dir, BreakPolicy: shaping.WhenNecessary}
	if anywhere {
		cfg.BreakPolicy = shaping.Always
	}
	wrapped, _ := f.wrap.WrapParagraph(cfg, int(width), rs, shaping.NewSliceIterator(outs))
	lines := make([]Line, 0, len(wrapped))
	for _, w := range wrapped {
		l := Line{RightToLeft: rtl}
		slices.SortFunc(w, func(a, b shaping.Output) int { return int(a.VisualIndex - b.VisualIndex) })
		for _, o := range w {
			i, _ := slices.BinarySearch(starts, o.Runes.Offset+1)
			l.Pieces = append(l.Pieces, f.piece(o, of[max(i-1, 0)]))
			l.Width += l.Pieces[len(l.Pieces)-1].Width
		}
		lines = append(lines, l)
	}
	return lines
}

// an input is a run to shape and the span it lies in.
type input struct {
	shaping.Input
	span int
}

// split cuts a paragraph at changes of direction and script, and these runs at
// changes of span and face.
func (f *Fonts) split(rs []rune, spans []Span, dir di.Direction) []input {
	base := shaping.Input{Text: rs, RunEnd: len(rs), Direction: dir, Size: fixed.I(16), Language: language.DefaultLanguage()}
	var out []input
	si := 0
	for _, run := range f.seg.Split(base, styled{f, spans[0].Style}) {
		for at := run.RunStart; at < run.RunEnd; {
			for si < len(spans)-1 && at >= spans[si].End {
				si++
			}
			end := min(run.RunEnd, spans[si].End)
			if si == len(spans)-1 || end <= at {
				end = run.RunEnd
			}
			out = f.splitFaces(out, run, span{at, end, si}, spans[si].Style)
			at = end
		}
	}
	return out
}

type span struct{ start, end, index int }

func (f *Fonts) splitFaces(out []input, run shaping.Input, sp span, st Style) []input {
	run.RunStart, run.Face = sp.start, nil
	for i := sp.start; i < sp.end; i++ {
		if run.Face != nil && sticks(run.Text[i]) {
			continue
		}
		face := f.faceOf(st, run.Text[i])
		if run.Face == nil {
			run.Face = face
		}
		if face == run.Face {
			continue
		}
		run.RunEnd = i
		out = append(out, input{run, sp.index})
		run.RunStart, run.Face = i, face
	}
	run.RunEnd = sp.end
	return append(out, input{run, sp.index})
}

// sticks reports whether a rune stays in the face of the rune before it.
func sticks(r rune) bool {
	return r == ' ' || r == 0x200d || r >= 0xfe00 && r <= 0xfe0f || r >= 0x300 && r < 0x370 || r >= 0x1f3fb && r <= 0x1f3ff
}

type styled struct {
	f  *Fonts
	st Style
}

// ResolveFace finds the face for a rune; it is never nil.
func (s styled) ResolveFace(r rune) *font.Face { return s.f.faceOf(s.st, r) }

func (f *Fonts) faceOf(st Style, r rune) *font.Face {
	if face := f.at(f.entry(st, r).face); face != nil {
		return face
	}
	return f.at(f.byStyle[0])
}

// shape shapes one run. The shaper knows whole sizes only: it is asked for the
// next one and the answer is scaled.
func (f *Fonts) shape(in shaping.Input, px float32) shaping.Output {
	whole := float32(math.Ceil(float64(px)))
	in.Size = fixed.I(int(whole))
	o := f.shaper.Shape(in)
	if k := px / whole; k != 1 {
		for i := range o.Glyphs {
			g := &o.Glyphs[i]
			g.Advance, g.XOffset, g.YOffset = scale(g.Advance, k), scale(g.XOffset, k), scale(g.YOffset, k)
		}
		o.Advance = scale(o.Advance, k)
	}
	return o
}

func scale(v fixed.Int26_6, k float32) fixed.Int26_6 { return fixed.Int26_6(float32(v) * k) }

// piece copies what is needed of a run: the wrapper reuses its memory.
func (f *Fonts) piece(o shaping.Output, span int) Piece {
	p := Piece{Span: span, Start: o.Runes.Offset, End: o.Runes.Offset + o.Runes.Count, Glyphs: make([]Glyph, len(o.Glyphs))}
	id := f.idOf(o.Face)
	for i, g := range o.Glyphs {
		p.Glyphs[i] = Glyph{
			Advance: float32(g.Advance) / 64, Cluster: int32(g.TextIndex()),
			face: id, gid: g.GlyphID, dx: float32(g.XOffset) / 64, dy: float32(g.YOffset) / 64,
		}
		p.Width += p.Glyphs[i].Advance
	}
	return p
}

func (f *Fonts) idOf(x *font.Face) faceID {
	for i := range f.faces {
		if f.faces[i].face == x {
			return faceID(i)
		}
	}
	return f.byStyle[0]
}
