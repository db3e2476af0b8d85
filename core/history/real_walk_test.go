package history

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/core/fakemodel"
	"holdfast/core/protocol"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// each reads all of the thread by the server's own listing, oldest first, and
// says every item as a row.
func (r *realThread) each(say func(row string)) {
	r.t.Helper()
	p := protocol.ThreadItemsListParams{ThreadID: r.id, Limit: 100, SortDirection: ascending}
	for n := 1; ; n++ {
		var page protocol.ThreadItemsListResult
		if err := r.call("thread/items/list", p, &page); err != nil {
			r.t.Fatal(err)
		}
		for _, e := range page.Data {
			say(fmt.Sprintf("%s/%s %s", e.TurnID, e.Item.ID, strings.TrimSpace(protocol.PlainText(e.Item))))
		}
		if page.NextCursor == nil {
			return
		}
		if n%20 == 0 {
			r.m.Client.Forget()
		}
		p.Cursor = protocol.PageCursor(*page.NextCursor)
	}
}

// whole is the server's own full read: every item, oldest first, as rows.
func (r *realThread) whole() (all []string) {
	r.t.Helper()
	r.each(func(row string) { all = append(all, row) })
	return all
}

// A digest stands for a row: half a gigabyte of them would be the largest part
// of the memory that is measured.
type digest [sha256.Size]byte

func digestOf(row string) digest { return sha256.Sum256([]byte(row)) }

// digests is the server's own full read, a digest for each row.
func (r *realThread) digests() (all []digest) {
	r.t.Helper()
	r.each(func(row string) { all = append(all, digestOf(row)) })
	return all
}

// walk pages to one end, and checks at every page that the rows are a run of
// all, within the bounds, and that the row under the eye is still there.
func (r *realThread) walk(w *Window, all []digest, newer bool) (pages int) {
	r.t.Helper()
	place := make(map[digest]int, len(all))
	for i, p := range all {
		place[p] = i
	}
	for {
		v := w.View()
		ask, more, eye := w.Older, v.Older, 3
		if newer {
			ask, more, eye = w.Newer, v.Newer, len(v.Rows)-4
		}
		if !more {
			return pages
		}
		pages++
		anchor := v.Rows[eye].Key
		fetches, err := ask(anchor)
		if err != nil {
			r.t.Fatal(err)
		}
		began := time.Now()
		r.perform(w, fetches)
		r.slowest = max(r.slowest, time.Since(began))
		got := lines(w.View())
		at, known := place[digestOf(got[0])]
		if !known || at+len(got) > len(all) {
			r.t.Fatalf("page %d: %d rows from %d of %d on, known %v", pages, len(got), at, len(all), known)
		}
		for i, row := range got {
			if digestOf(row) != all[at+i] {
				r.t.Fatalf("page %d: row %d is not the server's: %.200q", pages, at+i, row)
			}
		}
		held := slices.ContainsFunc(w.View().Rows, func(x *Row) bool { return x.Key == anchor })
		if len(got) > 1000 || w.bytes > 16<<20 || !held || pages > len(all) {
			r.t.Fatalf("page %d: %d rows, %d bytes, the row under the eye %v", pages, len(got), w.bytes, held)
		}
		if pages%20 == 0 {
			r.m.Client.Forget()
		}
		for _, x := range w.View().Rows {
			if info := w.View().Turns[x.Key.Turn]; info.Status == "" {
				r.t.Fatalf("page %d: nothing is known of turn %s", pages, x.Key.Turn)
			}
		}
	}
}

// How large a conversation TestRealWalk walks; `make walk` asks for more.
var walkItems = flag.Int("walk", 0, "items of the conversation to walk, of 5 KB each; 0 is the seed of 3,000")

// Three thousand items, to the oldest and back, twice: every row is the one
// that the server's own full read has there.
// req: HIS-6
func TestRealWalk(t *testing.T) {
	eachServer(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		home, name, items := realserver.Long3000, "Three thousand items", 3000
		if *walkItems > 0 {
			home, name, items = realserver.Giant(*walkItems), realserver.GiantName, *walkItems
		}
		began := time.Now()
		home.Into(h)
		t.Logf("codex %s: made or copied in %v", version, time.Since(began).Round(time.Second))
		r := listed(t, h, name)
		began = time.Now()
		all := r.digests()
		if len(all) < items {
			t.Fatalf("the server lists %d items, want %d", len(all), items)
		}
		t.Logf("codex %s: the server's own full read: %d items in %v", version, len(all), time.Since(began).Round(time.Second))
		w := New(r.id, "paginated", Limits{})
		r.perform(w, w.Open())
		_ = peak(t) // of the walk alone
		began, pages := time.Now(), 0
		for range 2 {
			up := r.walk(w, all, false)
			wantEqual(t, "pages up", up >= (items-1000)/100, true)
			wantEqual(t, "the oldest", digestOf(lines(w.View())[0]), all[0])
			pages += up + r.walk(w, all, true)
			got := lines(w.View())
			wantEqual(t, "the newest", digestOf(got[len(got)-1]), all[len(all)-1])
		}
		wantEqual(t, "notices", w.TakeNotices(), nil)
		t.Logf("codex %s: to the oldest and back twice: %d pages in %v, slowest %v, peak RSS %d MiB",
			version, pages, time.Since(began).Round(time.Second), r.slowest.Round(time.Millisecond), peak(t)>>10)
	})
}

// peak is the most memory this process held so far, in KiB, and what it holds
// now counts as the most from here on. Only Linux knows: 0 elsewhere.
func peak(t *testing.T) (kib int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	kib, err := realserver.Memory(os.Getpid(), "VmHWM")
	if err != nil {
		t.Fatal(err)
	}
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Logf("the peak goes on from %d MiB: %v", kib>>10, err)
	}
	return kib
}

// listed finds the conversation of that name in a home.
func listed(t *testing.T, h *realserver.Home, name string) *realThread {
	t.Helper()
	r := &realThread{t: t, h: h, m: h.ListenWS().Maker()}
	var list protocol.ThreadListResult
	if err := r.call("thread/list", map[string]any{"sortKey": "recency_at"}, &list); err != nil {
		t.Fatal(err)
	}
	for _, x := range list.Data {
		if x.Name == name {
			r.id = x.ID
			return r
		}
	}
	t.Fatalf("%q is not listed", name)
	return nil
}

// What streams while the newest rows are not here joins the page that reaches
// them, and the rows are those of a window that was there all the time.
func TestRealStreamBeyondTheEnd(t *testing.T) {
	eachServer(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		m := h.ListenWS().Maker()
		id, err := m.Make(h.Context(), seed.Long("long", 10, 6))
		if err != nil {
			t.Fatal(err)
		}
		r := &realThread{t: t, h: h, m: m, id: id}
		w := New(id, "paginated", Limits{Items: 32})
		r.perform(w, w.Open())
		w.SetLive(true)
		for w.View().Older {
			fetches, err := w.Older(Key{})
			if err != nil {
				t.Fatal(err)
			}
			r.perform(w, fetches)
		}
		wantEqual(t, "newer", w.View().Newer, true)
		mark := m.Client.Mark()
		if err := m.Take(h.Context(), id, seed.Turn{Ask: "now", Answers: []fakemodel.Script{
			fakemodel.Answer(seed.Said("msg_live", "I look"), seed.Command("echo out", "to see")), fakemodel.Say("it is done"),
		}}); err != nil {
			t.Fatal(err)
		}
		r.live(w, mark)
		all := r.whole()
		r.walk(w, r.digests(), true)
		wantEqual(t, "the end", lines(w.View()), all[len(all)-len(w.View().Rows):])
		wantEqual(t, "stale", w.View().Stale, "")
	})
}

// A legacy thread and a fork of it, a reverted thread, and one that was
// compacted in the middle, by small pages both ways.
func TestRealKindsOfThreads(t *testing.T) {
	eachServer(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		m := h.ListenWS().Maker()
		make := func(th seed.Thread) *realThread {
			t.Helper()
			id, err := m.Make(h.Context(), th)
			if err != nil {
				t.Fatal(err)
			}
			return &realThread{t: t, h: h, m: m, id: id}
		}
		long := seed.Long("long", 12, 4)
		reverted := make(long)
		first := reverted.whole()[0]
		turn, _, _ := strings.Cut(reverted.whole()[4*6], "/")
		if err := reverted.call("thread/revert", map[string]any{"threadId": reverted.id, "beforeTurnId": turn}, &struct{}{}); err != nil {
			t.Fatal(err)
		}
		compacted := make(long)
		compact(t, compacted)
		for range 3 {
			if err := m.Take(h.Context(), compacted.id, long.Turns[0]); err != nil {
				t.Fatal(err)
			}
		}
		for name, r := range map[string]*realThread{"reverted": reverted, "compacted": compacted} {
			all, digests := r.whole(), r.digests()
			w := New(r.id, "paginated", Limits{Items: 24})
			r.perform(w, w.Open())
			r.walk(w, digests, false)
			wantEqual(t, name+": the oldest", lines(w.View())[0], all[0])
			r.walk(w, digests, true)
			got := lines(w.View())
			wantEqual(t, name+": the newest", got[len(got)-1], all[len(all)-1])
		}
		wantEqual(t, "the reverted thread begins as before", reverted.whole()[0], first)

		old := long
		old.Legacy = true
		legacy := make(old)
		fork, err := m.Fork(h.Context(), legacy.id, long.Turns[0])
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]*realThread{"legacy": legacy, "fork of legacy": {t: t, h: h, m: m, id: fork}} {
			walkLegacy(t, name, r)
		}
	})
}

// compact compacts a thread and waits for the end of it.
func compact(t *testing.T, r *realThread) {
	t.Helper()
	r.m.Model.Enqueue(fakemodel.Say("a summary"))
	mark := r.m.Client.Mark()
	if err := r.call("thread/compact/start", map[string]any{"threadId": r.id}, &struct{}{}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.m.Client.Until(r.h.Context(), mark, func(m seed.Message) bool { return m.Method == "turn/completed" }); err != nil {
		t.Fatal(err)
	}
}

// walkLegacy pages a legacy thread by a few turns both ways: the summaries are
// those of a window with room for all.
func walkLegacy(t *testing.T, name string, r *realThread) {
	t.Helper()
	whole := New(r.id, Legacy, Limits{})
	r.perform(whole, whole.Open())
	all := lines(whole.View())
	w := New(r.id, Legacy, Limits{Items: 8})
	r.perform(w, w.Open())
	for _, newer := range []bool{false, true, false} {
		for n := 0; newer && w.View().Newer || !newer && w.View().Older; n++ {
			ask := w.Older
			if newer {
				ask = w.Newer
			}
			fetches, err := ask(Key{})
			if err != nil || n > 50 {
				t.Fatalf("%s: page %d: %v", name, n, err)
			}
			r.perform(w, fetches)
			got := lines(w.View())
			if at := slices.Index(all, got[0]); at < 0 || len(got) > 8 || !slices.Equal(got, all[at:at+len(got)]) {
				t.Fatalf("%s: rows\n got %q\nof %q", name, got, all)
			}
		}
	}
	wantEqual(t, name+": the oldest", lines(w.View())[0], all[0])
}

// A lost history database lists nothing, without an error, until a resume.
func TestRealLostHistory(t *testing.T) {
	eachServer(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		server := h.ListenWS()
		m := server.Maker()
		id, err := m.Make(h.Context(), seed.Long("long", 2, 3))
		if err != nil {
			t.Fatal(err)
		}
		r := &realThread{t: t, h: h, m: m, id: id}
		all := r.whole()
		_ = m.Client.Close()
		server.Stop()
		files, err := filepath.Glob(filepath.Join(h.Dir, "thread_history_1.sqlite*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%d history files: %v", len(files), err)
		}
		for _, f := range files {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
		r = listed(t, h, "long")
		w := New(id, "paginated", Limits{})
		r.perform(w, w.Open())
		v := w.View()
		wantEqual(t, "view", [4]any{len(v.Rows), len(v.Turns), v.Empty, v.Stale}, [4]any{0, 0, false, ""})
		var resumed protocol.ThreadResumeResult
		if err := r.call("thread/resume", map[string]any{"threadId": id, "excludeTurns": true}, &resumed); err != nil {
			t.Fatal(err)
		}
		r.perform(w, w.Rejoin(resumed.ItemsBackwardsCursor, resumed.TurnsBackwardsCursor))
		wantEqual(t, "after the resume", lines(w.View()), all)
	})
}
