package text

import (
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
)

// quiet drops what fontscan says about fonts it cannot read: none of them is
// ours, and the next one is tried anyway.
type quiet struct{}

// Printf drops the message.
func (quiet) Printf(string, ...any) {}

// systemFonts looks for installed fonts; nil where there are none to be had.
func systemFonts() func(rune) *font.Font {
	m := fontscan.NewFontMap(quiet{})
	if err := m.UseSystemFonts(""); err != nil {
		return nil
	}
	m.SetQuery(fontscan.Query{Families: []string{fontscan.SansSerif}})
	return func(r rune) *font.Font {
		if face := m.ResolveFace(r); face != nil {
			return face.Font
		}
		return nil
	}
}
