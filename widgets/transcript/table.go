package transcript

import (
	"image"
	"slices"

	"holdfast/core/safetext"
	"holdfast/widgets/text"
	"holdfast/widgets/theme"
)

// table sets a table: columns as wide as they need, squeezed in proportion
// where there is no room, and below each other where they would be too narrow.
func (s *setter) table(b *safetext.Block) {
	cols := 0
	for _, r := range b.Rows {
		cols = max(cols, len(r))
	}
	if cols == 0 {
		return
	}
	gap := s.m.px(theme.Space16)
	widths, least, ok := s.columns(b, cols, gap)
	if !ok || (s.right-s.left-gap*(cols-1))/cols < least {
		s.stacked(b)
		return
	}
	for i, r := range b.Rows {
		s.tableRow(b, r, widths, gap, i == 0 && !b.Continued)
	}
}

// columns divides the width; least is the least width of a column.
func (s *setter) columns(b *safetext.Block, cols, gap int) (widths []int, least int, ok bool) {
	const most = 64
	if cols > most {
		return nil, 0, false
	}
	least = s.m.em(48)
	widths = make([]int, cols)
	for i, r := range b.Rows {
		for j, cell := range r {
			var w float32
			for _, p := range s.cellPieces(cell, i == 0) {
				w += s.f.Width(p.style, p.text, p.px)
				if p.flags&coded != 0 {
					w += float32(2 * s.m.px(codePad))
				}
			}
			widths[j] = max(widths[j], int(w)+2)
		}
	}
	room, total := s.right-s.left-gap*(cols-1), 0
	for _, w := range widths {
		total += w
	}
	if total > room {
		squeeze(widths, room, least)
	}
	return widths, least, true
}

// squeeze takes from the widest columns until all fit.
func squeeze(widths []int, room, least int) {
	limit := room
	for limit > least {
		total := 0
		for _, w := range widths {
			total += min(w, limit)
		}
		if total <= room {
			break
		}
		limit = max(least, limit-max((total-room)/len(widths), 1))
	}
	for i := range widths {
		widths[i] = min(widths[i], limit)
	}
}

func (s *setter) cellPieces(cell []safetext.Span, head bool) []piece {
	var st text.Style
	if head {
		st = text.Bold
	}
	return s.pieces(cell, s.m.body, st, s.base)
}

// tableRow sets the cells of a row beside each other and a thin line below.
func (s *setter) tableRow(b *safetext.Block, r [][]safetext.Span, widths []int, gap int, head bool) {
	top, bottom, left, right := s.y, s.y+s.m.body.line, s.left, s.right
	first := len(s.out.lines)
	x := left
	for j, w := range widths {
		if j < len(r) {
			s.y, s.left, s.right = top, x, min(x+w, right)
			from := len(s.out.lines)
			s.set(para{fount: s.m.body}, s.cellPieces(r[j], head))
			s.buf.plain[len(s.buf.plain)-1] = '\t'
			if j < len(b.Align) {
				s.align(b.Align[j], from)
			}
			bottom = max(bottom, s.y)
		}
		x += w + gap
	}
	if n := len(s.buf.plain); n > 0 && s.buf.plain[n-1] == '\t' {
		s.buf.plain[n-1] = '\n'
	}
	// Lines are looked up by their height: cells give them column by column.
	slices.SortStableFunc(s.out.lines[first:], func(a, b line) int { return a.y - b.y })
	s.left, s.right = left, right
	s.y = bottom + s.m.px(3)
	thick := max(s.m.px(1), 1)
	s.shape(block, image.Rect(left, s.y, min(x-gap, right), s.y+thick), linePaint)
	s.y += thick + s.m.px(3)
}

// align moves the lines of a cell, from the given one on.
func (s *setter) align(a safetext.Align, from int) {
	if a == safetext.AlignStart {
		return
	}
	for _, l := range s.out.lines[from:] {
		if l.to == l.from {
			continue
		}
		last := &s.out.runs[l.to-1]
		d := float32(s.right) - last.x - last.w
		if a == safetext.AlignCenter {
			d /= 2
		}
		for i := l.from; i < l.to; i++ {
			s.out.runs[i].x += d
		}
	}
}

// stacked sets each row as a list: the column's name, then the cell.
func (s *setter) stacked(b *safetext.Block) {
	for i, r := range b.Rows {
		if i == 0 && len(b.Rows) > 1 && !b.Continued {
			for range r {
				s.out.texts = append(s.out.texts, -1)
			}
			continue
		}
		for j, cell := range r {
			var pieces []piece
			if j < len(b.Rows[0]) && i > 0 {
				name := append([]piece(nil), s.cellPieces(b.Rows[0][j], true)...)
				name = append(name, piece{text: ": ", px: s.m.body.px, paint: s.base})
				pieces = name
			}
			name := 0
			for k := range pieces {
				name += len(pieces[k].text)
			}
			s.set(para{fount: s.m.body}, append(pieces, s.cellPieces(cell, false)...))
			s.out.texts[len(s.out.texts)-1] += int32(name)
		}
		thick := max(s.m.px(1), 1)
		s.y += s.m.px(3)
		s.shape(block, image.Rect(s.left, s.y, s.right, s.y+thick), linePaint)
		s.y += thick + s.m.px(3)
	}
}
