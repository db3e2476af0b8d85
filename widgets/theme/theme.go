package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"holdfast/widgets/fonts"
)

// A Mode is the user's choice of a theme.
type Mode uint8

// The themes; System follows the operating system between light and dark.
const (
	System Mode = iota
	Light
	Dark
	HighContrast
)

// String gives the name that settings and command lines use.
func (m Mode) String() string {
	switch m {
	case System:
		return "system"
	case Light:
		return "light"
	case Dark:
		return "dark"
	case HighContrast:
		return "hc"
	}
	return "system"
}

// ParseMode reads a Mode's name; ok is false for any other word.
func ParseMode(name string) (m Mode, ok bool) {
	for _, m := range []Mode{System, Light, Dark, HighContrast} {
		if m.String() == name {
			return m, true
		}
	}
	return System, false
}

// The least and the greatest text size factor.
const (
	MinTextScale = 0.9
	MaxTextScale = 2.0
)

// A Theme is one look for the whole window: a mode and a text size. It is
// immutable; to change the look, make another and hand it to Fyne's settings.
type Theme struct {
	mode  Mode
	scale float32
}

var _ fyne.Theme = (*Theme)(nil)

// New makes a Theme; a text scale outside the bounds is moved to the nearer one.
func New(mode Mode, textScale float32) *Theme {
	if textScale == 0 {
		textScale = 1
	}
	return &Theme{mode: mode, scale: min(max(textScale, MinTextScale), MaxTextScale)}
}

// Mode is the choice the Theme was made with.
func (t *Theme) Mode() Mode { return t.mode }

// TextScale is the factor on every type size.
func (t *Theme) TextScale() float32 { return t.scale }

// Tokens are the colours in force when the system prefers variant.
func (t *Theme) Tokens(variant fyne.ThemeVariant) *Tokens {
	switch t.mode {
	case Light:
		return &light
	case Dark:
		return &dark
	case HighContrast:
		return &highContrast
	case System:
	}
	if variant == base.VariantLight {
		return &light
	}
	return &dark
}

// A Look is what a widget that draws for itself needs of the theme.
type Look struct {
	*Tokens
	// TextScale is the factor on every type size.
	TextScale float32
}

// Current is the look of the running application; without one of our themes
// installed it is the light one.
func Current() Look {
	if app := fyne.CurrentApp(); app != nil {
		if t, ok := app.Settings().Theme().(*Theme); ok {
			return Look{t.Tokens(app.Settings().ThemeVariant()), t.scale}
		}
	}
	return Look{&light, 1}
}

// Color gives the colour that a widget of Fyne's or ours asks for by name.
func (t *Theme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	k := t.Tokens(variant)
	if pick, ok := colors[name]; ok {
		return pick(k)
	}
	if k == &light {
		variant = base.VariantLight
	} else {
		variant = base.VariantDark
	}
	return base.DefaultTheme().Color(name, variant)
}

// Font gives the font that comes before Fyne's own face of the style: it has what
// that lacks.
func (t *Theme) Font(s fyne.TextStyle) fyne.Resource {
	switch {
	case s.Symbol:
		return base.DefaultTheme().Font(s)
	case s.Monospace:
		return fyne.NewStaticResource("mono-"+fonts.Name(), fonts.Mono())
	}
	return fyne.NewStaticResource(fonts.Name(), fonts.Fallback())
}

// Icon gives Fyne's bundled icon.
func (t *Theme) Icon(n fyne.ThemeIconName) fyne.Resource { return base.DefaultTheme().Icon(n) }

// Size gives a size in Fyne units; type sizes are already scaled.
func (t *Theme) Size(n fyne.ThemeSizeName) float32 {
	if s, ok := typeSizes[n]; ok {
		return s * t.scale
	}
	if s, ok := sizes[n]; ok {
		return s
	}
	edge := light.Border
	if t.mode == HighContrast {
		edge = highContrast.Border
	}
	switch n {
	case base.SizeNameInputBorder, base.SizeNameSeparatorThickness, SizeBorder:
		return edge
	}
	return base.DefaultTheme().Size(n)
}
