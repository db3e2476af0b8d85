package ui

import (
	"errors"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/save"
	"holdfast/core/session"
	"holdfast/widgets"
)

// askPath asks where a new file goes. name is offered, note says what will be in
// it; then gets a file that was created, which it must finish.
func (w *Window) askPath(dialog string, head safetext.Line, name string, note safetext.Line, then func(*save.File)) {
	var m *widgets.Modal
	field := widgets.NewField(safetext.Line{})
	field.Name, field.Says = "file", safetext.Trusted("File")
	field.SetText("~/" + name)
	wrong := errorText()
	busy := false
	write := func() {
		path := strings.TrimSpace(field.Text)
		if path == "" || busy {
			return
		}
		busy = true
		w.opts.Go(func() {
			f, err := save.Create(path)
			w.opts.Do(func() {
				busy = false
				if err != nil {
					setError(wrong, fileProblem(err))
					m.Refresh()
					w.win.Canvas().Focus(field)
					w.WriteState()
					return
				}
				m.Close()
				then(f)
			})
		})
	}
	field.OnEnter = func(string) { write() }
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, nil)
	ok := widgets.NewButton(safetext.Trusted("Save"), widgets.Primary, write)
	ok.Name = "ok"
	m = widgets.NewModal(dialog, head, []fyne.CanvasObject{field, widgets.Inset(wrong), dim(note)}, cancel, ok)
	w.dialog(m, field)
	field.TypedShortcut(&fyne.ShortcutSelectAll{})
}

func fileProblem(err error) safetext.Line {
	if errors.Is(err, save.ErrExists) {
		return safetext.Trusted("There is such a file already, and it stays. Choose another name.")
	}
	return line("Not saved: %s.", err)
}

func mayExport(w *Window) (bool, safetext.Line) {
	switch {
	case w.snap.Thread == nil:
		return false, safetext.Trusted("Choose a conversation first.")
	case !connected(w.snap):
		return false, safetext.MakeLine(w.snap.Status.Text)
	}
	return true, safetext.Line{}
}

// openExport writes the conversation as Markdown to a file that the user names.
func (w *Window) openExport() {
	t, at := w.snap.Thread, w.snap.At
	w.askPath("export", safetext.Trusted("Export as Markdown"), plainName(t.Title)+".md",
		safetext.Trusted("A new file with all of the conversation, from its first message on, read from the server."),
		func(f *save.File) {
			w.say(writing(f.Path()))
			w.core.Do(at, session.Export{To: f}, func(r session.Result) { w.opts.Go(func() { w.exported(f, r) }) })
		})
}

// exported keeps what was written, also where that is not all, and says which.
func (w *Window) exported(f *save.File, r session.Result) {
	said := line("Not saved. %s", r.Error)
	switch keep := r.OK || r.Code == "incomplete"; {
	case !keep:
		f.Discard()
	default:
		if err := f.Finish(); err != nil {
			said = line("Not saved: %s.", err)
			break
		}
		said = line("Saved %s to %s.", bytesWord(f.Len()), f.Path())
		if !r.OK {
			said = safetext.Join(" ", said, line("It is not all of the conversation: %s", r.Error))
		}
	}
	w.opts.Do(func() { w.sayAfter(writing(f.Path()), said) })
}

// plainName makes a title a file's name that every file system takes.
func plainName(title string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return r
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, title)
	runes := []rune(strings.Trim(name, "-"))
	if len(runes) == 0 {
		return "conversation"
	}
	return string(runes[:min(len(runes), 60)])
}
