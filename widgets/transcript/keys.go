package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

var (
	_ fyne.Focusable    = (*Transcript)(nil)
	_ fyne.Shortcutable = (*Transcript)(nil)
	_ desktop.Keyable   = (*Transcript)(nil)
)

// keepFocus drops the focus of a row that is gone.
func (t *Transcript) keepFocus() {
	if _, ok := t.index[t.focusKey]; !ok {
		t.focusKey = ""
		if t.focused && len(t.items) > 0 && t.view.w > 0 {
			t.focusKey = t.lastVisible()
		}
	}
}

// FocusGained is called by Fyne; the row with the focus is the last one that is
// visible, unless one was chosen and still is in view (UI-2).
func (t *Transcript) FocusGained() {
	t.focused = true
	t.keepFocus()
	t.focusKey = t.rowForKeys()
	if t.OnFocusChanged != nil {
		t.OnFocusChanged(true)
	}
	t.repaint()
}

// FocusLost is called by Fyne.
func (t *Transcript) FocusLost() {
	t.focused, t.shift = false, false
	if t.OnFocusChanged != nil {
		t.OnFocusChanged(false)
	}
	t.repaint()
}

// lastVisible is the key of the lowest row that is wholly in view, or of the
// one at the top.
func (t *Transcript) lastVisible() string {
	if len(t.items) == 0 {
		return ""
	}
	i := min(t.place.i, len(t.items)-1)
	key := t.items[i].row.Key
	for y := t.yOf(i); i < len(t.items); i++ {
		if y += t.items[i].height(); y > t.view.h {
			break
		}
		key = t.items[i].row.Key
	}
	return key
}

// rowForKeys is the row with the focus, or one that is in view when that one
// was scrolled away: a key begins where people look.
func (t *Transcript) rowForKeys() string {
	if t.view.w == 0 {
		return t.focusKey
	}
	if i, ok := t.index[t.focusKey]; ok {
		if y := t.yOf(i); y < t.view.h && y+t.items[i].height() > 0 {
			return t.focusKey
		}
	}
	return t.lastVisible()
}

// FocusRow gives the row the focus inside the transcript and brings it into
// view.
func (t *Transcript) FocusRow(key string) {
	if i, ok := t.index[key]; ok {
		t.focusRow(i)
	}
}

func (t *Transcript) focusRow(i int) {
	i = min(max(i, 0), len(t.items)-1)
	t.focusKey = t.items[i].row.Key
	if t.view.w > 0 {
		t.show(i)
	}
	t.repaint()
}

// show scrolls just enough to bring a row into view, its top at least.
func (t *Transcript) show(i int) {
	for p := range t.items[i].parts {
		if t.yOf(i) > -4*t.view.h && t.items[i].height() < 4*t.view.h {
			t.height(i, p)
		}
	}
	ring := t.view.m.px(8)
	y, h := t.yOf(i), t.items[i].height()+ring
	switch {
	case y < 0:
		t.ScrollBy(-y)
	case y+h > t.view.h:
		t.ScrollBy(max(t.view.h-y-h, -y))
	}
}

const keyStep float32 = 66 // Up and Down inside a tall row: three lines

// KeyRow is the row that the keyboard acts on, nil without one.
func (t *Transcript) KeyRow() *Row {
	if i, ok := t.index[t.rowForKeys()]; ok {
		return t.items[i].row
	}
	return nil
}

// KeyDown implements desktop.Keyable.
func (t *Transcript) KeyDown(e *fyne.KeyEvent) { t.shift = t.shift || isShift(e.Name) }

// KeyUp implements desktop.Keyable.
func (t *Transcript) KeyUp(e *fyne.KeyEvent) { t.shift = t.shift && !isShift(e.Name) }

func isShift(k fyne.KeyName) bool { return k == desktop.KeyShiftLeft || k == desktop.KeyShiftRight }

// TypedKey acts on the focused row; what it does not know goes to the window.
// Shift+F10 is another name of the Menu key.
func (t *Transcript) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyF10 && t.shift {
		e = &fyne.KeyEvent{Name: desktop.KeyMenu}
	}
	if len(t.items) == 0 || t.view.w == 0 || !t.act(e.Name) {
		t.passKey(e)
	}
}

func (t *Transcript) act(key fyne.KeyName) bool {
	t.focusKey = t.rowForKeys()
	i := t.index[t.focusKey]
	switch key {
	case fyne.KeyUp:
		t.up(i)
	case fyne.KeyDown:
		t.down(i)
	case fyne.KeyHome:
		t.focusKey = t.items[0].row.Key
		t.ScrollToStart()
	case fyne.KeyEnd:
		t.focusKey = t.items[len(t.items)-1].row.Key
		t.ScrollToEnd()
	case fyne.KeyPageUp:
		t.page(t.view.h * 9 / 10)
	case fyne.KeyPageDown:
		t.page(-t.view.h * 9 / 10)
	case fyne.KeySpace:
		t.Toggle(t.focusKey)
	case fyne.KeyLeft, fyne.KeyRight:
		if t.items[i].row.Form.Folds() {
			t.setOpen(i, key == fyne.KeyRight)
		}
	case fyne.KeyReturn, fyne.KeyEnter:
		t.enter(i)
	default:
		return false
	}
	return true
}

// up goes to the row above; in a row whose top is out of view it scrolls first.
func (t *Transcript) up(i int) {
	if y := t.yOf(i); y < 0 {
		t.ScrollBy(min(-y, t.view.m.px(keyStep)))
		return
	}
	t.focusRow(i - 1)
}

// down is up's mirror.
func (t *Transcript) down(i int) {
	if over := t.yOf(i) + t.items[i].height() - t.view.h; over > 0 && t.yOf(i) < t.view.h {
		t.ScrollBy(-min(over, t.view.m.px(keyStep)))
		return
	}
	if i == len(t.items)-1 {
		t.ScrollToEnd()
		return
	}
	t.focusRow(i + 1)
}

// page scrolls, and the focus goes along.
func (t *Transcript) page(d int) {
	was := t.place
	t.ScrollBy(d)
	switch moved := was.i != t.place.i || was.p != t.place.p || was.y != t.place.y; {
	case d > 0 && !moved:
		t.focusKey = t.items[0].row.Key
	case d > 0:
		t.focusKey = t.items[t.place.i].row.Key
	default:
		t.focusKey = t.lastVisible()
	}
	t.repaint()
}

// enter does what the row is for: see the package's decisions.
func (t *Transcript) enter(i int) {
	it := t.items[i]
	if it.row.Form.Folds() && !it.open {
		t.setOpen(i, true)
		return
	}
	if a := oneAction(it.row); a != "" {
		if t.OnAction != nil {
			t.OnAction(it.row.Key, a)
		}
		return
	}
	if it.row.Form.Folds() {
		t.setOpen(i, false)
		return
	}
	if to := it.row.Links(); len(to) == 1 && t.OnOpenLink != nil {
		t.OnOpenLink(to[0].URL, to[0].Shown)
	}
}

// oneAction is the action of a row that has exactly one.
func oneAction(r *Row) string {
	action := ""
	for i := range r.Notes {
		if a := r.Notes[i].Action; a != "" {
			if action != "" {
				return ""
			}
			action = a
		}
	}
	return action
}

// TypedRune is passed on: nothing is written here.
func (t *Transcript) TypedRune(r rune) {
	if c := t.canvas(); c != nil && c.OnTypedRune() != nil && r != ' ' {
		c.OnTypedRune()(r)
	}
}

// passKey gives the window the keys that are not ours, such as Escape and F1:
// Fyne sends them to the focused widget alone.
func (t *Transcript) passKey(e *fyne.KeyEvent) {
	if c := t.canvas(); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

func (t *Transcript) canvas() fyne.Canvas {
	if app := fyne.CurrentApp(); app != nil {
		return app.Driver().CanvasForObject(t)
	}
	return nil
}

// TypedShortcut copies and selects; other shortcuts are the window's.
func (t *Transcript) TypedShortcut(s fyne.Shortcut) {
	switch s.(type) {
	case *fyne.ShortcutCopy:
		t.copy()
	case *fyne.ShortcutSelectAll:
		t.selectRow()
	default:
		if c, ok := t.canvas().(fyne.Shortcutable); ok && t.OnShortcut == nil {
			c.TypedShortcut(s)
		} else if t.OnShortcut != nil {
			t.OnShortcut(s)
		}
	}
}

// copy puts the selection, or the row with the focus, on the clipboard.
func (t *Transcript) copy() {
	s := t.SelectedText()
	if i, ok := t.index[t.rowForKeys()]; s == "" && ok {
		s = t.items[i].row.Text()
	}
	if s != "" {
		fyne.CurrentApp().Clipboard().SetContent(s)
	}
}

// selectRow selects all of the row with the focus.
func (t *Transcript) selectRow() {
	i, ok := t.index[t.rowForKeys()]
	if !ok || t.view.w == 0 {
		return
	}
	last := len(t.items[i].parts) - 1
	t.sel = selection{pos{t.focusKey, 0, 0}, pos{t.focusKey, last, len(t.lay(i, last).plain) + 1}}
	t.repaint()
}
