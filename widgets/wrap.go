package widgets

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
)

// maxWrapped bounds what wrap looks at: longer text belongs into the
// transcript or a Code view, which do not measure every word.
const maxWrapped = 8 << 10

// wrap breaks text into lines of at most width, at spaces where it can. With
// limit over 0 the last of limit lines ends in an ellipsis when more follows.
func wrap(text string, width, textSize float32, style fyne.TextStyle, limit int) []string {
	if len(text) > maxWrapped {
		text = strings.ToValidUTF8(text[:maxWrapped], "") + "…"
	}
	w := newWrapper(width, textSize, style)
	var out []string
	for _, line := range strings.Split(text, "\n") {
		out = append(out, w.line(line)...)
		if limit > 0 && len(out) > limit {
			break
		}
	}
	if limit > 0 && len(out) > limit {
		out = append(out[:limit-1:limit-1], ellipsis(out[limit-1]+" "+out[limit], width, textSize, style))
	}
	return out
}

type wrapper struct {
	width, size float32
	measure     func(string) float32
}

func newWrapper(width, textSize float32, style fyne.TextStyle) wrapper {
	return wrapper{width, textSize, func(s string) float32 { return fyne.MeasureText(s, textSize, style).Width }}
}

func (w wrapper) line(s string) []string {
	if w.width < w.size || w.measure(s) <= w.width { // before the first layout there is no width to break at
		return []string{s}
	}
	var out []string
	cur := ""
	for _, word := range pieces(s) {
		if w.measure(cur+strings.TrimRight(word, " ")) <= w.width {
			cur += word
			continue
		}
		if cur != "" {
			out = append(out, strings.TrimRight(cur, " "))
		}
		bare := strings.TrimRight(word, " ")
		for n := w.fits(bare); n < len(bare); n = w.fits(bare) {
			out = append(out, bare[:n])
			word, bare = word[n:], bare[n:]
		}
		cur = word
	}
	return append(out, strings.TrimRight(cur, " "))
}

// fits is how many bytes of s fit on one line, at least one rune. It measures no
// more than about two lines at a time: the rest of a long word is not gone
// through again for each of its lines.
func (w wrapper) fits(s string) int {
	var ends []int // of the runes looked at
	for at, look := 0, 16; ; look *= 2 {
		for len(ends) < look && at < len(s) {
			_, n := utf8.DecodeRuneInString(s[at:])
			at += n
			ends = append(ends, at)
		}
		if w.measure(s[:at]) > w.width {
			break
		}
		if at == len(s) {
			return at
		}
	}
	over := sort.Search(len(ends), func(i int) bool { return w.measure(s[:ends[i]]) > w.width })
	return ends[max(over-1, 0)]
}

func runeEnds(s string) []int {
	var ends []int
	for i := range s {
		if i > 0 {
			ends = append(ends, i)
		}
	}
	return append(ends, len(s))
}

// pieces cuts s after each run of spaces, and around each ideograph; an opening
// mark stays with what follows it.
func pieces(s string) []string {
	var out []string
	start, space, open := 0, false, false
	for i, r := range s {
		opens := strings.ContainsRune("（「『【〈《“", r)
		wide := opens || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		if i > start && (space && r != ' ' || wide && !open) {
			out, start = append(out, s[start:i]), i
		}
		space, open = r == ' ', opens
	}
	return append(out, s[start:])
}

// ellipsis cuts s to width and says so with "…".
func ellipsis(s string, width, textSize float32, style fyne.TextStyle) string {
	if len(s) > maxWrapped {
		s = strings.ToValidUTF8(s[:maxWrapped], "") + "…"
	}
	w := newWrapper(width, textSize, style)
	if w.measure(s) <= width {
		return s
	}
	ends := runeEnds(s)
	lo, hi := 0, len(ends)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if w.measure(s[:ends[mid-1]]+"…") <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == 0 {
		return "…"
	}
	return strings.TrimRight(s[:ends[lo-1]], " ") + "…"
}
