package ui

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/history"
	"holdfast/core/safetext"
	"holdfast/core/save"
	"holdfast/core/session"
	"holdfast/core/stamp"
	"holdfast/widgets"
)

// Bounds of a row that is shown whole.
const (
	partShown   = 64 << 10 // what is seen at once
	partsKept   = 4 << 20  // what is held; the rest is read again when it is wanted
	mostCopied  = 16 << 20 // what a clipboard takes
	viewerWidth = 900
)

// A viewer shows all of one row, part by part. Its text comes from the server
// when it is wanted, and what is held is bounded.
type viewer struct {
	w    *Window
	at   stamp.Stamp
	row  *history.Row
	text *keeper
	// starts are where the parts up to the one that is shown begin.
	starts  []int64
	next    int64 // where the part after it begins
	reading bool
	ended   bool
	problem string
	said    safetext.Line // how the last copy or file ended

	modal                 *widgets.Modal
	status                *widgets.Text
	code                  *widgets.Code
	slot                  *fyne.Container
	prev, more, copy, put *widgets.Button
	close                 *widgets.Button
}

// openWhole shows all of a row that the window shortened.
func (w *Window) openWhole(key string) {
	k := rowKey(w.from.prefix, key)
	if w.snap.History == nil {
		return
	}
	for _, r := range w.snap.History.Rows {
		if r.Key == k {
			newViewer(w, r)
			return
		}
	}
}

func newViewer(w *Window, r *history.Row) {
	v := &viewer{w: w, at: w.snap.At, row: r, starts: []int64{0}}
	button := func(label safetext.Line, name string, do func()) *widgets.Button {
		b := widgets.NewButton(label, widgets.Plain, do)
		b.Name = name
		return b
	}
	v.status = dim(safetext.Line{})
	v.prev = button(safetext.Trusted("Previous"), "previous part", v.back)
	v.more = button(safetext.Trusted("Next"), "next part", v.forward)
	v.copy = button(safetext.Trusted("Copy all"), "copy", v.copyAll)
	v.put = button(safetext.Trusted("Save to a file…"), "save", v.askFile)
	v.close = closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &v.modal, nil)
	v.slot = widgets.NewColumn(0)
	v.setCode("")
	v.modal = widgets.NewModal("whole row", safetext.Trusted("The whole text"), []fyne.CanvasObject{v.status, v.slot},
		v.close, v.prev, v.more, v.copy, v.put)
	v.modal.Wide = viewerWidth
	w.viewer = v
	v.modal.OnClosed = func() { v.ended = true; v.text.stop() }
	v.read(0)
	w.dialog(v.modal, v.close)
}

// read reads the row from the server, and keeps what is at from.
func (v *viewer) read(from int64) {
	if v.text != nil {
		v.text.stop()
	}
	look := NewPoster(v.w.opts.Do, func(*struct{}) { v.show() })
	k := &keeper{from: from, most: partsKept, grew: func() { look.Publish(&struct{}{}) }}
	v.text, v.reading, v.problem = k, true, ""
	v.fetch(k, func(r session.Result) {
		if v.text != k {
			return
		}
		v.reading = false
		if !r.OK {
			v.problem = r.Error
		}
		v.show()
	})
	v.show()
}

// fetch reads the row into a writer; done runs on the window's goroutine.
func (v *viewer) fetch(to interface{ Write([]byte) (int, error) }, done func(session.Result)) {
	v.w.core.Do(v.at, session.Whole{Row: v.row.Key, To: to}, func(r session.Result) {
		v.w.opts.Do(func() { done(r) })
	})
}

// show shows the part that is looked at, as far as it has come.
func (v *viewer) show() {
	if v.ended {
		return
	}
	at := v.starts[len(v.starts)-1]
	text := v.text.part(at, partShown)
	v.next = at + int64(len(text))
	if text != v.shown() {
		v.setCode(text)
	}
	v.status.Set(v.words(at))
	v.prev.SetEnabled(len(v.starts) > 1)
	v.more.SetEnabled(v.next < v.text.size() && len(text) > 0)
	v.copy.SetEnabled(v.row.Bytes <= mostCopied)
	v.modal.Refresh()
	v.focusText()
	v.w.WriteState()
}

// focusText gives the keyboard to the text, when it is seen in part and the
// keyboard is nowhere else.
func (v *viewer) focusText() {
	c := v.w.win.Canvas()
	if widgets.Top(c) != v.modal {
		return
	}
	f := c.Focused()
	if d, off := f.(fyne.Disableable); f == nil || f == fyne.Focusable(v.close) && !v.reading || off && d.Disabled() {
		switch {
		case !v.code.Disabled():
			c.Focus(v.code)
		case f != fyne.Focusable(v.close):
			c.Focus(v.close)
		}
	}
}

func (v *viewer) shown() string { return v.code.Source }

// setCode shows another text; the keyboard goes along.
func (v *viewer) setCode(text string) {
	had := v.code != nil && v.w.win.Canvas().Focused() == fyne.Focusable(v.code)
	doc := safetext.Plain(text)
	if v.row.Item.Type == "commandExecution" {
		doc = safetext.ANSI(text)
	}
	v.code = widgets.NewCode(doc)
	v.code.Source, v.code.Prose = text, v.row.Item.Type != "commandExecution" && v.row.Item.Type != "fileChange"
	v.code.Rows = max(int((v.w.win.Canvas().Size().Height-300)/22), 5)
	v.slot.Objects = []fyne.CanvasObject{v.code}
	v.slot.Refresh()
	if had {
		v.modal.Refresh()
		v.w.win.Canvas().Focus(v.code)
	}
}

// words says how far the reading is, and which part this is.
func (v *viewer) words(at int64) safetext.Line {
	n := v.text.size()
	where := line("Reading… %s of %s", bytesWord(n), bytesWord(v.row.Bytes))
	switch {
	case v.problem != "":
		where = safetext.MakeLine(v.problem)
	case !v.reading && at == 0 && v.next == n:
		where = line("All of it · %s", bytesWord(n))
	case !v.reading:
		where = line("%s to %s of %s", bytesWord(at), bytesWord(v.next), bytesWord(n))
	}
	return safetext.Join(" · ", where, v.said)
}

// forward shows the next part. Where it is not held, the row is read again.
func (v *viewer) forward() { v.turnTo(append(v.starts, v.next)) }

func (v *viewer) back() { v.turnTo(v.starts[:len(v.starts)-1]) }

func (v *viewer) turnTo(starts []int64) {
	v.starts = starts
	at := starts[len(starts)-1]
	end := v.text.from + partsKept
	if at < v.text.from || at+partShown > end && v.text.size() > end {
		v.read(max(at-partsKept/4, 0))
		return
	}
	v.show()
}

// copyAll puts the whole text on the clipboard, and only if it is whole.
func (v *viewer) copyAll() {
	if text, all := v.text.whole(); all && !v.reading && v.problem == "" {
		v.toClipboard(text)
		return
	}
	v.w.copyWhole(v.at, v.row.Key, v.say)
}

// toClipboard makes the text harmless first: it may be pasted into a terminal.
func (v *viewer) toClipboard(text string) {
	v.w.opts.Go(func() {
		text = safetext.Text(text)
		v.w.opts.Do(func() {
			v.w.app.Clipboard().SetContent(text)
			v.say(safetext.Trusted("Copied."))
		})
	})
}

// say tells how something ended: in the dialog, or beside the transcript when
// that is closed.
func (v *viewer) say(l safetext.Line) {
	if v.ended {
		v.w.say(l)
		return
	}
	v.said = l
	v.show()
}

// askFile asks where the text goes.
func (v *viewer) askFile() {
	var m *widgets.Modal
	field := widgets.NewField(safetext.Trusted("File"))
	field.Name = "file"
	field.SetText("~/" + fileName(v.row))
	write := func() {
		path := strings.TrimSpace(field.Text)
		if path == "" {
			return
		}
		m.Close()
		v.save(path)
	}
	field.OnEnter = func(string) { write() }
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, nil)
	ok := widgets.NewButton(safetext.Trusted("Save"), widgets.Primary, write)
	ok.Name = "ok"
	m = widgets.NewModal("save to a file", safetext.Trusted("Save to a file"), []fyne.CanvasObject{
		field, dim(line("A new file with all of the text, %s, exactly as the server has it. A file that is there already stays as it is.", bytesWord(v.row.Bytes))),
	}, cancel, ok)
	v.w.dialog(m, field)
	field.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// save writes the whole text to a new file and says where it went. Files are
// touched off the window's goroutine.
func (v *viewer) save(path string) {
	w := v.w
	w.opts.Go(func() {
		f, err := save.Create(path)
		w.opts.Do(func() {
			if err != nil {
				v.say(line("Not saved: %s.", err))
				return
			}
			v.say(line("Saving to %s…", f.Path()))
			v.fetch(f, func(r session.Result) { w.opts.Go(func() { v.saved(f, r) }) })
		})
	})
}

func (v *viewer) saved(f *save.File, r session.Result) {
	said := line("Not saved. %s", r.Error)
	if !r.OK {
		f.Discard()
	} else if err := f.Finish(); err != nil {
		said = line("Not saved: %s.", err)
	} else {
		said = line("Saved %s to %s.", bytesWord(f.Len()), f.Path())
	}
	v.w.opts.Do(func() { v.say(said) })
}

// fileName is a name that is offered: of the row's kind and ID, in letters that
// every file system takes.
func fileName(r *history.Row) string {
	plain := func(s string) string {
		s = strings.Map(func(c rune) rune {
			if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
				return c
			}
			return -1
		}, s)
		return s[:min(len(s), 40)]
	}
	return fmt.Sprintf("holdfast-%s-%s.txt", plain(r.Item.Type), plain(r.Key.Item))
}
