package history

import (
	"holdfast/core/protocol"
	"holdfast/core/words"
)

// A reading is what is known of the first read that is, or was last, open.
type reading struct {
	id   uint64
	walk *walk // of its turns
	// join says that rows from before it may stay if the page touches them.
	join bool
	// gapless says that nothing that streamed in before it can have a hole.
	gapless bool
	// turns and items are how the two listings failed, nil if they did not.
	turns, items *Failure
	// got says that the items page held something.
	got bool
	// covered says that the turns of the rows were asked for.
	covered bool
}

// Open reads the newest page of turns and of items (HIS-2, HIS-3). From here on
// the thread's events are held back, until both are merged (ruling 4).
func (w *Window) Open() []Fetch { return w.begin(false, "", "") }

// Refresh reads like Open: cursors are dropped, the rows stay, marked as they
// are, until the new page replaces them.
func (w *Window) Refresh() []Fetch { return w.begin(false, "", "") }

// Rejoin reads again after a resume, from the answer's cursors, where live
// events begin. Rows that the page reaches stay, and so does paging.
func (w *Window) Rejoin(itemsCursor, turnsCursor *string) []Fetch {
	return w.begin(true, deref(itemsCursor), deref(turnsCursor))
}

// deref gives a cursor of the resume answer, or a page's backwardsCursor. One
// that cannot be sent back is none: the newest page holds what it would have
// led to.
func deref(s *string) string {
	if s == nil || len(*s) > protocol.MaxCursor {
		return ""
	}
	return *s
}

func (w *Window) begin(join bool, items, turns string) []Fetch {
	gapless := w.gapless()
	w.abandon()
	if !join {
		w.dropMarks()
	}
	w.full = false
	w.read = reading{id: w.read.id + 1, join: join, gapless: gapless}
	w.holding, w.lost, w.parked, w.mark = true, false, false, ""
	tw := w.turnsWalk(viewSummary)
	tw.at, w.read.walk = turns, tw
	fetches := []Fetch{w.ask(tw, forFirst, min(turnsPage, w.limits.Items))}
	if !w.legacy {
		iw := w.itemsWalk("")
		iw.at = items
		fetches = append(fetches, w.ask(iw, forFirst, min(itemsPage, w.limits.Items)))
	}
	w.touch()
	return fetches
}

// Failed takes a failed read. A first read that failed leaves the rows as they
// are, marked stale (HIS-10); a failed page can simply be asked for again.
func (w *Window) Failed(f Fetch, why Failure) []Fetch {
	f, ok := w.take(f)
	if !ok || !f.First() {
		return nil
	}
	if f.Turns != nil {
		w.read.turns = &why
	} else {
		w.read.items = &why
	}
	return w.finish()
}

// finish ends the first read once its last answer is in: what was held back
// follows the pages.
func (w *Window) finish() []Fetch {
	if w.Busy() {
		return nil
	}
	if !w.read.covered {
		w.read.covered = true
		if next := w.cover(forFirstCover, false); next != nil {
			return next
		}
	}
	w.touchTurns()
	if w.lost { // out of sync since; the pages are shown, marked stale
		w.settleEnded()
		w.settled()
		return nil
	}
	empty, reason := w.verdict()
	if reason != "" {
		w.loseSync(reason)
		w.settleEnded()
		w.settled()
		return nil
	}
	w.empty, w.stale = empty, w.mark
	w.forgetUnlisted(empty)
	w.settleEnded()
	w.passOver()
	w.drain()
	return nil
}

// forgetUnlisted drops what was not in the pages. A turn that a gapless stream
// says is running may be too new for them.
func (w *Window) forgetUnlisted(empty bool) {
	running := func(t *turn) bool { return w.read.gapless && t.info.Status == protocol.InProgress }
	if empty && !w.read.gapless {
		for _, t := range w.turns {
			w.dropRows(t, func(*row) bool { return true })
		}
	}
	w.forget(func(t *turn) bool { return t.listed != w.read.id && !running(t) })
	w.pruneTurns()
	w.evict()
}

// settleEnded lets what never was completed vanish from turns that, as the
// pages say, have ended meanwhile.
func (w *Window) settleEnded() {
	w.findEnded()
	for _, t := range w.turns {
		if t.ended {
			w.endTurn(t)
		}
	}
}

// verdict judges how the first read went: whether the server has nothing yet
// (ruling 15), or why the history is not what it should be.
func (w *Window) verdict() (empty bool, reason string) {
	turns, items := w.read.turns, w.read.items
	switch {
	case turns == nil && items == nil:
		return false, ""
	case isKind(turns, Ephemeral) || isKind(items, Ephemeral):
		return false, words.T("the history of an ephemeral conversation cannot be read")
	case isKind(turns, NotMaterialized) && (isKind(items, Unsupported) || items == nil):
		return !w.read.got, ""
	case turns != nil && turns.Kind != NotMaterialized:
		return false, turns.text(words.T("the turns could not be read"))
	default:
		return false, items.text(words.T("the items could not be read"))
	}
}

func isKind(f *Failure, k FailureKind) bool { return f != nil && f.Kind == k }

func (f *Failure) text(otherwise string) string {
	switch {
	case f == nil || f.Reason == "" && f.Kind == Other:
		return otherwise
	case f.Reason != "":
		return f.Reason
	default:
		return words.T("%s: the server does not list them", otherwise)
	}
}

// Older asks for the next older page: the returned opaque cursor is continued
// (HIS-4). The anchor is the row to keep, the oldest one if there is no such
// row. One read of this kind is open at a time.
func (w *Window) Older(anchor Key) ([]Fetch, error) {
	switch {
	case w.Busy() || w.Paging():
		return nil, ErrBusy
	case w.older == nil && w.lost:
		return nil, ErrRefresh
	case !w.more:
		return nil, ErrNoMore
	}
	if w.older == nil || w.older.ended {
		w.older = w.olderFrom()
	}
	w.hold(anchor, w.oldest(), false)
	return []Fetch{w.ask(w.older, forOlder, w.page())}, nil
}

// Expand asks for what is missing of a turn: of a paginated thread the items of
// the turn that the window's old end cuts through, of a legacy thread the full
// turn in place of its summary. No fetch means that nothing is missing.
func (w *Window) Expand(id string) ([]Fetch, error) {
	t := w.byID[id]
	switch {
	case w.Busy() || w.Paging():
		return nil, ErrBusy
	case t == nil || len(t.rows) == 0:
		return nil, ErrNotLoaded
	case w.legacy:
		return w.expandLegacy(t)
	}
	if t.info.Folded {
		t.info.Folded = false
		w.touchTurns()
	}
	switch {
	case t != w.oldest() || t.whole || !w.more:
		return nil, nil
	}
	w.hold(Key{}, t, false)
	return []Fetch{w.ask(w.itemsWalk(id), forExpand, w.page())}, nil
}

// page is how much a page asks for: a small part of the window, so that the
// cursors of several pages are in it.
func (w *Window) page() int {
	n := max(w.limits.Items/8, 1)
	if w.legacy {
		return min(turnsPage, n)
	}
	return min(itemsPage, n)
}

// half asks again at the same cursor for half as much (ruling 9). When not even
// one fits beside the anchor, the window is full.
func (w *Window) half(f Fetch) []Fetch {
	if f.limit <= 1 {
		w.full = true
		w.touch()
		return nil
	}
	g := w.ask(f.walk, f.why, f.limit/2)
	g.step = f.step
	w.open[g.id] = g
	return []Fetch{g}
}

// maxSteps bounds the pages that one press follows by itself, whatever cursors
// the server invents.
const maxSteps = 24

// follow asks for the next page of the same walk.
func (w *Window) follow(f Fetch, limit int) []Fetch {
	if f.walk.ended || f.step >= maxSteps {
		return nil
	}
	g := w.ask(f.walk, f.why, limit)
	g.step = f.step + 1
	w.open[g.id] = g
	return []Fetch{g}
}

func (w *Window) noteClients(items []protocol.Item) {
	for _, it := range items {
		w.noteClient(it)
	}
}
