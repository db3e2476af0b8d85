package history

import "fmt"

// broken is told of a broken invariant. Tests set it; in the product it is nil
// and nothing is checked.
var broken func(text string)

// settled ends a batch of changes: the invariants must hold again.
func (w *Window) settled() {
	if broken != nil {
		if s := w.check(); s != "" {
			broken(s)
		}
	}
}

// check names the first invariant that does not hold: every row once and in
// its turn, both bounds, nothing in flight in an ended turn, completed rows in
// order there, and no final row that was not final before it was published.
func (w *Window) check() string {
	seen, size := map[Key]bool{}, int64(0)
	for _, t := range w.turns {
		if w.byID[t.info.ID] != t {
			return fmt.Sprintf("turn %s is listed but not known", t.info.ID)
		}
		for i, r := range t.rows {
			switch {
			case seen[r.key] || w.rows[r.key] != r || r.key.Turn != t.info.ID:
				return fmt.Sprintf("row %v is twice, unknown or in turn %s", r.key, t.info.ID)
			case r.aside || w.cut && !r.final && !w.Busy():
				return fmt.Sprintf("row %v should be aside", r.key)
			case r.size != r.weigh():
				return fmt.Sprintf("row %v weighs %d, counted %d", r.key, r.weigh(), r.size)
			case r.shown != nil && r.shown.State == Final && !r.final:
				return fmt.Sprintf("row %v was final", r.key)
			case r.final && (len(r.parts) > 0 || r.done == 0):
				return fmt.Sprintf("row %v is final and streams", r.key)
			case t.ended && !r.final && !w.Busy():
				return fmt.Sprintf("row %v is in flight in an ended turn", r.key)
			case t.ended && !w.Busy() && i > 0 && t.rows[i-1].done > r.done:
				return fmt.Sprintf("row %v is out of order", r.key)
			}
			seen[r.key] = true
			size += r.size
		}
	}
	for _, r := range w.aside {
		switch t := w.byID[r.key.Turn]; {
		case seen[r.key] || w.rows[r.key] != r || !r.aside || t == nil:
			return fmt.Sprintf("row %v is aside and twice or unknown", r.key)
		case !w.cut || t.ended && !r.final && !w.Busy():
			return fmt.Sprintf("row %v may not be aside", r.key)
		}
		seen[r.key] = true
		size += r.size
	}
	switch {
	case len(seen) != len(w.rows) || len(w.turns) != len(w.byID):
		return fmt.Sprintf("%d rows of %d and %d turns of %d are listed", len(seen), len(w.rows), len(w.turns), len(w.byID))
	case size != w.bytes:
		return fmt.Sprintf("the rows keep %d bytes, counted %d", size, w.bytes)
	case len(w.rows) > w.limits.Items || w.bytes > w.limits.Bytes:
		return fmt.Sprintf("%d rows and %d bytes are too many", len(w.rows), w.bytes)
	}
	return ""
}
