package transcript

import (
	"sort"

	"holdfast/widgets/theme"
)

// A match is one occurrence of what is looked for: the nth of part p of a row.
type match struct {
	key  string
	p, n int
}

// SetFound shows where a text was found; nil shows nothing. With another text
// than before, the match nearest to the reader becomes the current one. Rows
// may have changed since the search: what is gone from them is passed over.
func (t *Transcript) SetFound(f *Found) {
	was := t.found
	t.found = f
	switch {
	case f == nil || f.total == 0:
		t.match = match{}
	case was == nil || was.Text() != f.Text():
		t.goToMatch(f.nearest(t, t.match), 0, 1)
	default:
		if i, ok := f.index(t.match); !ok || t.match.n >= f.parts[i].n {
			t.match = match{}
		}
	}
	t.repaint()
}

// Match says which match is the current one, counted from 1, and how many there
// are; n is 0 when there is none.
func (t *Transcript) Match() (n, total int) {
	f := t.found
	if f == nil {
		return 0, 0
	}
	if i, ok := f.index(t.match); ok {
		n = f.parts[i].before + t.match.n + 1
	}
	return n, f.total
}

// NextMatch makes the match below the current one the current one, or with -1
// the one above, and brings it into view; a fold it is in is opened. After the
// last comes the first.
func (t *Transcript) NextMatch(step int) {
	f := t.found
	if f == nil || f.total == 0 {
		return
	}
	i, ok := f.index(t.match)
	if !ok {
		t.goToMatch(f.nearest(t, match{}), 0, step)
		return
	}
	t.goToMatch(i, t.match.n+step, step)
}

// goToMatch makes the nth match of a found part the current one; where there is
// none it goes on in steps.
func (t *Transcript) goToMatch(at, n, step int) {
	f := t.found
	for range len(f.parts) + 1 {
		part := &f.parts[at]
		if _, ok := t.index[part.key]; ok && n >= 0 && n < part.n {
			t.match = match{part.key, part.p, n}
			t.showMatch()
			return
		}
		at = (at + step + len(f.parts)) % len(f.parts)
		n = 0
		if step < 0 {
			n = f.parts[at].n - 1
		}
	}
	t.match = match{}
}

// index finds the part a match is in.
func (f *Found) index(m match) (int, bool) {
	for i := range f.parts {
		if f.parts[i].key == m.key && f.parts[i].p == m.p {
			return i, true
		}
	}
	return 0, false
}

// nearest is the part to begin in: the one of the match before, else the first
// at or below the top of the viewport, else the last.
func (f *Found) nearest(t *Transcript, before match) int {
	top := [2]int{t.place.i, t.place.p}
	if i, ok := t.index[before.key]; ok {
		top = [2]int{i, before.p}
	}
	at := sort.Search(len(f.parts), func(k int) bool {
		i, ok := t.index[f.parts[k].key]
		return ok && (i > top[0] || i == top[0] && f.parts[k].p >= top[1])
	})
	return min(at, len(f.parts)-1)
}

// showMatch opens the fold of the current match and scrolls just enough to see
// it, or to a third of the viewport when it is far away.
func (t *Transcript) showMatch() {
	i := t.index[t.match.key]
	it := t.items[i]
	t.focusKey = t.match.key
	if t.view.w == 0 {
		return
	}
	if t.match.p > 0 && it.row.Form.Folds() && !it.open {
		t.setOpen(i, true)
		it = t.items[i]
	}
	if t.match.p >= len(it.parts)-1 {
		return // the row became shorter
	}
	l := t.lay(i, t.match.p)
	y, h := t.yOf(i)+l.lineOf(t.found.needle.matchesIn(it, t.match.p, l), t.match.n), t.view.m.body.line
	for p := range t.match.p {
		y += it.parts[p].h
	}
	room := t.view.m.px(theme.Space24)
	if y < room || y+h > t.view.h-room {
		t.scrollTo(i, t.match.p, y)
	}
	t.repaint()
}

// scrollTo brings what is at y now to a third of the viewport. The place is
// taken in that part itself: heights between here and there are guesses.
func (t *Transcript) scrollTo(i, p, y int) {
	top := t.yOf(i)
	for k := range p {
		top += t.items[i].parts[k].h
	}
	t.place = place{i: i, p: p, y: t.view.h/3 - (y - top)}
	t.settle()
}

// lineOf is the top of the line that shows the nth of some matches.
func (l *layout) lineOf(ms []bytesOf, n int) int {
	if n >= len(ms) {
		return 0
	}
	for k := range l.lines {
		for j := l.lines[k].from; j < l.lines[k].to; j++ {
			if r := &l.runs[j]; r.from <= ms[n].lo && ms[n].lo < r.to {
				return l.lines[k].y
			}
		}
	}
	return 0
}
