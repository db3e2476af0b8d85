package text

import "unicode"

// Complex reports whether s needs shaping: right-to-left or Indic scripts,
// combining marks, joiners, emoji.
func Complex(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return anyComplex(s[i:])
		}
	}
	return false
}

func anyComplex(s string) bool {
	for _, r := range s {
		if r >= 0x300 && complexRune(r) {
			return true
		}
	}
	return false
}

func complexRune(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r < 0x370: // combining marks
		return true
	case r < 0x590: // Greek, Cyrillic, Armenian
		return r >= 0x483 && r <= 0x489
	case r < 0x1200: // Hebrew to Georgian, conjoining Jamo
		return true
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	case r == 0xfe0f:
		return true
	case r >= 0xfb1d && r < 0xfe00, r >= 0xfe70 && r < 0xff00: // Hebrew and Arabic forms
		return true
	case r >= 0x1e000 && r < 0x20000: // emoji, flags, tones, newer right-to-left scripts
		return true
	}
	return r >= 0x1700 && unicode.Is(unicode.M, r)
}

// rightToLeft reports the direction of a paragraph: that of its first letter.
func rightToLeft(rs []rune) bool {
	for _, r := range rs {
		if r >= 0x590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko) {
			return true
		}
		if unicode.IsLetter(r) {
			return false
		}
	}
	return false
}
