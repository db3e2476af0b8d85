package text

import "testing"

// bundled is Bundled on a machine without fonts.
func bundled() *Fonts {
	f := Bundled()
	f.lookup = nil
	return f
}

// Every script is drawn where no font is installed, shaped or not.
func TestScriptsWithoutSystemFonts(t *testing.T) {
	f := bundled()
	for name, s := range map[string]string{
		"Japanese": "日本語の文字、かな・カナ「括弧」", "Chinese": "简体中文：会话", "Hangul": "한국어 글자",
		"Hebrew": "עברית שָׁלוֹם", "Arabic": "العربية مرحبا", "emoji": "😀🥰🫠🧿🚀", "Latin": "Plain, größer — “x”",
	} {
		for _, st := range []Style{0, Bold, Mono} {
			for _, r := range s {
				id, g := f.find(st, r)
				if m := f.mask(id, g, 20, 0); g == 0 || r != ' ' && m.cover == nil && m.color == nil {
					t.Errorf("%s, style %d: nothing is drawn for %q", name, st, r)
				}
			}
			rs := []rune(s)
			for _, l := range f.ShapeWrap(rs, []Span{{0, len(rs), st, 20}}, 10000, false) {
				for _, p := range l.Pieces {
					for _, g := range p.Glyphs {
						if g.gid == 0 {
							t.Errorf("%s, style %d: a box is drawn for %q", name, st, rs[g.Cluster])
						}
					}
				}
			}
		}
	}
}

// Arabic letters join: the shaped ones are not those of the letters alone.
func TestArabicJoins(t *testing.T) {
	f := bundled()
	rs := []rune("سلم")
	joined := f.ShapeWrap(rs, []Span{{0, len(rs), 0, 20}}, 10000, false)
	if len(joined) != 1 || !joined[0].RightToLeft || len(joined[0].Pieces) != 1 {
		t.Fatalf("got %+v", joined)
	}
	for _, g := range joined[0].Pieces[0].Glyphs {
		if _, alone := f.find(0, rs[g.Cluster]); g.gid == alone {
			t.Errorf("%q stands alone", rs[g.Cluster])
		}
	}
}

func BenchmarkFirstHan(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Bundled().Width(0, "漢", 15)
	}
}
