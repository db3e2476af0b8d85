package transcript

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/widgets/theme"
)

// accentLine is the length of the longest line of the accent's pixels.
func (s *stage) accentLine() int {
	img, most := s.shot(), 0
	for y := range img.Rect.Dy() {
		n := 0
		for x := range img.Rect.Dx() {
			if p := img.Pix[y*img.Stride+4*x:]; p[0] == s.look.Accent.R && p[1] == s.look.Accent.G && p[2] == s.look.Accent.B {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// What comes while the reader is elsewhere is counted and gets a line over it;
// neither moves a pixel of what is read, nor of what is read next.
func TestNewRowsGetALineAndMoveNothing(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Light, theme.Dark, theme.HighContrast} {
		s := newStage(t, 600, 400)
		s.mode(mode)
		var told []int
		s.MarkNew, s.OnNews = true, func(n int) { told = append(told, n) }
		rows := many("r", 30)
		s.SetRows(rows)
		s.shot()
		s.ScrollBy(300)
		before := s.column()
		rows = append(rows, message(User, "mine", "my own"), message(Agent, "a", "an answer"))
		s.SetRows(rows)
		rows = append(rows[:len(rows):len(rows)], message(Agent, "b", "another"))
		s.SetRows(rows)
		if !bytes.Equal(before, s.column()) {
			t.Errorf("%v: what is read moved", mode)
		}
		s.ScrollToEnd()
		if n := s.accentLine(); n < 400 {
			t.Errorf("%v: the line over the new rows is %d px long", mode, n)
		}
		top := s.yOf(32)
		s.SetRows(append(rows[:len(rows):len(rows)], message(Agent, "c", "at the end")))
		if n := s.accentLine(); n > 100 {
			t.Errorf("%v: the line stays when what comes is seen at once", mode)
		}
		if moved := top - s.yOf(32); moved != s.items[33].height() {
			t.Errorf("%v: the rows above the end moved by %d, want %d: the new row alone", mode, moved, s.items[33].height())
		}
		if got, want := fmt.Sprint(told), "[1 2 0]"; got != want {
			t.Errorf("%v: told %s, want %s", mode, got, want)
		}
	}
}

func TestWhatIsNotNew(t *testing.T) {
	base := many("r", 30)
	for _, c := range []struct {
		name string
		mark bool
		end  bool
		rows []*Row
		want int
	}{
		{"a message", true, false, append(slices.Clone(base), message(Agent, "x", "x")), 1},
		{"seen at once", true, true, append(slices.Clone(base), message(Agent, "x", "x")), 0},
		{"one's own", true, false, append(slices.Clone(base), message(User, "x", "x")), 0},
		{"older rows", true, false, append(many("old", 5), base...), 0},
		{"newer rows that were loaded", false, false, append(slices.Clone(base), message(Agent, "x", "x")), 0},
		{"a row that grows", true, false, with(base, "r29", grown("r29", 2, 40)), 0},
		{"another conversation", true, false, many("y", 30), 0},
		{"instead of the last one", true, false, append(slices.Clone(base[:29]), message(Agent, "x", "x")), 1},
	} {
		s := newStage(t, 600, 400)
		s.MarkNew = c.mark
		s.SetRows(base)
		s.shot()
		if !c.end {
			s.ScrollBy(300)
		}
		s.SetRows(c.rows)
		if got := s.News(); got != c.want {
			t.Errorf("%s: %d new, want %d", c.name, got, c.want)
		}
	}
}

// The first new row comes first, then the end; without new rows it is not there.
func TestGoNew(t *testing.T) {
	s := newStage(t, 600, 400)
	s.MarkNew = true
	rows := many("r", 30)
	s.SetRows(rows)
	s.shot()
	if s.GoNew() {
		t.Error("went to a new row where there is none")
	}
	s.ScrollBy(300)
	s.SetRows(append(rows, many("new", 30)...))
	if !s.GoNew() || s.yOf(31) != 4 || s.FocusedKey() != "new1" || s.AtEnd() { // new0 is one's own
		t.Errorf("the first new row is at %d, the focus at %s", s.yOf(31), s.FocusedKey())
	}
	if s.GoNew() || s.News() != 29 {
		t.Errorf("went there again, or %d are new, want 29 until the end was seen", s.News())
	}
	s.GoEnd()
	if s.GoNew() || s.News() != 0 {
		t.Errorf("%d are new at the end", s.News())
	}
}

func TestGoMessage(t *testing.T) {
	s := newStage(t, 600, 400)
	rows := many("r", 12)
	for i := range rows {
		if i%3 != 0 {
			rows[i] = giant(rows[i].Key, 1, 3)
			rows[i].Form = Command
		}
	}
	s.SetRows(rows)
	s.shot()
	var at []string
	step := func(d int) {
		s.GoMessage(d)
		s.shot()
		at = append(at, fmt.Sprint(s.focusKey, " ", s.yOf(s.index[s.focusKey])))
	}
	for range 5 {
		step(-1)
	}
	step(1)
	s.ScrollBy(-20) // its top is above the viewport: back to it first
	step(-1)
	step(1)
	if got, want := strings.Join(at, ", "), "r6 4, r3 4, r0 0, r0 0, r0 0, r3 4, r3 4, r6 4"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for range 4 {
		s.GoMessage(1)
	}
	if !s.AtEnd() || s.focusKey != "r11" {
		t.Errorf("after the last message: at %s, end %v, want the end", s.focusKey, s.AtEnd())
	}
	s.SetRows(nil)
	s.GoMessage(1) // nothing to go to
	s.GoEnd()
}
