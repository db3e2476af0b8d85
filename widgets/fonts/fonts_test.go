package fonts

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	base "fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"

	"holdfast/core/words"
)

func parse(t *testing.T, data []byte) *font.Face {
	t.Helper()
	f, err := font.ParseTTF(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// samples is something of each script; no toolkit face has it.
var samples = map[string]string{
	"Japanese": "日本語の文字、かな・カナ「括弧」。ー髙﨑①㈱ｶﾅＡ１",
	"Chinese":  "简体中文：会话、发送、轮次。龙汉语",
	"Hangul":   "한국어 글자 가각힐힝ㄱㅎㅏㅣ",
	"Hebrew":   "עברית שָׁלוֹם",
	"Arabic":   "العربية مرحبا ﻻﺒﻬ",
	"emoji":    "🥰🫠🧿🪐🦖🫶",
}

// The fallback has every script in both forms of Han, and so does the one for
// monospaced text.
func TestEveryScriptIsThere(t *testing.T) {
	for name, data := range map[string][]byte{"ja": japanese, "zh": chinese, "mono ja": monoJapanese(), "mono zh": monoChinese()} {
		f := parse(t, data)
		for script, sample := range samples {
			for _, r := range sample {
				if g, ok := f.NominalGlyph(r); !ok || g == 0 {
					t.Errorf("%s: %s: no glyph for %q", name, script, r)
				}
			}
		}
	}
	for i, sample := range []string{samples["Hebrew"], samples["Arabic"]} {
		f := parse(t, Scripts()[i])
		for _, r := range sample {
			if g, ok := f.NominalGlyph(r); r != ' ' && (!ok || g == 0) {
				t.Errorf("script %d: no glyph for %q", i, r)
			}
		}
	}
}

// Han characters have the forms of the language: these are drawn differently in
// Japan and in China.
func TestHanFormsFollowTheLanguage(t *testing.T) {
	t.Setenv("LC_ALL", "")
	t.Setenv("LC_MESSAGES", "")
	outline := func(l words.Language, locale string, r rune) string {
		t.Setenv("LANG", locale)
		if err := words.Use(l); err != nil {
			t.Fatal(err)
		}
		f := parse(t, Fallback())
		g, _ := f.NominalGlyph(r)
		return fmt.Sprint(f.GlyphData(g))
	}
	t.Cleanup(func() { _ = words.Use(words.English) })
	for _, r := range "直骨今" {
		ja, zh := outline(words.Japanese, "zh_CN.UTF-8", r), outline(words.Chinese, "ja_JP.UTF-8", r)
		if ja == zh || len(ja) < 100 || len(zh) < 100 {
			t.Errorf("%c: one form in both languages", r)
		}
		if outline(words.English, "zh_CN.UTF-8", r) != zh || outline(words.English, "en_US.UTF-8", r) != ja {
			t.Errorf("%c: English does not take the form of the locale", r)
		}
	}
	if ja, zh := outline(words.Japanese, "", '一'), outline(words.Chinese, "", '一'); ja == "" || zh == "" {
		t.Error("no outline for 一")
	}
}

// Whatever the window says has its glyphs.
func TestEveryWordHasGlyphs(t *testing.T) {
	latin := parse(t, base.DefaultTextFont().Content())
	for l, data := range map[string][]byte{"ja": japanese, "zh": chinese} {
		text, err := os.ReadFile(filepath.Join("..", "..", "core", "words", l+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		f := parse(t, data)
		for _, r := range string(text) {
			_, ours := f.NominalGlyph(r)
			_, theirs := latin.NominalGlyph(r)
			if r != '\n' && !ours && !theirs {
				t.Errorf("%s: no glyph for %q", l, r)
			}
		}
	}
}

// Lines are as high, and spaces as wide, as those of the face that comes next.
func TestMeasuresAgreeWithTheToolkits(t *testing.T) {
	for name, c := range map[string]struct{ ours, theirs []byte }{
		"text": {japanese, base.DefaultTextFont().Content()},
		"mono": {monoChinese(), base.DefaultTextMonospaceFont().Content()},
	} {
		measure := func(data []byte) []int {
			f := parse(t, data)
			k := 1000 / float32(f.Upem())
			h, _ := f.FontHExtents()
			space, _ := f.NominalGlyph(' ')
			return []int{int(h.Ascender*k + 0.5), int(h.Descender*k - 0.5), int(h.LineGap), int(f.HorizontalAdvance(space)*k + 0.5)}
		}
		if got, want := measure(c.ours), measure(c.theirs); !slices.Equal(got, want) {
			t.Errorf("%s: ascent, descent, gap, space: got %v, want %v", name, got, want)
		}
	}
}

// "Each file under 8 MiB", and under 16 MiB in all.
func TestSizes(t *testing.T) {
	all := 0
	for _, data := range [][]byte{japanese, chinese, hebrew, arabic} {
		all += len(data)
		if len(data) >= 8<<20 {
			t.Errorf("a font has %d bytes", len(data))
		}
	}
	if all >= 16<<20 {
		t.Errorf("the fonts have %d bytes", all)
	}
}
