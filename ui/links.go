package ui

import (
	"errors"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets"
)

// openLink asks before anything is opened, and shows the real target.
func (w *Window) openLink(url, shown string) {
	target, openable, err := w.opts.Links.Check(url)
	if err != nil {
		why := safetext.Trusted("Only http, https and files inside the roots of the profile can be opened.")
		if errors.Is(err, safetext.ErrLinkOutside) {
			why = safetext.Trusted("The file is outside the roots of the profile.")
		}
		w.say(safetext.Join(" ", safetext.Trusted("Not opened:"), target, why))
		return
	}
	var m *widgets.Modal
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, nil)
	copyIt := closer(safetext.Trusted("Copy"), "copy", widgets.Plain, &m, func() { w.app.Clipboard().SetContent(openable) })
	open := closer(safetext.Trusted("Open"), "open", widgets.Plain, &m, func() {
		if w.opts.OpenLink == nil {
			return
		}
		if err := w.opts.OpenLink(openable); err != nil {
			w.say(line("The system could not open %s.", target))
		}
	})
	body := []fyne.CanvasObject{
		para(line("Shown as “%s”. It leads to:", safetext.MakeLine(shown))),
		widgets.NewCode(safetext.Code("", target.String())),
	}
	m = widgets.NewModal("link", safetext.Trusted("Open this link?"), body, cancel, copyIt, open)
	w.dialog(m, cancel)
}

// rowAction does what a note in the transcript offers.
func (w *Window) rowAction(key, action string) {
	switch action {
	case actionReview:
		w.openOperation(key[len(operationKey):])
	case actionWhole:
		w.openWhole(key)
	case actionExpand:
		w.ask(session.Expand{Turn: rowKey(w.from.prefix, key).Turn})
	case actionFold, actionUnfold:
		w.ask(session.Fold{Turn: rowKey(w.from.prefix, key).Turn, Open: action == actionUnfold})
	}
}
