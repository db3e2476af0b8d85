package history

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"holdfast/core/protocol"
)

// many makes entries a0, a1 … of one turn, each with that much text.
func many(turn, prefix string, n, size int) (list []protocol.Entry) {
	for i := range n {
		list = append(list, entry(turn, agent(fmt.Sprint(prefix, i), strings.Repeat("x", size))))
	}
	return list
}

// An older page that does not fit beside the anchor is asked again at the same
// cursor with half the limit (ruling 9), until not even one row fits.
func TestOlderHalvesUntilFull(t *testing.T) {
	w := opened(t, Limits{Bytes: 1000}, itemsOf(ptr("c1"), many("t1", "a", 9, 100)...))
	fetches, err := w.Older(Key{"t1", "a8"})
	var limits []int
	for err == nil && len(fetches) > 0 {
		limits = append(limits, fetches[0].Items.Limit)
		wantEqual(t, "cursor", fetches[0].Items.Cursor, protocol.PageCursor("c1"))
		fetches = w.GotItems(fetches[0], itemsOf(ptr("c2"), many("t0", "b", min(fetches[0].Items.Limit, 4), 101)...))
	}
	wantEqual(t, "limits", limits, []int{100, 50, 25, 12, 6, 3, 1})
	v := w.View()
	wantEqual(t, "view", [4]any{len(v.Rows), v.Older, v.Newer, v.Full}, [4]any{9, true, false, true})
	// With the anchor elsewhere there is room again.
	fetches, err = w.Older(Key{})
	wantEqual(t, "asked again", one(t, fetches, err).Items.Limit, 100)
	wantEqual(t, "full", w.View().Full, false)
	w.GotItems(fetches[0], itemsOf(ptr("c2"), many("t0", "b", 1, 100)...))
	wantEqual(t, "at the bound", [2]any{len(w.View().Rows), w.View().Newer}, [2]any{10, false})
	fetches, err = w.Older(Key{})
	w.GotItems(one(t, fetches, err), itemsOf(ptr("c3"), many("t00", "c", 1, 101)...))
	wantEqual(t, "one byte past it", [2]any{len(w.View().Rows), w.View().Newer}, [2]any{9, true})
}

// The first page is halved in the same way.
func TestTheFirstPageHalves(t *testing.T) {
	w := New(thread, "paginated", Limits{Bytes: 1000})
	fetches := w.Open()
	w.GotTurns(fetches[0], turnsOf(nil))
	f := fetches[1]
	var limits []int
	for {
		limits = append(limits, f.Items.Limit)
		wantEqual(t, "cursor", f.Items.Cursor, protocol.ItemsCursor{})
		next := w.GotItems(f, itemsOf(ptr("c"), many("t1", "a", f.Items.Limit, 100)...))
		if len(next) == 0 {
			break
		}
		wantEqual(t, "busy", w.Busy(), true)
		f = next[0]
	}
	wantEqual(t, "limits", limits, []int{100, 50, 25, 12, 6})
	wantEqual(t, "view", [3]any{len(w.View().Rows), w.View().Older, w.View().Full}, [3]any{6, true, false})
}

// A server that gives more than was asked for, and always too much, ends it.
func TestAFirstPageThatNeverFits(t *testing.T) {
	w := New(thread, "paginated", Limits{Items: 10})
	fetches := w.Open()
	w.GotTurns(fetches[0], turnsOf(nil))
	f, n := fetches[1:], 0
	for len(f) > 0 && n < 100 {
		f = w.GotItems(f[0], itemsOf(ptr("c"), many("t1", "a", 100, 1)...))
		n++
	}
	wantEqual(t, "requests", n, 4)
	wantEqual(t, "stale", w.View().Stale, "the newest page does not fit the window")
}

// At a bound live rows push out the oldest: the newest stay visible, and the
// window says that there are older ones.
func TestLiveRowsPushOutTheOldest(t *testing.T) {
	w := opened(t, Limits{Items: 5}, itemsOf(nil, many("t1", "a", 4, 1)...), turnOf("t1", protocol.InProgress))
	wantEqual(t, "before", w.View().Older, false)
	apply(w, completed("t1", agent("b", "5")))
	wantEqual(t, "at the bound", w.View().Older, false)
	apply(w, completed("t2", agent("c", "6")), delta("t2", "d", "7"))
	wantLines(t, w, "t1/a2 x", "t1/a3 x", "t1/b 5", "t2/c 6", "t2/d 7…")
	wantEqual(t, "one past it", [2]bool{w.View().Older, w.View().Newer}, [2]bool{true, false})
}

// An item in flight that was pushed out comes back completed, at the new end.
func TestPushedOutInFlight(t *testing.T) {
	w := opened(t, Limits{Items: 2}, itemsOf(nil))
	apply(w, begun("t1"), started("t1", command("slow", "sleep", "")), completed("t1", agent("a", "1")), completed("t1", agent("b", "2")))
	wantLines(t, w, "t1/slow sleep…", "t1/b 2") // completed rows go first
	apply(w, started("t1", command("s2", "s2", "")), started("t1", command("s3", "s3", "")))
	apply(w, piece("t1", "slow", protocol.DeltaOutput, 0, "z"), started("t1", command("slow", "sleep", "")))
	wantLines(t, w, "t1/s2 s2…", "t1/s3 s3…")
	apply(w, completed("t1", command("slow", "sleep", "z")))
	wantLines(t, w, "t1/s2 s2…", "t1/s3 s3…")
	wantEqual(t, "it is older now", w.View().Older, true)
	apply(w, ended("t1", protocol.Completed))
	wantEqual(t, "remembered", len(w.gone), 0)
}

// An older page that is under way keeps its end: live rows push out the newest.
func TestPagingKeepsItsEnd(t *testing.T) {
	for name, ask := range map[string]func(w *Window) ([]Fetch, error){
		"older":  func(w *Window) ([]Fetch, error) { return w.Older(Key{}) },
		"expand": func(w *Window) ([]Fetch, error) { return w.Expand("t1") },
	} {
		w := opened(t, Limits{Items: 8}, itemsOf(ptr("c"), many("t1", "a", 7, 1)...), turnOf("t1", protocol.Completed))
		fetches, err := ask(w)
		f := one(t, fetches, err)
		apply(w, begun("t2"), completed("t2", agent("b", "4")), completed("t2", agent("c", "5")))
		w.GotItems(f, itemsOf(nil, entry("t1", agent("z", "0")), entry("t1", agent("a0", "x"))))
		wantLines(t, w, "t1/z 0", "t1/a0 x", "t1/a1 x", "t1/a2 x", "t1/a3 x", "t1/a4 x")
		wantEqual(t, name+": newer", w.View().Newer, true)
	}
	// Unless the anchor is the newest row: then what is under way continues rows
	// that are gone.
	w := opened(t, Limits{Items: 3}, itemsOf(ptr("c"), many("t1", "a", 3, 1)...), turnOf("t1", protocol.InProgress))
	fetches, err := w.Older(Key{"t1", "a2"})
	f := one(t, fetches, err)
	apply(w, completed("t1", agent("b", "4")))
	wantEqual(t, "paging", w.Paging(), false)
	w.GotItems(f, itemsOf(nil, entry("t1", agent("z", "0"))))
	wantLines(t, w, "t1/a1 x", "t1/a2 x")
	wantEqual(t, "older and newer", [2]bool{w.View().Older, w.View().Newer}, [2]bool{true, true})
}

func TestStreamsPushOutByBytes(t *testing.T) {
	w := opened(t, Limits{Bytes: 1000}, itemsOf(nil, many("t1", "a", 8, 100)...))
	for range 8 {
		apply(w, delta("t2", "b", strings.Repeat("y", 30)))
	}
	v := w.View()
	wantEqual(t, "rows", [3]any{len(v.Rows), v.Older, v.Rows[len(v.Rows)-1].Key.Item}, [3]any{8, true, "b"})
}

// One row alone can never fill the window: past its share it is cut here.
func TestOneItemIsSqueezed(t *testing.T) {
	w := opened(t, Limits{Bytes: 400}, itemsOf(nil, entry("t1", agent("a", strings.Repeat("ä", 60)))))
	row := w.View().Rows[0]
	text := protocol.PlainText(row.Item)
	wantEqual(t, "row", [4]any{row.Bytes, row.Kept, row.Cut, utf8.ValidString(text)}, [4]any{int64(120), int64(100), CutLocal, true})
	apply(w, delta("t1", "b", strings.Repeat("x", 90)), delta("t1", "b", strings.Repeat("x", 20)))
	row = w.View().Rows[1]
	wantEqual(t, "streamed", [3]any{row.Bytes, row.Cut, row.State}, [3]any{int64(110), CutLocal, Partial})
	apply(w, completed("t1", command("c", strings.Repeat("l", 90), strings.Repeat("o", 90))))
	body, _ := w.View().Rows[2].Item.Body.(protocol.CommandExecution)
	wantEqual(t, "shares", [2]int{len(body.Command), len(body.Output)}, [2]int{50, 50})
}

func TestTooManyItemsInFlight(t *testing.T) {
	w := opened(t, Limits{Items: 3}, itemsOf(nil))
	for i := range 7 { // 3 held, 3 remembered as pushed out, 1 too many
		wantEqual(t, fmt.Sprint("stale at ", i), w.View().Stale, "")
		w.Apply(delta("t1", fmt.Sprint("i", i), "x"))
	}
	wantEqual(t, "stale", w.View().Stale, staleOverflow)
}

// Turns without rows are bounded too, and the newest is never forgotten.
func TestTurnsAreBounded(t *testing.T) {
	w := opened(t, Limits{Items: 10}, itemsOf(nil, entry("t0", agent("a", "1"))))
	for i := range 50 {
		apply(w, begun(fmt.Sprint("n", i)), ended(fmt.Sprint("n", i), protocol.Completed))
	}
	v := w.View()
	wantEqual(t, "turns", [3]any{len(v.Turns), v.Newest, len(v.Rows)}, [3]any{10, "n49", 1})

	w = opened(t, Limits{Items: 2}, itemsOf(nil, entry("t1", agent("a", "1")), entry("t2", agent("b", "2"))))
	apply(w, begun("t3"))
	wantEqual(t, "newest without rows", w.View().Newest, "t3")
}

// Where each text ends: kept whole up to its bound, past it three quarters of
// the bound from the beginning and the rest from the end (ruling 9).
func TestStreamedTextIsBounded(t *testing.T) {
	for _, c := range []struct {
		kind  protocol.DeltaKind
		whole int
	}{{protocol.DeltaMessage, 1 << 20}, {protocol.DeltaOutput, 128 << 10}} {
		for _, size := range []int{1, 1000, 70_000} { // of one delta
			w := opened(t, Limits{}, itemsOf(nil))
			text := strings.Repeat("0123456789äöü€", 1+c.whole/10)
			for n := 0; n+size < c.whole; n += size { // n stays at or below whole
				if size == 1 && n > 5000 {
					break // byte by byte is shown by the first few thousand
				}
				at := runeEnd(text, n)
				apply(w, piece("t1", "i", c.kind, 0, text[at:runeEnd(text, n+size)]))
			}
			row := w.View().Rows[0]
			wantEqual(t, "whole", row.Cut, CutNone)
			if size == 1 {
				continue
			}
			apply(w, piece("t1", "i", c.kind, 0, strings.Repeat("z", c.whole)))
			row = w.View().Rows[0]
			got := protocol.PlainText(row.Item)
			if len(got) > c.whole || !utf8.ValidString(got) || !strings.HasSuffix(got, "zzz") ||
				!strings.Contains(got, text[:c.whole/2]) || !strings.Contains(got, fmt.Sprintf("shortened here: %d bytes in all", row.Bytes-row.base(t))) {
				t.Fatalf("kind %d: %d of %d bytes kept, or not the right ones", c.kind, len(got), c.whole)
			}
			wantEqual(t, "cut", row.Cut, CutLocal)
		}
	}
}

// base is the row's plain text besides what streamed.
func (r *Row) base(t *testing.T) int64 {
	t.Helper()
	return int64(len(protocol.PlainText(protocol.Item{Body: withoutTexts(r.Item.Body)})))
}

// The bound of a text is exact.
func TestStreamBoundary(t *testing.T) {
	x := newStream(1000, strings.Repeat("a", 999))
	x.append("b", 1)
	wantEqual(t, "at the bound", x.String(), strings.Repeat("a", 999)+"b")
	before := x.String()
	x.append("c", 1)
	mark := "\n… shortened here: 1001 bytes in all …\n"
	wantEqual(t, "one past it", x.String(), strings.Repeat("a", 750)+mark+strings.Repeat("a", 186-2)[:184]+"bc")
	wantEqual(t, "what was given out", before, strings.Repeat("a", 999)+"b")
}

func TestADeltaThatCameShortened(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil))
	d, _ := delta("t1", "a", "short").(protocol.Delta)
	d.Bytes = 1_000_000
	apply(w, delta("t1", "a", "some "), d)
	row := w.View().Rows[0]
	wantEqual(t, "row", [2]any{row.Bytes, row.Cut}, [2]any{int64(1_000_005), CutLocal})
}

func TestCutBy(t *testing.T) {
	for _, c := range []struct {
		cuts []protocol.Cut
		want CutBy
	}{
		{nil, CutNone},
		{[]protocol.Cut{{Server: true}}, CutServer},
		{[]protocol.Cut{{Server: true}, {Server: false}}, CutLocal},
	} {
		it := agent("a", "x")
		it.Cuts, it.Bytes = c.cuts, 5
		w := opened(t, Limits{}, itemsOf(nil, entry("t1", it)))
		row := w.View().Rows[0]
		wantEqual(t, "cut", row.Cut, c.want)
		wantEqual(t, "bytes", row.Bytes, int64(5))
	}
}

// A page that was longer than could be read is halved like one that does not
// fit, wherever it was asked for.
func TestAPageThatIsOver(t *testing.T) {
	over := itemsOf(ptr("c"), many("t1", "a", 3, 1)...)
	over.Over = true
	w := New(thread, "paginated", Limits{})
	fetches := w.Open()
	w.GotTurns(fetches[0], turnsOf(nil))
	var limits []int
	for f := fetches[1:]; len(f) > 0; f = w.GotItems(f[0], over) {
		limits = append(limits, f[0].Items.Limit)
	}
	wantEqual(t, "limits", limits, []int{100, 50, 25, 12, 6, 3, 1})
	wantEqual(t, "rows", [2]any{len(w.View().Rows), w.View().Stale}, [2]any{0, "the newest page does not fit the window"})

	w = opened(t, Limits{}, itemsOf(ptr("c1"), many("t1", "a", 9, 1)...))
	limits = nil
	f, err := w.Older(Key{})
	for ; err == nil && len(f) > 0; f = w.GotItems(f[0], over) {
		limits = append(limits, f[0].Items.Limit)
	}
	wantEqual(t, "older limits", limits, []int{100, 50, 25, 12, 6, 3, 1})
	wantEqual(t, "full", [3]any{len(w.View().Rows), w.View().Full, w.Paging()}, [3]any{9, true, false})
}

// A cursor too long to be sent back leads nowhere, in every listing.
func TestACursorHasABound(t *testing.T) {
	for n, want := range map[int]string{
		protocol.MaxCursor:     "",
		protocol.MaxCursor + 1: "The server gave a page cursor that is too long; paging ends here.",
	} {
		k := &walk{}
		if got := k.advance(ptr(strings.Repeat("c", n))); got != want || k.ended != (want != "") {
			t.Errorf("%d bytes: %q, ended %v", n, got, k.ended)
		}
		w := New(thread, "paginated", Limits{})
		f := w.Rejoin(ptr(strings.Repeat("c", n)), ptr(strings.Repeat("c", n)))
		if got := [2]bool{f[0].Turns.Cursor != "", f[1].Items.Cursor != protocol.ItemsCursor{}}; got != [2]bool{want == "", want == ""} {
			t.Errorf("%d bytes: a resume's cursors are sent: %v", n, got)
		}
	}
}
