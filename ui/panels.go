package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
)

// closing asks before unsent text is given up.
func (w *Window) closing() {
	where := w.unsentIn()
	for _, d := range w.snap.Drafts.Rows {
		where = append(where, title(d.Title).String())
	}
	n := len(where)
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
		para(safetext.MakeLine(words.N(n, "1 unsent message would be lost: it is kept in memory only.", "%d unsent messages would be lost: they are kept in memory only."))),
		dim(line("In %s.", firstOf(where))),
	}, keep, leave)
	w.dialog(m, keep)
}

// unsentIn are the places that hold unsent text: titles of conversations, the
// shown one last, and a request that is being answered.
func (w *Window) unsentIn() []string {
	var out []string
	shown := map[string]bool{}
	others := w.comp.others()
	for _, r := range w.snap.Threads.Rows {
		shown[r.ID] = true
		if slices.ContainsFunc(others, func(c *session.Composer) bool { return c.Thread == r.ID }) {
			out = append(out, title(r.Title).String())
		}
	}
	for _, c := range others {
		if !shown[c.Thread] {
			out = append(out, words.T("one that is not listed"))
		}
	}
	for _, o := range w.onlyHere() {
		out = append(out, line("a lost message of %s", w.whereOf(o)).String())
	}
	if len(w.cards.unsent()) > 0 {
		out = append(out, words.T("an answer"))
	}
	if !w.comp.empty() {
		out = append(out, words.T("this one"))
	}
	return out
}

// noDraft says that there is no recovery draft, and where else unsent text is.
func (w *Window) noDraft() safetext.Line {
	if where := w.unsentIn(); len(where) > 0 {
		return line("No draft is kept apart. There is unsent text in %s.", firstOf(where))
	}
	return safetext.Trusted("There is no unsent draft.")
}

// firstOf names the first five, and says how many are left out.
func firstOf(names []string) string {
	first := strings.Join(names[:min(len(names), 5)], ", ")
	if more := len(names) - 5; more > 0 {
		return words.T("%s and %d more", first, more)
	}
	return first
}
