package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"holdfast/core/safetext"
)

var (
	_ fyne.Scrollable = (*Transcript)(nil)
	_ fyne.Tappable   = (*Transcript)(nil)

	_ fyne.SecondaryTappable = (*Transcript)(nil)

	_ fyne.Draggable     = (*Transcript)(nil)
	_ desktop.Mouseable  = (*Transcript)(nil)
	_ desktop.Hoverable  = (*Transcript)(nil)
	_ desktop.Cursorable = (*Transcript)(nil)
)

// A mouse is what the pointer is doing.
type mouse struct {
	x, y    int  // where it is
	bar     bool // it drags the scroll bar
	grip    int  // from the handle's top to where it was taken
	dragged bool // since it went down
	wheel   float32
}

func (t *Transcript) point(p fyne.Position) (x, y int) {
	return int(p.X * t.view.exact), int(p.Y * t.view.exact)
}

// Scrolled moves the rows by the wheel.
func (t *Transcript) Scrolled(e *fyne.ScrollEvent) {
	t.mouse.wheel += e.Scrolled.DY * t.view.exact
	d := int(t.mouse.wheel)
	t.mouse.wheel -= float32(d)
	t.ScrollBy(d)
}

// MouseDown takes the scroll bar, or begins a selection.
func (t *Transcript) MouseDown(e *desktop.MouseEvent) {
	if c := t.canvas(); c != nil {
		c.Focus(t)
	}
	x, y := t.point(e.Position)
	t.mouse.dragged = false
	if th := t.thumb(); th.within && x >= t.view.w-t.barRoom() {
		t.mouse.bar, t.mouse.grip = true, y-th.y
		if y < th.y || y >= th.y+th.h { // beside the handle: it comes here
			t.mouse.grip = th.h / 2
			t.dragBar(y - t.mouse.grip)
		}
		return
	}
	h, ok := t.hitAt(x, y)
	if !ok || e.Button != desktop.MouseButtonPrimary {
		return
	}
	if e.Modifier&fyne.KeyModifierShift != 0 && t.sel.from.key != "" {
		t.sel.to = h.pos
	} else {
		t.sel = selection{h.pos, h.pos}
	}
	t.focusKey = h.pos.key
	t.repaint()
}

// MouseUp lets go of the scroll bar.
func (t *Transcript) MouseUp(*desktop.MouseEvent) { t.mouse.bar = false }

// Dragged moves the scroll bar or the end of the selection.
func (t *Transcript) Dragged(e *fyne.DragEvent) {
	x, y := t.point(e.Position)
	t.mouse.dragged = true
	if t.mouse.bar {
		t.dragBar(y - t.mouse.grip)
		return
	}
	if step := t.view.m.px(24); y < 0 {
		t.ScrollBy(step)
	} else if y > t.view.h {
		t.ScrollBy(-step)
	}
	if h, ok := t.hitAt(x, min(max(y, 0), t.view.h-1)); ok && t.sel.from.key != "" {
		t.sel.to = h.pos
		t.repaint()
	}
}

// DragEnd ends a drag.
func (t *Transcript) DragEnd() { t.mouse.bar = false }

// Tapped follows a link, does an action or folds, when text was not selected.
func (t *Transcript) Tapped(e *fyne.PointEvent) {
	x, y := t.point(e.Position)
	if t.mouse.dragged || x >= t.view.w-t.barRoom() && t.thumb().within {
		return
	}
	h, ok := t.hitAt(x, y)
	if !ok {
		return
	}
	if h.run != nil && h.run.target > 0 {
		t.follow(h.pos.key, h.lay.targets[h.run.target-1])
		return
	}
	if t.onFoldHead(h, x) {
		t.sel = selection{}
		t.Toggle(h.pos.key)
	}
}

// TappedSecondary asks what can be done with the row under the pointer.
func (t *Transcript) TappedSecondary(e *fyne.PointEvent) {
	x, y := t.point(e.Position)
	h, ok := t.hitAt(x, y)
	if !ok || t.OnMenu == nil {
		return
	}
	t.focusKey = h.pos.key
	t.repaint()
	t.OnMenu()
}

func (t *Transcript) follow(key string, to target) {
	switch {
	case to.action != "" && t.OnAction != nil:
		t.OnAction(key, to.action)
	case to.url != "" && t.OnOpenLink != nil:
		t.OnOpenLink(to.url, to.shown)
	}
}

// onFoldHead reports whether a point is on the head of a fold.
func (t *Transcript) onFoldHead(h hit, x int) bool {
	in := x >= t.view.left && x < t.view.left+t.view.m.col
	return in && h.p == 0 && t.items[h.i].row.Form.Folds() && h.y >= h.lay.edge && h.y < h.lay.bar
}

// MouseIn is called by Fyne.
func (t *Transcript) MouseIn(e *desktop.MouseEvent) { t.mouse.x, t.mouse.y = t.point(e.Position) }

// MouseMoved is called by Fyne.
func (t *Transcript) MouseMoved(e *desktop.MouseEvent) { t.mouse.x, t.mouse.y = t.point(e.Position) }

// MouseOut is called by Fyne.
func (t *Transcript) MouseOut() {}

// Cursor says what a click would do.
func (t *Transcript) Cursor() desktop.Cursor {
	x := t.mouse.x
	if t.mouse.bar || x >= t.view.w-t.barRoom() {
		return desktop.DefaultCursor
	}
	h, ok := t.hitAt(x, t.mouse.y)
	switch {
	case !ok:
		return desktop.DefaultCursor
	case h.run != nil && h.run.target > 0, t.onFoldHead(h, x):
		return desktop.PointerCursor
	case h.run != nil:
		return desktop.TextCursor
	}
	return desktop.DefaultCursor
}

// linkSpans are the spans of a block that lead somewhere.
func linkSpans(b *safetext.Block) []safetext.Span {
	var out []safetext.Span
	add := func(ss []safetext.Span) {
		for i := range ss {
			if ss[i].URL != "" {
				out = append(out, ss[i])
			}
		}
	}
	add(b.Spans)
	for _, l := range b.Lines {
		add(l)
	}
	for _, r := range b.Rows {
		for _, c := range r {
			add(c)
		}
	}
	return out
}
