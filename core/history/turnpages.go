package history

import "holdfast/core/protocol"

// How much of a turn a page of turns holds.
const (
	viewSummary   = "summary"
	viewFull      = "full"
	viewNotLoaded = "notLoaded"
)

// GotTurns takes a page of turns, and gives the reads that follow from it. Of a
// paginated thread it gives status and times, never rows.
func (w *Window) GotTurns(f Fetch, r protocol.ThreadTurnsListResult) []Fetch {
	f, ok := w.take(f)
	if !ok || f.Turns == nil {
		return nil
	}
	page := oldestTurnFirst(r.Data)
	for _, t := range page {
		w.noteClients(t.Items)
	}
	var next []Fetch
	switch f.why {
	case forFirst:
		next = w.firstTurns(f, page, r.NextCursor)
		w.finish()
		return next
	case forOlder:
		next = w.olderLegacy(f, page, r.NextCursor)
	case forCover:
		w.listTurns(page, false)
		w.notice(f.walk.advance(r.NextCursor))
		next = w.coverOn(f)
	case forSeek:
		next = w.passed(f, page, r.NextCursor)
	case forWhole:
		next = w.wholeLegacy(f, page, r.NextCursor)
	case forExpand: // a read of items
	}
	w.settled()
	return next
}

func oldestTurnFirst(page []protocol.Turn) []protocol.Turn {
	seen := make(map[string]bool, len(page))
	out := make([]protocol.Turn, 0, len(page))
	for i := len(page) - 1; i >= 0; i-- {
		if !seen[page[i].ID] {
			seen[page[i].ID] = true
			out = append(out, page[i])
		}
	}
	return out
}

// firstTurns takes the newest page of turns.
func (w *Window) firstTurns(f Fetch, page []protocol.Turn, next *string) []Fetch {
	if w.legacy {
		return w.firstLegacy(f, page, next)
	}
	w.listTurns(page, true)
	w.notice(f.walk.advance(next))
	w.olderTurns = f.walk
	return nil
}

// listTurns takes the facts of a page's turns. Only a newest page may say that
// a turn goes on which was known to have ended.
func (w *Window) listTurns(page []protocol.Turn, newest bool) {
	ids := make([]string, len(page))
	for i, x := range page {
		ids[i] = x.ID
	}
	if newest {
		w.arrange(ids, turnsEnd)
	} else {
		w.arrange(ids, oldEnd)
	}
	for _, x := range page {
		t := w.byID[x.ID]
		t.listed = w.read.id
		if newest || !t.ended {
			t.tell(x)
		}
	}
	w.touchTurns()
}

// cover asks for the turns of rows that an older page brought.
func (w *Window) cover() []Fetch {
	t := w.oldest()
	if t == nil || t.info.Status != "" || w.olderTurns == nil || w.olderTurns.ended {
		return nil
	}
	return []Fetch{w.ask(w.olderTurns, forCover, turnsPage)}
}

// coverOn goes on with that while a turn with rows is still unknown.
func (w *Window) coverOn(f Fetch) []Fetch {
	w.pruneTurns()
	if t := w.oldest(); t == nil || t.info.Status != "" {
		return nil
	}
	return w.follow(f, turnsPage)
}
