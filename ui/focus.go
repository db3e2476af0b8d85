package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"holdfast/widgets"
)

// order lists what may hold the keyboard now, in Tab order (UI-2). Fyne gives
// no way to walk a widget's children, so the window keeps the list.
func (w *Window) order() []fyne.Focusable {
	var out []fyne.Focusable
	for _, r := range w.regions() {
		out = append(out, r...)
	}
	return out
}

// The places of the transcript and the message among the regions.
const transcriptRegion, messageRegion = 3, 5

// regions are the parts that F6 goes through, each in Tab order.
func (w *Window) regions() [][]fyne.Focusable {
	return [][]fyne.Focusable{
		append(seen(w.shell.banner), seen(w.shell.notices)...),
		widgets.Focusables(w.side.box),
		widgets.Focusables(w.head.box),
		slices.Concat(widgets.Focusables(w.find.box), widgets.Focusables(w.older), widgets.Focusables(w.trans), widgets.Focusables(w.news), widgets.Focusables(w.newer)),
		w.cards.focusables(),
		seen(w.shell.comp),
	}
}

// seen are the focusables of a scrolled part, if it is shown.
func seen(s *container.Scroll) []fyne.Focusable {
	if !s.Visible() {
		return nil
	}
	return widgets.Focusables(s.Content)
}

// focus gives the keyboard to a widget, if it can have it.
func (w *Window) focus(f fyne.Focusable) {
	if widgets.Top(w.win.Canvas()) == nil && slices.Contains(w.order(), f) {
		w.win.Canvas().Focus(f)
	}
}

// repairFocus runs after every change: Fyne leaves the keyboard on a widget
// that was removed, hidden or disabled, and its action still fires. What begins
// the same region gets it, else the transcript or the message, where no key
// does harm.
func (w *Window) repairFocus() {
	c := w.win.Canvas()
	if widgets.Top(c) != nil {
		return
	}
	cur := c.Focused()
	all := w.regions()
	before := w.were
	w.were = all
	if at := regionOf(all, cur); cur != nil && at >= 0 {
		w.region = at
		return
	}
	if cur == nil && w.region == 0 {
		return // nothing had it
	}
	if at := regionOf(before, cur); at >= 0 {
		w.region = at // Tab came here since the last look
	}
	for _, r := range append([][]fyne.Focusable{all[w.region], all[transcriptRegion], all[messageRegion]}, all...) {
		if len(r) > 0 {
			w.moved, w.movedAt = r[0], w.opts.Now()
			c.Focus(r[0])
			w.region = regionOf(all, r[0])
			return
		}
	}
	c.Unfocus()
}

// justMoved says that the keyboard came to a widget by itself, so lately that a
// key was meant for what had it before.
func (w *Window) justMoved(f fyne.Focusable) bool {
	return w.moved == f && w.opts.Now().Sub(w.movedAt) < quiet
}

func regionOf(regions [][]fyne.Focusable, f fyne.Focusable) int {
	for i, r := range regions {
		if slices.Contains(r, f) {
			return i
		}
	}
	return -1
}

// nextRegion is F6.
func (w *Window) nextRegion() {
	all := w.regions()
	at := -1
	if f := w.win.Canvas().Focused(); f != nil {
		at = regionOf(all, f)
	}
	for i := 1; i <= len(all); i++ {
		n := (at + i) % len(all)
		if len(all[n]) > 0 {
			w.region = n
			w.win.Canvas().Focus(all[n][0])
			return
		}
	}
}

func (w *Window) focusList() {
	if w.shell.narrow && !w.shell.drawer {
		w.openDrawer()
		return
	}
	w.focus(w.side.list)
}

func (w *Window) focusFilter() {
	if w.shell.narrow && !w.shell.drawer {
		w.openDrawer()
	}
	w.focus(w.side.filter)
}

func (w *Window) focusTranscript() {
	w.closeDrawer()
	w.focus(w.trans)
}

func (w *Window) focusComposer() {
	w.closeDrawer()
	w.focus(w.comp.entry)
}

// focusCards goes to the first request; nothing else brings the keyboard there
// (ruling 40).
func (w *Window) focusCards() {
	w.closeDrawer()
	if f := w.cards.focusables(); len(f) > 0 {
		w.focus(f[0])
	} else {
		w.say(line("Nothing is asked here."))
	}
}

func (w *Window) openDrawer() {
	w.shell.drawer = true
	w.root.Refresh()
	w.focus(w.side.list)
	w.WriteState()
}

func (w *Window) closeDrawer() {
	if !w.shell.drawer {
		return
	}
	w.shell.drawer = false
	w.show(w.snap, w.snap)
}
