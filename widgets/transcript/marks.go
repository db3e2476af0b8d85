package transcript

import (
	"image"
	"sort"
)

// Marks are the matches in a part; now is the current one, -1 if it is not here.
type marks struct {
	in  []bytesOf
	now int
}

func (t *Transcript) marksIn(i, part int, l *layout) marks {
	if t.found == nil || t.found.needle == nil {
		return marks{}
	}
	it := t.items[i]
	m := marks{in: t.found.needle.matchesIn(it, part, l), now: -1}
	if t.match.key == it.row.Key && t.match.p == part {
		m.now = t.match.n
	}
	return m
}

// marks draws the matches in a run: the current one as what acts, the others
// on a ground of their own.
func (p *painter) marks(l *layout, ln *line, r *run, y int, ms marks) {
	k := sort.Search(len(ms.in), func(k int) bool { return ms.in[k].hi > r.from })
	for ; k < len(ms.in) && ms.in[k].lo < r.to; k++ {
		m := bytesOf{max(ms.in[k].lo, r.from), min(ms.in[k].hi, r.to)}
		switch {
		case m.lo >= m.hi:
		case k == ms.now:
			p.mark(l, ln, r.in(m, onAccentPaint), y, accentPaint)
		default:
			p.mark(l, ln, r.in(m, inkPaint), y, foundPaint)
		}
	}
}

// A piece of a run, drawn again over it.
type runPiece struct {
	run
	of *run
}

func (r *run) in(m bytesOf, ink paint) runPiece {
	c := *r
	c.from, c.to, c.paint = m.lo, m.hi, ink
	return runPiece{c, r}
}

// mark draws a piece of a run again, on a ground.
func (p *painter) mark(l *layout, ln *line, r runPiece, y int, ground paint) {
	x0, x1 := p.t.xIn(l, r.of, r.from), p.t.xIn(l, r.of, r.to)
	if x0 > x1 {
		x0, x1 = x1, x0
	}
	box := image.Rect(p.left+int(x0), y+ln.y+p.m.px(1), p.left+round(x1), y+ln.y+ln.h-p.m.px(1))
	p.round(box, p.m.px(2), upper|lower, p.pal[ground])
	if ground == foundPaint { // a sign that is not colour alone
		p.fill(image.Rect(box.Min.X, box.Max.Y-max(p.m.px(2), 1), box.Max.X, box.Max.Y), p.pal[warnPaint])
	}
	if r.glyphs == nil && r.literal == "" {
		r.x, r.w = x0, x1-x0
		p.run(l, ln, &r.run, y)
		return
	}
	clip := p.Clip // shaped text is drawn whole: its glyphs depend on each other
	p.Clip = clip.Intersect(box)
	r.from, r.to = r.of.from, r.of.to
	p.run(l, ln, &r.run, y)
	p.Clip = clip
}
