package transcript

import (
	"unicode/utf8"

	"holdfast/widgets/text"
)

// codePad is the room beside code inside prose.
const codePad float32 = 3

// A piece is text to be set, in one style.
type piece struct {
	text   string
	style  text.Style
	px     float32
	paint  paint
	flags  runFlags
	target int16
}

// A para says how pieces are set.
type para struct {
	fount    fount
	hang     int  // px that a line stands in that goes on with the one before
	anywhere bool // break between any two characters, as in code
	centre   bool
	most     int // lines; 0 for all
}

// A unit is one rune of simple text with its place in a line.
type unit struct {
	x, adv float32
	pre    float32 // empty before the rune, part of adv
	post   float32 // empty after it, part of adv
	at     int32   // byte in the plain text
	piece  int32
	kind   unitKind
	brk    bool // a line may end after it
}

type unitKind uint8

const (
	glyphUnit unitKind = iota
	spaceUnit
	tabUnit
	newlineUnit
)

// set breaks the pieces of one paragraph into lines.
func (s *setter) set(p para, pieces []piece) {
	start := len(s.buf.plain)
	s.out.texts = append(s.out.texts, int32(start))
	shaped := false
	for i := range pieces {
		s.say(pieces[i].text)
		shaped = shaped || text.Complex(pieces[i].text)
	}
	if shaped {
		s.setShaped(p, pieces, start)
	} else {
		s.measure(pieces, start)
		s.setSimple(p, pieces)
	}
	s.say("\n")
}

// measure fills the units.
func (s *setter) measure(pieces []piece, at int) {
	units := s.buf.units[:0]
	pad, prev := float32(s.m.px(codePad)), ' '
	for pi := range pieces {
		p := &pieces[pi]
		first := len(units)
		for i := 0; i < len(p.text); {
			r, n := rune(p.text[i]), 1
			if r >= utf8.RuneSelf {
				r, n = utf8.DecodeRuneInString(p.text[i:])
			}
			u := unit{at: int32(at + i), piece: int32(pi)}
			switch r {
			case '\n':
				u.kind = newlineUnit
			case '\t':
				u.kind, u.brk = tabUnit, true
			case ' ':
				u.kind, u.brk = spaceUnit, true
				u.adv = s.f.Advance(p.style, r, p.px)
			default:
				u.adv = s.f.Advance(p.style, r, p.px)
				u.brk = breaksAfter(r) && (r != '/' || prev != ' ')
				if last := len(units) - 1; last >= 0 && units[last].kind == glyphUnit {
					units[last].brk = (units[last].brk || wide(r) && !noEnd(prev)) && !noStart(r)
				}
			}
			units = append(units, u)
			prev = r
			i += n
		}
		if p.flags&coded != 0 && len(units) > first {
			units[first].pre, units[first].adv = pad, units[first].adv+pad
			last := &units[len(units)-1]
			last.post, last.adv = pad, last.adv+pad
		}
		at += len(p.text)
	}
	s.buf.units = units
}

// wide reports whether a rune is written without spaces between words.
func wide(r rune) bool {
	return r >= 0x2e80 && r < 0xa4d0 || r >= 0xac00 && r < 0xd7b0 || r >= 0xf900 && r < 0xfb00 ||
		r >= 0xff00 && r < 0xffef || r >= 0x20000 && r < 0x40000
}

// breaksAfter reports whether a line may end after a rune.
func breaksAfter(r rune) bool {
	return r == '-' || r == '/' || r == 0x200b || r == 0x2014 || wide(r) && !noEnd(r)
}

// noEnd reports whether no line may end with a rune.
func noEnd(r rune) bool { return r == '（' || r == '「' || r == '『' || r == '【' }

// noStart reports whether no line may begin with a rune.
func noStart(r rune) bool {
	switch r {
	case '、', '。', '，', '．', '）', '」', '』', '】', '！', '？', '：', '；', 'ー', '々', 'っ', 'ゃ', 'ゅ', 'ょ', 'ッ', 'ャ', 'ュ', 'ョ':
		return true
	}
	return false
}

// setSimple breaks the units greedily.
func (s *setter) setSimple(p para, pieces []piece) {
	us := s.buf.units
	wrapped := false
	for from, lines := 0, 0; ; lines++ {
		left := float32(s.left)
		if wrapped {
			left += float32(p.hang)
		}
		end, next := s.fit(us, from, left, p)
		if p.most > 0 && lines == p.most-1 && next < len(us) {
			s.emitCut(p, pieces, us[from:], left)
			return
		}
		s.emit(p, pieces, us[from:end])
		if next >= len(us) && next == end {
			return
		}
		from, wrapped = next, next == end
	}
}

// fit places units from left on and finds where the line ends and the next
// begins.
func (s *setter) fit(us []unit, from int, left float32, p para) (end, next int) {
	x, right, brk := left, float32(s.right), -1
	for i := from; i < len(us); i++ {
		u := &us[i]
		if u.kind == newlineUnit {
			return i, i + 1
		}
		if u.kind == tabUnit {
			u.adv = s.tab(x - left)
		}
		if x+u.adv > right && i > from && u.kind != spaceUnit {
			if brk < 0 || p.anywhere && i-brk > nearBreak {
				return i, i
			}
			return brk + 1, brk + 1
		}
		u.x = x
		x += u.adv
		if u.brk {
			brk = i
		}
	}
	return len(us), len(us)
}

// nearBreak is how many characters code moves to the next line at most to keep a
// word whole.
const nearBreak = 20

// tab is how far a tab goes at x.
func (s *setter) tab(x float32) float32 {
	stop := s.f.Advance(text.Mono, ' ', s.m.code.px) * 4
	if stop <= 0 {
		return 0
	}
	n := float32(int((x+0.5)/stop) + 1)
	return n*stop - x
}

// emit makes a line of placed units.
func (s *setter) emit(p para, pieces []piece, us []unit) {
	from := len(s.out.runs)
	for i := 0; i < len(us); {
		j := i + 1
		for j < len(us) && us[j].piece == us[i].piece && us[j].kind != tabUnit && us[i].kind != tabUnit {
			j++
		}
		s.run(&pieces[us[i].piece], us[i:j])
		i = j
	}
	s.line(p, from)
}

// run makes a run of units of one piece.
func (s *setter) run(p *piece, us []unit) {
	last := us[len(us)-1]
	end := int(last.at) + 1
	for end < len(s.buf.plain) && !utf8.RuneStart(s.buf.plain[end]) {
		end++
	}
	x := us[0].x + us[0].pre
	s.out.runs = append(s.out.runs, run{
		from: int(us[0].at), to: end, x: x, w: last.x + last.adv - last.post - x,
		px: p.px, style: p.style, paint: p.paint, flags: p.flags, target: p.target,
	})
	if us[0].kind == tabUnit {
		s.out.runs[len(s.out.runs)-1].literal = " "
	}
}

// line closes a line whose runs begin at from.
func (s *setter) line(p para, from int) {
	if p.centre && len(s.out.runs) > from {
		last := s.out.runs[len(s.out.runs)-1]
		d := (float32(s.right) - last.x - last.w) / 2
		for i := from; i < len(s.out.runs); i++ {
			s.out.runs[i].x += d
		}
	}
	s.out.lines = append(s.out.lines, line{y: s.y, h: p.fount.line, base: p.fount.base, from: from, to: len(s.out.runs)})
	s.y += p.fount.line
}

const cutMark = "…"

// emitCut makes the last line that is allowed, with a mark where the text goes
// on unseen.
func (s *setter) emitCut(p para, pieces []piece, us []unit, left float32) {
	mark := &pieces[us[0].piece]
	w := s.f.Advance(mark.style, '…', mark.px)
	x, n := left, 0
	for n < len(us) && us[n].kind != newlineUnit {
		if us[n].kind == tabUnit {
			us[n].adv = s.tab(x - left)
		}
		if x+us[n].adv+w > float32(s.right) {
			break
		}
		us[n].x = x
		x += us[n].adv
		n++
	}
	for n > 0 && us[n-1].kind != glyphUnit {
		n--
		x = us[n].x
	}
	s.emit(p, pieces, us[:n])
	s.addMark(mark, x, w)
}

// addMark appends the mark of cut text to the last line.
func (s *setter) addMark(p *piece, x, w float32) {
	l := &s.out.lines[len(s.out.lines)-1]
	at := len(s.buf.plain)
	s.out.runs = append(s.out.runs, run{from: at, to: at, x: x, w: w, px: p.px, literal: cutMark, style: p.style, paint: p.paint})
	l.to = len(s.out.runs)
}
