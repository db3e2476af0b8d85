package ui

import (
	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/widgets"
)

// closing asks before unsent text is given up.
func (w *Window) closing() {
	n := 0
	for thread, has := range w.comp.unsent {
		if has && thread != w.comp.thread {
			n++
		}
	}
	if !w.comp.empty() {
		n++
	}
	n += len(w.snap.Drafts.Rows)
	if n == 0 {
		w.opts.Close()
		return
	}
	if m := widgets.Top(w.win.Canvas()); m != nil && m.Name == "close" {
		return
	}
	var m *widgets.Modal
	keep := closer(safetext.Trusted("Keep it open"), "keep", widgets.Primary, &m, w.focusComposer)
	leave := closer(safetext.Trusted("Close and lose it"), "close", widgets.Plain, &m, w.opts.Close)
	m = widgets.NewModal("close", safetext.Trusted("There is unsent text"), []fyne.CanvasObject{
		para(line("%s would be lost: it is kept in memory only.", plural(n, "unsent message", "unsent messages"))),
	}, keep, leave)
	w.dialog(m, keep)
}
