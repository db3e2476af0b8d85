package protocol

import (
	"bytes"
	"io"
	"strconv"
	"unicode/utf8"
)

// Bounds of one string on its way to the decoder, in bytes as they came: what
// is kept of any string fits in them even if all of it is escaped.
const (
	clipHead = 6 * maxMessage
	clipTail = 6 * maxMessage / 4
)

// clipMark stands on both sides of the number of bytes left out. It is U+FFFE,
// which is no character, and is looked for in strings no server sends whole.
const clipMark = "\uFFFE"

// maxBare is how long a number or white space may be: all of it goes into the
// decoder's buffer. No number that is read has more than twenty digits.
const maxBare = 1 << 10

// The kinds of bytes outside strings.
const (
	structural byte = iota
	space
	bare // of a number or a word
)

var kinds = func() (k [256]byte) {
	for i := range k {
		k[i] = bare
	}
	for _, c := range " \t\r\n" {
		k[c] = space
	}
	for _, c := range `{}[]:,"` {
		k[c] = structural
	}
	return k
}()

// A clip passes JSON on and leaves out the middle of a string that is longer
// than anything we keep, and the end of a number or of white space, for the
// decoder holds a whole string in memory, more than once. It reads no more of JSON than where strings begin and end.
type clip struct {
	src io.Reader
	// head and tail are clipHead and clipTail but in tests.
	head, tail int

	err error
	buf [32 << 10]byte
	in  []byte // of buf, not yet looked at
	out []byte // to be passed on before in

	inString bool
	odd      bool // an odd number of backslashes stands before the next byte
	run      int  // bytes of the string, or of one kind outside of strings, so far
	drop     *dropper
	kind     byte // of the byte before, outside of strings
	long     bool // what is next of that kind is left out
}

// reset begins anew with src.
func (c *clip) reset(src io.Reader, head, tail int) {
	c.src, c.head, c.tail, c.err = src, head, tail, nil
	c.in, c.out = nil, nil
	c.inString, c.odd, c.run, c.drop = false, false, 0, nil
	c.kind, c.long = structural, false
}

// Read passes on what is next.
func (c *clip) Read(p []byte) (int, error) {
	for {
		switch {
		case len(c.out) > 0:
			n := copy(p, c.out)
			c.out = c.out[n:]
			return n, nil
		case len(c.in) > 0 && c.drop != nil:
			c.dropSome()
		case len(c.in) > 0 && c.long:
			c.dropBare()
		case len(c.in) > 0:
			n := copy(p, c.in)
			n = c.pass(p[:n])
			c.in = c.in[n:]
			if n > 0 {
				return n, nil
			}
		case c.err != nil:
			return 0, c.err
		default:
			var n int
			n, c.err = c.src.Read(c.buf[:])
			c.in = c.buf[:n]
		}
	}
}

// pass looks at b and says how much of it may go on.
func (c *clip) pass(b []byte) int {
	n := 0
	for n < len(b) {
		if !c.inString {
			if n += c.outside(b[n:]); c.long {
				return n
			}
			continue
		}
		s := b[n:]
		i := bytes.IndexByte(s, '"')
		if i >= 0 {
			s = s[:i]
		}
		if c.run+len(s) > c.head {
			keep := max(0, c.head-c.run)
			c.odd = c.oddAfter(s[:keep])
			c.drop = newDropper(c.odd, c.tail)
			return n + keep
		}
		c.run += len(s)
		n += len(s)
		c.odd = c.oddAfter(s)
		if i >= 0 {
			c.inString = c.odd // a quote after an odd number is escaped
			c.odd = false
			c.run++
			n++
			if !c.inString {
				c.kind, c.run = structural, 0
			}
		}
	}
	return n
}

// outside passes what is not in a string, and the quote that begins one.
func (c *clip) outside(b []byte) int {
	for n, x := range b {
		switch k := kinds[x]; {
		case x == '"':
			c.inString, c.odd, c.run = true, false, 0
			return n + 1
		case k != c.kind:
			c.kind, c.run = k, 1
		case k != structural:
			if c.run++; c.run > maxBare {
				c.long = true
				return n
			}
		}
	}
	return len(b)
}

// dropBare leaves out the rest of a number or of white space.
func (c *clip) dropBare() {
	for n, x := range c.in {
		if kinds[x] != c.kind {
			c.in, c.long, c.run = c.in[n:], false, 0
			return
		}
	}
	c.in = nil
}

// oddAfter tells c.odd for the end of s.
func (c *clip) oddAfter(s []byte) bool {
	n := len(s) - len(bytes.TrimRight(s, `\`))
	return (n%2 == 1) != (n == len(s) && c.odd)
}

// dropSome leaves out what is in c.in, up to the end of the string.
func (c *clip) dropSome() {
	n, ended := c.drop.take(c.in)
	c.in = c.in[n:]
	if !ended {
		return
	}
	c.out = c.drop.end()
	c.drop, c.inString = nil, false
	c.kind, c.run = structural, 0
}

// A dropper takes the rest of a string byte by byte. It keeps the first few, up
// to where a rune or an escape may begin, and the last ones; it counts the rest.
type dropper struct {
	tail                int
	first, older, newer []byte

	begun  bool // first is over
	escape int  // bytes of a \u escape still to come; escapeLetter: its letter is next
	point  int  // what the escape says so far
	weight int64
	olderW int64
	left   int64 // bytes left out, as decoded
}

const escapeLetter = -1

func newDropper(odd bool, tail int) *dropper {
	d := &dropper{tail: tail}
	if odd {
		d.escape = escapeLetter
	}
	return d
}

// take reads b up to the quote that ends the string.
func (d *dropper) take(b []byte) (n int, ended bool) {
	for i, c := range b {
		if d.escape == 0 {
			if c == '"' {
				return i + 1, true
			}
			if utf8.RuneStart(c) {
				d.boundary()
			}
		}
		if d.begun {
			d.newer = append(d.newer, c)
		} else {
			d.first = append(d.first, c)
		}
		d.step(c)
	}
	return len(b), false
}

// boundary is called where a rune or an escape may begin. The first four bytes
// may be the rest of an escape that began before.
func (d *dropper) boundary() {
	switch {
	case !d.begun:
		d.begun = len(d.first) >= 4
		d.weight = 0
	case len(d.newer) >= d.tail:
		d.left += d.olderW
		d.older, d.newer = d.newer, d.older[:0]
		d.olderW, d.weight = d.weight, 0
	}
}

// step counts one byte.
func (d *dropper) step(c byte) {
	switch {
	case d.escape == escapeLetter && c == 'u':
		d.escape, d.point = 4, 0
	case d.escape == escapeLetter:
		d.escape = 0
		d.weight++
	case d.escape > 0:
		d.point = d.point<<4 | hex(c)
		if d.escape--; d.escape == 0 {
			d.weight += weight(d.point)
		}
	case c == '\\':
		d.escape = escapeLetter
	default:
		d.weight++
	}
}

// hex is the value of a digit, 0 for what is none: the decoder will say so.
func hex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return 0
}

// weight is the length in UTF-8 of what a \u escape stands for; each half of a
// pair is half of its four bytes.
func weight(point int) int64 {
	switch {
	case point < 0x80:
		return 1
	case point < 0x800, point >= 0xD800 && point < 0xE000:
		return 2
	}
	return 3
}

// end gives what to pass on after the first part, with the closing quote.
func (d *dropper) end() []byte {
	out := d.first
	if d.left > 0 {
		out = append(out, clipMark...)
		out = strconv.AppendInt(out, d.left, 10)
		out = append(out, clipMark...)
	}
	out = append(out, d.older...)
	out = append(out, d.newer...)
	return append(out, '"')
}

// clipped gives how many bytes a clip left out of the decoded string b.
func clipped(b []byte) int64 {
	if len(b) < clipTail {
		return 0
	}
	_, rest, ok := bytes.Cut(b, []byte(clipMark))
	if !ok {
		return 0
	}
	count, _, ok := bytes.Cut(rest, []byte(clipMark))
	n, err := strconv.ParseInt(string(count), 10, 64)
	if !ok || err != nil || n < 0 {
		return 0
	}
	return n - int64(len(count)+2*len(clipMark))
}
