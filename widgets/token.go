package widgets

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// maxToken is how long a token may be, in runes: no name that is typed is longer.
const maxToken = 128

// Token gives the word before the cursor, if it begins with mark, without it.
func (c *Composer) Token(mark rune) (string, bool) {
	runes := []rune(c.Text)
	end := min(c.CursorTextOffset(), len(runes))
	for i := end - 1; i >= 0 && i >= end-maxToken; i-- {
		switch {
		case unicode.IsSpace(runes[i]):
			return "", false
		case runes[i] == mark:
			return string(runes[i+1 : end]), i == 0 || unicode.IsSpace(runes[i-1])
		}
	}
	return "", false
}

// ReplaceBefore puts text in the place of n runes before the cursor, as one
// change that can be undone. It reports whether there is room.
func (c *Composer) ReplaceBefore(n int, text string) bool {
	if !c.room(len(text)) {
		return false
	}
	shift := &fyne.KeyEvent{Name: desktop.KeyShiftLeft}
	c.Entry.KeyDown(shift)
	for range n {
		c.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	}
	c.Entry.KeyUp(shift)
	c.setWrapping(c.Text + text)
	c.Entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: &held{text}})
	return true
}

// held is a clipboard of one text.
type held struct{ text string }

func (h *held) Content() string     { return h.text }
func (h *held) SetContent(s string) { h.text = strings.Clone(s) }
