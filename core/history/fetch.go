package history

import (
	"maps"
	"slices"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// What Older, Newer and Expand refuse.
var (
	// ErrNoMore says that there is nothing beyond that end.
	ErrNoMore = words.Error("there is nothing more")
	// ErrBusy says that another read of this window is still open.
	ErrBusy = words.Error("another read is open")
	// ErrRefresh says that the cursors are gone: a refresh must come first.
	ErrRefresh = words.Error("the history must be refreshed first")
	// ErrNotLoaded says that the turn has no rows in the window.
	ErrNotLoaded = words.Error("the turn is not in the window")
)

// A Fetch is one read the window wants. Exactly one of Items and Turns is set.
// Its answer goes to GotItems, GotTurns or Failed with the same Fetch; an
// answer the window no longer waits for changes nothing.
type Fetch struct {
	Items *protocol.ThreadItemsListParams
	Turns *protocol.ThreadTurnsListParams

	id    uint64
	walk  *walk
	why   purpose
	limit int
	step  int // pages followed so far by themselves
}

// First reports whether the fetch is part of Open, Rejoin or Refresh, as
// opposed to paging.
func (f Fetch) First() bool { return f.why == forFirst || f.why == forFirstCover }

// A FailureKind is why a read has no answer that can be used.
type FailureKind uint8

// The kinds of failure. The first three are known by the server's exact text
// (ruling 15); everything else is Other.
const (
	// Other is any failure; its Reason is shown.
	Other FailureKind = iota
	// NotMaterialized is turns/list on a thread before its first turn.
	NotMaterialized
	// Unsupported is items/list's -32601.
	Unsupported
	// Ephemeral is a thread whose history cannot be read.
	Ephemeral
)

// A Failure is how a read failed. Reason is a sentence for people, needed for
// Other only.
type Failure struct {
	Kind   FailureKind
	Reason string
}

// A purpose is what a fetch is for, which decides how its answer is merged.
type purpose uint8

const (
	forFirst      purpose = iota // the newest page after Open, Rejoin or Refresh
	forFirstCover                // turns of its rows, if it reaches back further than the turns
	forOlder                     // the next older page
	forNewer                     // the next newer page
	forCover                     // turns of the rows of either
	forExpand                    // the items of one turn
	forSeek                      // legacy: pass the turns newer than the wanted one
	forWhole                     // legacy: one turn in full
)

// Page sizes (HIS-2, HIS-3, HIS-4).
const (
	turnsPage  = 50
	itemsPage  = 100
	serverPage = 100 // what the server clamps a limit to
)

const (
	descending = "desc"
	ascending  = "asc"
)

// Why a listing that broke off is not complete.
const (
	whyNoCursor   = string(words.Key("the server gave an empty page cursor, so paging ended there"))
	whyLongCursor = string(words.Key("the server gave a page cursor that is too long, so paging ended there"))
	whyRepeated   = string(words.Key("the server repeated a page cursor, so paging ended there"))
)

// A walk is one listing in one direction, and holds its cursor: the requests
// it builds name its own thread, method, turn, view and direction (trap 10).
type walk struct {
	thread string
	turns  bool   // turns/list, else items/list
	turn   string // items of this turn only, "" for all
	view   string // turns/list: how much of a turn
	asc    bool   // oldest first

	at    string // where the next page begins, "" at the newest
	used  map[string]struct{}
	ended bool   // nothing more is to be asked for
	all   bool   // a null cursor ended it
	why   string // else: why the view is not complete beyond its end

	oldest *turn // of turns: the oldest listed so far
	along  bool  // of turns: it began at a mark, among turns that are known
	met    bool  // it passed, or began at, the old end of the rows
}

func (k *walk) direction() string {
	if k.asc {
		return ascending
	}
	return descending
}

func (k *walk) fetch(why purpose, limit int) Fetch {
	f := Fetch{walk: k, why: why, limit: limit}
	if k.turns {
		f.Turns = &protocol.ThreadTurnsListParams{
			ThreadID: k.thread, Cursor: k.at, Limit: limit,
			SortDirection: k.direction(), ItemsView: k.view,
		}
		return f
	}
	f.Items = &protocol.ThreadItemsListParams{
		ThreadID: k.thread, TurnID: k.turn, Limit: limit, SortDirection: k.direction(),
	}
	if k.at != "" {
		f.Items.Cursor = protocol.PageCursor(k.at)
	}
	return f
}

// advance moves on to the returned cursor. Only a null cursor is a proper end
// (trap 13); one that leads nowhere ends the walk too, with the reason.
func (k *walk) advance(next *string) (notice string) {
	if next == nil {
		k.ended, k.all = true, true
		return ""
	}
	if *next == "" {
		k.ended, k.why = true, whyNoCursor
		return words.T("The server gave an empty page cursor; paging ends here.")
	}
	if len(*next) > protocol.MaxCursor {
		k.ended, k.why = true, whyLongCursor
		return words.T("The server gave a page cursor that is too long; paging ends here.")
	}
	if k.used == nil {
		k.used = map[string]struct{}{}
	}
	k.used[k.at] = struct{}{}
	if _, again := k.used[*next]; again {
		k.ended, k.why = true, whyRepeated
		return words.T("The server repeated a page cursor; paging ends here.")
	}
	k.at = *next
	return ""
}

func (w *Window) itemsWalk(turn string) *walk { return &walk{thread: w.thread, turn: turn} }

func (w *Window) turnsWalk(view string) *walk {
	return &walk{thread: w.thread, turns: true, view: view}
}

// ask notes that a page is wanted.
func (w *Window) ask(k *walk, why purpose, limit int) Fetch {
	f := k.fetch(why, limit)
	w.lastFetch++
	f.id = w.lastFetch
	w.open[f.id] = f
	return f
}

// take reports whether the window still waits for f, and stops waiting.
func (w *Window) take(f Fetch) (Fetch, bool) {
	f, ok := w.open[f.id]
	delete(w.open, f.id)
	return f, ok
}

// abandon stops waiting for answers. With their walks, their cursors go.
func (w *Window) abandon() { clear(w.open) }

// abandonPaging does so for paging of these kinds.
func (w *Window) abandonPaging(kinds ...purpose) {
	maps.DeleteFunc(w.open, func(_ uint64, f Fetch) bool { return slices.Contains(kinds, f.why) })
}

// Busy reports whether a read of Open, Rejoin or Refresh is open.
func (w *Window) Busy() bool { return w.waits(true) }

// Paging reports whether a read of Older, Newer or Expand is open.
func (w *Window) Paging() bool { return w.waits(false) }

// reads reports whether a read of one of these kinds is open.
func (w *Window) reads(kinds ...purpose) bool {
	for _, f := range w.open {
		if slices.Contains(kinds, f.why) {
			return true
		}
	}
	return false
}

func (w *Window) waits(first bool) bool {
	for _, f := range w.open {
		if f.First() == first {
			return true
		}
	}
	return false
}
