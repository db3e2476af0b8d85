package text

import (
	"bytes"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"

	"holdfast/widgets/fonts"
)

// A Style chooses among the faces; its bits may be combined.
type Style uint8

// The bits of a Style. Mono wins over the others: there is one mono face.
const (
	Bold Style = 1 << iota
	Italic
	Mono
	styles = 8
)

// fastRunes is how many runes have their advance in an array.
const fastRunes = 0x600

// replacement stands for a rune that no face has.
const replacement = '\ufffd'

// A Fonts measures, shapes and draws text. It is not safe for concurrent use:
// one goroutine owns it.
type Fonts struct {
	faces   []face
	byStyle [styles]faceID
	fall    []faceID // asked in order for runes that the style's face lacks

	system  func(r rune) *font.Font // nil: not looked for yet, or none
	lookup  func() func(r rune) *font.Font
	unknown map[rune]bool // runes that the system does not have either

	fast  [styles][fastRunes]entry
	slow  map[slowKey]entry
	masks map[maskKey]*mask
	bytes int // of all masks

	shaper shaping.HarfbuzzShaper
	seg    shaping.Segmenter
	wrap   shaping.LineWrapper
	raster rasterizer
}

type faceID int16

// A face is parsed when it is first needed; it may turn out to be unusable.
type face struct {
	data  []byte
	face  *font.Face
	upem  float32
	tried bool
}

// An entry is what the advance table knows of a rune in a style.
type entry struct {
	adv   float32 // at a size of 1 px
	face  faceID
	known bool
	gid   font.GID
}

type slowKey struct {
	style Style
	r     rune
}

// Bundled makes a Fonts of the faces that come with Fyne and with the window, and
// of the system's for the runes these lack.
func Bundled() *Fonts {
	f := New(Faces{
		Regular: content(theme.DefaultTextFont()), Bold: content(theme.DefaultTextBoldFont()),
		Italic: content(theme.DefaultTextItalicFont()), BoldItalic: content(theme.DefaultTextBoldItalicFont()),
		Mono:  content(theme.DefaultTextMonospaceFont()),
		First: fonts.Scripts(),
		// Built without emoji, Fyne has a nil resource for them.
		More: [][]byte{content(theme.DefaultSymbolFont()), content(theme.DefaultEmojiFont()), fonts.Fallback()},
	})
	f.lookup = systemFonts
	return f
}

func content(r fyne.Resource) []byte {
	if r == nil {
		return nil
	}
	return r.Content()
}

// Faces are font files by style. Those that are nil are replaced by Regular.
type Faces struct {
	Regular, Bold, Italic, BoldItalic, Mono []byte
	// First and More are asked in order for runes that a style's face lacks, before
	// and after the others.
	First, More [][]byte
}

// New makes a Fonts of these files alone.
func New(fs Faces) *Fonts {
	f := &Fonts{unknown: map[rune]bool{}, slow: map[slowKey]entry{}, masks: map[maskKey]*mask{}}
	f.shaper.SetFontCacheSize(64)
	add := func(data []byte) faceID {
		if data == nil {
			return 0
		}
		f.faces = append(f.faces, face{data: data})
		return faceID(len(f.faces) - 1)
	}
	regular := add(fs.Regular)
	bold, italic, both, mono := add(fs.Bold), add(fs.Italic), add(fs.BoldItalic), add(fs.Mono)
	f.byStyle = [styles]faceID{regular, bold, italic, both, mono, mono, mono, mono}
	for _, data := range fs.First {
		f.fall = append(f.fall, add(data))
	}
	f.fall = append(f.fall, mono, regular)
	for _, data := range fs.More {
		if data != nil {
			f.fall = append(f.fall, add(data))
		}
	}
	return f
}

// at parses a face if it was not; nil if it cannot be used.
func (f *Fonts) at(id faceID) *font.Face {
	if int(id) >= len(f.faces) {
		return nil
	}
	x := &f.faces[id]
	if !x.tried {
		x.tried = true
		if parsed, err := font.ParseTTF(bytes.NewReader(x.data)); err == nil {
			x.face, x.upem = parsed, float32(parsed.Upem())
		}
		x.data = nil
	}
	return x.face
}

// find picks the face and glyph of a rune: the style's, a bundled one's, the
// system's, or the replacement of the style's face.
func (f *Fonts) find(st Style, r rune) (faceID, font.GID) {
	own := f.byStyle[st%styles]
	if g, ok := f.glyph(own, r); ok {
		return own, g
	}
	for _, id := range f.fall {
		if g, ok := f.glyph(id, r); ok {
			return id, g
		}
	}
	if id, g, ok := f.fromSystem(r); ok {
		return id, g
	}
	g, _ := f.glyph(own, replacement)
	return own, g // glyph 0 is the face's own box
}

func (f *Fonts) glyph(id faceID, r rune) (font.GID, bool) {
	face := f.at(id)
	if face == nil {
		return 0, false
	}
	return face.NominalGlyph(r)
}

// fromSystem asks the system's fonts for a rune, at most once for each.
func (f *Fonts) fromSystem(r rune) (faceID, font.GID, bool) {
	if f.lookup != nil {
		f.system, f.lookup = f.lookup(), nil
	}
	if f.system == nil || f.unknown[r] {
		return 0, 0, false
	}
	if got := f.system(r); got != nil {
		id := faceID(len(f.faces))
		f.faces = append(f.faces, face{face: font.NewFace(got), upem: float32(got.Upem()), tried: true})
		f.fall = append(f.fall, id)
		if g, ok := f.glyph(id, r); ok {
			return id, g, true
		}
	}
	f.unknown[r] = true
	return 0, 0, false
}

func (f *Fonts) entry(st Style, r rune) entry {
	if r >= 0 && r < fastRunes {
		e := &f.fast[st%styles][r]
		if !e.known {
			*e = f.measure(st, r)
		}
		return *e
	}
	k := slowKey{st, r}
	e, ok := f.slow[k]
	if !ok {
		e = f.measure(st, r)
		f.slow[k] = e
	}
	return e
}

func (f *Fonts) measure(st Style, r rune) entry {
	id, g := f.find(st, r)
	e := entry{face: id, gid: g, known: true, adv: 0.6}
	if face := f.at(id); face != nil {
		e.adv = face.HorizontalAdvance(g) / f.faces[id].upem
	}
	return e
}

// Advance is how far one simple rune moves the pen at a size in px.
func (f *Fonts) Advance(st Style, r rune, px float32) float32 { return f.entry(st, r).adv * px }

// Width is how wide simple text is at a size in px.
func (f *Fonts) Width(st Style, s string, px float32) float32 {
	var em float32
	for _, r := range s {
		em += f.entry(st, r).adv
	}
	return em * px
}
