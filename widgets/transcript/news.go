package transcript

import (
	"image"
	"unicode/utf8"

	"holdfast/core/words"
)

// News are the rows that came below while the reader was elsewhere.
type news struct {
	first  string // key of the first of them; a line stands over it
	unseen bool   // the reader was not at the end since
}

// noteNews looks for rows that came below the old ones. While the end is not in
// view, the first of them that is no message of one's own gets the line; seen
// at once, they are none.
func (t *Transcript) noteNews(old []*item) {
	if _, ok := t.index[t.news.first]; !ok {
		t.news = news{}
	}
	if !t.MarkNew || len(old) == 0 {
		return
	}
	from := -1
	for j := len(old) - 1; j >= 0 && from < 0; j-- {
		if i, ok := t.index[old[j].row.Key]; ok {
			from = i + 1
		}
	}
	if from <= 0 || from == len(t.items) {
		return
	}
	if t.place.stick {
		t.news = news{}
		return
	}
	if t.news.unseen {
		return
	}
	for _, it := range t.items[from:] {
		if it.row.Form != User {
			t.news = news{first: it.row.Key, unseen: true}
			return
		}
	}
}

// News is how many rows came below that the reader has not been to.
func (t *Transcript) News() int {
	if i, ok := t.index[t.news.first]; ok && t.news.unseen {
		return len(t.items) - i
	}
	return 0
}

// tellNews calls back when the number of unseen rows changed. At the end all
// are seen.
func (t *Transcript) tellNews() {
	if t.place.stick {
		t.news.unseen = false
	}
	if n := t.News(); n != t.told {
		t.told = n
		if t.OnNews != nil {
			t.OnNews(n)
		}
	}
}

// The heights of the word for new, as parts of its size. The English one has no
// stroke above or below its small letters; Han characters fill theirs.
const (
	newHeight float32 = 0.536
	hanHeight float32 = 0.92
)

// newLine draws the line over the first new row, in the space that is over every
// row: it comes and goes without moving anything.
func (p *painter) newLine(it *item, y int) {
	if it.row.Key != p.t.news.first {
		return
	}
	gap := p.m.px(spaceOver(it.row))
	word, height := words.T("new"), newHeight
	if word[0] >= utf8.RuneSelf {
		height = hanHeight
	}
	px := min(p.m.small.px, float32(gap)*0.8/height)
	r := run{from: 0, to: len(word), w: p.t.fonts.Width(0, word, px), px: px, paint: accentPaint}
	r.x = float32(p.m.col) - r.w
	thick := max(p.border, p.m.px(1))
	at := y + (gap-thick)/2
	p.fill(image.Rect(p.left, at, p.left+int(r.x)-p.m.px(6), at+thick), p.pal[accentPaint])
	ln := line{base: gap/2 + round(px*height/2)}
	p.run(&layout{plain: word}, &ln, &r, y)
}
