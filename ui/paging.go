package ui

import (
	"slices"
	"strings"

	"holdfast/core/history"
	"holdfast/core/safetext"
	"holdfast/core/session"
)

// pageLabel says that a page is on its way.
func pageLabel(usual safetext.Line, loading bool) safetext.Line {
	if loading {
		return safetext.Trusted("Loading…")
	}
	return usual
}

// loadOlder asks for the page above. The last row in view stays, and with it
// all that is seen.
func (w *Window) loadOlder() {
	if h := w.snap.History; h != nil && h.LoadingOlder {
		return // it is on its way
	}
	_, last := w.inView()
	w.ask(session.Older{Anchor: last})
}

// loadNewer asks for the page below. The first row in view stays.
func (w *Window) loadNewer() {
	if h := w.snap.History; h != nil && h.LoadingNewer {
		return
	}
	first, _ := w.inView()
	w.ask(session.Newer{Anchor: first})
}

// inView gives the first and the last row of the history in view, zero when
// none is.
func (w *Window) inView() (first, last history.Key) {
	h := w.snap.History
	if h == nil {
		return first, last
	}
	held := make(map[history.Key]bool, len(h.Rows))
	for _, r := range h.Rows {
		held[r.Key] = true
	}
	for _, key := range w.trans.InView() {
		if k := rowKey(w.from.prefix, key); held[k] {
			if last = k; first == (history.Key{}) {
				first = k
			}
		}
	}
	return first, last
}

// rowKey is the history's key of a transcript row, as itemRows made it.
func rowKey(prefix, key string) history.Key {
	rest, ok := strings.CutPrefix(key, prefix)
	parts := strings.Split(rest, "\x00")
	if !ok || len(parts) < 2 {
		return history.Key{}
	}
	return history.Key{Turn: parts[0], Item: parts[1]}
}

// tellEye tells the core where the reader looks, so that what streams in pushes
// out rows far from there: before it comes, for a burst may fill the window at
// once. At the end it is the newest row that is followed.
func (w *Window) tellEye() {
	h := w.snap.History
	if h == nil {
		return
	}
	var eye history.Key
	if !w.trans.AtEnd() {
		for _, key := range w.trans.InView() {
			k := rowKey(w.from.prefix, key)
			if slices.ContainsFunc(h.Rows, func(r *history.Row) bool { return r.Key == k }) {
				eye = k
				break
			}
		}
	}
	if eye != w.eye {
		w.eye = eye
		w.core.Do(w.snap.At, session.LookAt{Row: eye}, nil)
	}
}

// nearEnds says which ends of the rows are near the eye, and beyond which row a
// page was asked for because of that.
type nearEnds struct {
	top, bottom  bool
	older, newer history.Key
}

// autoLoad asks for the page beyond an end that is near, if the setting says so:
// once for each end row, so that a page that fails is not asked for in a circle.
func (w *Window) autoLoad() {
	h := w.snap.History
	if !w.settings.AutoLoad || h == nil || len(h.Rows) == 0 || h.LoadingOlder || h.LoadingNewer {
		return
	}
	first, last := h.Rows[0].Key, h.Rows[len(h.Rows)-1].Key
	switch {
	case w.near.top && h.Older && w.near.older != first && w.snap.Status.Allows(session.ActOlder):
		w.near.older = first
		w.loadOlder()
	case w.near.bottom && h.Newer && w.near.newer != last && w.snap.Status.Allows(session.ActNewer):
		w.near.newer = last
		w.loadNewer()
	}
}
