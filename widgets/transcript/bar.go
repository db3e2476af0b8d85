package transcript

import "image"

// A thumb is the handle of the scroll bar, in device pixels.
type thumb struct {
	y, h   int
	total  int // height of all rows, as far as known
	within bool
}

// thumb derives the handle from the place; it never is where the place is kept.
func (t *Transcript) thumb() thumb {
	total, above := t.endPad(), 0
	for i, it := range t.items {
		if i == t.place.i {
			above = total - t.endPad() - t.place.y
			for p := range t.place.p {
				above += it.parts[p].h
			}
		}
		total += it.height()
	}
	h := t.view.h
	if total <= h || h <= 0 {
		return thumb{total: total}
	}
	th := thumb{total: total, within: true}
	th.h = max(int(int64(h)*int64(h)/int64(total)), min(t.view.m.px(32), h))
	th.y = int(int64(above) * int64(h-th.h) / int64(max(total-h, 1)))
	th.y = min(max(th.y, 0), h-th.h)
	return th
}

// barWidth is the width of the handle and barRoom that of its strip.
func (t *Transcript) barWidth() int {
	if t.view.left < t.view.m.px(16) {
		return t.view.m.px(4)
	}
	return t.view.m.px(8)
}

func (t *Transcript) barRoom() int { return t.barWidth() + 2*t.view.m.px(2) }

func (p *painter) bar() {
	th := p.t.thumb()
	if !th.within {
		return
	}
	w, right := p.t.barWidth(), p.t.view.w-p.m.px(2)
	p.round(image.Rect(right-w, th.y, right, th.y+th.h), w/2, upper|lower, p.pal[edgePaint])
}

// dragBar moves the rows so that the handle's top is at y.
func (t *Transcript) dragBar(y int) {
	th := t.thumb()
	if !th.within {
		return
	}
	y = min(max(y, 0), t.view.h-th.h)
	if y == t.view.h-th.h {
		t.ScrollToEnd()
		return
	}
	want := int(int64(y) * int64(th.total-t.view.h) / int64(max(t.view.h-th.h, 1)))
	for i, it := range t.items {
		if h := it.height(); want >= h && i < len(t.items)-1 {
			want -= h
			continue
		}
		t.place = place{i: i, y: -want}
		break
	}
	t.settle()
	t.repaint()
}
