package ui

import (
	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
)

// newNews makes the button that says how many rows came below, and goes there.
// It lies over the lower edge of the transcript, so that it moves nothing.
func newNews(w *Window) *widgets.Button {
	b := w.commandButton("end", "", widgets.Primary)
	b.Hide()
	w.trans.OnNews = func(int) { w.opts.Do(w.showNews) } // a frame may be under way
	return b
}

func (w *Window) showNews() {
	n := w.trans.News()
	switch {
	case n > 0 && w.moreBelow(): // some of them were let go
		w.news.SetLabel(line("%d+ new items", n))
	case n > 0:
		w.news.SetLabel(safetext.MakeLine(words.N(n, "1 new item", "%d new items")))
	}
	if (n > 0 && !w.shell.drawer) != w.news.Visible() {
		w.settle()
	}
}

// continues says that the rows of a snapshot go on where those before ended:
// what comes below is new then, not a page that was loaded.
func continues(old, s *session.Snapshot) bool {
	return old.Thread != nil && s.Thread != nil && old.Thread.ID == s.Thread.ID && old.History != nil && !old.History.Newer
}

// moreBelow says that newer rows exist than those that are here.
func (w *Window) moreBelow() bool { return w.snap.History != nil && w.snap.History.Newer }

// goEnd shows what is new, from its first row on, and then the newest, which is
// read again where it was let go. The button that did it goes away at the end:
// the keyboard stays near.
func (w *Window) goEnd() {
	if !w.trans.GoNew() {
		w.trans.GoEnd()
		if w.moreBelow() && w.snap.Status.Allows(session.ActRefresh) {
			w.ask(session.Refresh{})
		}
	}
	if w.trans.News() == 0 && w.win.Canvas().Focused() == fyne.Focusable(w.news) {
		w.focus(w.trans)
	}
}
