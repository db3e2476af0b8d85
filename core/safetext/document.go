package safetext

import "strings"

const (
	// MaxBytes is how much text a Doc keeps.
	MaxBytes = 1 << 20
	// ChunkBytes bounds the source text of one block, and so the cost of laying
	// it out; longer blocks go on in Continued ones.
	ChunkBytes = 16 << 10
	// MaxDepth bounds lists and quotes; what is nested deeper is shown at it.
	MaxDepth = 32
)

// A Kind says what a block is.
type Kind uint8

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	CodeBlock
	ListItem
	Rule
	Table
	Notice // our own words about the text, such as what was cut
)

// A Class says what a span is, for its colour.
type Class uint8

// The classes of spans. The Ansi classes are the eight terminal colours.
const (
	Normal Class = iota
	Muted
	Link
	CodeText
	Keyword
	String
	Comment
	Number
	Func
	Added
	Removed
	Hunk
	AnsiBlack
	AnsiRed
	AnsiGreen
	AnsiYellow
	AnsiBlue
	AnsiMagenta
	AnsiCyan
	AnsiWhite
)

// A Task is the box of a task list's item.
type Task uint8

// The boxes.
const (
	NoTask Task = iota
	OpenTask
	DoneTask
)

// An Align is how a table's column is aligned.
type Align uint8

// The alignments.
const (
	AlignStart Align = iota
	AlignCenter
	AlignEnd
)

// A Span is a run of text in one style.
type Span struct {
	Text                       string
	Bold, Italic, Mono, Strike bool
	Class                      Class
	// URL is where the span leads, "" when nowhere: http or https, or
	// file:///PATH, which LinkPolicy.Check decides on when it is to be opened.
	URL string
}

// A Block is one block of a Doc.
type Block struct {
	Kind Kind
	// Level is a heading's, 1 to 6.
	Level int
	// Depth is how many lists the block is in, Quote how many quotes.
	Depth, Quote int
	// Marker stands before a list item: "•" or "3."; a paragraph of the same
	// item has the depth and no marker.
	Marker string
	Task   Task
	// Lang is a code block's language as it was named, "" if none.
	Lang string
	// Continued says that this block is the next part of the one before.
	Continued bool
	// Spans are those of a paragraph, heading, list item or notice; "\n" in
	// them breaks the line.
	Spans []Span
	// Lines are a code block's; an empty line has no spans.
	Lines [][]Span
	// Rows are a table's cells, the heading row first; a row may be short.
	Rows  [][][]Span
	Align []Align
}

// A Doc is text that may be shown, in blocks. It is immutable: what its methods
// return is to be read only. The zero Doc is empty.
type Doc struct {
	blocks         []Block
	bytes          int
	cut            int64
	added, removed int
}

// Blocks returns the blocks, in order; they are shared and to be read only.
func (d Doc) Blocks() []Block { return d.blocks }

// Bytes is how much text the Doc holds, link targets included.
func (d Doc) Bytes() int { return d.bytes }

// Cut is how many bytes of the source are not shown; a notice at the end says
// so too.
func (d Doc) Cut() int64 { return d.cut }

// Empty reports whether there is nothing to show.
func (d Doc) Empty() bool { return len(d.blocks) == 0 }

// Added is how many lines a diff adds.
func (d Doc) Added() int { return d.added }

// Removed is how many lines a diff removes.
func (d Doc) Removed() int { return d.removed }

// Plain returns the text without styles, for the clipboard.
func (d Doc) Plain() string {
	var b strings.Builder
	b.Grow(d.bytes + len(d.blocks))
	for i, x := range d.blocks {
		if i > 0 {
			b.WriteString(gap(d.blocks[i-1], x))
		}
		x.plain(&b)
	}
	return b.String()
}

// gap is what separates two blocks in plain text.
func gap(a, b Block) string {
	if b.Continued || a.Depth > 0 && b.Depth > 0 {
		return "\n"
	}
	return "\n\n"
}

func (x Block) plain(b *strings.Builder) {
	if x.Depth > 1 {
		b.WriteString(strings.Repeat("  ", x.Depth-1))
	}
	if x.Marker != "" {
		b.WriteString(x.Marker + " ")
	}
	switch x.Task {
	case OpenTask:
		b.WriteString("[ ] ")
	case DoneTask:
		b.WriteString("[x] ")
	case NoTask:
	}
	switch x.Kind {
	case Paragraph, Heading, ListItem, Notice:
		plainSpans(b, x.Spans)
	case CodeBlock:
		for i, l := range x.Lines {
			if i > 0 {
				b.WriteByte('\n')
			}
			plainSpans(b, l)
		}
	case Table:
		for i, row := range x.Rows {
			if i > 0 {
				b.WriteByte('\n')
			}
			for j, cell := range row {
				if j > 0 {
					b.WriteByte('\t')
				}
				plainSpans(b, cell)
			}
		}
	case Rule:
		b.WriteString("---")
	}
}

func plainSpans(b *strings.Builder, ss []Span) {
	for _, s := range ss {
		b.WriteString(s.Text)
	}
}
