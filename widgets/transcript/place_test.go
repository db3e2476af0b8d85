package transcript

import (
	"bytes"
	"fmt"
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"

	"holdfast/core/safetext"
	"holdfast/widgets/theme"
)

// column is a frame without the strip of the scroll bar, which does move.
func (s *stage) column() []byte {
	img := s.shot()
	var b bytes.Buffer
	for y := range img.Rect.Dy() {
		o := y * img.Stride
		b.Write(img.Pix[o : o+(s.view.w-s.barRoom())*4])
	}
	return b.Bytes()
}

func with(rows []*Row, key string, r *Row) []*Row {
	out := append([]*Row(nil), rows...)
	for i := range out {
		if out[i].Key == key {
			out[i] = r
		}
	}
	return out
}

func grown(key string, version uint64, n int) *Row {
	r := message(Agent, key, strings.Repeat("grown text of "+key+" ", n))
	r.Version = version
	return r
}

func TestNothingAboveOrBelowMovesTheReader(t *testing.T) {
	rows := many("r", 300)
	for _, scale := range []float32{1, 1.25, 2} {
		s := newStage(t, 600, 500)
		s.w.Canvas().(software.WindowlessCanvas).SetScale(scale)
		s.SetRows(rows)
		s.shot()
		s.place = place{i: 150, p: 1, y: -33}
		s.settle()
		want := s.column()
		now := rows
		for _, step := range []struct {
			what string
			do   func() []*Row
		}{
			{"prepend 100", func() []*Row { return append(many("old", 100), now...) }},
			{"append", func() []*Row { return append(now[:len(now):len(now)], many("new", 20)...) }},
			{"evict 60 at the old end", func() []*Row { return now[60:] }},
			{"evict 40 at the new end", func() []*Row { return now[:len(now)-40] }},
			{"a row above grows", func() []*Row { return with(now, "r100", grown("r100", 2, 400)) }},
			{"text streams into a row above", func() []*Row { return with(now, "r149", grown("r149", 2, 300)) }},
			{"a row below grows", func() []*Row { return with(now, "r200", grown("r200", 2, 300)) }},
			{"a row above goes", func() []*Row { return append(append([]*Row(nil), now[:20]...), now[21:]...) }},
			{"heights above become exact", func() []*Row {
				for i := range s.place.i {
					for p := range s.items[i].parts {
						s.lay(i, p)
					}
				}
				return now
			}},
		} {
			now = step.do()
			s.SetRows(now)
			if !bytes.Equal(s.column(), want) {
				t.Fatalf("scale %v: %s moved the reader", scale, step.what)
			}
		}
	}
}

func giant(key string, version uint64, lines int) *Row {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "line %d of the output of a long command\n", i)
	}
	return &Row{Key: key, Version: version, Form: Command, Open: true, Head: say("make"), Body: []safetext.Doc{safetext.ANSI(b.String())}}
}

func TestReaderInsideAGrowingRowStays(t *testing.T) {
	s := newStage(t, 600, 500)
	rows := append(many("r", 20), giant("g", 1, 2000))
	s.SetRows(rows)
	s.shot()
	s.place = place{i: 20, p: 3, y: -77}
	s.settle()
	want := s.column()
	before := s.layouts
	s.SetRows(with(rows, "g", giant("g", 2, 2500)))
	if !bytes.Equal(s.column(), want) {
		t.Error("text at the end of the row moved the reader in its middle")
	}
	if got := s.layouts - before; got > 2 {
		t.Errorf("%d parts were laid out, want those that changed in view only", got)
	}
}

func TestEndIsFollowedOnlyFromTheEnd(t *testing.T) {
	s := newStage(t, 600, 500)
	rows := many("r", 30)
	s.SetRows(rows)
	s.shot()
	ends := func() bool { return s.yOf(len(s.items)-1)+s.items[len(s.items)-1].height()+s.endPad() == s.view.h }
	if !s.AtEnd() || !ends() {
		t.Fatal("the first view is not the end")
	}
	rows = append(rows, many("n", 3)...)
	s.SetRows(rows)
	s.shot()
	if !s.AtEnd() || !ends() {
		t.Error("new rows at the end were not followed")
	}
	s.ScrollBy(50)
	if s.AtEnd() {
		t.Error("away from the end, but it is followed")
	}
	s.ScrollBy(-50)
	if !s.AtEnd() || !ends() {
		t.Error("scrolling back to the end does not follow it again")
	}
}

func TestFewRowsStandAtTheEnd(t *testing.T) {
	s := newStage(t, 600, 500)
	s.SetRows(many("r", 1))
	s.shot()
	if got, want := s.yOf(0)+s.items[0].height()+s.endPad(), 500; got != want {
		t.Errorf("the only row ends at %d, want %d", got, want)
	}
	s.ScrollBy(100)
	s.ScrollBy(-300)
	if got, want := s.yOf(0)+s.items[0].height()+s.endPad(), 500; got != want {
		t.Errorf("after scrolling the only row ends at %d, want %d", got, want)
	}
}

func TestScrollingStopsAtBothEnds(t *testing.T) {
	s := newStage(t, 600, 500)
	s.SetRows(many("r", 60))
	s.shot()
	for range 3 {
		s.ScrollBy(1 << 20)
	}
	if got := s.yOf(0); got != 0 {
		t.Errorf("past the beginning: the first row is at %d, want 0", got)
	}
	s.ScrollBy(-1 << 20)
	if got := s.yOf(59) + s.items[59].height() + s.endPad(); got != 500 {
		t.Errorf("past the end: the last row ends at %d, want 500", got)
	}
}

func TestFoldingKeepsTheHeadInPlace(t *testing.T) {
	fold := func(i int) *Row {
		r := giant(fmt.Sprint("f", i), 1, 30)
		r.Open = false
		return r
	}
	for _, c := range []struct {
		name string
		rows []*Row
		key  string
	}{
		{"few rows", []*Row{many("a", 1)[0], fold(0)}, "f0"},
		{"at the end of many", append(many("a", 40), fold(0), fold(1)), "f1"},
		{"before the end", append(many("a", 40), fold(0), fold(1)), "f0"},
	} {
		s := newStage(t, 600, 500)
		s.SetRows(c.rows)
		s.shot()
		i := s.index[c.key]
		want := s.yOf(i)
		for range 2 { // open, close
			s.Toggle(c.key)
			s.shot()
			if got := s.yOf(i); got != want {
				t.Errorf("%s: the head moved from %d to %d", c.name, want, got)
			}
		}
	}
}

func TestFoldsAreRememberedByKey(t *testing.T) {
	s := newStage(t, 600, 500)
	a, b := giant("a", 1, 3), giant("b", 1, 3)
	b.Open = false
	s.SetRows([]*Row{a, b})
	s.Toggle("a")
	s.SetRows(many("x", 3))
	s.SetRows([]*Row{giant("a", 2, 4), giant("b", 2, 4)})
	got := [2]bool{s.items[0].open, s.items[1].open}
	if want := [2]bool{false, true}; got != want {
		t.Errorf("open: got %v, want %v: what the user closed, and the row's own default", got, want)
	}
}

func TestResizingKeepsTheFirstVisibleLine(t *testing.T) {
	s := newStage(t, 700, 500)
	var rows []*Row
	for i := range 60 {
		rows = append(rows, message(Agent, fmt.Sprint("r", i), strings.Repeat(fmt.Sprintf("text %d goes on ", i), 150)))
	}
	s.SetRows(rows)
	s.shot()
	s.place = place{i: 30, p: 1, y: -200}
	s.settle()
	at, y, ok := s.firstLine()
	if !ok {
		t.Fatal("no first line")
	}
	check := func(what string) {
		t.Helper()
		s.shot()
		l := s.lay(30, 1)
		for _, ln := range l.lines {
			first, last := l.runs[ln.from].from, l.runs[ln.to-1].to
			if first <= at && at < last {
				if got := s.place.y + ln.y; s.place.i != 30 || got != y {
					t.Errorf("%s: the line is at %d of row %d, want %d of row 30", what, got, s.place.i, y)
				}
			}
		}
	}
	s.resize(420, 500)
	check("narrower")
	s.look.TextScale = 1.5
	check("larger text")
	s.resize(700, 500)
	s.look.TextScale = 1
	check("back")
}

func TestBannerDoesNotMoveTheLineUnderTheEye(t *testing.T) {
	s := newStage(t, 600, 500)
	s.SetRows(many("r", 60))
	s.shot()
	s.place = place{i: 20, p: 1, y: -10}
	s.settle()
	want := s.yOf(21)
	s.Move(fyne.NewPos(0, 44))
	s.Resize(fyne.NewSize(600, 456))
	s.shot()
	if got := s.yOf(21) + 44; got != want {
		t.Errorf("with a banner the row is at %d in the window, want %d", got, want)
	}
	s.Move(fyne.NewPos(0, 0))
	s.Resize(fyne.NewSize(600, 500))
	s.shot()
	if got := s.yOf(21); got != want {
		t.Errorf("without the banner again the row is at %d, want %d", got, want)
	}
}

func TestTheRowReadNextStaysWhenTheAnchorGoes(t *testing.T) {
	s := newStage(t, 600, 500)
	rows := many("r", 80)
	s.SetRows(rows)
	s.shot()
	s.place = place{i: 40, p: 1, y: -5}
	s.settle()
	want := s.yOf(41)
	s.SetRows(append(append([]*Row(nil), rows[:40]...), rows[41:]...))
	s.shot()
	if got := s.yOf(40); got != want {
		t.Errorf("row 41 is at %d, want %d", got, want)
	}
	s.SetRows(many("other", 50))
	if !s.AtEnd() {
		t.Error("another conversation does not begin at its end")
	}
}

func TestNearnessIsToldOnce(t *testing.T) {
	s := newStage(t, 600, 300)
	var told []string
	s.OnNearTop = func(near bool) { told = append(told, fmt.Sprint("top ", near)) }
	s.OnNearBottom = func(near bool) { told = append(told, fmt.Sprint("bottom ", near)) }
	s.SetRows(many("r", 60))
	s.shot()
	s.ScrollBy(2000)
	s.ScrollBy(10)
	s.ScrollToStart()
	got, want := strings.Join(told, ", "), "top false, bottom false, top true"
	if !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want it to end in %s", got, want)
	}
}

func TestDraggingTheBarReachesBothEnds(t *testing.T) {
	s := newStage(t, 600, 400)
	s.SetRows(many("r", 200))
	s.shot()
	s.dragBar(0)
	if s.place.i != 0 || s.place.y != 0 {
		t.Errorf("at the top: got row %d at %d", s.place.i, s.place.y)
	}
	s.dragBar(200)
	if i := s.place.i; i < 60 || i > 140 {
		t.Errorf("in the middle: got row %d of 200", i)
	}
	s.dragBar(400)
	if !s.AtEnd() {
		t.Error("at the bottom: not at the end")
	}
}

func TestThemeIsARepaintOnly(t *testing.T) {
	s := newStage(t, 600, 500)
	s.SetRows(samples())
	light := s.column()
	before := s.layouts
	s.mode(theme.Dark)
	dark := s.column()
	if s.layouts != before {
		t.Errorf("%d parts were laid out anew", s.layouts-before)
	}
	if bytes.Equal(light, dark) {
		t.Error("the colours did not change")
	}
}

func TestStaleDimsTheNamesOnly(t *testing.T) {
	s := newStage(t, 600, 300)
	s.SetRows(many("r", 2))
	s.shot()
	live := newPalette(s.look.Tokens, false)
	stale := newPalette(s.look.Tokens, true)
	for p := range live {
		want := live[p]
		if paint(p) == whoPaint {
			want = live[dimPaint]
		}
		if stale[p] != want {
			t.Errorf("paint %d: got %v, want %v", p, stale[p], want)
		}
	}
	before, layouts := s.column(), s.layouts
	s.SetStale(true)
	if bytes.Equal(before, s.column()) || s.layouts != layouts {
		t.Errorf("got the same picture, or %d parts laid out anew", s.layouts-layouts)
	}
}

// What is short is shown even where a version came twice.
func TestARepeatedVersionHidesNoNote(t *testing.T) {
	s := newStage(t, 600, 300)
	a, b := message(User, "a", "text"), message(User, "a", "text")
	b.Notes = []Note{{Text: say("It may have run."), Tone: Warn}}
	s.SetRows([]*Row{a})
	s.SetRows([]*Row{b})
	s.shot()
	if got, want := written(s.lay(0, len(s.items[0].parts)-1)), "It may have run.|"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheCornersAreTheGround(t *testing.T) {
	for _, m := range []theme.Mode{theme.Light, theme.Dark, theme.HighContrast} {
		s := newStage(t, 600, 300)
		s.mode(m)
		s.SetEmpty(say("Nothing here yet."))
		img := s.shot()
		got, want := img.RGBAAt(0, 0), newPalette(s.look.Tokens, false)[bgPaint]
		if got != want {
			t.Errorf("%v: got %v, want %v", m, got, want)
		}
		if ink(img, want) == 0 {
			t.Errorf("%v: the text for no rows is not drawn", m)
		}
	}
}

// ink counts the pixels that are not the ground.
func ink(img *image.RGBA, ground any) int {
	n := 0
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if any(img.RGBAAt(x, y)) != ground {
				n++
			}
		}
	}
	return n
}
