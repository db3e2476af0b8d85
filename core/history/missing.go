package history

import (
	"maps"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// What is in flight cannot be read again: the server lists an item only when it
// is completed. A row in flight that is dropped, at a bound or after a gap, is
// remembered, and the view says that it is not all until the item is completed
// or its turn ends (HIS-8).

const staleMissing = string(words.Key("part of what still runs could not be kept"))

// lose notes a row in flight that goes.
func (w *Window) lose(r *row) {
	t := w.byID[r.key.Turn]
	if r.final || r.over || t == nil || t.ended || !w.live || len(w.missing) > w.limits.Items {
		return // past the bound some of the others are missing anyway
	}
	if w.missing == nil {
		w.missing = map[Key]struct{}{}
	}
	w.missing[r.key] = struct{}{}
	w.touch()
}

// found says that the item is completed.
func (w *Window) found(k Key) {
	if _, ok := w.missing[k]; ok {
		delete(w.missing, k)
		w.touch()
	}
}

// missed takes from an event that is not applied only what has ended by it.
func (w *Window) missed(n protocol.Notification) {
	k, done := keyOf(n)
	_, all := n.(protocol.TurnCompleted)
	if !done && !all {
		return
	}
	for _, r := range w.rows {
		if r.key == k || all && r.key.Turn == k.Turn {
			r.over = true
		}
	}
	had := len(w.missing)
	maps.DeleteFunc(w.missing, func(x Key, _ struct{}) bool { return x == k || all && x.Turn == k.Turn })
	if len(w.missing) != had {
		w.touch()
	}
}

// findEnded forgets what was missing of turns that have ended or are not known.
func (w *Window) findEnded() {
	had := len(w.missing)
	maps.DeleteFunc(w.missing, func(k Key, _ struct{}) bool { t := w.byID[k.Turn]; return t == nil || t.ended })
	if len(w.missing) != had {
		w.touch()
	}
}
