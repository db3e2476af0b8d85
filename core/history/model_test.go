package history

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"holdfast/core/protocol"
)

// How many sequences TestModel tries; `make fuzz` asks for more.
var sequences = flag.Int("sequences", 500, "random sequences of the model test")

// A model is a server with one paginated thread, and what a client of it must
// see. It is simple where the window is clever: whole lists, no buffering, no
// merging.
type model struct {
	t     *testing.T
	w     *Window
	bytes []byte

	done    []modelItem // in completion order
	flight  []*modelItem
	turns   []protocol.Turn
	cutOff  int // counts reverts: cursors of before must not be used
	nextID  int
	fetches []Fetch
	joined  bool
	gap     bool // the client must not claim to be complete
	anchor  Key  // the row that must stay
	sure    bool // no failures any more
	lists   lists
	log     []string
}

// lists says what the listing of turns leaves out. Items are always listed.
type lists uint8

const (
	listsAll  lists = iota
	listsLate       // the newest turns
	listsSome       // turns here and there
)

// listed gives the turns that the listing of turns names.
func (m *model) listed() []protocol.Turn {
	switch m.lists {
	case listsLate:
		return m.turns[:max(len(m.turns)-2, min(len(m.turns), 1))]
	case listsSome:
		return slices.DeleteFunc(slices.Clone(m.turns), func(t protocol.Turn) bool { return t.ID[len(t.ID)-1]%3 == 0 })
	case listsAll:
	}
	return m.turns
}

type modelItem struct {
	turn, id, text string
	seen, held     streamed // to the client: in all, and since it holds back
}

// streamed is what of an item in flight came without a gap.
type streamed struct {
	text  string
	shown bool
}

// hear adds what the client was told.
func (it *modelItem) hear(text string) {
	it.seen = streamed{it.seen.text + text, true}
	it.held = streamed{it.held.text + text, true}
}

func newModel(t *testing.T, ops []byte) *model {
	m := &model{t: t, bytes: ops}
	m.w = New(thread, "paginated", Limits{Items: 8 + m.pick(12), Bytes: 400 + 4000*int64(m.pick(2)), Events: 12})
	if n := len(ops); n > 0 {
		m.lists = lists(ops[n-1] % 4 % 3)
	}
	m.fetches = m.w.Open()
	return m
}

func (m *model) pick(n int) int {
	if len(m.bytes) == 0 || n <= 0 {
		return 0
	}
	b := int(m.bytes[0])
	m.bytes = m.bytes[1:]
	return b % n
}

func (m *model) run() {
	for len(m.bytes) > 0 {
		op := m.pick(20)
		before := len(m.log)
		m.step(op)
		if len(m.log) > before {
			m.compare()
		}
	}
	m.sure = true
	m.settle()
	m.walk()
}

func (m *model) settle() {
	for len(m.fetches) > 0 {
		m.answer()
		m.compare()
	}
}

// walk goes to both ends, and back to the newest: every row is there.
func (m *model) walk() {
	for _, up := range []bool{false, true, false} {
		for n := 0; m.w.View().Stale == "" && (up && m.w.View().Older || !up && m.w.View().Newer); n++ {
			ask, name := m.w.Newer, "newer"
			if up {
				ask, name = m.w.Older, "older"
			}
			fetches, err := ask(Key{})
			m.note("walk %s: %v", name, err)
			if errors.Is(err, ErrRefresh) && !up { // no page gave a cursor
				m.read()
				m.settle()
				continue
			}
			if err != nil || n > 300 {
				m.fail(fmt.Sprintf("the walk %s stops after %d pages: %v", name, n, err))
			}
			m.fetches = fetches
			m.settle()
		}
	}
	if v := m.w.View(); v.Stale == "" && v.Newer {
		m.fail("the newest end is never reached")
	}
}

func (m *model) note(format string, args ...any) { m.log = append(m.log, fmt.Sprintf(format, args...)) }

func (m *model) step(op int) {
	switch {
	case op < 3:
		m.beginItem()
	case op < 7:
		m.stream()
	case op < 10:
		m.endItem()
	case op < 11:
		m.endTurn()
	case op < 16:
		m.answer()
	case op < 17:
		m.page()
		m.answer()
	case op < 18:
		m.read()
	case op < 19:
		m.join()
	default:
		m.rare()
	}
}

func (m *model) running() *protocol.Turn {
	if n := len(m.turns); n > 0 && m.turns[n-1].Status == protocol.InProgress {
		return &m.turns[n-1]
	}
	return nil
}

// tell sends an event to the client, which hears it only when it has joined.
func (m *model) tell(n protocol.Notification) {
	if m.joined {
		m.w.Apply(n)
	}
}

func (m *model) beginItem() {
	if m.running() == nil {
		m.nextID++
		m.turns = append(m.turns, turnOf(fmt.Sprint("t", m.nextID), protocol.InProgress))
		m.note("begin turn %s", m.running().ID)
		m.tell(begun(m.running().ID))
	}
	if len(m.flight) > 5 {
		return
	}
	m.nextID++
	it := &modelItem{turn: m.running().ID, id: fmt.Sprint("i", m.nextID%9)} // IDs come back in other turns
	for _, x := range slices.Concat(m.flight, pointers(m.done)) {
		if x.turn == it.turn && x.id == it.id {
			return
		}
	}
	if m.joined {
		it.hear("")
	}
	m.flight = append(m.flight, it)
	m.note("begin %s/%s", it.turn, it.id)
	m.tell(started(it.turn, agent(it.id, "")))
}

func pointers(list []modelItem) (out []*modelItem) {
	for i := range list {
		out = append(out, &list[i])
	}
	return out
}

func (m *model) stream() {
	if len(m.flight) == 0 {
		return
	}
	it := m.flight[m.pick(len(m.flight))]
	if len(it.text) > 80 {
		return
	}
	text := strings.Repeat("é", 1+m.pick(3))
	it.text += text
	if m.joined {
		it.hear(text)
	}
	m.note("delta %s/%s %q", it.turn, it.id, text)
	m.tell(delta(it.turn, it.id, text))
}

func (m *model) endItem() {
	if len(m.flight) == 0 {
		return
	}
	i := m.pick(len(m.flight))
	it := m.flight[i]
	m.flight = slices.Delete(m.flight, i, i+1)
	m.done = append(m.done, *it)
	m.note("end %s/%s", it.turn, it.id)
	m.tell(completed(it.turn, agent(it.id, it.text)))
	if m.pick(4) == 0 { // a late event
		m.tell(delta(it.turn, it.id, "late"))
	}
}

func (m *model) endTurn() {
	t := m.running()
	if t == nil {
		return
	}
	m.flight = nil
	t.Status = []string{protocol.Completed, protocol.Interrupted, protocol.Failed}[m.pick(3)]
	m.note("%s is %s", t.ID, t.Status)
	var last []protocol.Item // as the server does, the last message
	if n := len(m.done); n > 0 && m.done[n-1].turn == t.ID && t.Status == protocol.Completed {
		last = append(last, agent(m.done[n-1].id, m.done[n-1].text))
	}
	m.tell(ended(t.ID, t.Status, last...))
}

// answer answers an open read, in any order, in pages as small as the server
// likes.
func (m *model) answer() {
	if len(m.fetches) == 0 {
		return
	}
	i := m.pick(len(m.fetches))
	f := m.fetches[i]
	m.fetches = slices.Delete(m.fetches, i, i+1)
	if m.pick(12) == 11 && !m.sure {
		m.note("fail %s", describe(f))
		m.gap = m.gap || m.w.open[f.id].walk != nil && f.First()
		m.fetches = append(m.fetches, m.w.Failed(f, Failure{Reason: "no"})...)
		return
	}
	m.note("answer %s", describe(f))
	if f.Turns != nil {
		m.fetches = append(m.fetches, m.w.GotTurns(f, m.turnsPage(f))...)
	} else {
		m.fetches = append(m.fetches, m.w.GotItems(f, m.itemsPage(f))...)
	}
}

func describe(f Fetch) string { return fmt.Sprintf("%d for %d at %q", f.id, f.why, f.walk.at) }

// from gives the place that a cursor names, which must not be of before a
// revert if the window still waits for the answer (trap 10).
func (m *model) from(f Fetch, kind, at string, end int) int {
	if at == "" {
		return end
	}
	var gen, index int
	if _, err := fmt.Sscanf(at, kind+"/"+f.walk.turn+"/"+f.walk.direction()+"/%d/%d", &gen, &index); err != nil {
		m.t.Fatalf("cursor %q is not of %s %q %s", at, kind, f.walk.turn, f.walk.direction())
	}
	if _, waits := m.w.open[f.id]; waits && gen != m.cutOff {
		m.t.Fatalf("cursor %q is of before a revert", at)
	}
	return min(index, end)
}

func (m *model) cursor(f Fetch, kind, direction string, index int) *string {
	return ptr(fmt.Sprintf("%s/%s/%s/%d/%d", kind, f.walk.turn, direction, m.cutOff, index))
}

// part is the part of a listing of n that a page holds, in the direction asked
// for, and the cursors of both.
func (m *model) part(f Fetch, kind string, n, most int) (at []int, next, back *string) {
	if f.walk.asc {
		begin := 0
		if f.walk.at != "" {
			begin = m.from(f, kind, f.walk.at, n)
		}
		end := min(n, begin+most)
		for i := begin; i < end; i++ {
			at = append(at, i)
		}
		if end < n {
			next = m.cursor(f, kind, ascending, end)
		}
		return at, next, m.cursor(f, kind, descending, min(begin+1, n))
	}
	end := n
	if f.walk.at != "" {
		end = min(n, m.from(f, kind, f.walk.at, n))
	}
	begin := max(0, end-most)
	for i := end - 1; i >= begin; i-- {
		at = append(at, i)
	}
	if begin > 0 {
		next = m.cursor(f, kind, descending, begin)
	}
	return at, next, m.cursor(f, kind, ascending, max(end-1, 0))
}

func (m *model) itemsPage(f Fetch) (r protocol.ThreadItemsListResult) {
	var list []modelItem
	for _, it := range m.done {
		if f.walk.turn == "" || it.turn == f.walk.turn {
			list = append(list, it)
		}
	}
	at, next, back := m.part(f, "items", len(list), min(f.limit, 2+m.pick(4)))
	for _, i := range at {
		r.Data = append(r.Data, entry(list[i].turn, agent(list[i].id, list[i].text)))
	}
	r.NextCursor, r.BackwardsCursor = next, back
	return r
}

func (m *model) turnsPage(f Fetch) (r protocol.ThreadTurnsListResult) {
	all := m.listed()
	at, next, back := m.part(f, "turns", len(all), min(f.limit, 3+m.pick(4)))
	for _, i := range at {
		r.Data = append(r.Data, all[i])
	}
	r.NextCursor, r.BackwardsCursor = next, back
	return r
}

func (m *model) page() {
	var anchor Key
	v := m.w.View()
	if m.pick(3) == 0 && len(v.Rows) > 0 {
		anchor = v.Rows[m.pick(len(v.Rows))].Key
	}
	var fetches []Fetch
	var err error
	name := ""
	switch kind := m.pick(6); {
	case kind < 3:
		name = "older"
		fetches, err = m.w.Older(anchor)
	case kind < 5:
		name = "newer"
		fetches, err = m.w.Newer(anchor)
	case len(v.Rows) > 0:
		name = "expand"
		fetches, err = m.w.Expand(v.Rows[0].Key.Turn)
	}
	m.note("%s at %v: %d fetches, %v", name, anchor, len(fetches), err)
	m.fetches = append(m.fetches, fetches...)
}

// forgetStreams is what a read does: without a gapless stream before it, only
// what is held back already counts.
func (m *model) forgetStreams() {
	for _, it := range m.flight {
		if !m.w.holding {
			it.held = streamed{}
		}
		if !m.joined || m.w.stale != "" {
			it.seen = it.held
		}
	}
}

func (m *model) read() {
	m.note("refresh")
	m.forgetStreams()
	m.gap = false
	m.fetches = append(m.fetches, m.w.Refresh()...)
}

// join resumes: live events begin where its cursors say.
func (m *model) join() {
	if m.joined {
		return
	}
	m.note("join")
	m.forgetStreams()
	m.joined, m.gap = true, false
	m.w.Hold()
	f := Fetch{walk: &walk{}}
	m.fetches = append(m.fetches, m.w.Rejoin(m.cursor(f, "items", descending, len(m.done)), m.cursor(f, "turns", descending, len(m.turns)))...)
	m.w.SetLive(true)
}

func (m *model) rare() {
	switch m.pick(6) {
	case 5: // hides, and changes nothing else
		if v := m.w.View(); len(v.Rows) > 0 {
			m.fold(v.Rows[m.pick(len(v.Rows))].Key.Turn, m.pick(3) > 0)
		}
	case 4:
		var k Key
		if v := m.w.View(); len(v.Rows) > 0 && m.pick(3) > 0 {
			k = v.Rows[m.pick(len(v.Rows))].Key
		}
		m.note("anchor %v", k)
		m.w.SetAnchor(k)
	case 0:
		if n := len(m.turns); n > 0 {
			keep := m.pick(n)
			gone := m.turns[keep:]
			m.turns = m.turns[:keep:keep]
			m.flight = nil
			m.done = slices.DeleteFunc(m.done, func(it modelItem) bool {
				return slices.ContainsFunc(gone, func(t protocol.Turn) bool { return t.ID == it.turn })
			})
			m.cutOff++
			m.gap = true
			m.note("revert to %d turns", keep)
			m.w.Apply(reverted())
		}
	case 1:
		if m.joined {
			m.note("park")
			m.forgetStreams()
			m.w.Park()
			m.gap = false
			m.forgetStreams()
			m.fetches = append(m.fetches, m.w.Open()...)
		}
	case 2:
		m.note("mark")
		m.w.MarkStale("marked")
		m.gap = m.gap || m.w.Busy()
	default:
		m.w.Apply(protocol.ItemCompleted{
			TurnRef: protocol.TurnRef{ThreadRef: protocol.ThreadRef{Thread: "child"}, Turn: "t1"}, Item: agent("i1", "not ours"),
		})
	}
}

// fold folds a turn or opens it: no row comes or goes.
func (m *model) fold(turn string, fold bool) {
	before := m.w.View()
	err := m.w.Fold(turn, fold)
	m.note("fold %s %v: %v", turn, fold, err)
	after := m.w.View()
	if !slices.Equal(before.Rows, after.Rows) || err == nil && after.Turns[turn].Folded != fold {
		m.fail("folding changed more than the mark")
	}
}

// compare checks what the view claims against what is.
func (m *model) compare() {
	v := m.w.View()
	if m.w.Busy() {
		return
	}
	if m.gap && v.Stale == "" {
		m.fail("the view claims to be complete")
	}
	if v.Stale == staleMissing && len(m.flight) == 0 && m.lists == listsAll {
		m.fail("nothing is in flight, and something of it is missing")
	}
	if v.Stale != "" && v.Stale != staleMissing {
		return
	}
	var final, partial []string
	for _, r := range v.Rows {
		s := r.Key.Turn + "/" + r.Key.Item + " " + protocol.PlainText(r.Item)
		if r.State == Partial {
			partial = append(partial, s)
			continue
		}
		final = append(final, s)
	}
	m.compareFinal(v, final)
	m.comparePartial(v, partial)
	m.compareAnchor(v)
}

// compareAnchor: the row that was the anchor, and completed, is still there.
func (m *model) compareAnchor(v *View) {
	i := slices.IndexFunc(v.Rows, func(r *Row) bool { return r.Key == m.w.anchor && r.State == Final })
	if m.anchor != (Key{}) && m.anchor == m.w.anchor && i < 0 {
		m.fail(fmt.Sprintf("the anchor %v is gone", m.anchor))
	}
	m.anchor = Key{}
	if i >= 0 {
		m.anchor = m.w.anchor
	}
}

// compareFinal: the completed rows are a run of the server's history without a
// gap, up to its end when live, in its order but for a running turn.
func (m *model) compareFinal(v *View, final []string) {
	var all []string
	for _, it := range m.done {
		all = append(all, it.turn+"/"+it.id+" "+it.text)
	}
	got := slices.Clone(final)
	if t := m.running(); t != nil {
		m.sortRunning(got, all, t.ID+"/")
	}
	begin := len(all) - len(got)
	if (!m.joined || v.Newer) && len(got) > 0 { // it ends where it was read, or cut
		begin = slices.Index(all, got[0])
	}
	if begin < 0 || begin+len(got) > len(all) || !slices.Equal(got, all[begin:begin+len(got)]) {
		m.fail(fmt.Sprintf("final rows\n got %q\nof %q", got, all))
	}
	// After an expansion only asking can show that the turn is the first.
	t := m.w.oldest()
	if expanded := v.Older && t != nil && t.whole; t != nil && !expanded && v.Older != (begin > 0) {
		m.fail(fmt.Sprintf("older is %v with %d rows before", v.Older, begin))
	}
}

func (m *model) sortRunning(got, all []string, prefix string) {
	from := slices.IndexFunc(got, func(s string) bool { return strings.HasPrefix(s, prefix) })
	if from < 0 {
		return
	}
	tail := got[from:]
	sort.SliceStable(tail, func(i, j int) bool { return slices.Index(all, tail[i]) < slices.Index(all, tail[j]) })
}

// comparePartial: the rows in flight are those that streamed, with what
// streamed; a full window may have pushed some out, and they are aside while
// the newest rows are not here.
func (m *model) comparePartial(v *View, partial []string) {
	var want []string
	for _, it := range m.flight {
		if it.seen.shown {
			want = append(want, it.turn+"/"+it.id+" "+it.seen.text)
		}
	}
	missing := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return slices.Contains(partial, s) })
	unknown := slices.ContainsFunc(missing, func(s string) bool {
		turn, rest, _ := strings.Cut(s, "/")
		item, _, _ := strings.Cut(rest, " ")
		_, gone := m.w.gone[Key{turn, item}]
		return !gone
	})
	if len(partial)+len(missing) != len(want) || unknown && !v.Newer || v.Newer && len(partial) > 0 {
		m.fail(fmt.Sprintf("rows in flight\n got %q\nwant %q", partial, want))
	}
}

func (m *model) fail(what string) {
	m.t.Helper()
	m.t.Fatalf("%s\nafter\n%s", what, strings.Join(m.log, "\n"))
}

// Random interleavings of events, pages, failures, joins and reverts, from
// committed seeds.
func TestModel(t *testing.T) {
	seeds := []uint64{6309, 6129, 10110} // found by long runs
	for seed := range uint64(*sequences) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		ops := make([]byte, 600)
		r := rand.New(rand.NewPCG(seed, 1))
		for i := range ops {
			ops[i] = byte(r.Uint32())
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { newModel(t, ops).run() })
	}
}

func FuzzMerge(f *testing.F) {
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) > 2000 {
			ops = ops[:2000]
		}
		newModel(t, ops).run()
	})
}
