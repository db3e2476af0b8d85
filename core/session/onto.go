package session

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// An earlier content is what a surface had in a composer when the core wrote to
// it itself; it changes with what the surface goes on doing there.
type earlier struct {
	rev            uint64
	text           string
	images, blocks []string
}

// Bounds of the earlier contents of one composer: how many, and their bytes
// beyond a few. Text typed onto one older still is kept whole, behind the new
// one.
const (
	mostEarlier  = 64
	fewEarlier   = 4
	earlierBytes = 1 << 20
)

// remember keeps what a surface has at a revision, as the newest of some.
func (b *board) remember(thread string, x earlier) {
	list := slices.DeleteFunc(b.was[thread], func(e earlier) bool { return e.rev == x.rev })
	list = append(list, x)
	size := 0
	for i, e := range slices.Backward(list) {
		size += len(e.text)
		for _, t := range e.blocks {
			size += len(t)
		}
		if n := len(list) - i; n > mostEarlier || n > fewEarlier && size > earlierBytes {
			list = slices.Clone(list[i+1:])
			break
		}
	}
	b.was[thread] = list
}

// onto gives a composer after a change that a surface made to its revision
// in.Rev, though the core wrote to it since: both stay. It also gives what the
// surface has by then.
func (b *board) onto(c *Composer, in SetDraft) (Composer, earlier) {
	had := earlier{rev: *in.Rev}
	for _, e := range b.was[c.Thread] {
		if e.rev == had.rev {
			had = e
		}
	}
	if in.Text != nil {
		text := Onto(c.Text, had.text, *in.Text)
		had.text, in.Text = *in.Text, &text
	}
	had.images, in.Images = listOnto(c.Images, had.images, in.Images)
	had.blocks, in.Blocks = listOnto(c.Blocks, had.blocks, in.Blocks)
	return in.apply(*c), had
}

// listOnto is Onto for a list: what was taken out of base goes, what was added
// to it comes last. A nil list changed nothing.
func listOnto(list, base []string, given *[]string) (has []string, out *[]string) {
	if given == nil {
		return base, nil
	}
	has = slices.Clone(*given)
	next := slices.DeleteFunc(slices.Clone(list), func(x string) bool {
		return slices.Contains(base, x) && !slices.Contains(has, x)
	})
	for _, x := range has {
		if !slices.Contains(base, x) {
			next = append(next, x)
		}
	}
	return has, &next
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
