package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxMarks is how many combining marks one base may carry: enough for every
	// written language, too few to paint over the lines above.
	maxMarks = 8
	// replaced stands for what may not be shown as it is.
	replaced = utf8.RuneError
)

// invisible are format characters that show nothing and are dropped: zero
// widths, directional marks, soft hyphen, fillers, tags.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00ad, Hi: 0x00ad, Stride: 1},
		{Lo: 0x034f, Hi: 0x034f, Stride: 1},
		{Lo: 0x061c, Hi: 0x061c, Stride: 1},
		{Lo: 0x115f, Hi: 0x1160, Stride: 1},
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
		{Lo: 0x180b, Hi: 0x180f, Stride: 1},
		{Lo: 0x200b, Hi: 0x200b, Stride: 1},
		{Lo: 0x200e, Hi: 0x200f, Stride: 1},
		{Lo: 0x2060, Hi: 0x2065, Stride: 1},
		{Lo: 0x206a, Hi: 0x206f, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1},
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
		{Lo: 0xfff0, Hi: 0xfffb, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1bca0, Hi: 0x1bca3, Stride: 1},
		{Lo: 0x1d173, Hi: 0x1d17a, Stride: 1},
		{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1},
	},
}

// isOverride reports the bidi embeddings, overrides and isolates.
func isOverride(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }

func isJoiner(r rune) bool { return r == 0x200c || r == 0x200d }

func isNonCharacter(r rune) bool { return r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef }

// A scrubber decides rune by rune; it remembers what came before.
type scrubber struct {
	base  rune // the last rune that is no mark, 0 at the start
	marks int  // marks and joiners since base
	bad   bool // the last rune was invalid UTF-8
}

// next returns what r may be shown as, or false when it is dropped. size is the
// number of bytes r was decoded from. Line breaks and tabs pass: the caller
// knows what they mean.
func (c *scrubber) next(r rune, size int) (rune, bool) {
	invalid := r == utf8.RuneError && size <= 1
	if invalid && c.bad {
		return 0, false
	}
	c.bad = invalid
	switch {
	case r == '\n' || r == '\t':
		c.base, c.marks = 0, 0
		return r, true
	case r == 0x2028 || r == 0x2029:
		c.base, c.marks = 0, 0
		return '\n', true
	case isControl(r), isOverride(r), isNonCharacter(r):
		r = replaced
	case r < 0x300:
		if r == 0xad {
			return 0, false
		}
	case isJoiner(r):
		// Joiners shape emoji, Persian and Indic words; after ASCII they only hide.
		if c.base < 0x80 || c.marks >= maxMarks {
			return 0, false
		}
		c.marks++
		return r, true
	case unicode.Is(invisible, r):
		return 0, false
	case unicode.Is(unicode.M, r):
		if c.marks++; c.marks > maxMarks {
			return 0, false
		}
		return r, true
	}
	c.base, c.marks = r, 0
	return r, true
}

// harmless reports whether s is printable ASCII with line breaks and tabs.
func harmless(s string) bool {
	for i := range len(s) {
		if b := s[i]; (b < 0x20 && b != '\n' && b != '\t') || b >= 0x7f {
			return false
		}
	}
	return true
}

// clean makes text of one or more lines harmless: CR LF and CR become line
// breaks, tabs stay.
func clean(s string) string {
	var c scrubber
	return c.flow(s)
}

// flow is clean for a part of a text; the scrubber remembers the part before.
func (c *scrubber) flow(s string) string {
	if harmless(s) {
		if s != "" {
			c.base, c.marks, c.bad = rune(s[len(s)-1]), 0, false
		}
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if r == '\r' {
			if i < len(s) && s[i] == '\n' {
				continue
			}
			r = '\n'
		}
		if r, ok := c.next(r, n); ok {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// cutAt returns the longest prefix of s of at most n bytes that does not end
// inside a rune.
func cutAt(s string, n int) string {
	if n >= len(s) {
		return s
	}
	if n <= 0 {
		return ""
	}
	end := n
	for back := 0; back < utf8.UTFMax-1 && end > 0 && !utf8.RuneStart(s[end]); back++ {
		end--
	}
	if !utf8.RuneStart(s[end]) {
		end = n // not UTF-8 here: any place is as good
	}
	return s[:end]
}

// Text makes text of any number of lines harmless, for the clipboard: nothing in
// it hides, reorders or controls, and all else stays.
func Text(s string) string { return clean(s) }
