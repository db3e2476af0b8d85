package transcript

import (
	"sort"

	"fyne.io/fyne/v2"
)

// An eye is the text that was at the top before the layout changed, and the
// place that was made of it. Until the reader moves, the next change starts
// from the same text: else each would lose part of a line.
type eye struct {
	known bool
	at    int // byte of the part's text
	y     int // of its line
	key   string
	p     int
	top   int // y of the part
}

// fit takes a new size, scale or text size into account.
func (t *Transcript) fit(w, h int) {
	size := t.Size()
	scale := scaleOf(w, size.Width)
	m, left := newMetrics(w, scale, t.look().TextScale)
	v := &t.view
	was := *v
	v.w, v.h, v.left, v.size = w, h, left, size
	v.exact = scale
	if size.Width > 0 {
		v.exact = float32(w) / size.Width
	}
	switch {
	case m != was.m:
		t.refit(m, was.w > 0)
	case h != was.h:
		if !t.place.stick {
			t.place.y -= t.slid(was, size)
		} else if t.place.slack > 0 {
			t.place.slack = max(0, t.place.slack+h-was.h)
		}
		t.settle()
	}
	v.top = t.Position().Y
}

// slid is how far the widget's upper edge moved down while its lower edge
// stayed: what is read does not move with it. "Banners slide the transcript,
// never the line under the eye."
func (t *Transcript) slid(was viewport, size fyne.Size) int {
	top := t.Position().Y
	if d := top + size.Height - was.top - was.size.Height; d > 1 || d < -1 {
		return 0
	}
	return round((top - was.top) * t.view.exact)
}

// refit lays out anew. The first visible line stays the first.
func (t *Transcript) refit(m metrics, shown bool) {
	a := &t.place
	found := false
	if shown && len(t.items) > 0 && !a.stick {
		if e := &t.eye; !e.known || e.key != a.key || e.p != a.p || e.top != a.y {
			e.at, e.y, e.known = t.firstLine()
		}
		found = t.eye.known
	}
	t.view.m = m
	for _, it := range t.items {
		it.forget(&t.view.m)
	}
	t.held = 0
	if found {
		a.y = t.eye.y - t.lineAt(t.eye.at)
	}
	a.slack, a.over = 0, 0
	t.settle()
	t.eye.key, t.eye.p, t.eye.top = a.key, a.p, a.y
}

// firstLine gives the first visible line: where its text begins, and its top.
func (t *Transcript) firstLine() (at, y int, found bool) {
	a := &t.place
	l := t.lay(a.i, a.p)
	k := sort.Search(len(l.lines), func(k int) bool { return a.y+l.lines[k].y+l.lines[k].h > 0 })
	if k == len(l.lines) || l.lines[k].from == l.lines[k].to {
		return 0, 0, false
	}
	return l.runs[l.lines[k].from].from, a.y + l.lines[k].y, true
}

// lineAt gives the top of the line that holds a byte of the text of the part at
// the top of the viewport.
func (t *Transcript) lineAt(at int) int {
	l := t.lay(t.place.i, t.place.p)
	y := 0
	for _, ln := range l.lines {
		if ln.from < ln.to && l.runs[ln.from].from <= at {
			y = ln.y
		}
	}
	return y
}
