package transcript

import (
	"strings"

	"holdfast/core/safetext"
)

// Text is the text of a whole row, folded or not.
func (r *Row) Text() string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	add(r.Head.String())
	for _, s := range r.Steps {
		sign := map[StepState]string{Pending: "[ ] ", Doing: "[>] ", Done: "[x] "}[s.State]
		add(sign + s.Text.String())
	}
	for _, d := range r.Body {
		add(d.Plain())
	}
	return strings.Join(parts, "\n")
}

// A Snippet is a block of code in a row.
type Snippet struct{ Lang, Text string }

// Code gives the blocks of code in a row, each whole.
func (r *Row) Code() []Snippet {
	var out []Snippet
	for _, d := range r.Body {
		bs := d.Blocks()
		for i := range bs {
			if bs[i].Kind != safetext.CodeBlock {
				continue
			}
			if n := len(out) - 1; bs[i].Continued && n >= 0 {
				out[n].Text += "\n" + linesText(bs[i].Lines)
				continue
			}
			out = append(out, Snippet{bs[i].Lang, linesText(bs[i].Lines)})
		}
	}
	return out
}

func linesText(lines [][]safetext.Span) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for j := range l {
			b.WriteString(l[j].Text)
		}
	}
	return b.String()
}

// A Link is where a row leads: the target and the words it is shown as.
type Link struct{ URL, Shown string }

// Links gives the links of a row, each target once.
func (r *Row) Links() []Link {
	var out []Link
	seen := map[string]bool{}
	for _, d := range r.Body {
		for _, b := range d.Blocks() {
			for _, s := range linkSpans(&b) {
				if !seen[s.URL] {
					seen[s.URL] = true
					out = append(out, Link{s.URL, s.Text})
				}
			}
		}
	}
	return out
}
