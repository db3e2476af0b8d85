package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"holdfast/core/history"
	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
	"holdfast/widgets/theme"
	"holdfast/widgets/transcript"
)

// finder is the bar that finds text in the conversation. It searches what is
// loaded, off the window's goroutine, and again whenever the rows change.
type finder struct {
	w     *Window
	box   *fyne.Container
	field *widgets.Field
	count *widgets.Text
	prev  *widgets.Button
	next  *widgets.Button
	close *widgets.Button
	note  *widgets.Text

	open   bool
	back   fyne.Focusable // what had the keyboard before
	rows   []*transcript.Row
	found  *transcript.Found
	ahead  int // steps that were asked for while the text is still looked for
	search *preparer[findJob]
	poster *Poster[transcript.Found]
}

// A findJob is one search.
type findJob struct {
	rows []*transcript.Row
	text string
}

func newFinder(w *Window) *finder {
	f := &finder{w: w}
	small := widgets.Style{Size: theme.SizeSmall, Color: theme.ColorDim}
	f.field = widgets.NewField(safetext.Trusted("Find in the conversation"))
	f.field.Name = "find"
	f.field.OnChanged = func(string) { f.ahead = 0; f.look() }
	f.field.OnEnter = func(string) { f.step(1) }
	f.field.OnShiftEnter = func(string) { f.step(-1) }
	f.field.OnDown = w.focusTranscript
	f.count = widgets.NewText(safetext.Line{}, widgets.Style{Size: theme.SizeSmall, Lines: 1})
	f.prev = f.button("findPrevious", safetext.Trusted("Previous"))
	f.next = f.button("findNext", safetext.Trusted("Next"))
	f.close = f.button("findClose", safetext.Trusted("Close"))
	f.note = widgets.NewText(safetext.Line{}, small)
	f.box = container.New(findLayout{f}, f.field, f.count, f.prev, f.next, f.close, f.note, widgets.NewRule())
	f.prev.Disable()
	f.next.Disable()
	f.box.Hide()
	f.poster = NewPoster(w.opts.Do, f.take)
	f.search = &preparer[findJob]{run: w.opts.Go, work: f.run}
	return f
}

func (f *finder) button(id string, label safetext.Line) *widgets.Button {
	b := widgets.NewButton(label, widgets.Quiet, func() { f.w.run(id) })
	b.Name = id
	return b
}

// openFind shows the bar; where text of one line is selected, it is looked for.
func (w *Window) openFind() {
	f := w.find
	w.closeDrawer()
	if !f.open {
		f.open, f.back = true, w.win.Canvas().Focused()
	}
	if t := w.trans.SelectedText(); t != "" && !strings.ContainsAny(t, "\n\t") {
		f.field.SetText(t)
	}
	w.settle()
	w.focus(f.field)
	f.field.TypedShortcut(&fyne.ShortcutSelectAll{})
	f.look()
}

// closeFind gives the keyboard back if the bar has it.
func (w *Window) closeFind() {
	f := w.find
	here := regionOf([][]fyne.Focusable{widgets.Focusables(f.box)}, w.win.Canvas().Focused()) >= 0
	f.open, f.found = false, nil
	f.poster.latest.Store(nil) // it holds the rows
	w.trans.SetFound(nil)
	if here {
		w.focus(w.trans)
		w.focus(f.back)
	}
	w.settle()
}

// step goes to the next match, or the one before: at once, or when the text that
// was typed is found.
func (f *finder) step(d int) {
	if f.found == nil || f.found.Text() != f.field.Text {
		f.ahead += d
		return
	}
	f.w.trans.NextMatch(d)
	f.showCount()
}

// show takes the rows that are shown now.
func (f *finder) show(rows []*transcript.Row) {
	f.rows = rows
	if f.open {
		f.look()
	}
}

// look searches anew, in the background.
func (f *finder) look() {
	if !f.open {
		return
	}
	if f.field.Text == "" {
		f.found = nil
		f.w.trans.SetFound(nil)
		f.showCount()
		return
	}
	f.search.put(&findJob{f.rows, f.field.Text})
}

// run runs off the window's goroutine.
func (f *finder) run(j *findJob) {
	defer func() {
		if p := recover(); p != nil {
			f.w.broke()
		}
	}()
	f.poster.Publish(transcript.Search(j.rows, j.text, f.poster.latest.Load()))
}

// take shows what was found, unless something else is looked for by now.
func (f *finder) take(found *transcript.Found) {
	if found != nil && f.open && found.Text() == f.field.Text {
		f.found = found
		f.w.trans.SetFound(found)
		for ; f.ahead > 0; f.ahead-- {
			f.w.trans.NextMatch(1)
		}
		for ; f.ahead < 0; f.ahead++ {
			f.w.trans.NextMatch(-1)
		}
		f.showCount()
	}
}

// showCount says where the current match is, and what was not searched.
func (f *finder) showCount() {
	count, note := f.countText(), f.noteText()
	if count.String() == f.count.String() && note.String() == f.note.String() {
		return
	}
	f.count.Set(count)
	f.note.Set(note)
	_, total := f.w.trans.Match()
	f.prev.SetEnabled(total > 0)
	f.next.SetEnabled(total > 0)
	f.w.settle()
}

func (f *finder) countText() safetext.Line {
	switch n, total := f.w.trans.Match(); {
	case f.found == nil:
		return safetext.Line{}
	case total == 0:
		return safetext.Trusted("No match")
	case n == 0:
		return safetext.MakeLine(words.N(total, "1 match", "%d matches"))
	default:
		return line("%d of %d", n, total)
	}
}

// noteText says plainly how much was searched, else the keys.
func (f *finder) noteText() safetext.Line {
	h := f.w.snap.History
	if h == nil || f.found == nil {
		return line("Enter: next · Shift+Enter: previous · Esc: close")
	}
	var note safetext.Line
	switch searched := words.N(len(h.Rows), "1 loaded item", "%d loaded items"); {
	case h.Older && h.Newer:
		note = line("Searched the %s only · %s loads older, %s newer", searched, f.w.keyOf(session.ActOlder), f.w.keyOf(session.ActNewer))
	case h.Older:
		note = line("Searched the %s only · %s loads older", searched, f.w.keyOf(session.ActOlder))
	case h.Newer:
		note = line("Searched the %s only · %s loads newer", searched, f.w.keyOf(session.ActNewer))
	default:
		note = line("Searched the whole conversation: %s", words.N(len(h.Rows), "1 item", "%d items"))
	}
	if n := shortened(h); n > 0 {
		note = safetext.Join(" · ", note, line("%d of them in part: they are shortened here", n))
	}
	return note
}

// shortened counts the rows that are not held whole.
func shortened(h *history.View) int {
	n := 0
	for _, r := range h.Rows {
		if r.Cut != history.CutNone {
			n++
		}
	}
	return n
}

// finding is what the commands of the bar need.
func finding(w *Window) (bool, safetext.Line) {
	return w.find.open, line("Find something first (%s).", w.keyTo("find"))
}
