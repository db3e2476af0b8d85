package history

import (
	"slices"
	"strconv"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// ErrRunning says that a turn cannot be replaced while it runs.
var ErrRunning = words.Error("the turn is still running")

// A legacy thread has no items to list, and the items of its turns have
// made-up IDs (ruling 6): a turn is merged as a whole, its rows keyed by their
// position.

// firstLegacy takes the newest page of summaries.
func (w *Window) firstLegacy(f Fetch, page []protocol.Turn, r protocol.ThreadTurnsListResult) []Fetch {
	if rows, size := w.turnsWeight(page); rows > w.limits.Items || size > w.limits.Bytes {
		if f.limit > 1 {
			return w.half(f)
		}
		w.read.turns = &Failure{Reason: words.T("the newest turn does not fit the window")}
		return nil
	}
	w.unstash()
	touches, first := false, -1
	if len(page) > 0 {
		if t := w.byID[page[0].ID]; t != nil {
			first = slices.Index(w.turns, t)
			touches = w.read.join && len(t.rows) > 0
		}
	}
	listed := map[string]bool{}
	for _, x := range page {
		listed[x.ID] = true
	}
	kept := map[string]bool{} // turns whose rows say more than a summary
	for i, t := range w.turns {
		live := w.read.gapless && !t.ended && len(t.rows) > 0
		kept[t.info.ID] = live || touches && t.expanded()
		if stays := touches && i < first; !live && !stays && !listed[t.info.ID] {
			w.dropRows(t, func(*row) bool { return true })
		}
	}
	w.read.got = len(page) > 0
	w.listTurns(f.walk, page)
	for _, x := range page {
		if t := w.byID[x.ID]; !kept[x.ID] {
			w.replace(t, x.Items, true)
			if t.ended {
				t.closed = w.read.id
			}
		}
	}
	w.notice(f.walk.advance(r.NextCursor))
	w.markTurns(f.walk, page, r)
	if !touches {
		f.walk.met = true
		w.older = f.walk
		w.goesOn(f.walk)
	}
	w.anchor = Key{}
	w.evict()
	return nil
}

// olderLegacy puts an older page of summaries before the rows.
func (w *Window) olderLegacy(f Fetch, whole []protocol.Turn, r protocol.ThreadTurnsListResult) []Fetch {
	page := w.beyondOldTurn(f.walk, whole)
	fresh := slices.DeleteFunc(slices.Clone(page), func(x protocol.Turn) bool {
		t := w.byID[x.ID]
		return t != nil && len(t.rows) > 0
	})
	rows, size := w.turnsWeight(fresh)
	if !w.makeRoom(rows, size, true) {
		return w.half(f)
	}
	w.listTurns(f.walk, page)
	for _, x := range fresh {
		w.replace(w.byID[x.ID], x.Items, true)
	}
	w.notice(f.walk.advance(r.NextCursor))
	w.markTurns(f.walk, whole, r)
	w.goesOn(f.walk)
	if len(fresh) == 0 {
		return w.follow(f, w.page())
	}
	return nil
}

// beyondOldTurn gives what of the page is older than the oldest turn with rows:
// a walk that began before it passes over what is newer.
func (w *Window) beyondOldTurn(k *walk, page []protocol.Turn) []protocol.Turn {
	if k.met {
		return page
	}
	end := w.oldest()
	if end == nil {
		return page
	}
	for i, x := range page {
		if x.ID == end.info.ID {
			k.met = true
			return page[:i]
		}
	}
	return nil
}

// expanded reports whether a full page of the ended turn is here.
func (t *turn) expanded() bool {
	return t.ended && len(t.rows) > 0 && t.rows[0].paged && !t.info.Summary
}

func (w *Window) turnsWeight(page []protocol.Turn) (rows int, size int64) {
	for _, x := range page {
		rows += len(x.Items) + x.Over
		for _, it := range x.Items {
			size += min(textBytes(it.Body), w.limits.item())
		}
	}
	return rows, size
}

// replace makes the items the rows of t, as a whole. A row at the same position
// keeps its key, and is the same row if it says the same.
func (w *Window) replace(t *turn, items []protocol.Item, summary bool) {
	rows := make([]*row, 0, len(items))
	for i, it := range items {
		k := Key{t.info.ID, strconv.Itoa(i)}
		r := w.rows[k]
		if r == nil {
			r = &row{key: k}
			w.rows[k] = r
		}
		w.high++
		r.done, r.paged, r.taken = w.high, true, false
		w.fill(r, it)
		rows = append(rows, r)
	}
	w.dropRows(t, func(r *row) bool { return !slices.Contains(rows, r) })
	t.rows, t.info.Summary = rows, summary
	w.touchTurns()
}

// twin finds the row of a running legacy turn that was read under a made-up ID
// and now comes live: a user message by its client ID, an agent message, or a
// user message without one, by its text, but only among what was held back
// during that read.
func (w *Window) twin(t *turn, it protocol.Item) *row {
	if !w.legacy || t.ended {
		return nil
	}
	for _, r := range t.rows {
		if !r.paged || r.taken && it.Type != "userMessage" {
			continue
		}
		switch b := it.Body.(type) {
		case protocol.UserMessage:
			had, ok := r.item.Body.(protocol.UserMessage)
			same := b.ClientID != "" || w.draining && !r.taken && protocol.PlainText(it) == protocol.PlainText(r.item)
			if ok && same && had.ClientID == b.ClientID {
				return r
			}
		case protocol.AgentMessage:
			had, ok := r.item.Body.(protocol.AgentMessage)
			if ok && w.draining && b.Text != "" && had.Text == b.Text {
				return r
			}
		default: // nothing else can be told to be the same
		}
	}
	return nil
}

// takeTwin takes a completion for the row of a page. What was completed before
// it, and the page left out, stands before it.
func (w *Window) takeTwin(t *turn, r *row) {
	r.taken = true
	i, last := slices.Index(t.rows, r), -1
	for j, x := range t.rows {
		if x.final && !x.paged {
			last = j
		}
	}
	if i < 0 || last < i {
		return
	}
	t.rows = slices.Insert(slices.Delete(t.rows, i, i+1), last, r)
	for _, x := range t.rows {
		if x.final {
			w.high++
			x.done = w.high
		}
	}
	w.touch()
}

// covers reports whether the page of the last read, from after the turn's end,
// holds what is now taken from what was held back meanwhile.
func (w *Window) covers(t *turn) bool { return w.draining && t.closed == w.read.id && t.closed != 0 }

// expandLegacy asks for the full turn. No cursor leads to a turn, so the newer
// ones are passed first, with none of their items.
func (w *Window) expandLegacy(t *turn) ([]Fetch, error) {
	switch {
	case !t.info.Summary:
		return nil, nil
	case !t.ended:
		return nil, ErrRunning
	}
	w.hold(Key{}, t, false)
	i := slices.Index(w.turns, t) + 1
	k := w.turnsFrom(i, false)
	between := 0
	if k == nil {
		k, between = w.turnsWalk(viewNotLoaded), w.behind(t)
	} else {
		for ; w.turns[i].marks.older == ""; i++ {
			between++
		}
	}
	k.turn = t.info.ID
	return w.pass(Fetch{walk: k}, between), nil
}

// pass asks for the next turns before the wanted one, or for that one.
func (w *Window) pass(f Fetch, between int) []Fetch {
	k := *f.walk // the same cursor, but a listing of another view
	k.view = viewNotLoaded
	why, limit := forSeek, min(between, serverPage)
	if between == 0 {
		k.view, why, limit = viewFull, forWhole, 1
	}
	if f.walk.ended || f.step >= maxSteps {
		w.notice(words.T("The turn was not found where it was; refresh the conversation."))
		return nil
	}
	g := w.ask(&k, why, limit)
	g.step = f.step + 1
	w.open[g.id] = g
	return []Fetch{g}
}

// passed goes on from where a page of newer turns ended: the turns themselves
// say how far it is, not how many were asked for (trap 13).
func (w *Window) passed(f Fetch, page []protocol.Turn, next *string) []Fetch {
	i := slices.IndexFunc(page, func(x protocol.Turn) bool { return x.ID == f.walk.turn })
	if nearer := len(page) - 1 - i; i >= 0 && nearer < f.limit {
		return w.pass(f, nearer)
	}
	w.notice(f.walk.advance(next))
	between := 0
	if want := w.byID[f.walk.turn]; want != nil && len(page) > 0 {
		between = w.behind(want)
		if t := w.byID[page[0].ID]; t != nil {
			between -= w.behind(t) + 1
		}
	}
	if between < 0 { // it was passed: the list is not what it was
		f.walk.ended = true
	}
	return w.pass(f, max(between, 0))
}

// wholeLegacy puts the full turn in the place of its summary.
func (w *Window) wholeLegacy(f Fetch, page []protocol.Turn, next *string) []Fetch {
	want := w.byID[f.walk.turn]
	if want == nil {
		return nil
	}
	if len(page) != 1 || page[0].ID != f.walk.turn {
		return w.passed(f, page, next)
	}
	rows, size := w.turnsWeight(page)
	var had int64
	for _, r := range want.rows {
		had += r.size
	}
	rows -= len(want.rows)
	if !w.makeRoom(rows, size-had, true) && !w.makeRoom(rows, size-had, false) {
		w.full = true
		w.touch()
		return nil
	}
	want.tell(page[0])
	w.replace(want, page[0].Items, false)
	return nil
}
