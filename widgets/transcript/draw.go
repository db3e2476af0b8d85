package transcript

import (
	"image"
	"image/color"
	"sort"

	"holdfast/widgets/text"
	"holdfast/widgets/theme"
)

// A painter draws one frame.
type painter struct {
	brush
	t      *Transcript
	pal    *palette
	m      *metrics
	border int
	left   int
}

// draw makes the frame: called by Fyne on the UI goroutine.
func (t *Transcript) draw(w, h int) image.Image {
	if t.frame == nil || t.frame.Rect.Dx() != w || t.frame.Rect.Dy() != h {
		t.frame = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	if w == 0 || h == 0 {
		return t.frame
	}
	t.frames++
	t.fit(w, h)
	look := t.look()
	p := &painter{
		brush: brush{text.Canvas{Img: t.frame, Clip: t.frame.Rect}}, t: t, pal: newPalette(look.Tokens, t.stale),
		m: &t.view.m, border: max(t.view.m.px(look.Border), 1), left: t.view.left,
	}
	p.fill(t.frame.Rect, p.pal[bgPaint])
	if len(t.items) == 0 {
		p.nothing()
		return t.frame
	}
	y := t.place.y
	t.lay(t.place.i, 0) // before its height is used: the row's card begins there
	for part := range t.place.p {
		y -= t.items[t.place.i].parts[part].h
	}
	ring := image.Rectangle{}
	for i := t.place.i; i < len(t.items) && y < h; i++ {
		bottom := p.row(i, y)
		p.newLine(t.items[i], y)
		if t.focused && t.items[i].row.Key == t.focusKey {
			out := 0
			if f := t.items[i].row.Form; f == Agent || f == Mark {
				out = p.m.px(ringAside) // nothing is between the column's edge and the text
			}
			ring = image.Rect(p.left-out, y+p.m.px(spaceOver(t.items[i].row)), p.left+p.m.col+out, bottom)
		}
		y = bottom
	}
	if !ring.Empty() { // last: on top of everything
		p.ring(ring)
	}
	p.bar()
	t.tidy()
	return t.frame
}

// row draws what is visible of a row whose top is at y and returns its bottom.
func (p *painter) row(i, y int) int {
	it, h := p.t.items[i], p.t.view.h
	top := y
	// Lay out first: the frame of the row needs where it ends.
	for part := range it.parts {
		if pt := &it.parts[part]; y < h && y+pt.h > 0 || part == 0 || part == len(it.parts)-1 {
			p.t.lay(i, part)
		}
		y += it.parts[part].h
	}
	frame := p.ground(it, top, y)
	at := top
	for part := range it.parts {
		pt := &it.parts[part]
		if at < h && at+pt.h > 0 {
			p.part(i, part, at)
		}
		at += pt.h
	}
	p.edges(it, frame, top)
	if it.row.Partial {
		x := p.left - p.m.px(10)
		from := top + p.m.px(spaceOver(it.row))
		p.round(image.Rect(x, from, x+max(p.m.px(3), 2), y), p.m.px(2), upper|lower, p.pal[accentPaint])
	}
	return y
}

// ground draws the row's card or frame and returns where it is.
func (p *painter) ground(it *item, top, bottom int) image.Rectangle {
	head, tail := &it.parts[0], &it.parts[len(it.parts)-1]
	r := image.Rect(p.left, top+head.lay.edge, p.left+p.m.col, bottom-tail.h+tail.lay.edge)
	radius := p.m.px(theme.CornerCard)
	switch it.row.Form {
	case User:
		p.round(r, radius, upper|lower, p.pal[userPaint])
	case Failure:
		p.round(r, radius, upper|lower, p.pal[errBGPaint])
	case Command, FileChange, Quiet, Plan:
		ground := panelPaint
		if it.hasBody() {
			ground = codePaint
			if it.row.Form == Quiet || it.row.Form == Plan {
				ground = bgPaint
			}
		}
		p.round(r, radius, upper|lower, p.pal[ground])
		bar := image.Rect(r.Min.X, r.Min.Y, r.Max.X, min(top+head.lay.bar, r.Max.Y))
		round := upper
		if bar.Max.Y == r.Max.Y {
			round |= lower
		}
		p.round(bar, radius, round, p.pal[panelPaint])
	case Agent, Mark:
		return image.Rectangle{}
	}
	return r
}

// edges draws the edge of the row's card over what it holds.
func (p *painter) edges(it *item, r image.Rectangle, top int) {
	if r.Empty() {
		return
	}
	edge := linePaint
	if it.row.Form == Failure {
		edge = errPaint
	}
	if it.hasBody() && (it.row.Form.Folds() || it.row.Form == Plan) {
		y := top + it.parts[0].lay.bar
		p.fill(image.Rect(r.Min.X, y, r.Max.X, y+p.border), p.pal[linePaint])
	}
	p.frame(r, p.m.px(theme.CornerCard), p.border, p.pal[edge])
}

// part draws the visible lines of a part whose top is at y.
func (p *painter) part(i, part, y int) {
	l := p.t.lay(i, part)
	h := p.t.view.h
	for k := range l.shapes {
		if s := &l.shapes[k]; y+s.at.Max.Y > 0 && y+s.at.Min.Y < h {
			p.shape(s, y)
		}
	}
	sel, selected := p.t.selectedIn(i, part, l)
	ms := p.t.marksIn(i, part, l)
	k := sort.Search(len(l.lines), func(k int) bool { return y+l.lines[k].y+l.lines[k].h > 0 })
	for ; k < len(l.lines) && y+l.lines[k].y < h; k++ {
		ln := &l.lines[k]
		for j := ln.from; j < ln.to; j++ {
			r := &l.runs[j]
			p.inlineCode(ln, r, y)
			if selected {
				p.selected(l, ln, r, y, sel)
			}
			p.run(l, ln, r, y)
			p.marks(l, ln, r, y, ms)
		}
	}
}

// inlineCode draws the ground of code inside prose.
func (p *painter) inlineCode(ln *line, r *run, y int) {
	if r.flags&coded == 0 {
		return
	}
	x, pad := float32(p.left)+r.x, p.m.px(codePad)
	box := image.Rect(int(x)-pad, y+ln.y+p.m.px(2), round(x+r.w)+pad, y+ln.y+ln.h-p.m.px(2))
	p.round(box, p.m.px(4), upper|lower, p.pal[codePaint])
}

func (p *painter) run(l *layout, ln *line, r *run, y int) {
	x, base := float32(p.left)+r.x, y+ln.y+ln.base
	c := p.pal[r.paint]
	pen := text.Pen{Style: r.style, Size: r.px, Color: c}
	if r.glyphs != nil {
		p.t.fonts.DrawShaped(p.Canvas, pen, r.glyphs, x, base)
	} else {
		p.t.fonts.Draw(p.Canvas, pen, l.textOf(r), x, base)
	}
	thick := max(p.m.px(1), 1)
	if r.target > 0 {
		at := base + max(p.m.em(2), 1)
		p.fill(image.Rect(int(x), at, round(x+r.w), at+thick), c)
	}
	if r.flags&struck != 0 {
		at := base - round(r.px*0.3)
		p.fill(image.Rect(int(x), at, round(x+r.w), at+thick), c)
	}
}

func (p *painter) selected(l *layout, ln *line, r *run, y int, sel bytesOf) {
	lo, hi := max(sel.lo, r.from), min(sel.hi, r.to)
	if lo >= hi {
		return
	}
	x0, x1 := p.t.xIn(l, r, lo), p.t.xIn(l, r, hi)
	if x0 > x1 {
		x0, x1 = x1, x0
	}
	if pad := float32(p.m.px(codePad)); r.flags&coded != 0 {
		x0, x1 = x0-pad, x1+pad
	}
	p.fill(image.Rect(p.left+int(x0), y+ln.y, p.left+round(x1), y+ln.y+ln.h), p.pal[selectionPaint])
}

func (p *painter) shape(s *shape, y int) {
	r, c := s.at.Add(image.Pt(p.left, y)), p.pal[s.paint]
	switch s.kind {
	case block:
		p.fill(r, c)
	case card:
		p.codeCard(r, upper|lower)
	case cardTop:
		p.codeCard(r, upper)
	case cardBottom:
		p.codeCard(r, lower)
	case closedMark:
		p.triangle(r.Inset(r.Dx()/10), false, c)
	case openMark:
		p.triangle(r.Inset(r.Dx()/10), true, c)
	case dot:
		p.round(r, r.Dx()/2, upper|lower, c)
	case boxPending:
		p.checkBox(r, c)
	case boxDoing:
		p.checkBox(r, c)
		p.fill(r.Inset(max(r.Dx()/4, 2*p.border)), p.pal[accentPaint])
	case boxDone:
		p.checkBox(r, c)
		p.tick(r, p.pal[okPaint])
	}
}

// codeCard draws the ground of code; where it is no other than the ground
// around it, an edge shows where code begins.
func (p *painter) codeCard(r image.Rectangle, round corner) {
	p.round(r, p.m.px(theme.CornerControl), round, p.pal[codePaint])
	if p.pal[codePaint] == p.pal[bgPaint] {
		p.frame(r, p.m.px(theme.CornerControl), max(p.m.px(1), 1), p.pal[linePaint])
	}
}

func (p *painter) checkBox(r image.Rectangle, c color.RGBA) {
	p.frame(r, p.m.px(3), p.border, c)
}

func (p *painter) tick(r image.Rectangle, c color.RGBA) {
	x, y, w := float64(r.Min.X), float64(r.Min.Y), float64(r.Dx())
	thick := max(w/7, 1.5)
	p.stroke([2]float64{x + w*0.24, y + w*0.52}, [2]float64{x + w*0.44, y + w*0.72}, thick, c)
	p.stroke([2]float64{x + w*0.44, y + w*0.72}, [2]float64{x + w*0.78, y + w*0.28}, thick, c)
}

// ringAside is how much farther from text without a card the ring stands.
const ringAside float32 = 2

// ring draws the focus ring 2 px away from the row.
func (p *painter) ring(r image.Rectangle) {
	gap, width := p.m.px(theme.RingGap), max(p.m.px(theme.RingWidth), 2)
	r = r.Inset(-gap - width)
	// What is far outside is cut off so that a giant row costs no more.
	far := 4 * p.m.px(theme.CornerCard)
	r.Min.Y, r.Max.Y = max(r.Min.Y, -far), min(r.Max.Y, p.t.view.h+far)
	p.frame(r, p.m.px(theme.CornerCard)+gap+width, width, p.pal[focusPaint])
}

// nothing draws the text for no rows, in the middle.
func (p *painter) nothing() {
	if len(p.t.empty) == 0 {
		return
	}
	s := newSetter(p.t.fonts, p.m, &p.t.buf)
	for i, line := range p.t.empty {
		words := piece{text: line.String(), px: p.m.body.px, paint: dimPaint}
		if i > 0 {
			s.set(para{fount: p.m.small, centre: true}, []piece{{text: " ", px: p.m.small.px}})
		} else if len(p.t.empty) > 1 {
			words.style, words.paint = text.Bold, 0
		}
		s.set(para{fount: p.m.body, centre: true}, []piece{words})
	}
	l := s.done()
	y := max((p.t.view.h-l.h)/2, 0)
	for k := range l.lines {
		for j := l.lines[k].from; j < l.lines[k].to; j++ {
			p.run(l, &l.lines[k], &l.runs[j], y)
		}
	}
}
