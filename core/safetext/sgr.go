package safetext

import (
	"strconv"
	"strings"
)

// maxArg bounds a number in a control sequence.
const maxArg = 9999

// numbers reads the parameters of a control sequence; a missing one is 0.
func numbers(args string) []int {
	var out []int
	for f := range strings.FieldsFuncSeq(strings.ReplaceAll(";"+args, ";", ";0"), isSeparator) {
		n, err := strconv.Atoi(f)
		if err != nil || n > maxArg {
			n = maxArg
		}
		out = append(out, n)
	}
	return out
}

func isSeparator(r rune) bool { return r == ';' || r == ':' }

// first is the first parameter, or what stands for a missing one.
func first(args string, missing int) int {
	if n := numbers(args); len(n) > 0 && n[0] > 0 {
		return n[0]
	}
	return missing
}

// sgr changes the style.
func (t *terminal) sgr(args []int) {
	s := &t.style
	for i := 0; i < len(args); i++ {
		switch n := args[i]; {
		case n == 0:
			*s = Span{Mono: true, Class: CodeText}
		case n == 1:
			s.Bold = true
		case n == 2 && s.Class == CodeText:
			s.Class = Muted
		case n == 3:
			s.Italic = true
		case n == 9:
			s.Strike = true
		case n == 22:
			s.Bold = false
			if s.Class == Muted {
				s.Class = CodeText
			}
		case n == 23:
			s.Italic = false
		case n == 29:
			s.Strike = false
		case n >= 30 && n <= 37:
			s.Class = AnsiBlack + Class(n-30)
		case n == 39:
			s.Class = CodeText
		case n >= 90 && n <= 97:
			s.Class = AnsiBlack + Class(n-90)
		case n == 38, n == 48:
			class, used := extended(args[i+1:])
			if n == 38 && used > 0 {
				s.Class = class
			}
			i += used
		}
	}
}

// extended reads a colour of 256 or of three parts; it returns the nearest of
// the eight, and how many parameters it took.
func extended(args []int) (Class, int) {
	if len(args) >= 2 && args[0] == 5 {
		return nearest256(args[1]), 2
	}
	if len(args) >= 4 && args[0] == 2 {
		return nearest(args[1], args[2], args[3]), 4
	}
	return CodeText, 0
}

func nearest256(n int) Class {
	switch {
	case n < 16:
		return AnsiBlack + Class(n%8)
	case n < 232:
		n -= 16
		return nearest(n/36*51, n/6%6*51, n%6*51)
	case n < 256:
		v := (n - 232) * 10
		return nearest(v, v, v)
	}
	return CodeText
}

// nearest counts a part as on when it is at least half of the brightest.
func nearest(r, g, b int) Class {
	top := max(r, g, b)
	if top < 64 {
		return AnsiBlack
	}
	var n Class
	for i, v := range []int{r, g, b} {
		if 2*v >= top {
			n |= 1 << i
		}
	}
	return AnsiBlack + n
}
