package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
	"holdfast/widgets"
)

// searches are the words that files were looked for, since the last call of
// names.
func (d *desk) searches() []string {
	var out []string
	for _, in := range d.core.asked {
		if f, ok := in.(session.FindFiles); ok {
			out = append(out, f.Query)
		}
	}
	return out
}

// found answers the newest search.
func (d *desk) found(paths ...string) {
	d.t.Helper()
	for i := len(d.core.asked) - 1; i >= 0; i-- {
		if f, ok := d.core.asked[i].(session.FindFiles); ok {
			var files []session.File
			for _, p := range paths {
				folder := p[len(p)-1] == '/'
				if folder {
					p = p[:len(p)-1]
				}
				files = append(files, session.File{Path: p, Folder: folder})
			}
			f.To(files)
			d.core.done[i](session.Result{OK: true})
			d.drain()
			return
		}
	}
	d.t.Fatal("nothing was looked for")
}

func TestMentionByKeyboard(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.press(fyne.Key3, alt)
	d.write("see me@example @")
	wantList(t, "searches before there is a word", d.searches(), nil)
	d.write("par")
	wantList(t, "searches while one is on its way", d.searches(), []string{"p"})
	d.found("nobody/looks.go")
	wantEqual(t, "open with an answer to another word", d.w.mention.open(), false)
	wantList(t, "searches", d.searches(), []string{"p", "par"})
	d.found("parser/lines.go", "a path/with spaces.txt", "parser/", "bad\x1bname", "parser/\u202egnp.exe")
	wantEqual(t, "offered", len(d.w.mention.files), 3)
	wantEqual(t, "focus", d.focus(), "message")
	wantList(t, "Tab", d.tour(), names(d.w.order()))
	d.press(fyne.Key3, alt)
	wantEqual(t, "what is said", d.w.comp.entry.AccessibilityLabel(), "Message. File: parser/lines.go, 1 of 3")
	d.press(fyne.KeyUp, 0)
	d.press(fyne.KeyUp, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "text", d.w.comp.entry.Text, `see me@example "a path/with spaces.txt" `)
	wantEqual(t, "open", d.w.mention.open(), false)
	wantEqual(t, "what the core has", d.core.drafts()[len(d.core.drafts())-1], `see me@example "a path/with spaces.txt" `)
	d.write("@lines")
	d.found() // "l"
	d.found("parser/lines.go")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "text", d.w.comp.entry.Text, `see me@example "a path/with spaces.txt" parser/lines.go `)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "Enter makes a new line then", d.w.comp.entry.Text[len(d.w.comp.entry.Text)-1], byte('\n'))
}

// Escape closes the list alone, until another word is begun; and what was found
// is not offered for another word.
func TestMentionIsClosed(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(joined)
	d.press(fyne.Key3, alt)
	d.write("@pa")
	d.found("x.go")
	d.found("parser/lines.go")
	d.wantInside(360)
	d.press(fyne.KeyEscape, 0)
	wantEqual(t, "open after Escape", d.w.mention.list.Visible(), false)
	wantEqual(t, "focus after Escape", d.focus(), "message")
	d.core.names()
	d.write("rs")
	wantList(t, "searches after Escape", d.searches(), nil)
	d.write(" @q")
	wantList(t, "searches of the next word", d.searches(), []string{"q"})
	d.found("q.go")
	wantEqual(t, "open", d.w.mention.open(), true)
	d.write(" ")
	wantEqual(t, "open after a space", d.w.mention.list.Visible(), false)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "text", d.w.comp.entry.Text, "@pars @q \n")
}

// In the middle of a text the word before the cursor is replaced, and nothing
// else; a click does it too.
func TestMentionInTheMiddle(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.press(fyne.Key3, alt)
	d.write("look at  again")
	for range 6 {
		d.press(fyne.KeyLeft, 0)
	}
	d.write("@é")
	d.found("été.go")
	d.w.mention.list.Tapped(&fyne.PointEvent{Position: fyne.NewPos(20, 12)})
	wantEqual(t, "text", d.w.comp.entry.Text, "look at été.go  again")
	d.write("@m")
	d.found("more.go")
	d.press(fyne.Key2, alt)
	d.drain()
	wantEqual(t, "open while one reads", d.w.mention.list.Visible(), false)
	d.press(fyne.Key3, alt)
	d.w.comp.entry.SetText("")
	d.write("full @x")
	d.found("y.go")
	d.w.comp.entry.SetText(pad(widgets.MaxText-3) + " @x")
	d.w.mention.word, d.w.mention.files = "x", []session.File{{Path: "y/long/path.go"}}
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "the length of a full message", len(d.w.comp.entry.Text), widgets.MaxText)
}

// pad is n bytes of words.
func pad(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "word "[i%5]
	}
	return string(b)
}
