package transcript

import (
	"image"

	"holdfast/widgets/text"
	"holdfast/widgets/theme"
)

const (
	cardPadX float32 = 14 // of the cards of messages and failures
	cardPadY float32 = 10
	foldPadX float32 = 12
	foldPadY float32 = 6
	markRoom float32 = 20 // from a fold's edge pad to its text
)

// head sets a row's head: the space over it, and its first line.
func (s *setter) head(it *item) {
	s.y = s.m.px(spaceOver(it.row))
	s.out.edge = s.y
	switch it.row.Form {
	case User, Agent:
		s.messageHead(it.row)
	case Command, FileChange, Quiet:
		s.foldHead(it)
	case Plan:
		s.planHead(it.row)
	case Failure:
		s.y += s.m.px(cardPadY)
		s.inset(s.m.px(cardPadX))
		s.set(para{fount: s.m.body}, []piece{{text: it.row.Head.String(), style: text.Bold, px: s.m.body.px, paint: errPaint}})
	case Mark:
		s.set(para{fount: s.m.small, centre: true}, []piece{{text: it.row.Head.String(), px: s.m.small.px, paint: dimPaint}})
	}
}

// spaceOver is the space over a row: language is airy, machine is dense.
func spaceOver(r *Row) float32 {
	switch {
	case r.Form.Folds():
		return theme.Space12
	case r.Form == Agent && r.Who.Empty() && r.When.Empty():
		return theme.Space8
	}
	return theme.Space16
}

func (s *setter) messageHead(r *Row) {
	if !r.Who.Empty() || !r.When.Empty() {
		var ps []piece
		if !r.Who.Empty() {
			ps = append(ps, piece{text: r.Who.String(), style: text.Bold, px: s.m.small.px, paint: whoPaint}, piece{text: "  ", px: s.m.small.px})
		}
		ps = append(ps, piece{text: r.When.String(), px: s.m.small.px, paint: dimPaint})
		s.set(para{fount: s.m.small, most: 1}, ps)
		s.y += s.m.px(2)
	}
	if r.Form == User {
		s.out.edge = s.y
		s.y += s.m.px(cardPadY)
	}
}

// foldHead sets the line of a fold: a mark, the head, and the verdict at the
// right. The head of an open fold may take several lines.
func (s *setter) foldHead(it *item) {
	const mostLines = 8
	r, top := it.row, s.y
	pad, f := s.m.px(foldPadX), s.m.code
	words := piece{text: r.Head.String(), style: text.Mono, px: f.px, paint: inkPaint}
	if r.Form == Quiet {
		f = s.m.line
		words.style, words.px, words.paint = 0, f.px, dimPaint
	}
	s.y += s.m.px(foldPadY)
	kind, side := closedMark, s.m.em(9)
	if it.open {
		kind = openMark
	}
	y := s.y + (f.line-side)/2
	s.shape(kind, image.Rect(pad, y, pad+side, y+side), dimPaint)
	right := s.verdict(r, s.m.col-pad, s.y+f.base)
	s.left, s.right = pad+s.m.em(markRoom), right-pad
	s.right = max(s.right, s.left+s.m.em(40))
	first := len(s.out.runs)
	p := para{fount: f, most: 1, anywhere: r.Form != Quiet}
	if it.open {
		p.most = mostLines
	}
	at := len(s.out.lines)
	s.set(p, []piece{words})
	if first > 0 && at < len(s.out.lines) { // the verdict's runs stand on the first line
		s.out.lines[at].from = 0
	}
	s.y += s.m.px(foldPadY)
	s.out.edge, s.out.bar = top, s.y
	if it.hasBody() && r.Form != Quiet {
		s.y += s.m.px(theme.Space8)
	}
}

// verdict sets the words at the right of a fold's head, on the baseline given,
// and returns where they begin.
func (s *setter) verdict(r *Row, right, base int) int {
	gap, x := s.m.em(10), float32(right)
	f := s.m.small
	for i := len(r.Verdict) - 1; i >= 0; i-- {
		w := r.Verdict[i]
		x -= s.f.Width(0, w.Text.String(), f.px)
		s.out.runs = append(s.out.runs, run{x: x, w: float32(right) - x, px: f.px, literal: w.Text.String(), paint: tonePaint(w.Tone)})
		x -= float32(gap)
	}
	if r.Running {
		side := s.m.em(8)
		y := base - side
		s.shape(dot, image.Rect(int(x)-side, y, int(x), y+side), accentPaint)
		x -= float32(side + gap)
	}
	return int(x)
}

func (s *setter) planHead(r *Row) {
	s.out.edge = s.y
	s.y += s.m.px(foldPadY)
	s.inset(s.m.px(foldPadX))
	s.set(para{fount: s.m.line}, []piece{{text: r.Head.String(), style: text.Bold, px: s.m.line.px, paint: inkPaint}})
	s.y += s.m.px(foldPadY)
	s.out.bar = s.y
	s.y += s.m.px(theme.Space8)
}

// body sets a chunk the way its row's form wants it.
func (s *setter) body(form Form, c *chunk) {
	s.base = inkPaint
	switch form {
	case User, Failure:
		s.inset(s.m.px(cardPadX))
	case Command, FileChange:
		s.inset(s.m.px(foldPadX))
		s.flat = true
	case Quiet:
		s.inset(s.m.px(foldPadX))
		s.base = dimPaint
	case Plan:
		s.inset(s.m.px(foldPadX))
		s.steps(c.steps)
	case Agent, Mark:
	}
	if form == Failure && c.before == nil || form == Quiet && c.before == nil {
		s.y += s.m.px(theme.Space4)
	}
	s.blocks(c)
}

// steps sets the check list of a plan.
func (s *setter) steps(steps []Step) {
	f, side := s.m.body, s.m.em(12)
	edge := s.left
	s.left = min(s.left+s.m.em(22), s.right-1)
	for i := range steps {
		p := piece{text: steps[i].Text.String(), px: f.px, paint: inkPaint}
		kind, sign := boxPending, "[ ] "
		switch steps[i].State {
		case Pending:
		case Doing:
			kind, sign, p.style = boxDoing, "[>] ", text.Bold
		case Done:
			kind, sign, p.paint = boxDone, "[x] ", dimPaint
		}
		y := s.y + (f.line-side)/2
		s.shape(kind, image.Rect(edge, y, edge+side, y+side), edgePaint)
		s.say(sign)
		s.set(para{fount: f}, []piece{p})
		s.y += s.m.px(theme.Space4)
	}
	s.left = edge
}

// tail sets the end of a row: the pad of its card, and its notes.
func (s *setter) tail(it *item) {
	switch it.row.Form {
	case User:
		s.y += s.m.px(cardPadY)
		s.out.edge = s.y
		s.notes(it)
	case Failure:
		s.inset(s.m.px(cardPadX))
		s.notes(it)
		s.y += s.m.px(cardPadY)
		s.out.edge = s.y
	case Command, FileChange, Quiet, Plan:
		s.inset(s.m.px(foldPadX))
		if it.hasBody() {
			s.y += s.m.px(theme.Space8)
		}
		if s.notes(it) {
			s.y += s.m.px(theme.Space8)
		}
		s.out.edge = s.y
	case Agent, Mark:
		s.notes(it)
		s.out.edge = s.y
	}
}

// notes sets the notes that are shown and reports whether there are any. Those
// of a closed fold's body are folded with it; warnings never are.
func (s *setter) notes(it *item) bool {
	any := false
	for i := range it.row.Notes {
		n := &it.row.Notes[i]
		if it.row.Form.Folds() && !it.open && n.Tone != Warn && n.Tone != Bad {
			continue
		}
		any = true
		f := s.m.small
		s.y += s.m.px(theme.Space4)
		ps := []piece{{text: n.Text.String(), px: f.px, paint: tonePaint(n.Tone)}}
		if n.Action != "" && !n.Do.Empty() {
			t := s.target(target{action: n.Action, shown: n.Do.String()})
			if !n.Text.Empty() {
				ps = append(ps, piece{text: " · ", px: f.px, paint: dimPaint})
			}
			ps = append(ps, piece{text: n.Do.String(), style: text.Bold, px: f.px, paint: accentPaint, target: t})
		}
		s.set(para{fount: f}, ps)
	}
	return any
}
