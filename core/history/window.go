package history

import "holdfast/core/protocol"

// Limits bound a Window. A zero field takes the value of [DefaultLimits].
type Limits struct {
	// Items and Bytes bound the rows held: how many, and the UTF-8 bytes of
	// text kept in them (HIS-6).
	Items int
	Bytes int64
	// Events and Buffer bound the events held back during a read: how many,
	// joined, and their serialized size (HIS-8).
	Events int
	Buffer int64
}

// DefaultLimits are the bounds of the product.
func DefaultLimits() Limits {
	return Limits{Items: 1000, Bytes: 16 << 20, Events: 1024, Buffer: 8 << 20}
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	if l.Items <= 0 {
		l.Items = d.Items
	}
	if l.Bytes <= 0 {
		l.Bytes = d.Bytes
	}
	if l.Events <= 0 {
		l.Events = d.Events
	}
	if l.Buffer <= 0 {
		l.Buffer = d.Buffer
	}
	return l
}

// item is the most text one row may keep, so that the newest row always fits.
func (l Limits) item() int64 { return max(l.Bytes/4, 1) }

// Legacy is the history mode of threads whose items cannot be listed
// (ruling 6). Every other mode is treated as paginated.
const Legacy = "legacy"

// A Window is what is loaded of one conversation. It is not safe for
// concurrent use: one goroutine owns it.
type Window struct {
	thread string
	legacy bool
	limits Limits

	turns []*turn // every known turn, oldest first
	byID  map[string]*turn
	rows  map[Key]*row
	bytes int64 // text kept in rows
	gone  map[Key]struct{}
	// missing are in flight, and were given up.
	missing map[Key]struct{}
	rev     uint64
	// low and high number completions: history grows at both ends.
	low, high int64

	older      *walk // what continues the rows at their old end, if it is there
	newer      *walk // and at their new end
	olderTurns *walk // what continues the turns at their old end
	anchor     Key   // the row to keep
	cut        bool  // the newest rows were given up
	aside      []*row
	beyond     completion // the newest that was neither kept nor known to be listed

	open      map[uint64]Fetch
	lastFetch uint64
	read      reading

	buf      buffer
	holding  bool
	draining bool
	lost     bool // out of sync: events change nothing until a fresh read
	live     bool
	parked   bool
	empty    bool
	more     bool   // more exists beyond the old end
	broke    string // why the listing ended at the old end, "" where nothing is beyond
	full     bool   // the last page did not fit beside the anchor
	stale    string
	mark     string // set by MarkStale during a read; outlasts it

	clientIDs []string
	notices   []string

	view  *View
	infos map[string]TurnInfo // shared with views; nil when it must be rebuilt
}

// New makes an empty Window of a thread in the given history mode, paginated
// or legacy.
func New(thread, mode string, limits Limits) *Window {
	return &Window{
		thread: thread, legacy: mode == Legacy, limits: limits.orDefault(),
		byID: map[string]*turn{}, rows: map[Key]*row{}, gone: map[Key]struct{}{},
		open: map[uint64]Fetch{},
	}
}

// Legacy reports whether it reads the turns of a legacy thread (ruling 6).
func (w *Window) Legacy() bool { return w.legacy }

// StartEmpty makes the window that of a thread just started here: there is
// nothing to read, events apply at once, and it is live.
func (w *Window) StartEmpty() {
	w.empty, w.live = true, true
	w.touch()
}

// SetLive says whether the thread is joined with no gap since the last read.
func (w *Window) SetLive(live bool) { w.live = live }

// MarkStale says why the view may not be complete any more; "" is ignored. A
// mark made while a read of Open, Rejoin or Refresh is open outlasts that
// read, because nobody can tell which came first; one made before the read
// ends with it. Do not mark for the status changes that a join causes itself.
func (w *Window) MarkStale(reason string) {
	if reason == "" {
		return
	}
	if w.Busy() {
		w.mark = reason
	}
	w.stale = reason
	w.touch()
}

// Park drops every row but those in flight, which go on growing, so that a
// joined conversation off screen costs little. What is in flight after a gap
// goes too. Open reads the rest anew, and what is in flight survives that.
func (w *Window) Park() {
	keep := w.gapless()
	w.abandon()
	w.dropMarks()
	w.unstash()
	w.anchor = Key{}
	w.parked, w.full, w.more, w.empty = true, false, false, false
	w.lost, w.stale, w.mark, w.broke = false, "", "", ""
	for _, t := range w.turns {
		w.dropRows(t, func(r *row) bool { return !keep || r.final })
	}
	w.drain()
	w.touchTurns()
}

// Held is how many bytes of text the rows keep.
func (w *Window) Held() int64 { return w.bytes }

// GiveUp drops what is in flight of a parked window, which takes no events from
// then on: Open reads all of it anew.
func (w *Window) GiveUp() {
	if !w.parked {
		return
	}
	for _, t := range w.turns {
		w.dropRows(t, func(*row) bool { return true })
	}
	w.loseSync(StaleChanged)
	w.touchTurns()
	w.settled()
}

// gapless reports whether nothing can be missing from what streamed in.
func (w *Window) gapless() bool { return w.live && !w.lost && w.stale == "" }

// TakeClientIDs gives the client IDs of the user messages seen since the last
// call, live or in a page of this thread, each once, in order.
func (w *Window) TakeClientIDs() []string {
	ids := w.clientIDs
	w.clientIDs = nil
	return ids
}

func (w *Window) noteClient(it protocol.Item) {
	m, ok := it.Body.(protocol.UserMessage)
	if !ok || m.ClientID == "" {
		return
	}
	for _, id := range w.clientIDs {
		if id == m.ClientID {
			return
		}
	}
	w.clientIDs = append(w.clientIDs, m.ClientID)
}

// TakeNotices gives what should be said once since the last call, such as a
// paging that ended at a broken cursor.
func (w *Window) TakeNotices() []string {
	n := w.notices
	w.notices = nil
	return n
}

func (w *Window) notice(s string) {
	if s != "" {
		w.notices = append(w.notices, s)
	}
}

// touch says that the view is not current any more.
func (w *Window) touch() { w.view = nil }

// touchTurns says that the turns' facts are not current either.
func (w *Window) touchTurns() { w.view, w.infos = nil, nil }

// View gives the present picture. It is made when something changed since the
// last call, and shares every row that did not.
func (w *Window) View() *View {
	older, newer := w.reads(forOlder, forExpand), w.reads(forNewer)
	if v := w.view; v != nil {
		if v.LoadingOlder != older || v.LoadingNewer != newer {
			next := *v
			next.LoadingOlder, next.LoadingNewer = older, newer
			w.view = &next
		}
		return w.view
	}
	v := &View{
		LoadingOlder: older, LoadingNewer: newer,
		Older: w.more, Newer: w.cut, Full: w.full, Stale: w.notAll(),
		Turns: w.turnInfos(), Empty: w.empty && len(w.rows) == 0,
		CommandsMayBeMissing: w.legacy,
		Rows:                 make([]*Row, 0, len(w.rows)),
	}
	for _, t := range w.turns {
		for _, r := range t.rows {
			v.Rows = append(v.Rows, r.publish())
		}
	}
	if n := len(w.turns); n > 0 {
		v.Newest = w.turns[n-1].info.ID
	}
	w.view = v
	return v
}

// notAll says why the view may not be complete.
func (w *Window) notAll() string {
	switch {
	case w.stale != "":
		return w.stale
	case len(w.missing) > 0 && !w.parked:
		return staleMissing
	case !w.more:
		return w.broke
	}
	return ""
}

// goesOn says whether more exists beyond the old end, where k goes on.
func (w *Window) goesOn(k *walk) {
	w.more, w.broke = !k.ended, k.why
	w.touch()
}

func (w *Window) turnInfos() map[string]TurnInfo {
	if w.infos == nil {
		w.infos = make(map[string]TurnInfo, len(w.turns))
		for _, t := range w.turns {
			w.infos[t.info.ID] = t.info
		}
	}
	return w.infos
}

// Broken says why only a fresh read helps: a read failed, events overflowed or
// turns were cut off (HIS-10). It is "" while the window keeps up.
func (w *Window) Broken() string {
	if w.lost {
		return w.stale
	}
	return ""
}
