package safetext

import "strings"

// A fence is an open code fence, or none.
type fence struct {
	line   string // the line that opens it again
	mark   byte   // ` or ~, 0 when none is open
	run    int    // how many marks opened it
	indent int    // the columns before it, outside quotes
	quoted bool
}

func (f fence) open() bool { return f.mark != 0 }

// after returns the fence that is open after a line.
func (f fence) after(line string) fence {
	if !f.open() {
		return openFence(line)
	}
	body := strings.TrimLeft(line, " \t>")
	if n := runOf(body, f.mark); n >= f.run && strings.TrimSpace(body[n:]) == "" {
		return fence{}
	}
	prefix := line[:len(line)-len(body)]
	if f.quoted && !strings.Contains(prefix, ">") {
		return openFence(line) // the quote ended, and the fence with it
	}
	if f.indent > 0 && prefix == "" && strings.TrimSpace(line) != "" {
		return openFence(line) // the list ended
	}
	return f
}

// openFence returns the fence a line opens, if any.
func openFence(line string) fence {
	i := 0
	for i < len(line) {
		if c := line[i]; c == ' ' || c == '>' {
			i++
		} else if n := listMarker(line[i:]); n > 0 && i+n < maxRepeat/2 {
			i += n
		} else {
			break
		}
	}
	body := line[i:]
	if body == "" || body[0] != '`' && body[0] != '~' || i > maxRepeat/2 {
		return fence{}
	}
	f := fence{mark: body[0], run: runOf(body, body[0])}
	info := strings.TrimSpace(body[f.run:])
	if f.run < 3 || f.run > maxRepeat/4 || f.mark == '`' && strings.Contains(info, "`") {
		return fence{}
	}
	prefix := ""
	if f.quoted = strings.Contains(line[:i], ">"); f.quoted {
		prefix = strings.Map(quotesOnly, line[:i])
	} else {
		f.indent = i
	}
	f.line = prefix + body[:f.run] + cutAt(info, 64) + "\n"
	return f
}

// quotesOnly turns list markers into the blanks they stand for.
func quotesOnly(r rune) rune {
	if r == '>' {
		return r
	}
	return ' '
}

func runOf(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}
