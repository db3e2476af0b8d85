package safetext

import (
	"strings"

	"holdfast/core/words"
)

const (
	// maxBlocks and maxLines bound what many small parts cost beyond their text.
	maxBlocks = 20_000
	maxLines  = 50_000
)

// A builder collects blocks up to the bounds of a Doc.
type builder struct {
	doc   Doc
	lines int
	full  bool
}

// clip bounds the source before anything looks at it.
func (b *builder) clip(s string) string {
	if len(s) <= MaxBytes {
		return s
	}
	kept := cutAt(s, MaxBytes)
	b.doc.cut += int64(len(s) - len(kept))
	return kept
}

// add appends a block, or counts it as cut once the Doc is full.
func (b *builder) add(x Block) {
	n, lines := x.size(), len(x.Lines)+len(x.Rows)
	if b.full || b.doc.bytes+n > MaxBytes || b.lines+lines > maxLines || len(b.doc.blocks) >= maxBlocks {
		b.full = true
		b.doc.cut += int64(n)
		return
	}
	b.doc.bytes += n
	b.lines += lines
	b.doc.blocks = append(b.doc.blocks, x)
}

// finish says what was cut and returns the Doc.
func (b *builder) finish() Doc {
	if b.doc.cut > 0 {
		text := "[" + words.T("%d bytes more are not shown here", b.doc.cut) + "]"
		b.doc.blocks = append(b.doc.blocks, Block{Kind: Notice, Spans: []Span{{Text: text, Class: Muted}}})
	}
	return b.doc
}

func (x Block) size() int {
	n := len(x.Marker) + len(x.Lang) + spanBytes(x.Spans)
	for _, l := range x.Lines {
		n += spanBytes(l) + 1
	}
	for _, row := range x.Rows {
		for _, cell := range row {
			n += spanBytes(cell) + 1
		}
	}
	return n
}

func spanBytes(ss []Span) int {
	n := 0
	for _, s := range ss {
		n += len(s.Text) + len(s.URL)
	}
	return n
}

// codeLines adds lines as code blocks of at most ChunkBytes each. x is the
// pattern of the blocks.
func (b *builder) codeLines(x Block, lines [][]Span) {
	x.Kind = CodeBlock
	for len(lines) > 0 {
		n, size := 0, 0
		for n < len(lines) && (n == 0 || size+spanBytes(lines[n])+1 <= ChunkBytes) {
			size += spanBytes(lines[n]) + 1
			n++
		}
		x.Lines, lines = lines[:n:n], lines[n:]
		b.add(x)
		x.Continued = true
	}
}

// splitLines cuts text into lines; a line longer than ChunkBytes goes on in the
// next. One line break at the end is no line of its own.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	var out []string
	for l := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		for len(l) >= ChunkBytes {
			head := cutAt(l, ChunkBytes-1)
			out = append(out, head)
			l = l[len(head):]
		}
		out = append(out, l)
	}
	return out
}

// Plain makes a Doc of text that means nothing but itself; a line break stays
// one.
func Plain(s string) Doc {
	var b builder
	s = strings.ReplaceAll(clean(b.clip(s)), "\t", "    ")
	var x Block
	for _, p := range pack(splitLines(s)) {
		x.Spans = []Span{{Text: p}}
		b.add(x)
	}
	return b.finish()
}

// pack joins lines again into texts of at most ChunkBytes.
func pack(lines []string) []string {
	var out []string
	var b strings.Builder
	for i, l := range lines {
		if i > 0 && b.Len()+1+len(l) > ChunkBytes {
			out = append(out, b.String())
			b.Reset()
		} else if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l)
	}
	if len(lines) > 0 {
		out = append(out, b.String())
	}
	return out
}
