package session

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// An earlier text is what a surface had in a composer when the core wrote to it
// itself; it grows with what the surface goes on typing there.
type earlier struct {
	rev  uint64
	text string
}

// Bounds of the earlier texts of one composer: how many, and their bytes beyond
// a few. Text typed onto one older still is kept whole, behind the new one.
const (
	mostEarlier  = 64
	fewEarlier   = 4
	earlierBytes = 1 << 20
)

// remember keeps what a surface has at revision rev, as the newest of some.
func (b *board) remember(thread string, rev uint64, text string) {
	list := slices.DeleteFunc(b.was[thread], func(e earlier) bool { return e.rev == rev })
	list = append(list, earlier{rev, text})
	size := 0
	for i, e := range slices.Backward(list) {
		size += len(e.text)
		if n := len(list) - i; n > mostEarlier || n > fewEarlier && size > earlierBytes {
			list = slices.Clone(list[i+1:])
			break
		}
	}
	b.was[thread] = list
}

// onto gives the text of a composer after typed, which a surface typed onto
// its revision rev. If the core wrote to the composer since, both stay.
func (b *board) onto(c *Composer, rev uint64, typed string) string {
	if rev >= c.Rev {
		return typed
	}
	for _, e := range b.was[c.Thread] {
		if e.rev == rev {
			return Onto(c.Text, e.text, typed)
		}
	}
	return Onto(c.Text, "", typed)
}

// Onto does to text what made typed out of base. Somebody edited base while
// text took its place: text may go on with base, or with the end of it, and
// what was typed is in the result once.
func Onto(text, base, typed string) string {
	start, end := edited(base, typed)
	added, replaced := typed[start:end], base[start:]
	switch {
	case base == "" && text != "" && added != "":
		return text + "\n" + added
	case base != "" && typed == "" && strings.HasSuffix(text, "\n"+base):
		return strings.TrimSuffix(text, "\n"+base)
	case strings.HasSuffix(text, replaced):
		return strings.TrimSuffix(text, replaced) + typed[start:]
	}
	return text + added
}

// edited gives the part of typed that is not in base: between the runes that
// both begin with, and those that both end with.
func edited(base, typed string) (start, end int) {
	most := min(len(base), len(typed))
	for start < most && base[start] == typed[start] {
		start++
	}
	for start > 0 && (inRune(base, start) || inRune(typed, start)) {
		start--
	}
	same := 0
	for same < most-start && base[len(base)-1-same] == typed[len(typed)-1-same] {
		same++
	}
	for same > 0 && (inRune(base, len(base)-same) || inRune(typed, len(typed)-same)) {
		same--
	}
	return start, len(typed) - same
}

// inRune reports whether s[i] is not the first byte of a rune.
func inRune(s string, i int) bool { return i < len(s) && !utf8.RuneStart(s[i]) }
