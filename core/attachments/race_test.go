package attachments

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"holdfast/core/protocol"
)

// A model is a server with one thread's attachments, and a wire that delivers
// each answer and each notification when it likes, notifications in order. It
// keeps whole lists, and merges nothing.
type model struct {
	t     *testing.T
	l     *List
	bytes []byte

	stored  []protocol.Attachment // as the server has them now
	nextID  int
	news    []protocol.AttachmentUpdated // said, not yet heard
	asked   []Fetch                      // on their way to the server
	answers []answer                     // on their way back
	buried  map[string]bool              // deletions that were heard
	passes  int                          // begun since the list was last at rest
	log     []string
}

type answer struct {
	f Fetch
	r protocol.ThreadAttachmentListResult
}

func newModel(t *testing.T, ops []byte) *model {
	m := &model{t: t, bytes: ops, l: New(thread), buried: map[string]bool{}}
	m.l.maxDead = 3 + m.pick(8)
	for range m.pick(120) {
		m.create()
	}
	m.news = nil
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

func (m *model) note(format string, args ...any) { m.log = append(m.log, fmt.Sprintf(format, args...)) }

func (m *model) run() {
	m.send(m.l.Refresh())
	for len(m.bytes) > 0 {
		m.step(m.pick(12))
		m.check()
	}
	m.rest()
}

func (m *model) step(op int) {
	switch op {
	case 0, 1:
		m.create()
	case 2, 3, 4:
		m.remove()
	case 5, 6:
		m.serve()
	case 7, 8:
		m.deliver()
	case 9, 10:
		m.hear()
	default:
		m.note("refresh")
		m.passes = min(m.passes, MaxPasses-1) // a user's refresh allows one more
		m.send(m.l.Refresh())
	}
}

// create stores an attachment, mostly under a key that was used before.
func (m *model) create() {
	key := fmt.Sprintf("k%d", m.pick(110))
	if len(m.stored) == MaxRows || slices.ContainsFunc(m.stored, func(a protocol.Attachment) bool { return a.Identity == key }) {
		return
	}
	m.nextID++
	a := att(fmt.Sprintf("a%d", m.nextID), key)
	m.stored = append(m.stored, a)
	m.news = append(m.news, created(a.ID, key))
	m.note("create %s %s", a.ID, key)
}

func (m *model) remove() {
	if len(m.stored) == 0 {
		return
	}
	i := m.pick(len(m.stored))
	a := m.stored[i]
	m.stored = slices.Delete(m.stored, i, i+1)
	m.news = append(m.news, deleted(a.ID, a.Identity))
	m.note("remove %s %s", a.ID, a.Identity)
}

// send takes what the list asks for.
func (m *model) send(fs []Fetch) {
	for _, f := range fs {
		if f.Params.Cursor == "" {
			m.passes++
			m.note("pass %d", m.passes)
		}
		m.asked = append(m.asked, f)
	}
	if m.l.Busy() && m.passes > MaxPasses {
		m.fail("%d passes without a rest", m.passes)
	}
	if !m.l.Busy() {
		m.passes = 0
	}
}

// serve makes the answer to the oldest request from what is stored now. Pages
// are small, so that there are many.
func (m *model) serve() {
	if len(m.asked) == 0 {
		return
	}
	f := m.asked[0]
	m.asked = m.asked[1:]
	after := 0
	if f.Params.Cursor != "" {
		if _, err := fmt.Sscanf(f.Params.Cursor, "after a%d", &after); err != nil {
			m.fail("asked with cursor %q", f.Params.Cursor)
		}
	}
	limit := min(f.Params.Limit, 5+m.pick(46))
	var r protocol.ThreadAttachmentListResult
	for _, a := range m.stored {
		if number(a) <= after {
			continue
		}
		if len(r.Data) == limit {
			cursor := "after " + r.Data[limit-1].ID
			r.NextCursor = &cursor
			break
		}
		r.Data = append(r.Data, a)
	}
	m.answers = append(m.answers, answer{f, r})
	m.note("serve %q: %d rows", f.Params.Cursor, len(r.Data))
}

func number(a protocol.Attachment) (n int) {
	_, _ = fmt.Sscanf(a.ID, "a%d", &n)
	return n
}

// deliver hands over any one of the answers.
func (m *model) deliver() {
	if len(m.answers) == 0 {
		return
	}
	i := m.pick(len(m.answers))
	a := m.answers[i]
	m.answers = slices.Delete(m.answers, i, i+1)
	m.note("deliver %q", a.f.Params.Cursor)
	m.send(m.l.Got(a.f, a.r))
}

func (m *model) hear() {
	if len(m.news) == 0 {
		return
	}
	n := m.news[0]
	m.news = m.news[1:]
	if n.Operation == "deleted" {
		m.buried[n.Attachment] = true
	}
	m.note("hear %s %s", n.Operation, n.Attachment)
	m.send(m.l.Apply(n))
}

// check compares what must hold at every moment.
func (m *model) check() {
	ids, keys := map[string]bool{}, map[string]bool{}
	v := m.l.View()
	for _, r := range v.Rows {
		if m.buried[r.ID] {
			m.fail("%s was deleted and is shown", r.ID)
		}
		if ids[r.ID] || keys[r.Identity] {
			m.fail("%s %s is shown twice", r.ID, r.Identity)
		}
		ids[r.ID], keys[r.Identity] = true, true
	}
	if len(v.Rows) > MaxRows {
		m.fail("%d rows", len(v.Rows))
	}
	if (v.State == Current) && v.Stale != "" || (v.State == Stale) && v.Stale == "" {
		m.fail("state %d says %q", v.State, v.Stale)
	}
}

// rest lets everything arrive: then the list is what the server has, or says
// that it may not be, and one refresh makes it so.
func (m *model) rest() {
	m.settle()
	if m.l.View().State == Stale {
		m.send(m.l.Refresh())
		m.settle()
	}
	if got, want := *m.l.View(), (View{State: Current, Rows: rowsOf(m.stored)}); describe(got) != describe(want) {
		m.fail("at rest\n%s\nwant\n%s", describe(got), describe(want))
	}
}

func (m *model) settle() {
	for len(m.news)+len(m.asked)+len(m.answers) > 0 {
		m.hear()
		m.serve()
		m.deliver()
		m.check()
		if v := m.l.View(); v.State == Current && len(m.news)+len(m.asked)+len(m.answers) == 0 && describe(*v) != describe(View{State: Current, Rows: rowsOf(m.stored)}) {
			m.fail("claims to be complete\n%s", describe(*v))
		}
	}
}

func (m *model) fail(format string, args ...any) {
	m.t.Helper()
	for _, line := range m.log {
		m.t.Log(line)
	}
	m.t.Fatalf(format, args...)
}

// FuzzTombstones plays creations, deletions, pages and refreshes in any order.
//
// req: ATT-5
// req: ATT-6
func FuzzTombstones(f *testing.F) {
	f.Fuzz(func(t *testing.T, ops []byte) { newModel(t, ops).run() })
}

// A short form of the fuzz target, the same sequences in each run.
//
// req: ATT-5
func TestRacesInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // sequences of a test
	for range 1000 {
		ops := make([]byte, 20+rng.IntN(300))
		for i := range ops {
			ops[i] = byte(rng.UintN(256))
		}
		newModel(t, ops).run()
	}
}

// One creation, one deletion and two pages in every order there is.
//
// req: ATT-5, FLD-10
func TestOneRaceInEveryOrder(t *testing.T) {
	events := []string{"delete", "create", "hear delete", "hear create", "page 1", "page 2"}
	orders := 0
	permute(events, func(order []string) {
		at := func(e string) int { return slices.Index(order, e) }
		if at("hear delete") < at("delete") || at("hear create") < at("create") || at("create") < at("delete") || at("page 2") < at("page 1") {
			return // cannot happen
		}
		orders++
		playRace(t, order)
	})
	if orders < 30 {
		t.Errorf("only %d orders", orders)
	}
}

// playRace: the server has a1 and a2, one a page; a2 is deleted and its key
// created anew as a9. An event "page" makes an answer and delivers it.
func playRace(t *testing.T, order []string) {
	t.Helper()
	m := &model{t: t, l: New(thread), buried: map[string]bool{}}
	m.stored = []protocol.Attachment{att("a1", "k1"), att("a2", "k2")}
	fs := m.l.Refresh()
	serve := func() {
		if len(fs) == 0 {
			return
		}
		rest := m.stored
		if fs[0].Params.Cursor != "" {
			rest = slices.DeleteFunc(slices.Clone(rest), func(a protocol.Attachment) bool { return a.ID == "a1" })
		}
		r := page("-", rest...)
		if len(rest) > 1 {
			r = page("after a1", rest[0])
		}
		fs = m.l.Got(fs[0], r)
	}
	for _, e := range order {
		m.note("%s", e)
		switch e {
		case "delete":
			m.stored = m.stored[:1]
		case "create":
			m.stored = append(m.stored, att("a9", "k2"))
		case "hear delete":
			m.buried["a2"] = true
			fs = append(fs, m.l.Apply(deleted("a2", "k2"))...)
		case "hear create":
			fs = append(fs, m.l.Apply(created("a9", "k2"))...)
		case "page 1", "page 2":
			serve()
		}
		m.check()
	}
	for range 2 * MaxPasses {
		if len(fs) == 0 {
			break
		}
		serve()
		m.check()
	}
	want := View{State: Current, Rows: []*Row{row("a1", "k1"), row("a9", "k2")}}
	if got := *m.l.View(); describe(got) != describe(want) {
		m.fail("%v ends as\n%s", order, describe(got))
	}
}

// permute calls f with every order of list.
func permute(list []string, f func([]string)) {
	var rec func(n int)
	rec = func(n int) {
		if n == len(list) {
			f(list)
			return
		}
		for i := n; i < len(list); i++ {
			list[n], list[i] = list[i], list[n]
			rec(n + 1)
			list[n], list[i] = list[i], list[n]
		}
	}
	rec(0)
}
