package itemtext

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	errSyntax = errors.New("not the JSON that was expected")
	errShort  = errors.New("a name, an ID or a cursor is too long")
)

// maxShort bounds the strings that are held: names, IDs and cursors.
const maxShort = 64 << 10

// A scanner takes JSON apart and copies strings to where they go. Its methods
// never fail: a broken stream ends in err.
type scanner struct {
	r   *bufio.Reader
	err error
	buf [utf8.UTFMax]byte // of one rune
}

func newScanner(r io.Reader) *scanner { return &scanner{r: bufio.NewReaderSize(r, 32<<10)} }

func (s *scanner) fail(err error) {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if s.err == nil {
		s.err = err
	}
}

// peek gives the first byte of the next token, 0 at the end.
func (s *scanner) peek() byte {
	for s.err == nil {
		b, err := s.r.Peek(1)
		switch {
		case err != nil:
			s.fail(err)
		case b[0] == ' ' || b[0] == '\t' || b[0] == '\r' || b[0] == '\n':
			s.discard(1)
		default:
			return b[0]
		}
	}
	return 0
}

// expect takes one byte of structure.
func (s *scanner) expect(c byte) {
	if got := s.peek(); s.err == nil && got != c {
		s.fail(fmt.Errorf("%w: %q instead of %q", errSyntax, got, c))
	}
	if s.err == nil {
		s.discard(1)
	}
}

func (s *scanner) discard(n int) {
	if _, err := s.r.Discard(n); err != nil {
		s.fail(err)
	}
}

// list reads what is between two brackets.
func (s *scanner) list(from, to byte, element func()) {
	s.expect(from)
	if s.peek() == to {
		s.discard(1)
		return
	}
	for s.err == nil {
		element()
		if s.peek() == to {
			s.discard(1)
			return
		}
		s.expect(',')
	}
}

// object reads an object: f takes the value of each name. Anything else is
// skipped.
func (s *scanner) object(f func(name string)) {
	if s.peek() != '{' {
		s.skip()
		return
	}
	s.list('{', '}', func() {
		name := s.short()
		s.expect(':')
		if s.err == nil {
			f(name)
		}
	})
}

// array reads a list: f takes each element. Anything else is skipped.
func (s *scanner) array(f func()) {
	if s.peek() != '[' {
		s.skip()
		return
	}
	s.list('[', ']', f)
}

// short reads a string and holds it; "" for another value.
func (s *scanner) short() string {
	if s.peek() != '"' {
		s.skip()
		return ""
	}
	var out []byte
	s.text(func(b []byte) {
		if len(out)+len(b) > maxShort {
			s.fail(errShort)
			return
		}
		out = append(out, b...)
	})
	return string(out)
}

// text hands on what a string says, piece by piece.
func (s *scanner) text(emit func([]byte)) {
	s.expect('"')
	for s.err == nil {
		if _, err := s.r.Peek(1); err != nil {
			s.fail(err)
			return
		}
		b, _ := s.r.Peek(s.r.Buffered()) // buffered, so it cannot fail
		n := bytes.IndexAny(b, `"\`)
		if n < 0 {
			emit(b)
			s.discard(len(b))
			continue
		}
		if n > 0 {
			emit(b[:n])
		}
		end := b[n] == '"'
		s.discard(n + 1)
		if end {
			return
		}
		s.escape(emit)
	}
}

// escapes are what one letter after a backslash stands for.
var escapes = map[byte][]byte{
	'"': []byte(`"`), '\\': []byte(`\`), '/': []byte("/"), 'b': []byte("\b"), 'f': []byte("\f"),
	'n': []byte("\n"), 'r': []byte("\r"), 't': []byte("\t"),
}

// escape hands on what follows a backslash stands for.
func (s *scanner) escape(emit func([]byte)) {
	c, err := s.r.ReadByte()
	if err != nil {
		s.fail(err)
		return
	}
	if plain, ok := escapes[c]; ok {
		emit(plain)
		return
	}
	if c != 'u' {
		s.fail(errSyntax)
		return
	}
	p := s.point()
	if utf16.IsSurrogate(p) {
		second := utf8.RuneError
		if b, err := s.r.Peek(2); err == nil && b[0] == '\\' && b[1] == 'u' {
			s.discard(2)
			second = s.point()
		}
		p = utf16.DecodeRune(p, second)
	}
	if s.err == nil {
		emit(utf8.AppendRune(s.buf[:0], p))
	}
}

// point reads the four digits of an escape.
func (s *scanner) point() rune {
	digits := s.buf[:4]
	if _, err := io.ReadFull(s.r, digits); err != nil {
		s.fail(err)
		return 0
	}
	n, err := strconv.ParseUint(string(digits), 16, 16)
	if err != nil {
		s.fail(errSyntax)
	}
	return rune(n)
}

func (s *scanner) skip() { s.raw(func([]byte) {}) }

// raw hands on a value as it came, less the space between its tokens. It goes as
// deep as the value does without holding more than how deep.
func (s *scanner) raw(emit func([]byte)) {
	for depth := 0; ; {
		switch c := s.peek(); {
		case s.err != nil:
			return
		case c == '"':
			s.quoted(emit)
		case c == '{' || c == '[':
			depth++
			s.one(emit)
		case c == '}' || c == ']':
			depth--
			s.one(emit)
		case c == ',' || c == ':':
			s.one(emit)
		default:
			s.bare(emit)
		}
		if depth <= 0 || s.err != nil {
			return
		}
	}
}

func (s *scanner) one(emit func([]byte)) {
	c, err := s.r.ReadByte()
	if err != nil {
		s.fail(err)
		return
	}
	s.buf[0] = c
	emit(s.buf[:1])
}

// quoted hands on a string with its quotes and escapes.
func (s *scanner) quoted(emit func([]byte)) {
	s.one(emit)
	for s.err == nil {
		c, err := s.r.Peek(1)
		if err != nil {
			s.fail(err)
			return
		}
		b, _ := s.r.Peek(s.r.Buffered())
		switch n := bytes.IndexAny(b, `"\`); {
		case n < 0:
			emit(b)
			s.discard(len(b))
		case n > 0:
			emit(b[:n])
			s.discard(n)
		case c[0] == '"':
			s.one(emit)
			return
		default:
			s.one(emit)
			s.one(emit)
		}
	}
}

// bare hands on a number or a word.
func (s *scanner) bare(emit func([]byte)) {
	for n := 0; s.err == nil; n++ {
		b, err := s.r.Peek(1)
		if err != nil {
			if n > 0 && errors.Is(err, io.EOF) {
				return
			}
			s.fail(err)
			return
		}
		if bytes.IndexByte([]byte(" \t\r\n,:{}[]\""), b[0]) >= 0 {
			return
		}
		s.one(emit)
	}
}
