package safetext

import "strings"

const (
	// maxHighlight is the largest block of code that is coloured.
	maxHighlight = 32 << 10
	// maxColoured is how much code of one Doc is: spans cost memory.
	maxColoured = 128 << 10
)

// Code makes a Doc of program text; lang names its language, "" if unknown.
func Code(lang, s string) Doc {
	var b builder
	var k ink
	x := Block{Lang: MakeLineMax(lang, 40).String()}
	b.codeLines(x, k.lines(lang, clean(b.clip(s))))
	return b.finish()
}

// ink colours code, up to a bound per Doc.
type ink struct{ used int }

// lines cuts cleaned code into lines of spans, coloured if its language is
// known and it is not too long.
func (k *ink) lines(lang, s string) [][]Span {
	lines := splitLines(s)
	name := strings.ToLower(lang)
	if l, ok := languages[aliasOf(name)]; ok && len(s) <= maxHighlight && k.used+len(s) <= maxColoured {
		k.used += len(s)
		x := lexer{lang: l, src: strings.Join(lines, "\n")}
		return x.run()
	}
	out, back := make([][]Span, len(lines)), make([]Span, len(lines))
	var b builder
	for i, t := range lines {
		class := CodeText
		if name == "diff" || name == "patch" {
			class = b.countSign(t, true)
		}
		back[i] = Span{Text: t, Mono: true, Class: class}
		if t != "" {
			out[i] = back[i : i+1 : i+1]
		}
	}
	return out
}

func aliasOf(name string) string {
	if a, ok := aliases[name]; ok {
		return a
	}
	return name
}

// A lexer colours code in one pass: every byte is looked at a bounded number of
// times, whatever the text.
type lexer struct {
	lang *language
	src  string
	at   int
	bare int // up to here quotes are apostrophes
	out  [][]Span
	line []Span
}

func (x *lexer) run() [][]Span {
	start, run := 0, CodeText
	for x.at < len(x.src) {
		n, class := x.token()
		if class != run {
			x.emit(x.src[start:x.at], run)
			start, run = x.at, class
		}
		x.at += n
	}
	x.emit(x.src[start:], run)
	return append(x.out, x.line)
}

// emit appends text in a class, line by line.
func (x *lexer) emit(s string, class Class) {
	for i, part := range strings.Split(s, "\n") {
		if i > 0 {
			x.out, x.line = append(x.out, x.line), nil
		}
		if part != "" {
			x.line = append(x.line, Span{Text: part, Mono: true, Class: class})
		}
	}
}

// token returns the length and class of the token at the current place.
func (x *lexer) token() (int, Class) {
	s := x.src[x.at:]
	c := s[0]
	if n := x.comment(s); n > 0 {
		return n, Comment
	}
	if x.at >= x.bare && strings.IndexByte(x.lang.quotes, c) >= 0 {
		if n := x.quoted(s); n > 0 {
			return n, String
		}
		x.bare = x.at + until(s, "\n", 0) // looked for once per line
		return 1, CodeText
	}
	if isDigit(c) {
		return span(s, func(c byte) bool { return isWord(c) || c == '.' }), Number
	}
	if !isWord(c) {
		return 1, CodeText
	}
	n := span(s, isWord)
	word := s[:n]
	if x.lang.anyCase {
		word = strings.ToLower(word)
	}
	switch {
	case x.lang.keywords[word]:
		return n, Keyword
	case n < len(s) && s[n] == '(':
		return n, Func
	}
	return n, CodeText
}

// comment returns the length of the comment at the start of s, or 0.
func (x *lexer) comment(s string) int {
	for _, p := range x.lang.line {
		if strings.HasPrefix(s, p) && (p != "#" || x.atWordStart()) {
			return until(s, "\n", 0)
		}
	}
	if open := x.lang.open; open != "" && strings.HasPrefix(s, open) {
		n := until(s[len(open):], x.lang.shut, len(x.lang.shut))
		return len(open) + n
	}
	return 0
}

// atWordStart reports whether a "#" here can begin a comment: in a shell it is
// a part of a word elsewhere.
func (x *lexer) atWordStart() bool {
	return x.at == 0 || strings.IndexByte(" \t\n;", x.src[x.at-1]) >= 0
}

// quoted returns the length of the string at the start of s, or 0 when it is
// not closed: then the quote is taken for an apostrophe.
func (x *lexer) quoted(s string) int {
	q := s[:1]
	if x.lang.triple && len(s) >= 3 && s[1] == s[0] && s[2] == s[0] {
		return 3 + until(s[3:], s[:3], 3)
	}
	long := strings.Contains(x.lang.long, q)
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0]:
			return i + 1
		case s[i] == '\\' && q != "`":
			i++
		case s[i] == '\n' && !long:
			return 0
		}
	}
	if long {
		return len(s)
	}
	return 0
}

// until returns the length of s up to a mark, plus extra, or all of it.
func until(s, mark string, extra int) int {
	if i := strings.Index(s, mark); i >= 0 {
		return i + extra
	}
	return len(s)
}

func span(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
