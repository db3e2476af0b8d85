package text

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"fyne.io/fyne/v2/theme"
	gofont "github.com/go-text/typesetting/font"
)

// alone has no system fonts: what it shows is the same everywhere.
func alone() *Fonts {
	f := Bundled()
	f.lookup = nil
	return f
}

func TestComplex(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, "plain ASCII\n": false, "é ß Ω Я € – “”": false, "日本語 カタカナ 한국어": false,
		"→ ✓ ☐ ─": false, "שלום": true, "مرحبا": true, "हिन्दी": true, "e\u0301": true,
		"👍": true, "a\u200db": true, "\u20dd": true,
	} {
		if got := Complex(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

func TestMissingRuneIsTheReplacement(t *testing.T) {
	f := alone()
	id, gid := f.find(0, '\U000e0fff')
	wantID := f.byStyle[0]
	want, _ := f.at(wantID).NominalGlyph('\ufffd')
	if id != wantID || gid != want {
		t.Errorf("got face %d glyph %d, want face %d glyph %d", id, gid, wantID, want)
	}
}

func TestSystemFontsAreAskedOncePerRune(t *testing.T) {
	f := alone()
	looked := 0
	f.lookup = func() func(rune) *gofont.Font { looked++; return nil }
	f.Advance(0, 'A', 16)
	if looked != 0 {
		t.Fatalf("looked for system fonts %d times for a bundled rune", looked)
	}
	f.Advance(0, '\U000e0fff', 16)
	f.Advance(Bold, '\U000e0ffe', 16)
	if looked != 1 {
		t.Errorf("looked for system fonts %d times, want 1", looked)
	}
}

func TestUnreadableFaceIsPassedOver(t *testing.T) {
	f := New(Faces{Regular: theme.DefaultTextFont().Content(), Mono: []byte("no font"), More: [][]byte{nil, {0, 1}}})
	if got, want := f.Width(Mono, "ab", 10), f.Width(0, "ab", 10); got != want {
		t.Errorf("got %v, want the regular face's %v", got, want)
	}
}

func TestNoFaceAtAll(t *testing.T) {
	f := New(Faces{})
	img := image.NewRGBA(image.Rect(0, 0, 40, 20))
	if got, want := f.Draw(Canvas{img, img.Rect}, Pen{Size: 10}, "ab", 0, 15), float32(12); got != want {
		t.Errorf("pen: got %v, want %v", got, want)
	}
}

func TestWidthIsTheSumOfAdvances(t *testing.T) {
	f := alone()
	for _, st := range []Style{0, Bold, Italic, Bold | Italic, Mono} {
		var want float32
		for _, r := range "Wörter 日本" {
			want += f.Advance(st, r, 15)
		}
		if got := f.Width(st, "Wörter 日本", 15); abs(got-want) > 0.01 {
			t.Errorf("style %d: got %v, want %v", st, got, want)
		}
	}
	if got := f.Width(Mono, "iW", 13); got != 2*f.Advance(Mono, 'm', 13) {
		t.Errorf("mono is not mono: got %v", got)
	}
}

func abs(x float32) float32 { return max(x, -x) }

func TestDrawStaysInsideTheClip(t *testing.T) {
	f := alone()
	img := image.NewRGBA(image.Rect(0, 0, 60, 30))
	clip := image.Rect(10, 8, 30, 16)
	f.Draw(Canvas{img, clip}, Pen{Size: 24, Color: color.RGBA{255, 0, 0, 255}}, "WWWWW", -5, 22)
	inside := 0
	for y := range 30 {
		for x := range 60 {
			if img.RGBAAt(x, y) == (color.RGBA{}) {
				continue
			}
			if !image.Pt(x, y).In(clip) {
				t.Fatalf("drew at %d,%d, outside %v", x, y, clip)
			}
			inside++
		}
	}
	if inside == 0 {
		t.Error("drew nothing")
	}
}

func lines(ls []Line, rs []rune) string {
	var b strings.Builder
	for _, l := range ls {
		for _, p := range l.Pieces {
			fmt.Fprintf(&b, "[%d:%s]", p.Span, string(rs[p.Start:p.End]))
		}
		if l.RightToLeft {
			b.WriteString("<")
		}
		b.WriteByte('|')
	}
	return b.String()
}

func TestShapeWrap(t *testing.T) {
	f := alone()
	for _, c := range []struct {
		name, text string
		spans      []Span
		width      float32
		want       string
	}{
		{"emoji between words", "ab 👍 cd", []Span{{0, 7, 0, 15}}, 500, "[0:ab ][0:👍 ][0:cd]|"},
		{"breaks at spaces", "aaaa 👍 bbbb", []Span{{0, 11, 0, 15}}, 60, "[0:aaaa ][0:👍 ]|[0:bbbb]|"},
		{"spans are kept apart", "ab 👍 cd", []Span{{0, 2, Bold, 15}, {2, 7, 0, 15}}, 500, "[0:ab][1: ][1:👍 ][1:cd]|"},
		{"right to left", "שלום abc", []Span{{0, 8, 0, 15}}, 500, "[0:abc][0:שלום ]<|"},
		{"nothing", "", nil, 100, ""},
	} {
		rs := []rune(c.text)
		if got := lines(f.ShapeWrap(rs, c.spans, c.width, false), rs); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestShapedWidthFollowsTheSize(t *testing.T) {
	f := alone()
	rs := []rune("áb\u0301c")
	at := func(px float32) float32 {
		return f.ShapeWrap(rs, []Span{{0, len(rs), 0, px}}, 1e6, false)[0].Width
	}
	if got, want := at(18.75), f.Width(0, "ábc", 18.75); abs(got-want) > 1 {
		t.Errorf("at 18.75 px: got %v, want about %v", got, want)
	}
}

func BenchmarkBundled(b *testing.B) {
	for b.Loop() {
		f := Bundled()
		for st := range Style(styles) {
			f.Advance(st, 'a', 15)
		}
	}
}

func BenchmarkDraw100(b *testing.B) {
	f := alone()
	img := image.NewRGBA(image.Rect(0, 0, 900, 20))
	s := "func step12(ctx context.Context, gen uint64) error { if gen != cur.Load() { return ErrStale } } // end"
	b.ReportAllocs()
	for b.Loop() {
		f.Draw(Canvas{img, img.Rect}, Pen{Size: 14, Color: color.RGBA{A: 255}}, s, 0, 15)
	}
}

func BenchmarkShapeWrap1k(b *testing.B) {
	for name, s := range map[string]string{"rtl": "هذا نص عربي طويل English 123 ", "emoji": "Status: ✅ done 👩‍💻 dev 🇯🇵 flag 👍🏽 "} {
		b.Run(name, func(b *testing.B) {
			f := Bundled()
			rs := []rune(strings.Repeat(s, 40))[:1000]
			b.ReportAllocs()
			for b.Loop() {
				f.ShapeWrap(rs, []Span{{0, len(rs), 0, 14}}, 600, false)
			}
		})
	}
}

func BenchmarkFirstMissingRune(b *testing.B) {
	for b.Loop() {
		f := Bundled()
		f.Advance(0, '日', 15)
	}
}
