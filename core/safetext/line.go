package safetext

import (
	"strings"
	"unicode/utf8"

	"holdfast/core/words"
)

const (
	// LineRunes is how many runes MakeLine keeps.
	LineRunes = 1000
	// lineRead is how much of its input a line looks at, per rune kept: what is
	// dropped costs time too.
	lineRead = 64
	ellipsis = "…"
)

// A Line is one line of text that may be shown. It is immutable and comparable;
// the zero Line is empty.
type Line struct{ s string }

// literal is not exported, so that only an untyped constant can be passed.
type literal string

// Trusted makes a line of our own constant words, in the language in use; other
// packages can call it with constants only.
func Trusted(s literal) Line { return Line{words.T(string(s))} }

// Own is Trusted for a text of a table.
func Own(k words.Key) Line { return Line{k.String()} }

// MakeLine makes a line of at most LineRunes runes from untrusted text. Line
// breaks and tabs become spaces; what was cut is marked by an ellipsis.
func MakeLine(s string) Line { return MakeLineMax(s, LineRunes) }

// MakeLineMax is MakeLine with another bound.
func MakeLineMax(s string, runes int) Line {
	if len(s) <= runes && harmless(s) && !strings.ContainsAny(s, "\n\t") {
		return Line{s}
	}
	var c scrubber
	var b strings.Builder
	kept := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if r == '\r' {
			if i < len(s) && s[i] == '\n' {
				continue
			}
			r = '\n'
		}
		r, ok := c.next(r, n)
		if !ok && i < runes*lineRead {
			continue
		}
		if kept >= runes || !ok {
			b.WriteString(ellipsis)
			break
		}
		if r == '\n' || r == '\t' {
			r = ' '
		}
		b.WriteRune(r)
		kept++
	}
	return Line{b.String()}
}

// String returns the text of the line.
func (l Line) String() string { return l.s }

// Empty reports whether there is nothing to show.
func (l Line) Empty() bool { return l.s == "" }

// Join joins the lines that are not empty, with our own sep between them.
func Join(sep literal, lines ...Line) Line {
	var b strings.Builder
	for _, l := range lines {
		if l.s == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(string(sep))
		}
		b.WriteString(l.s)
	}
	return Line{b.String()}
}
