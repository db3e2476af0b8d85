package fonts

import (
	_ "embed"
	"encoding/binary"
	"slices"
	"sync"

	"holdfast/core/words"
)

var (
	//go:embed fallback-ja.otf
	japanese []byte
	//go:embed fallback-zh.otf
	chinese []byte
	//go:embed NotoSansHebrew.ttf
	hebrew []byte
	//go:embed NotoSansArabic.ttf
	arabic []byte
)

// Fallback is the font for what the toolkit's text faces lack, with Han
// characters in the forms of the language in use. It is read only.
func Fallback() []byte {
	if words.Han() == words.Chinese {
		return chinese
	}
	return japanese
}

// Name tells the fallbacks apart.
func Name() string { return "fallback-" + string(words.Han()) + ".otf" }

// Scripts are fonts with all that shaping Hebrew and Arabic needs.
func Scripts() [][]byte { return [][]byte{hebrew, arabic} }

// The heights and the space of the toolkit's monospaced face, in thousandths of
// an em, as the fallback has those of the text face.
const (
	monoAscent  = 928
	monoDescent = -236
	monoSpace   = 602
)

// Mono is Fallback between monospaced text: its lines are as high, and its space
// as wide, as that.
func Mono() []byte {
	if words.Han() == words.Chinese {
		return monoChinese()
	}
	return monoJapanese()
}

var (
	monoJapanese = sync.OnceValue(func() []byte { return toMono(japanese) })
	monoChinese  = sync.OnceValue(func() []byte { return toMono(chinese) })
)

// toMono changes the numbers that the layout of a line depends on. The two
// spaces are the glyphs after the box for what is missing.
func toMono(data []byte) []byte {
	out := slices.Clone(data)
	put := func(at int, v int16) { binary.BigEndian.PutUint16(out[at:], uint16(v)) }
	if at, ok := table(out, "hhea"); ok {
		put(at+4, monoAscent)
		put(at+6, monoDescent)
	}
	if at, ok := table(out, "OS/2"); ok {
		put(at+68, monoAscent)
		put(at+70, monoDescent)
		put(at+74, monoAscent)
		put(at+76, -monoDescent)
	}
	if at, ok := table(out, "hmtx"); ok {
		put(at+4, monoSpace)
		put(at+8, monoSpace)
	}
	return out
}

// table finds where a table of a font begins.
func table(data []byte, tag string) (int, bool) {
	const head, entry = 12, 16
	for i := range int(binary.BigEndian.Uint16(data[4:])) {
		if e := data[head+i*entry:]; string(e[:4]) == tag {
			return int(binary.BigEndian.Uint32(e[8:])), true
		}
	}
	return 0, false
}
