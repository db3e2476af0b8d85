package transcript

import (
	"slices"

	"holdfast/widgets/text"
	"holdfast/widgets/theme"
)

type partKind uint8

const (
	headPart partKind = iota
	bodyPart
	tailPart
)

// A part is what is laid out at once: a row's head, a chunk of its body, or its
// tail (the end of its card and the notes).
type part struct {
	kind  partKind
	chunk chunk
	lay   *layout // nil: not laid out, or dropped again
	h     int     // exact if exact, else a guess
	exact bool
	used  uint64 // the frame that last drew it
}

// An item is a row with the state the widget keeps of it.
type item struct {
	row   *Row
	open  bool // folds only
	parts []part
}

// newItem makes an item, keeping of old (nil if new) what did not change.
func newItem(r *Row, open bool, old *item) *item {
	it := &item{row: r, open: open}
	it.parts = append(it.parts, part{kind: headPart})
	if open || !r.Form.Folds() {
		for _, c := range chunksOf(r) {
			it.parts = append(it.parts, part{kind: bodyPart, chunk: c})
		}
	}
	it.parts = append(it.parts, part{kind: tailPart})
	if old == nil || old.row.Form != r.Form {
		return it
	}
	if sameHead(old, it) {
		it.parts[0] = old.parts[0]
	}
	if sameTail(old, it) {
		it.parts[len(it.parts)-1] = old.parts[len(old.parts)-1]
	}
	for i := 1; i < len(it.parts)-1 && i < len(old.parts)-1; i++ {
		p, q := &it.parts[i], &old.parts[i]
		if p.chunk.same(&q.chunk) {
			p.lay, p.h, p.exact, p.used = q.lay, q.h, q.exact, q.used
		}
	}
	return it
}

func sameHead(a, b *item) bool {
	x, y := a.row, b.row
	return a.open == b.open && x.Who == y.Who && x.When == y.When && x.Head == y.Head && x.Running == y.Running &&
		slices.Equal(x.Verdict, y.Verdict) && a.hasBody() == b.hasBody()
}

func sameTail(a, b *item) bool {
	return a.open == b.open && slices.Equal(a.row.Notes, b.row.Notes) && a.hasBody() == b.hasBody()
}

// hasBody reports whether a body is shown.
func (it *item) hasBody() bool { return len(it.parts) > 2 }

// height is how high the item is, as far as that is known.
func (it *item) height() int {
	h := 0
	for i := range it.parts {
		h += it.parts[i].h
	}
	return h
}

// forget makes every height a guess again.
func (it *item) forget(m *metrics) {
	for i := range it.parts {
		p := &it.parts[i]
		p.lay, p.exact = nil, false
	}
	it.guess(m)
}

// guess estimates the heights that are not known.
func (it *item) guess(m *metrics) {
	for i := range it.parts {
		p := &it.parts[i]
		if p.exact {
			continue
		}
		switch p.kind {
		case headPart:
			p.h = m.px(theme.Space16) + m.small.line
		case bodyPart:
			p.h = p.chunk.guess(m, m.col)
		case tailPart:
			p.h = m.px(theme.Space8) + len(it.row.Notes)*m.small.line
		}
	}
}

// layPart lays one part out. It depends on its arguments alone, and changes
// nothing but the scratch memory.
func layPart(f *text.Fonts, m *metrics, buf *scratch, it *item, p *part) *layout {
	s := newSetter(f, m, buf)
	switch p.kind {
	case headPart:
		s.head(it)
	case bodyPart:
		s.body(it.row.Form, &p.chunk)
	case tailPart:
		s.tail(it)
	}
	return s.done()
}
