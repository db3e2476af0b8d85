package safetext

import "strings"

// A piece is a part of a Markdown text that is parsed by itself: a parser's
// cost can grow with the square of its input, so its input is bounded.
type piece struct {
	text string
	// hard says that the cut before it went through a block.
	hard bool
}

const (
	// pieceBytes leaves room for what a piece repeats from the one before.
	pieceBytes = ChunkBytes - maxRepeat
	maxRepeat  = 1 << 10
)

// A splitter cuts a text into pieces, where blocks end if it can. It only
// guesses at the structure: a wrong guess costs looks, never text or time.
type splitter struct {
	rest   string
	repeat string // what the next piece must begin with
	hard   bool
	fence  fence  // open at the start of rest
	table  string // heading of the table that is open there
}

// pieces cuts a text into pieces of at most ChunkBytes.
func pieces(s string) []piece {
	if len(s) <= ChunkBytes {
		return []piece{{text: s}}
	}
	p := splitter{rest: s}
	var out []piece
	for p.rest != "" {
		out = append(out, p.next())
	}
	return out
}

// next takes the next piece off rest.
func (p *splitter) next() piece {
	out := piece{hard: p.hard}
	repeat := p.repeat
	p.repeat, p.hard = "", false
	if len(p.rest) <= pieceBytes {
		out.text, p.rest = repeat+p.rest, ""
		return out
	}
	soft, line := p.scan()
	cut := soft
	if cut == 0 {
		cut = p.hardCut(line)
	} else {
		p.fence, p.table = fence{}, ""
	}
	out.text = repeat + p.rest[:cut]
	p.rest = p.rest[cut:]
	p.dedent()
	return out
}

// scan walks the lines that fit. It returns the best place to cut between two
// blocks, 0 if there is none, and the start of the first line that does not
// fit; fence and table are then those at that line.
func (p *splitter) scan() (soft, line int) {
	var best [3]int // after a blank line at the margin; after a blank line; a new item
	blank, previous := false, ""
	for {
		end := line + strings.IndexByte(p.rest[line:], '\n') + 1
		if end == line {
			end = len(p.rest)
		}
		text := p.rest[line:end]
		if line > 0 && !p.fence.open() && p.table == "" {
			rank(&best, line, text, blank)
		}
		if end > pieceBytes {
			break
		}
		p.fence = p.fence.after(text)
		p.tableAfter(previous, text)
		blank, previous = strings.TrimSpace(text) == "", text
		line = end
	}
	for _, at := range best {
		if at > 0 {
			return at, line
		}
	}
	return 0, line
}

// rank notes a line's start as a place to cut.
func rank(best *[3]int, at int, text string, blank bool) {
	margin := text[0] != ' ' && text[0] != '\t' && text[0] != '\n'
	switch {
	case margin && blank:
		best[0] = at
	case blank && strings.TrimSpace(text) != "":
		best[1] = at
	case margin && startsItem(text):
		best[2] = at
	}
}

// hardCut cuts through a block: at the line that does not fit, or inside it
// when it is the first.
func (p *splitter) hardCut(line int) int {
	p.hard = true
	if line == 0 {
		head := cutAt(p.rest, pieceBytes)
		if i := strings.LastIndexByte(head, ' '); i > pieceBytes/2 {
			head = head[:i+1]
		}
		line = len(head)
	}
	switch {
	case p.fence.open():
		p.repeat = p.fence.line
	case p.table != "":
		p.repeat = p.table
	}
	return line
}

// dedent takes the indentation of the first line off it and the lines that
// belong to it: out of its list it would be read as code.
func (p *splitter) dedent() {
	n := len(p.rest) - len(strings.TrimLeft(p.rest, " "))
	if p.fence.open() {
		n = p.fence.indent
	}
	if n == 0 {
		return
	}
	var b strings.Builder
	b.Grow(len(p.rest))
	for p.rest != "" {
		end := strings.IndexByte(p.rest, '\n') + 1
		if end == 0 {
			end = len(p.rest)
		}
		text := p.rest[:end]
		body := strings.TrimLeft(text, " ")
		lead := len(text) - len(body)
		if lead < n && strings.TrimSpace(text) != "" {
			break
		}
		b.WriteString(text[min(n, lead):])
		p.rest = p.rest[end:]
	}
	p.rest = b.String() + p.rest
	p.fence.indent = 0
}

// tableAfter notes the heading of a table that begins or goes on at a line.
func (p *splitter) tableAfter(previous, text string) {
	switch {
	case p.fence.open(), strings.TrimSpace(text) == "":
		p.table = ""
	case p.table != "" && strings.Contains(text, "|"):
	case isDelimiter(text) && strings.Contains(previous, "|") && len(previous)+len(text) < maxRepeat:
		p.table = previous + text
	default:
		p.table = ""
	}
}

// isDelimiter reports whether a line could be the one below a table's heading.
func isDelimiter(s string) bool {
	return strings.Contains(s, "|") && strings.Contains(s, "-") && strings.Trim(s, "|-: \t\n") == ""
}

// startsItem reports whether a line begins with a list marker.
func startsItem(s string) bool { return listMarker(s) > 0 }

// listMarker returns the length of the list marker at the start of s and the
// blanks after it, 0 if there is none.
func listMarker(s string) int {
	digits := 0
	for digits < len(s) && digits < 10 && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	n := digits
	switch {
	case n >= len(s):
		return 0
	case digits == 0 && (s[0] == '-' || s[0] == '*' || s[0] == '+'), digits > 0 && digits < 10 && (s[n] == '.' || s[n] == ')'):
		n++
	default:
		return 0
	}
	if n < len(s) && s[n] == ' ' {
		return n + 1
	}
	return 0
}
