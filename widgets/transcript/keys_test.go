package transcript

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/driver/software"

	"holdfast/core/safetext"
)

func (s *stage) press(keys ...fyne.KeyName) {
	for _, k := range keys {
		s.TypedKey(&fyne.KeyEvent{Name: k})
		s.shot()
	}
}

// inView reports whether the top of the focused row is visible.
func (s *stage) inView() bool {
	y := s.yOf(s.index[s.FocusedKey()])
	return y >= -s.view.m.px(16) && y < s.view.h
}

func TestKeysWalkTheRows(t *testing.T) {
	s := newStage(t, 600, 400)
	s.SetRows(many("r", 40))
	s.w.Canvas().Focus(s.Transcript)
	s.shot()
	for _, c := range []struct {
		keys []fyne.KeyName
		want string
	}{
		{nil, "r39"},
		{[]fyne.KeyName{fyne.KeyHome}, "r0"},
		{[]fyne.KeyName{fyne.KeyUp}, "r0"},
		{[]fyne.KeyName{fyne.KeyDown}, "r1"},
		{[]fyne.KeyName{fyne.KeyDown, fyne.KeyDown}, "r3"},
		{[]fyne.KeyName{fyne.KeyUp}, "r2"},
		{[]fyne.KeyName{fyne.KeyEnd}, "r39"},
		{[]fyne.KeyName{fyne.KeyDown}, "r39"},
	} {
		s.press(c.keys...)
		if got := s.FocusedKey(); got != c.want {
			t.Errorf("%v: got %q, want %q", c.keys, got, c.want)
		}
		if len(c.keys) > 0 && !s.inView() {
			t.Errorf("%v: the row with the focus is not in view", c.keys)
		}
	}
}

func TestPagesCoverEverythingBothWays(t *testing.T) {
	s := newStage(t, 600, 400)
	s.SetRows(many("r", 40))
	s.shot()
	s.FocusGained()
	s.press(fyne.KeyHome)
	pages := 0
	for ; pages < 100 && !s.AtEnd(); pages++ {
		s.press(fyne.KeyPageDown)
	}
	if got := s.FocusedKey(); got != "r39" || pages < 5 {
		t.Errorf("after %d pages down: got %q, want r39", pages, got)
	}
	for range pages + 1 {
		s.press(fyne.KeyPageUp)
	}
	if got := s.FocusedKey(); got != "r0" {
		t.Errorf("after as many pages up: got %q, want r0", got)
	}
}

func TestArrowsScrollInsideATallRowFirst(t *testing.T) {
	s := newStage(t, 600, 400)
	s.SetRows([]*Row{many("a", 1)[0], giant("g", 1, 100), many("b", 1)[0]})
	s.shot()
	s.FocusRow("g")
	s.shot()
	steps := 0
	for ; s.FocusedKey() == "g" && steps < 200; steps++ {
		before := s.yOf(1)
		s.press(fyne.KeyDown)
		if moved := before - s.yOf(1); s.FocusedKey() == "g" && (moved <= 0 || moved > 66) {
			t.Fatalf("step %d moved by %d px", steps, moved)
		}
	}
	if got := s.FocusedKey(); got != "b0" || steps < 20 {
		t.Errorf("after %d steps: got %q, want b0", steps, got)
	}
}

func TestFoldKeys(t *testing.T) {
	var done []string
	newFold := func() *stage {
		s := newStage(t, 600, 400)
		s.OnAction = func(key, action string) { done = append(done, key+" "+action) }
		f := giant("f", 1, 3)
		f.Open, f.Notes = false, []Note{{Text: say("shortened here"), Action: "all", Do: say("Show all")}}
		s.SetRows([]*Row{f})
		s.shot()
		s.FocusGained()
		return s
	}
	for _, c := range []struct {
		keys string
		open bool
		done string
	}{
		{"Space", true, ""},
		{"Space Space", false, ""},
		{"Return", true, ""},
		{"Return Return", true, "f all"},
		{"Right", true, ""},
		{"Right Right Left", false, ""},
		{"Left", false, ""},
		{"KP_Enter", true, ""},
	} {
		s := newFold()
		done = nil
		for k := range strings.FieldsSeq(c.keys) {
			s.press(fyne.KeyName(k))
		}
		if got := strings.Join(done, ","); s.items[0].open != c.open || got != c.done {
			t.Errorf("%s: open %v, done %q; want %v, %q", c.keys, s.items[0].open, got, c.open, c.done)
		}
	}
}

func TestEnterOpensTheOneLink(t *testing.T) {
	s := newStage(t, 600, 400)
	var opened []string
	s.OnOpenLink = func(url, shown string) { opened = append(opened, url+" "+shown) }
	s.SetRows([]*Row{
		message(Agent, "none", "no link"),
		message(Agent, "one", "see [notes](https://example.com/a) here"),
		message(Agent, "two", "[a](https://example.com/a) [b](https://example.com/b)"),
	})
	s.shot()
	s.FocusGained()
	for _, key := range []string{"none", "one", "two"} {
		s.FocusRow(key)
		s.press(fyne.KeyReturn)
	}
	if got, want := strings.Join(opened, ","), "https://example.com/a notes"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// No trap: what the transcript has no use for reaches the window.
func TestOtherKeysReachTheWindow(t *testing.T) {
	s := newStage(t, 600, 400)
	s.SetRows(many("r", 3))
	var keys []fyne.KeyName
	var shortcuts, runes int
	s.w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { keys = append(keys, e.Name) })
	s.w.Canvas().SetOnTypedRune(func(rune) { runes++ })
	find := &desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierControl}
	s.OnShortcut = func(sh fyne.Shortcut) { // the test canvas takes none
		if sh == find {
			shortcuts++
		}
	}
	s.w.Canvas().Focus(s.Transcript)
	s.press(fyne.KeyEscape, fyne.KeyF1, fyne.KeyDown)
	s.TypedShortcut(find)
	s.TypedRune('x')
	if _, traps := any(s.Transcript).(fyne.Tabbable); traps {
		t.Error("the transcript decides about Tab; Fyne must")
	}
	if got := fmt.Sprint(keys, shortcuts, runes); got != "[Escape F1] 1 1" {
		t.Errorf("got %s, want [Escape F1] 1 1", got)
	}
}

func TestFocusRingIsDrawnOnTop(t *testing.T) {
	s := newStage(t, 600, 400)
	s.SetRows(samples())
	s.shot()
	s.FocusGained()
	s.FocusRow("e1")
	img := s.shot()
	s.FocusLost()
	plain := s.shot()
	focus := newPalette(s.look.Tokens, false)[focusPaint]
	y := s.yOf(s.index["e1"]) + s.view.m.px(16)
	got := []bool{
		img.RGBAAt(300, y-4) == focus, img.RGBAAt(s.view.left-4, y+20) == focus,
		img.RGBAAt(300, y-1) == focus, plain.RGBAAt(300, y-4) == focus,
	}
	if want := "[true true false false]"; fmt.Sprint(got) != want {
		t.Errorf("ring above, ring left, gap, without focus: got %v, want %s", got, want)
	}
}

func TestFocusSurvivesItsRow(t *testing.T) {
	s := newStage(t, 600, 400)
	s.SetRows(many("r", 10))
	s.shot()
	s.FocusGained()
	s.FocusRow("r5")
	s.SetRows(append(many("old", 3), many("r", 10)...))
	if got := s.FocusedKey(); got != "r5" {
		t.Errorf("after a prepend: got %q, want r5", got)
	}
	s.SetRows(many("other", 4))
	if got := s.FocusedKey(); s.index[got] == 0 && got != "other0" {
		t.Errorf("after the row went: got %q, want a row that is there", got)
	}
	s.SetRows(nil)
	s.press(fyne.KeyDown, fyne.KeySpace, fyne.KeyReturn, fyne.KeyPageUp, fyne.KeyHome)
	if got := s.FocusedKey(); got != "" {
		t.Errorf("without rows: got %q", got)
	}
}

func clipboard() string { return fyne.CurrentApp().Clipboard().Content() }

// A row that was scrolled away takes no key: one begins where people look.
// req: UI-2
func TestKeysBeginWherePeopleLook(t *testing.T) {
	keys := map[string]func(*stage){
		"the focus": func(s *stage) { s.FocusLost(); s.FocusGained() },
		"an arrow":  func(s *stage) { s.press(fyne.KeyUp) },
		"a copy":    func(s *stage) { s.TypedShortcut(&fyne.ShortcutCopy{}) },
	}
	for name, key := range keys {
		s := newStage(t, 600, 400)
		s.SetRows(many("r", 40))
		s.w.Canvas().Focus(s.Transcript)
		s.shot()
		s.press(fyne.KeyHome)
		s.ScrollToEnd()
		s.shot()
		key(s)
		s.shot()
		if name == "a copy" {
			if got := fyne.CurrentApp().Clipboard().Content(); got != s.items[39].row.Text() {
				t.Errorf("copied %q, want the last row", got)
			}
			continue
		}
		if got := s.FocusedKey(); !s.inView() || got == "r0" {
			t.Errorf("after %s %q has the focus, which is not in view", name, got)
		}
	}
	// A row of which a part is in view keeps it, at the boundary and one past it.
	s := newStage(t, 600, 400)
	s.SetRows(many("r", 40))
	s.w.Canvas().Focus(s.Transcript)
	s.shot()
	s.press(fyne.KeyHome)
	s.ScrollBy(-(s.yOf(0) + s.items[0].height() - 1))
	s.FocusGained()
	if got := s.FocusedKey(); got != "r0" {
		t.Errorf("with one line of r0 in view %q has the focus", got)
	}
	s.ScrollBy(-1)
	s.FocusGained()
	if got := s.FocusedKey(); got == "r0" {
		t.Error("with nothing of r0 in view it has the focus")
	}
}

// Another conversation's rows: the one that gets the focus is in view.
// req: UI-2
func TestNewRowsKeepTheFocusInView(t *testing.T) {
	for _, before := range []int{1, 3, 40} {
		s := newStage(t, 600, 400)
		s.SetRows(many("a", before))
		s.w.Canvas().Focus(s.Transcript)
		s.shot()
		s.SetRows([]*Row{giant("g", 1, 30), many("b", 1)[0], giant("h", 1, 30), many("c", 1)[0]})
		s.shot()
		i, ok := s.index[s.focusKey]
		if !ok {
			t.Fatalf("after %d rows none has the focus", before)
		}
		if y := s.yOf(i); y >= s.view.h || y+s.items[i].height() <= 0 {
			t.Errorf("after %d rows %q has the focus at %d of %d", before, s.FocusedKey(), y, s.view.h)
		}
	}
}

func TestCopyTakesTheFocusedRowOrTheSelection(t *testing.T) {
	s := newStage(t, 600, 900)
	s.SetRows(samples())
	s.shot()
	s.FocusGained()
	for key, want := range map[string]string{
		"u1": "The parser fails on files with CRLF line ends. Find out why and fix it, with a test.",
		"c1": "go test ./parser -run CRLF",
		"f1": "parser/lines.go\n" + goDiff,
		"p1": "Plan\n[x] Find where lines are split\n[>] Trim the carriage return\n[ ] Add a test for both endings",
		"m0": "Model changed to gpt-5.5",
	} {
		s.FocusRow(key)
		s.TypedShortcut(&fyne.ShortcutCopy{})
		if got := clipboard(); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	s.FocusRow("u1")
	s.TypedShortcut(&fyne.ShortcutSelectAll{})
	s.TypedShortcut(&fyne.ShortcutCopy{})
	if got, want := clipboard(), "You  14:02\nThe parser fails on files with CRLF line ends. Find out why and fix it, with a test."; got != want {
		t.Errorf("select all: got %q, want %q", got, want)
	}
}

// at gives the point, in Fyne units, of the first place a text is drawn at.
func (s *stage) at(t *testing.T, key, words string) fyne.Position {
	t.Helper()
	i := s.index[key]
	y := s.yOf(i)
	for p := range s.items[i].parts {
		l := s.lay(i, p)
		for _, ln := range l.lines {
			for j := ln.from; j < ln.to; j++ {
				r := &l.runs[j]
				if k := strings.Index(l.textOf(r), words); k >= 0 {
					x := s.xIn(l, r, r.from+k)
					return fyne.NewPos((float32(s.view.left)+x+0.5)/s.view.exact, (float32(y+ln.y)+float32(ln.h)/2)/s.view.exact)
				}
			}
		}
		y += s.items[i].parts[p].h
	}
	t.Fatalf("%q is not in row %s", words, key)
	return fyne.Position{}
}

func (s *stage) drag(from, to fyne.Position) {
	s.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: from}, Button: desktop.MouseButtonPrimary})
	s.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: to}})
	s.DragEnd()
	s.MouseUp(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: to}})
	s.Tapped(&fyne.PointEvent{Position: to})
}

func TestDraggingSelectsAcrossRows(t *testing.T) {
	for _, scale := range []float32{1, 1.25} {
		s := newStage(t, 600, 1200)
		s.w.Canvas().(software.WindowlessCanvas).SetScale(scale)
		s.SetRows([]*Row{
			message(User, "a", "first words of the question"),
			{Key: "f", Form: Command, Head: say("go test ./parser"), Body: []safetext.Doc{safetext.Plain("hidden output")}},
			message(Agent, "b", "the answer has\n\n- an item\n- 👍 שלום two\n\nand an end"),
		})
		s.shot()
		s.drag(s.at(t, "a", "words"), s.at(t, "b", "answer"))
		want := "words of the question\n\ngo test ./parser\n\nCodex  14:02\nthe "
		if got := s.SelectedText(); got != want {
			t.Errorf("scale %v, down: got %q, want %q", scale, got, want)
		}
		s.drag(s.at(t, "b", "an end"), s.at(t, "b", "item"))
		if got, want := s.SelectedText(), "item\n• 👍 שלום two\nand "; got != want {
			t.Errorf("scale %v, up: got %q, want %q", scale, got, want)
		}
	}
}

func TestClicksFoldActAndOpen(t *testing.T) {
	s := newStage(t, 600, 1500)
	var did []string
	s.OnOpenLink = func(url, shown string) { did = append(did, "open "+url+" as "+shown) }
	s.OnAction = func(key, action string) { did = append(did, key+" "+action) }
	s.SetRows(samples())
	s.shot()
	click := func(at fyne.Position) {
		s.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary})
		s.MouseUp(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
		s.Tapped(&fyne.PointEvent{Position: at})
		s.shot()
	}
	click(s.at(t, "a1", "the notes"))
	click(s.at(t, "c2", "Show all"))
	click(s.at(t, "u2", "Review"))
	click(s.at(t, "u2", "Please"))
	click(s.at(t, "q1", "Thought"))
	if got, want := strings.Join(did, "; "), "open https://example.com/crlf as the notes; c2 all; u2 review"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if s.items[s.index["q1"]].open {
		t.Error("a click on the head did not close the fold")
	}
	s.drag(s.at(t, "c1", "test"), s.at(t, "c1", "parser"))
	if got := s.SelectedText(); s.items[s.index["c1"]].open || got != "test ./" {
		t.Errorf("dragging over a head: got %q and open %v, want a selection only", got, s.items[s.index["c1"]].open)
	}
}

func TestCursorSaysWhatAClickDoes(t *testing.T) {
	s := newStage(t, 600, 1500)
	s.SetRows(samples())
	s.shot()
	for _, c := range []struct {
		at   fyne.Position
		want desktop.Cursor
	}{
		{s.at(t, "a1", "the notes"), desktop.PointerCursor},
		{s.at(t, "a1", "never"), desktop.TextCursor},
		{s.at(t, "c1", "go test"), desktop.PointerCursor},
		{fyne.NewPos(2, 10), desktop.DefaultCursor},
	} {
		s.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: c.at}})
		if got := s.Cursor(); got != c.want {
			t.Errorf("at %v: got %v, want %v", c.at, got, c.want)
		}
	}
}

func TestWheelAndBarByMouse(t *testing.T) {
	s := newStage(t, 600, 400)
	s.SetRows(many("r", 100))
	s.shot()
	y := s.yOf(99)
	for range 4 {
		s.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.Delta{DY: 2.5}})
	}
	if got := s.yOf(99); got != y+10 {
		t.Errorf("wheel: moved by %d, want 10", got-y)
	}
	th := s.thumb()
	at := fyne.NewPos(595, float32(th.y+5))
	s.drag(at, fyne.NewPos(595, 0))
	if s.place.i != 0 || s.SelectedText() != "" {
		t.Errorf("bar: at row %d with %q selected, want row 0 and nothing", s.place.i, s.SelectedText())
	}
}
