package theme

import (
	"fmt"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
)

var themes = map[string]*Tokens{"light": &light, "dark": &dark, "hc": &highContrast}

type pair struct {
	name     string
	on, what color.NRGBA
}

// textPairs lists every text colour on every ground it is drawn on.
func textPairs(k *Tokens) []pair {
	grounds := map[string]color.NRGBA{
		"bg": k.BG, "panel": k.Panel, "raised": k.Raised, "user": k.User, "code": k.Code,
		"added": k.Added, "removed": k.Removed, "selection": k.Selection, "found": k.Found,
		"hover": k.Hover, "warn-bg": k.WarnBG, "err-bg": k.ErrBG,
	}
	texts := map[string]struct {
		c  color.NRGBA
		on []string
	}{
		"ink":     {k.Ink, []string{"bg", "panel", "raised", "user", "code", "added", "removed", "selection", "found", "hover", "warn-bg", "err-bg"}},
		"dim":     {k.Dim, []string{"bg", "panel", "raised", "user", "code", "hover", "added", "removed", "err-bg"}},
		"accent":  {k.Accent, []string{"bg", "panel", "raised", "user", "code", "err-bg"}},
		"blue":    {k.Blue, []string{"code"}},
		"magenta": {k.Magenta, []string{"code"}},
		"warn":    {k.Warn, []string{"bg", "panel", "raised", "warn-bg", "user", "code"}},
		"err":     {k.Err, []string{"bg", "panel", "raised", "err-bg", "code"}},
		"ok":      {k.OK, []string{"bg", "panel", "raised", "code"}},
		"keyword": {k.Keyword, []string{"code", "added", "removed"}},
		"string":  {k.String, []string{"code", "added", "removed"}},
		"comment": {k.Comment, []string{"code", "added", "removed"}},
		"number":  {k.Number, []string{"code", "added", "removed"}},
		"fun":     {k.Fun, []string{"code", "added", "removed"}},
	}
	ps := []pair{
		{"on-accent on accent", k.Accent, k.OnAccent},
		{"err-bg on err", k.Err, k.ErrBG},
		{"warn-bg on warn", k.Warn, k.WarnBG},
		{"bg on ok", k.OK, k.BG},
	}
	for name, t := range texts {
		for _, g := range t.on {
			ps = append(ps, pair{name + " on " + g, grounds[g], t.c})
		}
	}
	return ps
}

// edgePairs lists every edge of a control and the focus ring on their grounds.
func edgePairs(k *Tokens) []pair {
	var ps []pair
	for name, g := range map[string]color.NRGBA{"bg": k.BG, "panel": k.Panel, "raised": k.Raised, "warn-bg": k.WarnBG, "err-bg": k.ErrBG} {
		ps = append(ps, pair{"edge on " + name, g, k.Edge}, pair{"focus on " + name, g, k.Focus})
	}
	return append(ps, pair{"focus on user", k.User, k.Focus}, pair{"focus on code", k.Code, k.Focus}, pair{"accent on bg", k.BG, k.Accent}, pair{"warn on found", k.Found, k.Warn}, pair{"warn on bg", k.BG, k.Warn})
}

func TestContrast(t *testing.T) {
	for name, k := range themes {
		for _, p := range textPairs(k) {
			if got := Contrast(p.what, p.on); got < 7 {
				t.Errorf("%s: %s: got %.2f, want at least 7", name, p.name, got)
			}
		}
		for _, p := range edgePairs(k) {
			if got := Contrast(p.what, p.on); got < 3 {
				t.Errorf("%s: %s: got %.2f, want at least 3", name, p.name, got)
			}
		}
	}
}

func TestContrastRatio(t *testing.T) {
	got := fmt.Sprintf("%.2f %.2f %.2f", Contrast(rgb(0), rgb(0xffffff)), Contrast(rgb(0xffffff), rgb(0)), Contrast(rgb(0x777777), rgb(0xffffff)))
	if want := "21.00 21.00 4.48"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestModeFollowsTheSystem(t *testing.T) {
	const unknown = fyne.ThemeVariant(2)
	for _, c := range []struct {
		mode    Mode
		variant fyne.ThemeVariant
		want    *Tokens
	}{
		{System, base.VariantLight, &light},
		{System, base.VariantDark, &dark},
		{System, unknown, &dark},
		{Light, base.VariantDark, &light},
		{Dark, base.VariantLight, &dark},
		{HighContrast, base.VariantLight, &highContrast},
	} {
		if got := New(c.mode, 1).Tokens(c.variant); got != c.want {
			t.Errorf("%v with variant %d: got %+v, want %+v", c.mode, c.variant, *got, *c.want)
		}
	}
}

func TestTextScaleIsBounded(t *testing.T) {
	for ask, want := range map[float32]float32{0: 15, 1: 15, 2: 30, 2.01: 30, 0.9: 13.5, 0.89: 13.5, -1: 13.5} {
		if got := New(Light, ask).Size(base.SizeNameText); got != want {
			t.Errorf("scale %v: got %v, want %v", ask, got, want)
		}
	}
}

func TestEdgesAreWiderInHighContrast(t *testing.T) {
	for mode, want := range map[Mode]float32{Light: 1, Dark: 1, HighContrast: 2} {
		if got := New(mode, 1).Size(SizeBorder); got != want {
			t.Errorf("%v: got %v, want %v", mode, got, want)
		}
	}
}

func TestParseMode(t *testing.T) {
	for _, m := range []Mode{System, Light, Dark, HighContrast} {
		if got, ok := ParseMode(m.String()); got != m || !ok {
			t.Errorf("%v: got %v %v", m, got, ok)
		}
	}
	if got, ok := ParseMode("sepia"); got != System || ok {
		t.Errorf("sepia: got %v %v, want system false", got, ok)
	}
}
