package transcript

import "holdfast/core/safetext"

// Found is where a text occurs in rows. It is immutable.
type Found struct {
	needle *needle
	parts  []foundPart // those that have a match, in order
	rows   map[*Row][]foundPart
	total  int
}

// A foundPart says how often the text occurs in a part of a row.
type foundPart struct {
	key    string
	p      int // as in item.parts of an open row
	n      int
	before int // matches in the parts above
}

// Search looks for a text in rows, folded or not; upper and lower case are the
// same. It may run on any goroutine. What old found of the same text in the
// same rows is not looked for again; old may be nil.
func Search(rows []*Row, text string, old *Found) *Found {
	f := &Found{needle: newNeedle(text), rows: make(map[*Row][]foundPart, len(rows))}
	if f.needle == nil {
		return f
	}
	if old != nil && old.Text() != text {
		old = nil
	}
	var buf []byte
	for _, r := range rows {
		ps, known := []foundPart(nil), false
		if old != nil {
			ps, known = old.rows[r]
		}
		if !known {
			ps = f.needle.inRow(r, &buf)
		}
		f.rows[r] = ps
		for _, p := range ps {
			p.before = f.total
			f.total += p.n
			f.parts = append(f.parts, p)
		}
	}
	return f
}

// Text is what was looked for.
func (f *Found) Text() string {
	if f.needle == nil {
		return ""
	}
	return f.needle.text
}

// Total is how often it occurs.
func (f *Found) Total() int { return f.total }

// inRow counts the matches in each part of a row.
func (n *needle) inRow(r *Row, buf *[]byte) []foundPart {
	var out []foundPart
	count := func(p int, texts func(*[]byte, func([]byte))) {
		k := 0
		texts(buf, func(s []byte) { n.each(s, func(bytesOf) { k++ }) })
		if k > 0 {
			out = append(out, foundPart{key: r.Key, p: p, n: k})
		}
	}
	count(0, r.headTexts)
	cs := chunksOf(r)
	for i := range cs {
		count(i+1, cs[i].texts)
	}
	return out
}

// headTexts gives the text of a row's head. Who wrote a message, and when, is
// not looked for.
func (r *Row) headTexts(buf *[]byte, yield func([]byte)) {
	if r.Form != User && r.Form != Agent {
		*buf = append((*buf)[:0], r.Head.String()...)
		yield(*buf)
	}
}

// texts gives the texts of a chunk in the order in which they are set. No match
// goes from one to the next.
func (c *chunk) texts(buf *[]byte, yield func([]byte)) {
	say := func(ss []safetext.Span) {
		*buf = (*buf)[:0]
		for i := range ss {
			*buf = append(*buf, ss[i].Text...)
		}
		yield(*buf)
	}
	for i := range c.steps {
		*buf = append((*buf)[:0], c.steps[i].Text.String()...)
		yield(*buf)
	}
	for i := range c.blocks {
		b := &c.blocks[i]
		switch b.Kind {
		case safetext.Paragraph, safetext.Heading, safetext.ListItem, safetext.Notice:
			say(b.Spans)
		case safetext.CodeBlock:
			for _, l := range b.Lines {
				say(l)
			}
		case safetext.Table:
			for _, r := range b.Rows {
				for _, cell := range r {
					say(cell)
				}
			}
		case safetext.Rule:
		}
	}
}

// texts gives the texts of a part in the order in which they are set.
func (it *item) texts(p int, buf *[]byte, yield func([]byte)) {
	switch pt := &it.parts[p]; pt.kind {
	case headPart:
		it.row.headTexts(buf, yield)
	case bodyPart:
		pt.chunk.texts(buf, yield)
	case tailPart:
	}
}

// matchesIn gives the matches in a part as bytes of its layout's text, in order;
// one that the layout does not show is empty, after the one before.
func (n *needle) matchesIn(it *item, p int, l *layout) []bytesOf {
	if l.foundFor == n {
		return l.found
	}
	l.foundFor, l.found = n, nil
	if n == nil {
		return nil
	}
	var buf []byte
	k, last := 0, 0
	it.texts(p, &buf, func(s []byte) {
		at := -1
		if k < len(l.texts) {
			at = int(l.texts[k])
		}
		k++
		n.each(s, func(m bytesOf) {
			if at < 0 {
				l.found = append(l.found, bytesOf{last, last})
				return
			}
			last = at + m.hi
			l.found = append(l.found, bytesOf{at + m.lo, last})
		})
	})
	return l.found
}
