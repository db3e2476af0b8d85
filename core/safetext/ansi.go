package safetext

import (
	"strings"
	"unicode/utf8"
)

const (
	maxColumn  = 512     // how far a cursor may move beyond a line's end
	maxControl = 4 << 10 // how long a control string may be
	tabStop    = 8
)

// ANSI makes a Doc of a terminal's output: colours and styles stay, a carriage
// return or backspace overwrites as it does on a terminal, everything else that
// is no text goes.
func ANSI(s string) Doc {
	var b builder
	t := terminal{src: b.clip(s)}
	t.run()
	if t.size > MaxBytes || len(t.lines) > maxLines {
		t.lines = t.lines[:len(t.lines)-1]
		b.doc.cut += int64(len(t.src) - t.at)
	}
	b.codeLines(Block{}, t.lines)
	return b.finish()
}

// A cell is one column of the line that is being written.
type cell struct {
	text  string // a base and its marks
	style Span
}

// A terminal writes lines; only the last one can still change.
type terminal struct {
	src   string
	at    int
	style Span
	scrub scrubber
	line  []cell
	col   int
	lines [][]Span
	size  int
	bare  int // up to here no control string ends
}

func (t *terminal) run() {
	t.style = Span{Mono: true, Class: CodeText}
	for t.at < len(t.src) && t.size <= MaxBytes && len(t.lines) <= maxLines {
		t.step()
	}
	if len(t.line) > 0 {
		t.newLine()
	}
}

// step handles one character or control sequence.
func (t *terminal) step() {
	r, n := utf8.DecodeRuneInString(t.src[t.at:])
	t.at += n
	switch r {
	case '\n', 0x2028, 0x2029:
		t.newLine()
	case '\r':
		t.col = 0
	case '\b':
		t.col = max(0, t.col-1)
	case '\t':
		t.move((t.col/tabStop+1)*tabStop - t.col)
	case 0x1b:
		t.escape()
	case 0x9b:
		t.sequence()
	case 0, 0x07, 0x0e, 0x0f, 0x7f: // a terminal shows nothing for these
	default:
		t.write(r, n)
	}
}

// write puts a rune at the cursor.
func (t *terminal) write(r rune, size int) {
	marks := t.scrub.marks
	r, ok := t.scrub.next(r, size)
	if !ok {
		return
	}
	if t.scrub.marks > marks { // a mark belongs to the cell before; without one it goes
		if t.col > 0 && t.col <= len(t.line) {
			t.line[t.col-1].text += string(r)
		}
		return
	}
	t.put(cell{string(r), t.style})
	if len(t.line) >= ChunkBytes/4 {
		t.newLine()
	}
}

func (t *terminal) put(c cell) {
	t.fill(t.col)
	if t.col < len(t.line) {
		t.line[t.col] = c
	} else {
		t.line = append(t.line, c)
	}
	t.col++
}

// fill makes the line at least n columns long.
func (t *terminal) fill(n int) {
	for len(t.line) < n {
		t.line = append(t.line, cell{" ", Span{Mono: true, Class: CodeText}})
	}
}

// move moves the cursor within the line, or a little beyond it.
func (t *terminal) move(n int) {
	t.col = min(max(0, t.col+n), len(t.line)+maxColumn)
	if t.col >= ChunkBytes/4 {
		t.col = ChunkBytes/4 - 1
	}
}

// newLine ends the line.
func (t *terminal) newLine() {
	var out []Span
	for i := 0; i < len(t.line); {
		var b strings.Builder
		j := i
		for ; j < len(t.line) && t.line[j].style == t.line[i].style; j++ {
			b.WriteString(t.line[j].text)
		}
		s := t.line[i].style
		s.Text = b.String()
		out = append(out, s)
		i = j
	}
	t.size += spanBytes(out) + 1
	t.lines = append(t.lines, out)
	t.line, t.col = t.line[:0], 0
}

// escape handles what follows an ESC.
func (t *terminal) escape() {
	if t.at >= len(t.src) {
		return
	}
	c := t.src[t.at]
	switch {
	case c == '[':
		t.at++
		t.sequence()
	case strings.IndexByte("]PX^_", c) >= 0:
		t.at++
		t.controlString()
	case c >= 0x20 && c <= 0x2f: // a character set: one more byte
		t.at = min(t.at+2, len(t.src))
	case c >= 0x30 && c <= 0x7e:
		t.at++
	}
}

// controlString skips a title, link or device string. One that does not end
// soon hides nothing: its text is shown.
func (t *terminal) controlString() {
	if t.at < t.bare {
		return
	}
	s := t.src[t.at:min(len(t.src), t.at+maxControl)]
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == 0x07:
			t.at += i + 1
			return
		case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
			t.at += i + 2
			return
		case s[i] == '\n':
			s = s[:i]
		}
	}
	t.bare = t.at + len(s)
}

// sequence handles a control sequence after its introducer.
func (t *terminal) sequence() {
	end := t.at
	for end < len(t.src) && end-t.at < 64 && t.src[end] >= 0x20 && t.src[end] <= 0x3f {
		end++
	}
	if end >= len(t.src) || t.src[end] < 0x40 || t.src[end] > 0x7e {
		t.at = end // not one: what is not a parameter is text
		return
	}
	args, final := t.src[t.at:end], t.src[end]
	t.at = end + 1
	if args != "" && strings.IndexByte("<=>?", args[0]) >= 0 {
		return
	}
	switch final {
	case 'm':
		t.sgr(numbers(args))
	case 'C':
		t.move(first(args, 1))
	case 'D':
		t.move(-first(args, 1))
	case 'G':
		t.move(first(args, 1) - 1 - t.col)
	case 'K':
		t.erase(first(args, 0))
	}
}

// erase clears the line: after the cursor, before it, or all of it.
func (t *terminal) erase(what int) {
	switch what {
	case 0:
		if t.col < len(t.line) {
			t.line = t.line[:t.col]
		}
	case 1:
		for i := range min(t.col+1, len(t.line)) {
			t.line[i] = cell{" ", Span{Mono: true, Class: CodeText}}
		}
	case 2:
		t.line = t.line[:0]
	}
}
