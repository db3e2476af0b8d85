package transcript

import (
	"image"

	"holdfast/core/safetext"
	"holdfast/widgets/text"
	"holdfast/widgets/theme"
)

// blocks sets the blocks of a chunk below each other.
func (s *setter) blocks(c *chunk) {
	for i := range c.blocks {
		b := &c.blocks[i]
		before, over := c.blockBefore(i), s.y
		s.y += s.gap(before, b)
		if before == nil || before.Quote == 0 {
			over = s.y
		}
		left, right := s.left, s.right
		s.indent(b)
		switch b.Kind {
		case safetext.Paragraph, safetext.ListItem:
			if s.flat { // a command's output is code, however it was made
				s.set(s.codePara(), s.codePieces(b.Spans))
				break
			}
			s.prose(b, s.m.body, 0, s.base)
		case safetext.Heading:
			s.prose(b, s.m.body.grown(headingSize(b.Level)), text.Bold, s.base)
		case safetext.Notice:
			s.prose(b, s.m.small, 0, dimPaint)
		case safetext.CodeBlock:
			s.codeBlock(b, c.more && i == len(c.blocks)-1 || i+1 < len(c.blocks) && c.blocks[i+1].Continued)
		case safetext.Table:
			s.table(b)
		case safetext.Rule:
			y := s.y + s.m.px(4)
			s.shape(block, image.Rect(s.left, y, s.right, y+max(s.m.px(1), 1)), linePaint)
			s.say("---\n")
			s.y += s.m.px(9)
		}
		s.quoteBars(b, left, over)
		s.left, s.right = left, right
	}
}

// gap is the space between two blocks; before is nil over the first.
func (s *setter) gap(before, b *safetext.Block) int {
	switch {
	case before == nil || b.Continued:
		return 0
	case b.Kind == safetext.Heading:
		return s.m.px(theme.Space16)
	case b.Depth > 0 && before.Depth > 0:
		return s.m.px(theme.Space4)
	case apart(before) || apart(b) || before.Quote != b.Quote:
		return s.m.px(theme.Space12)
	}
	return s.m.px(theme.Space8)
}

// apart reports whether a block is more than text.
func apart(b *safetext.Block) bool {
	return b.Kind == safetext.CodeBlock || b.Kind == safetext.Table || b.Kind == safetext.Rule
}

// headingSize is how much larger than the body a heading is.
func headingSize(level int) float32 {
	sizes := []float32{1, 1.4, 1.25, 1.1}
	if level < 1 || level >= len(sizes) {
		return 1
	}
	return sizes[level]
}

// indent moves the text of a list item or quote in; never past the middle.
func (s *setter) indent(b *safetext.Block) {
	most := s.left + (s.right-s.left)/2
	s.left = min(s.left+b.Quote*s.m.px(theme.Space16)+b.Depth*s.m.em(20), most)
}

// quoteBars draws a bar for each quote the block is in.
func (s *setter) quoteBars(b *safetext.Block, left, top int) {
	for q := range b.Quote {
		x := left + q*s.m.px(theme.Space16)
		if x >= s.left {
			return
		}
		s.shape(block, image.Rect(x, top, x+max(s.m.px(3), 1), s.y), linePaint)
	}
}

// prose sets a paragraph with the marker of its list item.
func (s *setter) prose(b *safetext.Block, f fount, st text.Style, base paint) {
	first := len(s.out.runs)
	s.marker(b, f)
	from := len(s.out.runs)
	s.set(para{fount: f}, s.pieces(b.Spans, f, st, base))
	if from > first { // the marker stands on the first line
		for i := range s.out.lines {
			if s.out.lines[i].from == from {
				s.out.lines[i].from = first
			}
		}
	}
}

// marker sets a list item's bullet, number or box left of the text.
func (s *setter) marker(b *safetext.Block, f fount) {
	room := s.m.em(20)
	switch {
	case b.Task != safetext.NoTask:
		side := s.m.em(12)
		x, y := s.left-room+s.m.em(2), s.y+(f.line-side)/2
		kind := boxPending
		t := "[ ] "
		if b.Task == safetext.DoneTask {
			kind, t = boxDone, "[x] "
		}
		s.shape(kind, image.Rect(x, y, x+side, y+side), edgePaint)
		s.say(t)
	case b.Marker != "":
		w := s.f.Width(0, b.Marker, f.px)
		at := len(s.buf.plain)
		s.say(b.Marker)
		x := max(float32(s.left)-w-float32(s.m.em(6)), 0)
		s.out.runs = append(s.out.runs, run{from: at, to: at + len(b.Marker), x: x, w: w, px: f.px, paint: dimPaint})
		s.say(" ")
	}
}

// pieces turns spans into pieces; they are valid until the next call.
func (s *setter) pieces(spans []safetext.Span, f fount, st text.Style, base paint) []piece {
	out := s.buf.pieces[:0]
	for i := range spans {
		sp := &spans[i]
		p := piece{text: sp.Text, style: st, px: f.px, paint: base}
		if sp.Class != safetext.Normal {
			p.paint = classPaints[sp.Class]
		}
		if sp.Bold {
			p.style |= text.Bold
		}
		if sp.Italic {
			p.style |= text.Italic
		}
		if sp.Mono {
			p.style |= text.Mono
			p.px = f.px * theme.CodeText / theme.BodyText
			p.flags |= coded
		}
		if sp.Strike {
			p.flags |= struck
		}
		if sp.URL != "" {
			p.target = s.target(target{url: sp.URL, shown: sp.Text})
		}
		out = append(out, p)
	}
	s.buf.pieces = out
	return out
}

// codeBlock sets code on its ground, with the changed lines of a diff tinted.
func (s *setter) codeBlock(b *safetext.Block, goesOn bool) {
	padX, padY := s.m.px(theme.Space12), s.m.px(theme.Space8)
	top, left, right := s.y, s.left, s.right
	ground := len(s.out.shapes)
	wideL, wideR := s.wideL, s.wideR
	if !s.flat {
		s.shape(card, image.Rect(left, top, right, top), codePaint)
		s.wideL, s.wideR = left, right
		if !b.Continued {
			s.y += padY
		}
		s.inset(padX)
	}
	p := s.codePara()
	for _, l := range b.Lines {
		y := s.y
		s.set(p, s.codePieces(l))
		if ground := changed(l); ground != codePaint {
			s.shape(block, image.Rect(s.wideL, y, s.wideR, s.y), ground)
		}
	}
	if !s.flat {
		if !goesOn {
			s.y += padY
		}
		sh := &s.out.shapes[ground]
		sh.at.Max.Y = s.y
		sh.kind = corners(!b.Continued, !goesOn)
	}
	s.left, s.right, s.wideL, s.wideR = left, right, wideL, wideR
}

// codePara breaks lines anywhere; what goes on stands in by two characters.
func (s *setter) codePara() para {
	return para{fount: s.m.code, anywhere: true, hang: round(s.f.Advance(text.Mono, ' ', s.m.code.px) * 2)}
}

func corners(top, bottom bool) shapeKind {
	switch {
	case top && bottom:
		return card
	case top:
		return cardTop
	case bottom:
		return cardBottom
	}
	return block
}

// changed is the ground of a line of code.
func changed(spans []safetext.Span) paint {
	for i := range spans {
		switch spans[i].Class { //nolint:exhaustive // the other classes are colours of text
		case safetext.Added:
			return addedPaint
		case safetext.Removed:
			return removedPaint
		}
	}
	return codePaint
}

func (s *setter) codePieces(spans []safetext.Span) []piece {
	out := s.pieces(spans, s.m.code, 0, inkPaint)
	for i := range out {
		out[i].style, out[i].px = text.Mono, s.m.code.px
		out[i].flags &^= coded
	}
	return out
}
