package widgets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
)

// What the entry can carry without slow keys: longer text, and text with long
// unbroken runs, becomes a block (measured: 16 KiB of prose costs 10-14 ms a
// key, a run of 4 KiB that wraps at words 180 ms).
const (
	MaxText   = 16 << 10
	maxRun    = 4 << 10
	breakFrom = 500
)

// Composer is a many-line entry. Tab leaves it, and the send key is told apart
// from a new line (ruling 18).
type Composer struct {
	widget.Entry
	// OnSend runs when the send key is pressed under the label that Label gives
	// at key-down; a press that began under another label does nothing (UI-5).
	OnSend func()
	Label  func() string
	// OnLong takes text that is too long for the entry; OnFull says that a key
	// did not fit.
	OnLong func(string)
	OnFull func()
	// OnKey may take a key before the entry does; nil takes none. Also says more
	// to readers than what the entry is.
	OnKey func(fyne.KeyName) bool
	Also  func() string
	// EnterSends swaps the keys: Enter sends, Shift+Enter makes a new line.
	EnterSends bool
	Name       string

	focused, shift bool
	pressed        string
	keyDown        bool
}

// NewComposer makes an empty composer.
func NewComposer(placeholder safetext.Line) *Composer {
	c := &Composer{Name: "message"}
	c.MultiLine = true
	c.Wrapping = fyne.TextWrapWord
	c.PlaceHolder = placeholder.String()
	c.ExtendBaseWidget(c)
	c.SetMinRowsVisible(2)
	return c
}

// CreateRenderer implements fyne.Widget.
func (c *Composer) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	return ringed{WidgetRenderer: c.Entry.CreateRenderer(), ring: newRing(), focused: func() bool { return c.focused }}
}

// HeightAt implements Tall: two lines, growing to eight.
func (c *Composer) HeightAt(float32) float32 {
	lines := min(max(strings.Count(c.Text, "\n")+1, len(c.Text)/70+1, 2), 8)
	return float32(lines)*lineHeight(sizeBody) + 2*Ring + 20
}

// AccessibilityLabel says what the entry is.
func (c *Composer) AccessibilityLabel() string {
	if c.Also != nil {
		if more := c.Also(); more != "" {
			return c.PlaceHolder + ". " + more
		}
	}
	return c.PlaceHolder
}

// AccessibilityRole is text.
func (c *Composer) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// SetText shows text that did not come from the keyboard. It does not call
// OnChanged.
func (c *Composer) SetText(s string) {
	if s == c.Text {
		return
	}
	changed := c.OnChanged
	c.OnChanged = nil
	c.setWrapping(s)
	c.Entry.SetText(s)
	c.OnChanged = changed
	c.toEnd()
}

func (c *Composer) toEnd() {
	c.CursorRow = strings.Count(c.Text, "\n")
	c.CursorColumn = utf8.RuneCountInString(c.Text[strings.LastIndexByte(c.Text, '\n')+1:])
	c.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
}

// Fits says that text is short enough to be edited here.
func Fits(text string) bool { return len(text) <= MaxText && longestRun(text) <= maxRun }

func (c *Composer) setWrapping(text string) {
	want := fyne.TextWrapWord
	if longestRun(text) > breakFrom {
		want = fyne.TextWrapBreak
	}
	c.Wrapping = want
}

// longestRun is the length of the longest stretch of text without space.
func longestRun(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] == ' ' || text[i] == '\n' || text[i] == '\t' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// AcceptsTab is false: Tab leaves the composer.
func (c *Composer) AcceptsTab() bool { return false }

// FocusGained implements fyne.Focusable.
func (c *Composer) FocusGained() { c.focused = true; c.Entry.FocusGained() }

// FocusLost implements fyne.Focusable. It ends a press of the send key.
func (c *Composer) FocusLost() {
	c.focused, c.shift, c.keyDown = false, false, false
	c.Entry.FocusLost()
}

// KeyDown notes the label under which a press of the send key began.
func (c *Composer) KeyDown(e *fyne.KeyEvent) {
	if isShift(e.Name) {
		c.shift = true
	}
	if isEnter(e.Name) {
		c.keyDown = true
		if c.Label != nil {
			c.pressed = c.Label()
		}
	}
	c.Entry.KeyDown(e)
}

// KeyUp implements desktop.Keyable.
func (c *Composer) KeyUp(e *fyne.KeyEvent) {
	if isShift(e.Name) {
		c.shift = false
	}
	if isEnter(e.Name) {
		c.keyDown = false
	}
	c.Entry.KeyUp(e)
}

// send runs once for each key-down.
func (c *Composer) send() {
	ok := c.keyDown && (c.Label == nil || c.pressed == c.Label())
	c.keyDown = false
	if ok && c.OnSend != nil {
		c.OnSend()
	}
}

// TypedKey implements fyne.Focusable.
func (c *Composer) TypedKey(e *fyne.KeyEvent) {
	switch {
	case !c.shift && c.OnKey != nil && c.OnKey(e.Name):
	case isEnter(e.Name) && c.EnterSends && !c.shift:
		c.send()
	case isEnter(e.Name) && !c.room(1):
	case isWindowKey(e.Name):
		ForwardKey(c, e)
	default:
		if isEnter(e.Name) || e.Name == fyne.KeyBackspace {
			c.edit(func() { c.Entry.TypedKey(e) })
			return
		}
		c.Entry.TypedKey(e)
	}
}

// edit runs what changes the text before the cursor: what stands behind the
// cursor then stands behind it still. The toolkit gets that wrong where lines
// wrap, and what is typed next would come in the wrong place.
func (c *Composer) edit(run func()) {
	if c.SelectedText() != "" {
		run()
		return
	}
	c.passSpace()
	behind := utf8.RuneCountInString(c.Text) - c.CursorTextOffset()
	run()
	if at := utf8.RuneCountInString(c.Text) - behind; at != c.CursorTextOffset() {
		c.moveTo(at)
	}
}

// moveTo puts the cursor before the rune at that place.
func (c *Composer) moveTo(at int) {
	row, begin := 0, 0
	for r := 1; ; r++ {
		c.CursorRow, c.CursorColumn = r, 0
		next := c.CursorTextOffset() // 0 below the last row
		if next == 0 || next > at {
			break
		}
		row, begin = r, next
	}
	c.CursorRow, c.CursorColumn = row, at-begin
	c.Refresh()
}

// passSpace moves the cursor behind a space that ends a full row: the toolkit
// has no place there, and leaves it before the space.
func (c *Composer) passSpace() {
	at := c.CursorTextOffset()
	if !endsLine(c.Text, at) {
		return
	}
	row, column := c.CursorRow, c.CursorColumn
	c.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	shown := c.CursorTextOffset() == at+1
	c.CursorRow, c.CursorColumn = row, column
	if !shown {
		c.CursorColumn++
	}
}

// endsLine says that the rune at that place is the last of its line, and a space.
func endsLine(text string, at int) bool {
	for i, r := range text {
		if at == 0 {
			rest := text[i+utf8.RuneLen(r):]
			return r != '\n' && unicode.IsSpace(r) && (rest == "" || rest[0] == '\n')
		}
		at--
	}
	return false
}

// TypedRune implements fyne.Focusable.
func (c *Composer) TypedRune(r rune) {
	if !c.room(utf8.RuneLen(r)) {
		return
	}
	c.setWrapping(c.Text)
	c.edit(func() { c.Entry.TypedRune(r) })
}

// room says whether n more bytes fit, and tells when not: a key that does
// nothing must say so.
func (c *Composer) room(n int) bool {
	if len(c.Text)+n <= MaxText {
		return true
	}
	if c.OnFull != nil {
		c.OnFull()
	}
	return false
}

// TypedShortcut pastes, sends, edits, or gives the shortcut to the window.
func (c *Composer) TypedShortcut(s fyne.Shortcut) {
	if p, ok := s.(*fyne.ShortcutPaste); ok {
		text := p.Clipboard.Content()
		if c.OnLong != nil && (len(c.Text)+len(text) > MaxText || !Fits(text)) {
			c.OnLong(text)
			return
		}
		c.setWrapping(text)
		c.edit(func() { c.Entry.TypedShortcut(s) })
		return
	}
	if x, ok := s.(*desktop.CustomShortcut); ok && isEnter(x.KeyName) && isCommand(x.Modifier) {
		if c.EnterSends {
			c.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
			return
		}
		c.send()
		return
	}
	if IsEditing(s) {
		c.Entry.TypedShortcut(s)
		return
	}
	forwardShortcut(c, s)
}

func isCommand(m fyne.KeyModifier) bool {
	return m == fyne.KeyModifierControl || m == fyne.KeyModifierSuper
}
