package transcript

import (
	"unicode"
	"unicode/utf8"
)

// A needle is a text that is looked for; upper and lower case are the same.
type needle struct {
	text  string
	runes []rune    // folded
	first [256]bool // bytes that a match may begin with
}

// newNeedle prepares a text; nil when there is nothing to look for.
func newNeedle(text string) *needle {
	if text == "" {
		return nil
	}
	n := &needle{text: text}
	for _, r := range text {
		n.runes = append(n.runes, fold(r))
	}
	var b [utf8.UTFMax]byte
	for r := n.runes[0]; ; {
		utf8.EncodeRune(b[:], r)
		n.first[b[0]] = true
		if r = unicode.SimpleFold(r); r == n.runes[0] {
			return n
		}
	}
}

// fold gives the least of the runes that differ in case alone.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			return r - ('a' - 'A')
		}
		return r
	}
	least := r
	for x := unicode.SimpleFold(r); x != r; x = unicode.SimpleFold(x) {
		least = min(least, x)
	}
	return least
}

// next finds the first match at or after from.
func (n *needle) next(s []byte, from int) (found bytesOf, ok bool) {
	for i := from; i < len(s); i++ {
		if !n.first[s[i]] {
			continue
		}
		if end, ok := n.matches(s, i); ok {
			return bytesOf{i, end}, true
		}
	}
	return bytesOf{}, false
}

func (n *needle) matches(s []byte, i int) (end int, ok bool) {
	for _, want := range n.runes {
		if i >= len(s) {
			return 0, false
		}
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(s[i:])
		}
		if fold(r) != want {
			return 0, false
		}
		i += size
	}
	return i, true
}

// each calls back with the matches in s, which do not overlap.
func (n *needle) each(s []byte, yield func(bytesOf)) {
	for at := 0; ; {
		m, ok := n.next(s, at)
		if !ok {
			return
		}
		yield(m)
		at = m.hi
	}
}
