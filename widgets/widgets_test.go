package widgets

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"holdfast/core/safetext"
	"holdfast/widgets/theme"
)

// show puts an object into a window of our theme.
func show(t *testing.T, o fyne.CanvasObject, width, height float32) fyne.Canvas {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Light, 1))
	w := test.NewTempWindow(t, o)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, height))
	return w.Canvas()
}

func say(s string) safetext.Line { return safetext.MakeLine(s) }

func key(f fyne.Focusable, k fyne.KeyName) {
	ev := &fyne.KeyEvent{Name: k}
	if d, ok := f.(desktop.Keyable); ok {
		d.KeyDown(ev)
		defer d.KeyUp(ev)
	}
	f.TypedKey(ev)
	if k == fyne.KeySpace {
		f.TypedRune(' ')
	}
}

func TestButtonIsPressedByEnterSpaceAndMouse(t *testing.T) {
	n := 0
	b := NewButton(say("Do it"), Plain, func() { n++ })
	c := show(t, b, 200, 60)
	c.Focus(b)
	key(b, fyne.KeyReturn)
	key(b, fyne.KeyEnter)
	key(b, fyne.KeySpace)
	key(b, fyne.KeyA)
	test.Tap(b)
	if n != 4 {
		t.Errorf("pressed %d times, want 4", n)
	}
	b.Disable()
	key(b, fyne.KeyReturn)
	b.Tapped(nil)
	b.Enable()
	b.Hide()
	key(b, fyne.KeyReturn)
	if n != 4 {
		t.Errorf("disabled or hidden, it was pressed: %d, want 4", n)
	}
}

// A key that was pressed elsewhere, and a key that repeats, press nothing.
func TestButtonWantsItsOwnKeyDown(t *testing.T) {
	n := 0
	b := NewButton(say("Do it"), Plain, func() { n++ })
	show(t, b, 200, 60)
	ev := &fyne.KeyEvent{Name: fyne.KeyReturn}
	b.TypedKey(ev)
	b.KeyDown(ev)
	b.FocusLost()
	b.TypedKey(ev)
	if n != 0 {
		t.Errorf("pressed %d times without a key-down of its own", n)
	}
	b.KeyDown(ev)
	b.TypedKey(ev)
	b.TypedKey(ev)
	if n != 1 {
		t.Errorf("pressed %d times by a held key, want 1", n)
	}
}

func TestWindowKeysReachTheWindow(t *testing.T) {
	b, f, co, l := NewButton(say("b"), Plain, nil), NewField(say("f")), NewComposer(say("c")), NewRowList("l", say("l"))
	c := show(t, NewColumn(0, b, f, co, NewFixed(50, l)), 300, 400)
	var got []fyne.KeyName
	c.SetOnTypedKey(func(e *fyne.KeyEvent) { got = append(got, e.Name) })
	for _, x := range []fyne.Focusable{b, f, co, l} {
		for _, k := range []fyne.KeyName{fyne.KeyEscape, fyne.KeyF1, fyne.KeyF6} {
			key(x, k)
		}
	}
	if len(got) != 12 {
		t.Errorf("%d keys reached the window, want 12: %v", len(got), got)
	}
}

func rows(n int) []Row {
	var out []Row
	for i := range n {
		out = append(out, Row{ID: fmt.Sprint(i), Title: say(fmt.Sprint("row ", i))})
	}
	return out
}

func TestRowListKeys(t *testing.T) {
	l := NewRowList("l", say("List"))
	l.SetRows(rows(100))
	c := show(t, l, 200, 340) // ten rows
	c.Focus(l)
	var opened, menus []string
	l.OnOpen = func(r Row) { opened = append(opened, r.ID) }
	l.OnMenu = func(r Row) { menus = append(menus, r.ID) }
	for _, step := range []struct {
		key  fyne.KeyName
		want string
	}{
		{fyne.KeyDown, "1"},
		{fyne.KeyUp, "0"},
		{fyne.KeyUp, "0"},
		{fyne.KeyEnd, "99"},
		{fyne.KeyDown, "99"},
		{fyne.KeyHome, "0"},
		{fyne.KeyPageDown, "9"},
		{fyne.KeyPageUp, "0"},
	} {
		key(l, step.key)
		if got := l.Current().ID; got != step.want {
			t.Errorf("%s leads to row %s, want %s", step.key, got, step.want)
		}
	}
	key(l, fyne.KeyReturn)
	key(l, desktop.KeyMenu)
	if fmt.Sprint(opened, menus) != "[0] [0]" {
		t.Errorf("opened %v, menus %v", opened, menus)
	}
}

// Rows that come and go leave the keyboard on the same row.
func TestRowListKeepsItsRow(t *testing.T) {
	l := NewRowList("l", say("List"))
	l.SetRows(rows(5))
	show(t, l, 200, 100)
	l.MoveTo("3")
	l.SetRows(append([]Row{{ID: "new", Title: say("new")}}, rows(5)...))
	if got := l.Current().ID; got != "3" {
		t.Errorf("the current row is %q, want 3", got)
	}
	l.SetRows(rows(2))
	if got := l.Current().ID; got != "1" {
		t.Errorf("the current row is %q, want the last one", got)
	}
	l.SetRows(nil)
	key(l, fyne.KeyDown)
	key(l, fyne.KeyReturn)
	if got := l.Current(); got != (Row{}) {
		t.Errorf("an empty list has the row %+v", got)
	}
}

// A dialog that is higher than the window scrolls to what has the keyboard, down
// to the row in a list.
// req: UI-2
func TestModalScrollsToTheKeyboard(t *testing.T) {
	for _, height := range []float32{600, 300, 200} {
		w := test.NewTempWindow(t, NewArea(colorBG))
		w.Resize(fyne.NewSize(320, height))
		var lists []*RowList
		var body []fyne.CanvasObject
		for _, name := range []string{"first", "second"} {
			l := NewRowList(name, say(name))
			l.SetRows([]Row{{ID: "1", Title: say("one")}, {ID: "2", Title: say("two")}, {ID: "3", Title: say("three")}, {ID: "4", Title: say("four")}})
			lists = append(lists, l)
			body = append(body, NewFixed(4*l.RowHeight(), l))
		}
		m := NewModal("m", say("Choose"), body, NewButton(say("Close"), Plain, nil))
		m.Open(w.Canvas(), lists[0])
		seen := func(what string) {
			t.Helper()
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject
			l := w.Canvas().Focused().(*RowList)
			top := at(l).Y + float32(l.cur)*l.RowHeight() - l.off
			low, high := at(m.scroll).Y, at(m.scroll).Y+m.scroll.Size().Height
			if top < low-1 || top+l.RowHeight() > high+1 {
				t.Errorf("at %g, %s: the row is at %g to %g, the dialog shows %g to %g", height, what, top, top+l.RowHeight(), low, high)
			}
		}
		seen("at first")
		w.Canvas().FocusNext()
		seen("in the second list")
		for _, k := range []fyne.KeyName{fyne.KeyEnd, fyne.KeyUp, fyne.KeyHome} {
			w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: k})
			seen(string(k))
		}
		w.Canvas().FocusPrevious()
		seen("back in the first list")
	}
}

func TestModalHoldsAndReturnsTheKeyboard(t *testing.T) {
	out := NewButton(say("outside"), Plain, nil)
	c := show(t, out, 400, 300)
	c.Focus(out)
	cancelled, closed := 0, 0
	ok, no := NewButton(say("OK"), Plain, nil), NewButton(say("Cancel"), Plain, nil)
	m := NewModal("m", say("Sure?"), []fyne.CanvasObject{NewText(say("Really"), Style{})}, no, ok)
	m.OnCancel, m.OnClosed = func() { cancelled++ }, func() { closed++ }
	m.Open(c, no)
	for i, want := range []fyne.Focusable{no, ok, no} {
		if c.Focused() != want {
			t.Errorf("step %d: the keyboard is at %v", i, c.Focused())
		}
		c.FocusNext()
	}
	if Top(c) != m {
		t.Error("the dialog is not on top")
	}
	m.Cancel()
	m.Cancel()
	m.Close()
	if cancelled != 1 || closed != 1 || c.Focused() != fyne.Focusable(out) || Top(c) != nil {
		t.Errorf("cancelled %d, closed %d, the keyboard is at %v", cancelled, closed, c.Focused())
	}
}

// A dialog that closes by itself leaves those above it, with the keyboard.
func TestAModalThatClosesUnderAnother(t *testing.T) {
	out := NewButton(say("outside"), Plain, nil)
	c := show(t, out, 400, 300)
	c.Focus(out)
	closed := ""
	open := func(name string) (*Modal, *Button) {
		b := NewButton(say(name), Plain, nil)
		m := NewModal(name, say(name), nil, b)
		m.OnClosed = func() { closed += name }
		m.Open(c, b)
		return m, b
	}
	low, _ := open("a")
	middle, second := open("b")
	top, last := open("c")
	low.Close()
	if Top(c) != top || c.Focused() != fyne.Focusable(last) || closed != "a" {
		t.Errorf("on top %v, the keyboard at %v, closed %q", Top(c).Name, c.Focused(), closed)
	}
	top.Close()
	if Top(c) != middle || c.Focused() != fyne.Focusable(second) {
		t.Errorf("on top %v, the keyboard at %v", Top(c), c.Focused())
	}
	middle.Close()
	if Top(c) != nil || closed != "acb" {
		t.Errorf("on top %v, closed %q", Top(c), closed)
	}
}

func TestWrapKeepsEveryWord(t *testing.T) {
	show(t, NewText(say(""), Style{}), 10, 10)
	for _, s := range []string{"", "one", "one two three four five six", strings.Repeat("x", 300), "日本語の要約を直す長い文", "a  b   c", "tail "} {
		for _, width := range []float32{-5, 0, 1, 30, 100, 1000} {
			got := wrap(s, width, 15, fyne.TextStyle{}, 0)
			if join := strings.ReplaceAll(strings.Join(got, ""), " ", ""); join != strings.ReplaceAll(s, " ", "") {
				t.Errorf("%q at %v becomes %q", s, width, got)
			}
			for _, l := range got {
				if w := fyne.MeasureText(l, 15, fyne.TextStyle{}).Width; w > width && width >= 15 && len([]rune(l)) > 1 {
					t.Errorf("%q is %v wide, more than %v", l, w, width)
				}
			}
		}
	}
	if got := wrap("one two three four five six seven", 60, 15, fyne.TextStyle{}, 2); len(got) != 2 || !strings.HasSuffix(got[1], "…") {
		t.Errorf("with two lines at most it is %q", got)
	}
}

// A word of 8 KiB is gone through about once, whatever the width: a few of them
// held the window for half a minute.
func TestALongWordIsMeasuredOnce(t *testing.T) {
	for _, width := range []float32{0, 1, 15, 40, 600} {
		measured := 0
		w := wrapper{width, 15, func(s string) float32 { measured += len(s); return 8 * float32(len(s)) }}
		if got := strings.Join(w.line(strings.Repeat("x", maxWrapped)), ""); len(got) != maxWrapped {
			t.Errorf("at %v, %d bytes are left", width, len(got))
		}
		if limit := 40 * maxWrapped; measured > limit {
			t.Errorf("at %v, %d bytes are measured, want at most %d", width, measured, limit)
		}
	}
}

func TestFlowWrapsAndNeverPassesItsWidth(t *testing.T) {
	var objects []fyne.CanvasObject
	for i := range 6 {
		objects = append(objects, NewButton(say(strings.Repeat("word ", i*4+1)), Plain, nil))
	}
	f := NewFlow(4, objects...)
	show(t, f, 400, 400)
	for _, width := range []float32{120, 300, 2000} {
		f.Resize(fyne.NewSize(width, HeightAt(f, width)))
		for i, o := range objects {
			if right := o.Position().X + o.Size().Width; right > width+0.5 {
				t.Errorf("at %v, object %d ends at %v", width, i, right)
			}
			if bottom := o.Position().Y + o.Size().Height; bottom > f.Size().Height+0.5 {
				t.Errorf("at %v, object %d ends at the height %v of %v", width, i, bottom, f.Size().Height)
			}
		}
	}
}

func TestCodeShowsAllAndScrolls(t *testing.T) {
	long := strings.Repeat("0123456789\n", 40)
	c := NewCode(safetext.Code("", long))
	cv := show(t, c, 300, 300)
	c.Resize(fyne.NewSize(300, c.HeightAt(300)))
	if c.Disabled() {
		t.Error("what does not fit cannot take the focus")
	}
	cv.Focus(c)
	key(c, fyne.KeyEnd)
	if c.top != len(c.shown)-c.Rows {
		t.Errorf("End leads to line %d of %d", c.top, len(c.shown))
	}
	key(c, fyne.KeyHome)
	if c.top != 0 {
		t.Errorf("Home leads to line %d", c.top)
	}
	if got := strings.Join(cutColumns("one two  threefour", 6, true), "|"); got != "one |two  |threef|our" {
		t.Errorf("words cut as %q", got)
	}
	if got := strings.Join(cutColumns("日本語ab", 4, false), "|"); got != "日本|語ab" {
		t.Errorf("cut as %q", got)
	}
	short := NewCode(safetext.Code("", "one line"))
	short.HeightAt(300)
	if !short.Disabled() || short.String() != "one line" {
		t.Errorf("a short one takes the focus, or says %q", short.String())
	}
}

func TestFocusScrollsIntoSight(t *testing.T) {
	var objects []fyne.CanvasObject
	for i := range 30 {
		objects = append(objects, NewButton(say(fmt.Sprint("button ", i)), Plain, nil))
	}
	card := NewColumn(0, objects...)
	s := container.NewVScroll(card)
	c := show(t, s, 200, 120)
	ResizeScroll(s, fyne.NewSize(200, 120))
	last, ok := objects[29].(*Button)
	if !ok {
		t.Fatal("no button")
	}
	c.Focus(last)
	if y := last.Position().Y - s.Offset.Y; y < 0 || y+last.Size().Height > 120.5 {
		t.Errorf("the focused button is at %v of 120", y)
	}
}

func TestSuggestions(t *testing.T) {
	test.NewTempApp(t)
	s := NewSuggestions(safetext.Trusted("keys"))
	var tapped []int
	s.OnTapped = func(i int) { tapped = append(tapped, i) }
	s.Step(1) // nothing to choose from
	s.Set([]safetext.Line{safetext.Trusted("a"), safetext.Trusted("b"), safetext.Trusted("c")})
	var at []int
	for _, by := range []int{1, 1, 1, -1} {
		s.Step(by)
		at = append(at, s.At())
	}
	if got, want := fmt.Sprint(at), "[1 2 0 2]"; got != want {
		t.Errorf("the mark goes %s, want %s", got, want)
	}
	if got, want := s.AccessibilityLabel(), "c, 3 of 3"; got != want {
		t.Errorf("says %q, want %q", got, want)
	}
	for _, y := range []float32{0, suggestPad, suggestPad + s.lineHeight()*2.5, s.HeightAt(0) - 1} {
		s.Tapped(&fyne.PointEvent{Position: fyne.NewPos(5, y)})
	}
	if got, want := fmt.Sprint(tapped), "[-1 0 2 -1]"; got != want {
		t.Errorf("clicks took %s, want %s: none beside the lines", got, want)
	}
}

func TestTokenBeforeTheCursor(t *testing.T) {
	test.NewTempApp(t)
	for _, c := range []struct {
		text string
		left int // how far the cursor is from the end
		want string
		ok   bool
	}{
		{"", 0, "", false},
		{"@", 0, "", true},
		{"@pa", 0, "pa", true},
		{"see @pa", 0, "pa", true},
		{"see\n@pa", 0, "pa", true},
		{"me@pa", 0, "pa", false},
		{"@pa ", 0, "", false},
		{"@pa rest", 5, "pa", true},
		{"@pa", 1, "p", true},
		{"@" + strings.Repeat("x", maxToken), 0, "", false},
	} {
		e := NewComposer(safetext.Trusted("Message"))
		e.SetText(c.text)
		for range c.left {
			e.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
		}
		if got, ok := e.Token('@'); ok != c.ok || ok && got != c.want {
			t.Errorf("%q, %d from the end: got %q %v, want %q %v", c.text, c.left, got, ok, c.want, c.ok)
		}
	}
}
