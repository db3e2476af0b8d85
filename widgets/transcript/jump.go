package transcript

import "holdfast/widgets/theme"

// GoMessage brings the next message (1) or the one before (-1) to the top of the
// viewport and gives it the focus inside the transcript. They count from the
// top of the viewport, so that each key moves the rows: a message that is
// wholly in view is read already.
func (t *Transcript) GoMessage(step int) {
	if len(t.items) == 0 || t.view.w == 0 {
		return
	}
	if step > 0 && t.place.stick {
		t.GoEnd()
		return
	}
	at := t.view.m.px(theme.Space4) // where toTop puts them
	i := t.place.i
	for y := t.yOf(i); ; {
		if f := t.items[i].row.Form; (f == User || f == Agent) && (step < 0 && y < 0 || step > 0 && y > at) {
			t.toTop(i)
			return
		}
		if step > 0 {
			y += t.items[i].height()
		}
		if i += step; i < 0 || i == len(t.items) {
			break
		}
		if step < 0 {
			y -= t.items[i].height()
		}
	}
	if step > 0 {
		t.GoEnd()
		return
	}
	t.focusKey = t.items[0].row.Key
	t.ScrollToStart()
}

// GoNew brings the first new row to the top of the viewport. It reports whether
// there was one that is not there or above it already.
func (t *Transcript) GoNew() bool {
	i, ok := t.index[t.news.first]
	if t.News() == 0 || !ok || t.view.w == 0 || t.yOf(i) <= t.view.m.px(theme.Space4) {
		return false
	}
	t.toTop(i)
	return true
}

// GoEnd shows the end and gives the last row the focus inside the transcript.
func (t *Transcript) GoEnd() {
	if len(t.items) > 0 {
		t.focusKey = t.items[len(t.items)-1].row.Key
		t.ScrollToEnd()
	}
}

// toTop brings a row to the top of the viewport, as far as the end lets it.
func (t *Transcript) toTop(i int) {
	t.focusKey = t.items[i].row.Key
	t.place = place{i: i, y: t.view.m.px(theme.Space4)}
	t.settle()
	t.repaint()
}
