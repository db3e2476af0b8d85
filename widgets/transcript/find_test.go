package transcript

import (
	"fmt"
	"strings"
	"testing"

	"holdfast/core/safetext"
	"holdfast/widgets/theme"
)

func TestSearchCountsWhatIsThere(t *testing.T) {
	md := "A Word, a *wo*rd and `WORD`.\n\n- word\n\n```go\n// word word\n```\n\n| word | b |\n|---|---|\n| c | Words |\n"
	rows := []*Row{
		message(User, "u", md),
		{Key: "c", Form: Command, Head: say("grep word"), Body: []safetext.Doc{safetext.ANSI("wo\nrd \x1b[31mword\x1b[0m")}},
		{Key: "p", Form: Plan, Head: say("Plan"), Steps: []Step{{say("A word"), Done}}},
		{Key: "m", Form: Mark, Head: say("straße STRASSE ΣΊΣΥΦΟΣ")},
	}
	for _, c := range []struct {
		text string
		want []foundPart
	}{
		{"word", []foundPart{{"u", 1, 8, 0}, {"c", 0, 1, 8}, {"c", 1, 1, 9}, {"p", 1, 1, 10}}},
		{"WORD word", []foundPart{{"u", 1, 1, 0}}},
		{"aa", nil},
		{"You", nil},
		{"14:02", nil},
		{"STRASSE", []foundPart{{"m", 0, 1, 0}}},
		{"σίσυφος", []foundPart{{"m", 0, 1, 0}}},
		{"", nil},
	} {
		f := Search(rows, c.text, nil)
		if got, want := fmt.Sprint(f.parts), fmt.Sprint(c.want); got != want {
			t.Errorf("%q: got %s, want %s", c.text, got, want)
		}
	}
}

// What is counted in the rows is what is marked in their layouts, at any width:
// a table that is stacked shows its heading in another place.
func TestMatchesAreWhereTheyAreDrawn(t *testing.T) {
	for _, width := range []float32{800, 320} {
		s := newStage(t, width, 900)
		wide := "| " + strings.Repeat("name | ", 12) + "\n|" + strings.Repeat("---|", 12) + "\n| " + strings.Repeat("the cell | ", 12)
		rows := append(samples(), message(Agent, "wide", wide))
		s.SetRows(rows)
		for i := range s.items {
			s.setOpen(i, true)
		}
		for _, text := range []string{"line", "the", "e", "abc", "مرحبا", "約を", "`", "Find where"} {
			f := Search(rows, text, nil)
			if f.Total() == 0 && text != "`" {
				t.Errorf("%q: nothing found", text)
			}
			for _, part := range f.parts {
				i := s.index[part.key]
				l := s.lay(i, part.p)
				ms := f.needle.matchesIn(s.items[i], part.p, l)
				if len(ms) != part.n {
					t.Fatalf("%q in %s: %d marked, %d counted", text, part.key, len(ms), part.n)
				}
				for _, m := range ms {
					if got := l.plain[m.lo:m.hi]; m.lo < m.hi && !strings.EqualFold(got, text) {
						t.Errorf("%q at %v in %s at %v px: marks %q", text, m, part.key, width, got)
					}
				}
			}
		}
	}
}

func TestFindGoesThroughTheMatches(t *testing.T) {
	s := newStage(t, 600, 400)
	rows := many("r", 60)
	rows[5] = message(Agent, "r5", "a needle and a Needle")
	rows[40] = &Row{Key: "r40", Form: Command, Head: say("cat"), Body: []safetext.Doc{safetext.ANSI(strings.Repeat("hay\n", 3000) + "the needle\n")}}
	rows[55] = message(User, "r55", "needle")
	s.SetRows(rows)
	s.shot()
	s.ScrollToStart()

	s.SetFound(Search(rows, "needle", nil))
	var at []string
	for range 5 {
		n, total := s.Match()
		at = append(at, fmt.Sprintf("%d/%d %s", n, total, s.match.key))
		s.wantMatchInView()
		s.NextMatch(1)
	}
	want := "1/4 r5, 2/4 r5, 3/4 r40, 4/4 r55, 1/4 r5"
	if got := strings.Join(at, ", "); got != want {
		t.Errorf("next: got %s, want %s", got, want)
	}
	if !s.items[40].open {
		t.Error("the fold with a match was not opened")
	}
	s.NextMatch(-1)
	s.NextMatch(-1)
	if n, _ := s.Match(); n != 4 {
		t.Errorf("the one before the first is %d, want the last", n)
	}
	s.wantMatchInView()
	s.SetFound(Search(rows, "nothing like it", nil))
	if n, total := s.Match(); n != 0 || total != 0 {
		t.Errorf("got %d of %d, want none", n, total)
	}
	s.NextMatch(1) // nothing happens
	s.SetFound(nil)
	if n, total := s.Match(); n != 0 || total != 0 {
		t.Errorf("got %d of %d, want none", n, total)
	}
}

// wantMatchInView checks that the current match is seen, and marked as such.
func (s *stage) wantMatchInView() {
	img := s.shot()
	accent, n := s.look.Accent, 0
	for i := 0; i+2 < len(img.Pix); i += 4 {
		if img.Pix[i] == accent.R && img.Pix[i+1] == accent.G && img.Pix[i+2] == accent.B {
			n++
		}
	}
	if n < 200 {
		panic(fmt.Sprintf("only %d pixels are marked for %v", n, s.match))
	}
}

// The search begins where people look, and what is typed on stays there.
func TestFindBeginsAtTheReader(t *testing.T) {
	s := newStage(t, 600, 400)
	rows := many("r", 60)
	for _, i := range []int{3, 30, 57} {
		rows[i] = message(Agent, rows[i].Key, fmt.Sprint("needle number ", i))
	}
	s.SetRows(rows)
	s.shot()
	s.FocusRow("r20")
	for _, c := range []struct{ text, want string }{{"need", "r30"}, {"needle number 3", "r30"}, {"needle number 57", "r57"}, {"needle", "r57"}} {
		s.SetFound(Search(rows, c.text, s.found))
		if s.match.key != c.want {
			t.Errorf("%q: at %q, want %q", c.text, s.match.key, c.want)
		}
	}
	s.ScrollToEnd()
	s.match = match{}
	s.SetFound(Search(rows, "number 3", s.found))
	if s.match.key != "r30" {
		t.Errorf("with nothing below: at %q, want the last above, r30", s.match.key)
	}
}

// Rows that come, go and grow while one looks keep the current match.
func TestFindKeepsItsMatch(t *testing.T) {
	s := newStage(t, 600, 400)
	rows := many("r", 40)
	rows[10] = message(Agent, "r10", "needle one")
	rows[20] = message(Agent, "r20", "needle two")
	s.SetRows(rows)
	s.shot()
	s.ScrollToStart()
	f := Search(rows, "needle", nil)
	s.SetFound(f)
	s.NextMatch(1)
	more := append(many("old", 10), rows...)
	more[0] = message(Agent, "old0", "needle before")
	s.SetRows(more)
	f = Search(more, "needle", f)
	s.SetFound(f)
	if n, total := s.Match(); n != 3 || total != 3 || s.match.key != "r20" {
		t.Errorf("got %d of %d at %s, want 3 of 3 at r20", n, total, s.match.key)
	}
	s.SetRows(more[:25]) // r20 is gone, and the search does not know yet
	s.NextMatch(1)
	if s.match.key != "old0" {
		t.Errorf("at %q, want old0: r20 is gone", s.match.key)
	}
}

// Work on the UI goroutine does not grow with what is found.
func TestFindLaysOutOnlyWhatIsSeen(t *testing.T) {
	s := newStage(t, 760, 760)
	s.SetRows(corpus())
	s.shot()
	f := Search(corpus(), "o", nil)
	if f.Total() < 500_000 {
		t.Fatalf("only %d found", f.Total())
	}
	before := s.layouts
	s.SetFound(f)
	for range 20 {
		s.NextMatch(-1)
		s.shot()
	}
	if got := s.layouts - before; got > 60 {
		t.Errorf("20 matches laid out %d parts", got)
	}
}

// The ground of a match is not the theme's only sign of it: see theme's tests
// for the contrast. Here it is that all three themes mark.
func TestMatchesAreMarkedInEachTheme(t *testing.T) {
	for _, m := range []theme.Mode{theme.Light, theme.Dark, theme.HighContrast} {
		s := newStage(t, 500, 300)
		s.mode(m)
		s.SetRows([]*Row{message(Agent, "a", "one needle, two needle")})
		before := s.shot()
		s.SetFound(Search([]*Row{s.items[0].row}, "needle", nil))
		after := s.shot()
		s.wantMatchInView()
		found, n := s.look.Found, 0
		for i := 0; i+2 < len(after.Pix); i += 4 {
			if after.Pix[i] == found.R && after.Pix[i+1] == found.G && after.Pix[i+2] == found.B {
				n++
			}
		}
		if n < 200 {
			t.Errorf("%v: %d pixels of the other match are marked", m, n)
		}
		s.SetFound(nil)
		if string(s.shot().Pix) != string(before.Pix) {
			t.Errorf("%v: marks stay when nothing is looked for", m)
		}
	}
}

// BenchmarkFind measures a search of 16 MiB, which runs in the background, the
// same after one row changed, and what the UI goroutine does for each step.
func BenchmarkFind(b *testing.B) {
	rows := corpus()
	run := func(name string, step func(i int)) {
		b.Run(name, func(b *testing.B) {
			start := cpu()
			for i := 0; b.Loop(); i++ {
				step(i)
			}
			b.ReportMetric(float64((cpu()-start).Microseconds())/1000/float64(b.N), "ms")
		})
	}
	run("all", func(int) { Search(rows, "o", nil) })
	found := Search(rows, "fox", nil)
	changed := append([]*Row(nil), rows...)
	run("again", func(int) {
		r := *rows[1]
		changed[1] = &r
		Search(changed, "fox", found)
	})
	s := newStage(b, 760, 760)
	s.SetRows(rows)
	s.draw(760, 760)
	two := []*Found{Search(rows, "o", nil), found}
	run("frame", func(i int) {
		s.SetFound(two[i%2])
		s.NextMatch(-1)
		s.draw(760, 760)
	})
}
