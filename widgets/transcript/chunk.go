package transcript

import (
	"slices"

	"holdfast/core/safetext"
)

// chunkBytes bounds the text of a chunk, and with it what one frame may have to
// lay out. A block is never cut here: safetext bounds it by the same number.
const chunkBytes = 16 << 10

// blockCost is what a block, line or span counts beside its text.
const blockCost = 24

// A chunk is a piece of a row's body: some of its blocks, or steps.
type chunk struct {
	blocks []safetext.Block
	before *safetext.Block // the block over the first one, nil at the top
	more   bool            // the block below goes on with the last one
	steps  []Step
	bytes  int
}

// blockBefore is the block over block i, nil at the top of the body.
func (c *chunk) blockBefore(i int) *safetext.Block {
	if i == 0 {
		return c.before
	}
	return &c.blocks[i-1]
}

// chunksOf cuts a row's body.
func chunksOf(r *Row) []chunk {
	var cs []chunk
	const stepsEach = 64
	for steps := range slices.Chunk(r.Steps, stepsEach) {
		cs = append(cs, chunk{steps: steps, bytes: len(steps) * 2 * blockCost})
	}
	var before *safetext.Block
	for _, d := range r.Body {
		bs := d.Blocks()
		for from := 0; from < len(bs); {
			to, bytes := from, 0
			for to < len(bs) {
				n := costOf(&bs[to])
				if to > from && bytes+n > chunkBytes {
					break
				}
				bytes += n
				to++
			}
			cs = append(cs, chunk{blocks: bs[from:to], before: before, bytes: bytes, more: to < len(bs) && bs[to].Continued})
			before = &bs[to-1]
			from = to
		}
	}
	return cs
}

// costOf is how much there is to lay out in a block.
func costOf(b *safetext.Block) int {
	n := blockCost + spanBytes(b.Spans)
	for _, l := range b.Lines {
		n += blockCost + spanBytes(l)
	}
	for _, r := range b.Rows {
		n += blockCost
		for _, c := range r {
			n += blockCost + spanBytes(c)
		}
	}
	return n
}

func spanBytes(ss []safetext.Span) int {
	n := 0
	for i := range ss {
		n += len(ss[i].Text)
	}
	return n
}

// same reports whether two chunks are laid out alike.
func (c *chunk) same(d *chunk) bool {
	if c.bytes != d.bytes || c.more != d.more || !slices.Equal(c.steps, d.steps) || !sameBefore(c.before, d.before) {
		return false
	}
	if len(c.blocks) != len(d.blocks) {
		return false
	}
	if len(c.blocks) > 0 && &c.blocks[0] == &d.blocks[0] {
		return true
	}
	return slices.EqualFunc(c.blocks, d.blocks, sameBlock)
}

// sameBefore compares what a block takes from the one over it.
func sameBefore(a, b *safetext.Block) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Depth > 0 == (b.Depth > 0) && a.Quote == b.Quote && apart(a) == apart(b)
}

func sameBlock(a, b safetext.Block) bool {
	return a.Kind == b.Kind && a.Level == b.Level && a.Depth == b.Depth && a.Quote == b.Quote &&
		a.Marker == b.Marker && a.Task == b.Task && a.Continued == b.Continued &&
		slices.Equal(a.Align, b.Align) && slices.Equal(a.Spans, b.Spans) &&
		slices.EqualFunc(a.Lines, b.Lines, slices.Equal[[]safetext.Span]) &&
		slices.EqualFunc(a.Rows, b.Rows, func(x, y [][]safetext.Span) bool {
			return slices.EqualFunc(x, y, slices.Equal[[]safetext.Span])
		})
}

// guess estimates the height of a chunk that was never laid out.
func (c *chunk) guess(m *metrics, width int) int {
	h := len(c.steps) * (m.body.line + m.px(4))
	for i := range c.blocks {
		b := &c.blocks[i]
		switch b.Kind {
		case safetext.CodeBlock:
			per := max(float32(width)/(m.code.px*0.6), 1)
			for _, l := range b.Lines {
				h += (1 + int(float32(spanBytes(l))/per)) * m.code.line
			}
		case safetext.Table:
			h += len(b.Rows) * (m.body.line + m.px(7))
		case safetext.Paragraph, safetext.Heading, safetext.ListItem, safetext.Rule, safetext.Notice:
			per := max(float32(width)/(m.body.px*0.5), 1)
			h += (1+int(float32(spanBytes(b.Spans))/per))*m.body.line + m.px(8)
		}
	}
	return h
}
