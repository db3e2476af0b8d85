package history

import "slices"

// The pages of items say in which order the turns with rows follow each other.
// The turns' own listing, which may lag or leave one out, places the others.

// withRows gives the turns with rows, those aside too, oldest first.
func (w *Window) withRows() (list []*turn) {
	for _, t := range w.turns {
		if len(t.rows)+t.aside > 0 {
			list = append(list, t)
		}
	}
	return list
}

// named gives the turns with these IDs that are known, each once.
func (w *Window) named(ids []string) (list []*turn) {
	for _, id := range ids {
		if t := w.byID[id]; t != nil && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// without gives the turns of list that are not in other.
func without(list, other []*turn) (rest []*turn) {
	for _, t := range list {
		if !slices.Contains(other, t) {
			rest = append(rest, t)
		}
	}
	return rest
}

// newestOrder is the order that the newest page of items gives: what has rows
// from before the page, the page, and what is in flight behind it.
func (w *Window) newestOrder(had, page []*turn, listed map[string]map[string]bool) []*turn {
	if len(page) == 0 {
		return had
	}
	n := slices.Index(had, page[0])
	if n < 0 && w.buf.began()[page[0].info.ID] {
		n = len(without(had, w.turns[slices.Index(w.turns, page[0]):]))
	}
	n = max(n, 0)
	before := slices.DeleteFunc(slices.Clone(had[:n]), func(t *turn) bool {
		older := func(r *row) bool { return r.final && !isListed(r, listed) }
		return slices.Contains(page, t) && !slices.ContainsFunc(t.rows, older)
	})
	page = without(page, before)
	return slices.Concat(before, page, without(without(had, before), page))
}

// align puts turns into the order of seq. One that no listing of turns named
// goes right behind the one before it; the others take each other's places.
func (w *Window) align(seq []*turn) {
	at := map[*turn]int{}
	for i, t := range w.turns {
		at[t] = i
	}
	seq = slices.DeleteFunc(slices.Clone(seq), func(t *turn) bool { _, known := at[t]; return !known })
	if w.legacy || slices.IsSortedFunc(seq, func(a, b *turn) int { return at[a] - at[b] }) {
		return
	}
	var listed []*turn
	behind := map[*turn][]*turn{} // by the listed one before them, nil for none
	floats := map[*turn]bool{}
	for _, t := range seq {
		if t.info.Status != "" {
			listed = append(listed, t)
			continue
		}
		var last *turn
		if n := len(listed); n > 0 {
			last = listed[n-1]
		}
		behind[last], floats[t] = append(behind[last], t), true
	}
	if len(listed) == 0 {
		listed, floats = seq, nil
		clear(behind)
	}
	rest := slices.DeleteFunc(slices.Clone(w.turns), func(t *turn) bool { return floats[t] })
	sortAmong(rest, listed)
	w.turns = w.turns[:0]
	for _, t := range rest {
		if t == listed[0] {
			w.turns = append(w.turns, behind[nil]...)
		}
		w.turns = append(append(w.turns, t), behind[t]...)
	}
	w.touchTurns()
}

// sortAmong puts those of list that are in seq into its order, in the places
// they have.
func sortAmong(list, seq []*turn) {
	next := 0
	for i, t := range list {
		if slices.Contains(seq, t) {
			list[i] = seq[next]
			next++
		}
	}
}

// behindRows puts t behind every turn with rows for which older answers true.
func (w *Window) behindRows(t *turn, older func(*turn) bool) {
	i, n := slices.Index(w.turns, t), len(w.turns)
	for ; n > 0; n-- {
		if x := w.turns[n-1]; len(x.rows)+x.aside > 0 && older(x) {
			break
		}
	}
	if i >= 0 && i < n {
		w.turns = slices.Delete(slices.Insert(w.turns, n, t), i, i+1)
		w.touchTurns()
	}
}
