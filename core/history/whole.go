package history

import (
	"slices"
	"strconv"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// ErrGrowing says that a row cannot be read whole yet: the server lists an item
// only when it is completed.
var ErrGrowing = words.Error("the row is still being written")

// wholePage is how many items are asked for while one is looked for: each may
// be long, and what is not wanted passes by.
const wholePage = 20

// A Whole looks for one row in the server's own listing, so that all of its
// text can be read (ruling 9). It has a walk of its own, changes nothing of the
// window, and holds no text.
type Whole struct {
	key   Key
	index int // of the item in a legacy turn
	view  string
	walk  *walk
	pass  int // legacy: turns to pass before the wanted one
	pages int
}

// Whole begins to look for a row of the window.
func (w *Window) Whole(k Key) (*Whole, error) {
	r, t := w.rows[k], w.byID[k.Turn]
	switch {
	case r == nil || r.aside || t == nil:
		return nil, ErrNotLoaded
	case !r.final:
		return nil, ErrGrowing
	case !w.legacy:
		return &Whole{key: k, walk: w.itemsWalk(k.Turn)}, nil
	}
	index, err := strconv.Atoi(k.Item)
	if err != nil || !r.paged {
		return nil, ErrGrowing // live, under a made-up ID
	}
	x := &Whole{key: k, index: index, view: viewFull}
	if t.info.Summary {
		x.view = viewSummary
	}
	i := slices.Index(w.turns, t) + 1
	if x.walk = w.turnsFrom(i, false); x.walk == nil {
		x.walk, x.pass = w.turnsWalk(viewNotLoaded), w.behind(t)
	} else {
		for ; w.turns[i].marks.older == ""; i++ {
			x.pass++
		}
	}
	return x, nil
}

// A WholeRead is the next read of a Whole; exactly one of Items and Turns is
// set. Copy says that its answer holds the row, at Index of a turn's items, and
// goes to Copied; the answer of another read goes to Passed.
type WholeRead struct {
	Items *protocol.ThreadItemsListParams
	Turns *protocol.ThreadTurnsListParams
	Copy  bool
	Index int
}

// Next gives the next read, false when the row was not found.
func (x *Whole) Next() (WholeRead, bool) {
	if x.walk.ended || x.pages >= maxWholePages {
		return WholeRead{}, false
	}
	x.pages++
	k := *x.walk
	if !k.turns {
		return WholeRead{Items: k.fetch(forWhole, wholePage).Items, Copy: true}, true
	}
	k.view = viewNotLoaded
	if x.pass > 0 {
		return WholeRead{Turns: k.fetch(forSeek, min(x.pass, serverPage)).Turns}, true
	}
	k.view = x.view
	return WholeRead{Turns: k.fetch(forWhole, 1).Turns, Copy: true, Index: x.index}, true
}

// maxWholePages bounds the search, whatever cursors the server invents.
const maxWholePages = 1000

// Copied goes on after a page that did not hold the row.
func (x *Whole) Copied(next *string) {
	x.walk.advance(next)
	x.pass = serverPage // a turn that is not where it was: it is looked for
}

// Passed goes on after a page of turns before the wanted one. A page that holds
// it was too long: the same cursor leads to it in fewer.
func (x *Whole) Passed(page []protocol.Turn, next *string) {
	if i := slices.IndexFunc(page, func(t protocol.Turn) bool { return t.ID == x.key.Turn }); i >= 0 {
		x.pass = i
		return
	}
	x.walk.advance(next)
	x.pass = max(x.pass-len(page), 0)
}
