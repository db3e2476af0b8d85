package transcript

import "holdfast/widgets/theme"

// A place says what is where in the viewport: part p of row i has its top y
// device pixels below the viewport's top. After settle it is the part at the
// top of the viewport, or the first one.
type place struct {
	key   string // of row i
	i, p  int
	y     int
	stick bool // the end is in view and is kept there
	slack int  // empty pixels below the end that a closed fold may leave
	over  int  // and above the first row, that an opened one may leave
}

type nearness struct {
	known       bool
	top, bottom bool
}

func (t *Transcript) last() (i, p int) {
	i = len(t.items) - 1
	return i, len(t.items[i].parts) - 1
}

// next gives the part below; ok is false at the end.
func (t *Transcript) next(i, p int) (int, int, bool) {
	if p+1 < len(t.items[i].parts) {
		return i, p + 1, true
	}
	if i+1 < len(t.items) {
		return i + 1, 0, true
	}
	return i, p, false
}

// prev gives the part above; ok is false at the beginning.
func (t *Transcript) prev(i, p int) (int, int, bool) {
	if p > 0 {
		return i, p - 1, true
	}
	if i > 0 {
		return i - 1, len(t.items[i-1].parts) - 1, true
	}
	return i, p, false
}

// endPad is the space under the last row.
func (t *Transcript) endPad() int { return t.view.m.px(theme.Space16) }

// settle makes the place consistent with the rows: what the viewport needs is
// laid out, and neither end leaves it without need.
func (t *Transcript) settle() {
	if t.view.w == 0 {
		return
	}
	if len(t.items) == 0 {
		t.tellNear()
		return
	}
	a := &t.place
	a.i = min(max(a.i, 0), len(t.items)-1)
	a.p = min(max(a.p, 0), len(t.items[a.i].parts)-1)
	t.walk()
	end, reached := t.end()
	switch {
	case a.stick && !reached, a.stick && end > t.view.h:
		a.slack, a.over = 0, 0
		t.fromEnd(t.view.h)
	case reached && end < t.view.h-a.slack:
		t.fromEnd(t.view.h - a.slack)
	}
	if a.i == 0 && a.p == 0 && a.y > 0 { // empty above the first row only where all is in view
		y := a.y
		a.y = 0
		if end, reached = t.end(); reached {
			a.over = max(a.over, t.view.h-end)
		}
		a.y = min(y, a.over)
	}
	end, reached = t.end()
	a.stick = reached && end <= t.view.h
	a.slack, a.over = 0, 0
	if a.stick {
		a.slack = t.view.h - end
	}
	if a.i == 0 && a.p == 0 {
		a.over = max(a.y, 0)
	}
	a.key = t.items[a.i].row.Key
	t.tellNear()
	t.tellNews()
	t.tellMoved()
}

// tellMoved calls back when the reader is elsewhere.
func (t *Transcript) tellMoved() {
	now := place{key: t.place.key, stick: t.place.stick}
	if t.OnMoved != nil && now != t.moved {
		t.moved = now
		t.OnMoved()
	}
}

// walk moves the place to the part at the top of the viewport.
func (t *Transcript) walk() {
	a := &t.place
	for a.y > 0 {
		i, p, ok := t.prev(a.i, a.p)
		if !ok {
			break
		}
		a.i, a.p = i, p
		a.y -= t.height(i, p)
	}
	for a.y+t.height(a.i, a.p) <= 0 {
		i, p, ok := t.next(a.i, a.p)
		if !ok {
			break
		}
		a.y += t.height(a.i, a.p)
		a.i, a.p = i, p
	}
}

// end gives where the rows end, if that is not far below the viewport.
func (t *Transcript) end() (y int, reached bool) {
	i, p := t.place.i, t.place.p
	y = t.place.y + t.height(i, p)
	for y < t.view.h {
		var ok bool
		if i, p, ok = t.next(i, p); !ok {
			return y + t.endPad(), true
		}
		y += t.height(i, p)
	}
	_, _, more := t.next(i, p)
	return y + t.endPad(), !more
}

// fromEnd places the rows so that they end at y.
func (t *Transcript) fromEnd(y int) {
	a := &t.place
	a.i, a.p = t.last()
	a.y = y - t.endPad() - t.height(a.i, a.p)
	for a.y > 0 {
		i, p, ok := t.prev(a.i, a.p)
		if !ok {
			return
		}
		a.i, a.p = i, p
		a.y -= t.height(i, p)
	}
}

// yOf gives where the top of row i is, as far as heights are known.
func (t *Transcript) yOf(i int) int {
	a := &t.place
	if len(t.items) == 0 {
		return 0
	}
	y := a.y
	for p := range a.p {
		y -= t.items[a.i].parts[p].h
	}
	for j := a.i; j < i; j++ {
		y += t.items[j].height()
	}
	for j := a.i; j > i; j-- {
		y -= t.items[j-1].height()
	}
	return y
}

// holdHead keeps the head of row i at y while the row opens or closes. A head
// above the viewport is brought to its top.
func (t *Transcript) holdHead(i, y int) {
	t.place = place{i: i, y: max(y, -t.view.m.px(theme.Space4)), slack: t.view.h, over: t.view.h}
	t.settle()
}

// keepPlace finds the place again among new rows.
func (t *Transcript) keepPlace(old []*item) {
	a := &t.place
	if len(old) == 0 || len(t.items) == 0 {
		t.place = place{stick: true}
		return
	}
	if i, ok := t.index[a.key]; ok {
		if a.p > 0 && a.p == len(old[a.i].parts)-1 { // the tail stays the tail
			a.p = len(t.items[i].parts) - 1
		}
		a.i = i
		return
	}
	y := a.y
	for p := range a.p {
		y -= old[a.i].parts[p].h
	}
	for j, at := a.i, y; j < len(old); j++ { // the nearest row below that is still there
		if i, ok := t.index[old[j].row.Key]; ok {
			a.i, a.p, a.y = i, 0, at
			return
		}
		at += old[j].height()
	}
	for j, at := a.i-1, y; j >= 0; j-- { // or above
		at -= old[j].height()
		if i, ok := t.index[old[j].row.Key]; ok {
			a.i, a.p, a.y = i, 0, at
			return
		}
	}
	t.place = place{stick: true}
	t.sel, t.focusKey = selection{}, ""
}

// ScrollBy moves the rows down by device pixels, towards older ones.
func (t *Transcript) ScrollBy(d int) {
	if d == 0 || len(t.items) == 0 {
		return
	}
	if d > 0 {
		t.place.stick = false
	}
	t.place.y += d
	t.settle()
	t.repaint()
}

// ScrollToEnd shows the last row and follows what comes.
func (t *Transcript) ScrollToEnd() {
	if len(t.items) == 0 {
		return
	}
	t.place.slack = 0
	t.fromEnd(t.view.h)
	t.place.stick = true
	t.settle()
	t.repaint()
}

// ScrollToStart shows the first row.
func (t *Transcript) ScrollToStart() {
	t.place = place{}
	t.settle()
	t.repaint()
}

// AtEnd reports whether the end is in view, so that new rows are followed.
func (t *Transcript) AtEnd() bool { return t.place.stick }

// InView gives the keys of the rows in the viewport, from the top down.
func (t *Transcript) InView() (keys []string) {
	if len(t.items) == 0 || t.view.h == 0 {
		return nil
	}
	i, p := t.place.i, t.place.p
	for y := t.place.y; y < t.view.h; {
		if y += t.items[i].parts[p].h; y > 0 && (len(keys) == 0 || keys[len(keys)-1] != t.items[i].row.Key) {
			keys = append(keys, t.items[i].row.Key)
		}
		var ok bool
		if i, p, ok = t.next(i, p); !ok {
			break
		}
	}
	return keys
}

// tellNear calls back when an end comes within a page of the viewport or leaves
// it.
func (t *Transcript) tellNear() {
	top, bottom := true, true
	if len(t.items) > 0 {
		top, bottom = t.roomAbove(t.view.h) < t.view.h, t.roomBelow(t.view.h) < t.view.h
	}
	was := t.near
	t.near = nearness{true, top, bottom}
	if t.OnNearTop != nil && (!was.known || was.top != top) {
		t.OnNearTop(top)
	}
	if t.OnNearBottom != nil && (!was.known || was.bottom != bottom) {
		t.OnNearBottom(bottom)
	}
}

// roomAbove is how much there is above the viewport, or more than most.
func (t *Transcript) roomAbove(most int) int {
	y := -t.place.y
	for i, p, ok := t.prev(t.place.i, t.place.p); ok && y <= most; i, p, ok = t.prev(i, p) {
		y += t.items[i].parts[p].h
	}
	return y
}

// roomBelow is how much there is below the viewport, or more than most.
func (t *Transcript) roomBelow(most int) int {
	i, p := t.place.i, t.place.p
	y := t.place.y + t.items[i].parts[p].h - t.view.h
	for y <= most {
		var ok bool
		if i, p, ok = t.next(i, p); !ok {
			break
		}
		y += t.items[i].parts[p].h
	}
	return y
}
