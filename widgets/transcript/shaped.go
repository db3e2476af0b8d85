package transcript

import (
	"unicode/utf8"

	"holdfast/widgets/text"
)

// shapeRunes bounds how much is shaped at once: shaping is a hundred times
// dearer than looking advances up.
const shapeRunes = 4096

// setShaped breaks a paragraph of complex text into lines. Its plain text begins
// at start.
func (s *setter) setShaped(p para, pieces []piece, start int) {
	lines := 0
	plain := string(s.buf.plain[start:])
	for from := 0; ; {
		end := from
		for n := 0; end < len(plain) && plain[end] != '\n'; n++ {
			r, size := utf8.DecodeRuneInString(plain[end:])
			if n >= shapeRunes && r == ' ' || n >= 2*shapeRunes {
				break
			}
			end += size
		}
		if p.most > 0 && lines >= p.most {
			return
		}
		lines = s.shapeLines(p, pieces, plain[from:end], start+from, lines)
		if end >= len(plain) {
			return
		}
		from = end
		if plain[end] == '\n' {
			from++
		}
	}
}

// shapeLines shapes text without line breaks that lies at byte at of the plain
// text. lines is how many lines the paragraph has already; it returns how many
// it has then.
func (s *setter) shapeLines(p para, pieces []piece, t string, at, lines int) int {
	s.prepare(pieces, t, at)
	if len(s.buf.runes) == 0 {
		s.line(p, len(s.out.runs))
		return lines + 1
	}
	width := float32(max(s.right-s.left, 1))
	shaped := s.f.ShapeWrap(s.buf.runes, s.buf.spans, width, false)
	for i := range shaped {
		cut := p.most > 0 && lines == p.most-1 && i < len(shaped)-1
		l := &shaped[i]
		if cut {
			l = s.shapeCut(pieces, l, width)
		}
		from := len(s.out.runs)
		x := float32(s.left)
		if l.RightToLeft {
			x = float32(s.left) + width - l.Width
		}
		for j := range l.Pieces {
			x = s.shapedRun(pieces, &l.Pieces[j], x)
		}
		s.line(p, from)
		lines++
		if cut {
			pc := &pieces[s.pieceAt(pieces, at)]
			s.addMark(pc, x, s.f.Advance(pc.style, '…', pc.px))
			return lines
		}
	}
	return lines
}

// shapeCut shapes the beginning of a line again, to leave room for the mark.
func (s *setter) shapeCut(pieces []piece, l *text.Line, width float32) *text.Line {
	first := len(s.buf.runes)
	for i := range l.Pieces {
		first = min(first, l.Pieces[i].Start)
	}
	rest := s.buf.runes[first:]
	spans := make([]text.Span, 0, len(s.buf.spans))
	for _, sp := range s.buf.spans {
		spans = append(spans, text.Span{Start: max(sp.Start-first, 0), End: max(sp.End-first, 0), Style: sp.Style, Size: sp.Size})
	}
	again := s.f.ShapeWrap(rest, spans, max(width-s.f.Advance(pieces[0].style, '…', pieces[0].px), 1), true)
	if len(again) == 0 {
		return l
	}
	for i := range again[0].Pieces {
		again[0].Pieces[i].Start += first
		again[0].Pieces[i].End += first
		for j := range again[0].Pieces[i].Glyphs {
			again[0].Pieces[i].Glyphs[j].Cluster += int32(first)
		}
	}
	return &again[0]
}

// prepare fills the runes, their offsets in the plain text, and the spans.
func (s *setter) prepare(pieces []piece, t string, at int) {
	b := s.buf
	b.runes, b.offs, b.spans = b.runes[:0], b.offs[:0], b.spans[:0]
	for i, r := range t {
		if r == '\t' {
			r = ' '
		}
		b.runes = append(b.runes, r)
		b.offs = append(b.offs, at+i)
	}
	b.offs = append(b.offs, at+len(t))
	end := s.pieceStart(pieces)
	n := 0
	for i := range pieces {
		end += len(pieces[i].text)
		from := n
		for n < len(b.runes) && b.offs[n] < end {
			n++
		}
		b.spans = append(b.spans, text.Span{Start: from, End: n, Style: pieces[i].style, Size: pieces[i].px})
	}
}

// pieceStart is where the pieces of the paragraph being set begin.
func (s *setter) pieceStart(pieces []piece) int {
	n := len(s.buf.plain)
	for i := range pieces {
		n -= len(pieces[i].text)
	}
	return n
}

func (s *setter) pieceAt(pieces []piece, at int) int {
	end := s.pieceStart(pieces)
	for i := range pieces {
		if end += len(pieces[i].text); at < end {
			return i
		}
	}
	return len(pieces) - 1
}

func (s *setter) shapedRun(pieces []piece, sp *text.Piece, x float32) float32 {
	p := &pieces[sp.Span]
	r := run{
		from: s.buf.offs[sp.Start], to: s.buf.offs[sp.End], x: x, w: sp.Width,
		px: p.px, glyphs: sp.Glyphs, style: p.style, paint: p.paint, flags: p.flags, target: p.target,
	}
	for i := range r.glyphs { // clusters count from the run on, in bytes
		r.glyphs[i].Cluster = int32(s.buf.offs[r.glyphs[i].Cluster] - r.from)
	}
	if n := len(r.glyphs); n > 1 && r.glyphs[0].Cluster > r.glyphs[n-1].Cluster {
		r.flags |= backwards
	}
	s.out.runs = append(s.out.runs, r)
	return x + sp.Width
}
