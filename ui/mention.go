package ui

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
)

const (
	mentionMark   = '@'
	mostSuggested = 8
)

// mention offers files of the conversation's folder while a word that begins
// with @ is typed. It lies over the lower edge of the transcript, and the
// keyboard stays in the message.
type mention struct {
	w     *Window
	list  *widgets.Suggestions
	files []session.File
	word  string // what is looked for
	off   string // a word that was closed, with its mark
	busy  bool   // one search at a time is on its way
}

func newMention(w *Window) *mention {
	m := &mention{w: w, list: widgets.NewSuggestions(line("Enter: take · Up, Down: choose · Esc: close"))}
	m.list.Hide()
	m.list.OnTapped = func(i int) {
		if i >= 0 {
			m.take(i)
		}
		w.focusComposer()
	}
	w.trans.OnFocusChanged = func(focused bool) {
		if focused {
			w.opts.Do(func() {
				if w.win.Canvas().Focused() == fyne.Focusable(w.trans) {
					m.close() // one reads now
				}
			})
		}
	}
	return m
}

// look follows the word before the cursor.
func (m *mention) look() {
	word, ok := m.w.comp.entry.Token(mentionMark)
	switch {
	case !ok || word == "" || m.w.snap.Thread == nil:
		m.off = ""
		m.close()
	case m.off != "" && strings.HasPrefix(word, m.off):
	case word != m.word:
		m.word, m.off = word, ""
		m.ask()
	}
}

// ask searches for the word of now; another that is typed meanwhile is searched
// for when the answer is there.
func (m *mention) ask() {
	if m.busy {
		return
	}
	m.busy = true
	asked, w := m.word, m.w
	var found []session.File
	in := session.FindFiles{Query: asked, To: func(f []session.File) { found = f }}
	w.core.Do(w.snap.At, in, func(session.Result) {
		w.opts.Do(func() {
			m.busy = false
			switch {
			case m.word == asked:
				m.show(found)
			case m.word != "":
				m.ask()
			}
		})
	})
}

// show offers what was found; nothing is said where nothing was.
func (m *mention) show(found []session.File) {
	m.files = nil
	var lines []safetext.Line
	for _, f := range found {
		// A path that cannot be shown as it is cannot be written as it is either.
		if l := safetext.MakeLine(f.Path); l.String() == f.Path && len(lines) < mostSuggested {
			m.files = append(m.files, f)
			if f.Folder {
				l = line("%s/", l)
			}
			lines = append(lines, l)
		}
	}
	m.list.Set(lines)
	m.place()
}

func (m *mention) open() bool { return len(m.files) > 0 }

// place shows or hides the list.
func (m *mention) place() {
	if m.open() || m.list.Visible() {
		m.w.settle()
	}
}

func (m *mention) close() {
	m.word, m.files = "", nil
	m.place()
}

// key takes the keys of the list while it is open.
func (m *mention) key(k fyne.KeyName) bool {
	if !m.open() {
		return false
	}
	switch k {
	case fyne.KeyUp:
		m.list.Step(-1)
	case fyne.KeyDown:
		m.list.Step(1)
	case fyne.KeyReturn, fyne.KeyEnter:
		m.take(m.list.At())
	case fyne.KeyEscape:
		m.off = m.word
		m.close()
	default:
		return false
	}
	return true
}

// take writes a path in the place of the word; one with spaces is quoted.
func (m *mention) take(i int) {
	path := m.files[i].Path
	if m.files[i].Folder {
		path += "/"
	}
	if strings.ContainsAny(path, " \t") {
		path = `"` + path + `"`
	}
	n := utf8.RuneCountInString(m.word) + 1
	m.close()
	m.w.comp.entry.ReplaceBefore(n, path+" ")
}

// says is what readers hear beside the message.
func (m *mention) says() string {
	if !m.open() {
		return ""
	}
	return words.T("File: %s", m.list.AccessibilityLabel())
}
