package transcript

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// A pos is a place in the text: a byte of a part of a row.
type pos struct {
	key string
	p   int
	at  int
}

// A selection runs from where the mouse went down to where it is.
type selection struct{ from, to pos }

// A range is a selection in the order of the rows.
type textRange struct {
	loI, hiI int
	lo, hi   pos
}

// ordered gives the selection in order; ok is false when there is none.
func (t *Transcript) ordered() (textRange, bool) {
	a, b := t.sel.from, t.sel.to
	if a == b || a.key == "" {
		return textRange{}, false
	}
	ia, oka := t.index[a.key]
	ib, okb := t.index[b.key]
	if !oka || !okb {
		return textRange{}, false
	}
	if ia > ib || ia == ib && (a.p > b.p || a.p == b.p && a.at > b.at) {
		a, b, ia, ib = b, a, ib, ia
	}
	return textRange{ia, ib, a, b}, true
}

// bytesOf are bytes of a part's text.
type bytesOf struct{ lo, hi int }

// selectedIn gives the selected bytes of a part.
func (t *Transcript) selectedIn(i, p int, l *layout) (sel bytesOf, ok bool) {
	r, ok := t.ordered()
	if !ok || i < r.loI || i > r.hiI {
		return bytesOf{}, false
	}
	lo, hi := 0, len(l.plain)
	if i == r.loI && p <= r.lo.p {
		if p < r.lo.p {
			return bytesOf{}, false
		}
		lo = min(r.lo.at, hi)
	}
	if i == r.hiI && p >= r.hi.p {
		if p > r.hi.p {
			return bytesOf{}, false
		}
		hi = min(r.hi.at, hi)
	}
	return bytesOf{lo, hi}, lo < hi
}

// keepSelection drops a selection whose rows are gone.
func (t *Transcript) keepSelection() {
	if _, ok := t.ordered(); !ok {
		t.sel = selection{}
	}
}

// SelectedText is the plain text of the selection, "" without one.
func (t *Transcript) SelectedText() string {
	r, ok := t.ordered()
	if !ok {
		return ""
	}
	var b strings.Builder
	for i := r.loI; i <= r.hiI; i++ {
		it := t.items[i]
		for p := range it.parts {
			l := it.parts[p].lay
			if l == nil { // only its text is wanted
				l = layPart(t.fonts, &t.view.m, &t.buf, it, &it.parts[p])
			}
			if sel, ok := t.selectedIn(i, p, l); ok {
				b.WriteString(l.plain[sel.lo:sel.hi])
			}
		}
		if i < r.hiI {
			b.WriteByte('\n')
		}
	}
	return strings.Trim(b.String(), "\n")
}

// A hit is what lies under a point.
type hit struct {
	i, p int
	pos  pos
	run  *run
	lay  *layout
	y    int // from the top of the part
}

// hitAt finds what is at a point of the viewport; ok is false without rows.
func (t *Transcript) hitAt(x, y int) (hit, bool) {
	if len(t.items) == 0 || t.view.w == 0 {
		return hit{}, false
	}
	i, p, top := t.place.i, t.place.p, t.place.y
	for y >= top+t.height(i, p) {
		ni, np, ok := t.next(i, p)
		if !ok {
			break
		}
		top += t.height(i, p)
		i, p = ni, np
	}
	l := t.lay(i, p)
	h := hit{i: i, p: p, lay: l, y: y - top, pos: pos{key: t.items[i].row.Key, p: p}}
	h.run, h.pos.at = t.runAt(l, float32(x-t.view.left), y-top)
	return h, true
}

// runAt finds the run at a point of a layout, nil beside the text, and the
// nearest byte of the plain text.
func (t *Transcript) runAt(l *layout, x float32, y int) (*run, int) {
	k := sort.Search(len(l.lines), func(k int) bool { return l.lines[k].y+l.lines[k].h > y })
	if k == len(l.lines) {
		return nil, len(l.plain)
	}
	row := l.lines[k].y
	var near *run
	best := float32(1e9)
	for ; k < len(l.lines) && l.lines[k].y == row; k++ { // cells of a table share a height
		for j := l.lines[k].from; j < l.lines[k].to; j++ {
			r := &l.runs[j]
			d := max(r.x-x, x-r.x-r.w, 0)
			if d < best {
				best, near = d, r
			}
		}
	}
	if near == nil {
		return nil, t.emptyAt(l, y)
	}
	at := t.byteIn(l, near, x)
	if best > 0 || y < row {
		return nil, at
	}
	return near, at
}

// emptyAt is the byte of an empty line: the end of the text over it.
func (t *Transcript) emptyAt(l *layout, y int) int {
	at := 0
	for i := range l.runs {
		for k := range l.lines {
			if ln := &l.lines[k]; i >= ln.from && i < ln.to && ln.y < y {
				at = max(at, l.runs[i].to)
			}
		}
	}
	return at
}

// byteIn gives the byte of a run that is nearest to x.
func (t *Transcript) byteIn(l *layout, r *run, x float32) int {
	if r.from == r.to {
		return r.from
	}
	best, at := float32(1e9), r.from
	t.carets(l, r, func(b int, cx float32) {
		if d := max(x-cx, cx-x); d < best {
			best, at = d, b
		}
	})
	return at
}

// xIn gives where a byte of a run is drawn.
func (t *Transcript) xIn(l *layout, r *run, at int) float32 {
	out := r.x
	t.carets(l, r, func(b int, x float32) {
		if b <= at {
			out = x
		}
	})
	return out
}

// carets calls back with each place between two characters of a run, in the
// order of the text.
func (t *Transcript) carets(l *layout, r *run, at func(b int, x float32)) {
	if r.glyphs != nil {
		shapedCarets(r, at)
		return
	}
	if r.literal != "" {
		at(r.from, r.x)
		at(r.to, r.x+r.w)
		return
	}
	x := r.x
	for b := r.from; b < r.to; {
		at(b, x)
		c, n := utf8.DecodeRuneInString(l.plain[b:r.to])
		x += t.fonts.Advance(r.style, c, r.px)
		b += n
	}
	at(r.to, x)
}

func shapedCarets(r *run, at func(b int, x float32)) {
	if r.flags&backwards == 0 {
		x := r.x
		for i := range r.glyphs {
			at(r.from+int(r.glyphs[i].Cluster), x)
			x += r.glyphs[i].Advance
		}
		at(r.to, x)
		return
	}
	x := r.x + r.w
	for i := len(r.glyphs) - 1; i >= 0; i-- {
		at(r.from+int(r.glyphs[i].Cluster), x)
		x -= r.glyphs[i].Advance
	}
	at(r.to, x)
}
