package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"holdfast/core/history"
	"holdfast/core/internal/fakeserver"
)

// long makes the conversation one of that many items, listed in both
// directions by cursors that name a place.
func (r *rig) long(items int) {
	r.srv.Handle("thread/items/list", func(q fakeserver.Request) (any, error) {
		var p struct {
			Cursor, SortDirection string
			Limit                 int
		}
		if err := json.Unmarshal(q.Params, &p); err != nil {
			return nil, err
		}
		begin, end := max(0, items-p.Limit), items
		if at, err := strconv.Atoi(strings.TrimPrefix(p.Cursor, p.SortDirection)); err == nil {
			if begin, end = max(0, at-p.Limit), at; p.SortDirection == "asc" {
				begin, end = at, min(items, at+p.Limit)
			}
		} else if p.Cursor != "ic" && p.Cursor != "" {
			return nil, fmt.Errorf("cursor %q goes on %s", p.Cursor, p.SortDirection)
		}
		var data []any
		for i := begin; i < end; i++ {
			data = append(data, entry("u1", fmt.Sprint("i", i), fmt.Sprint("item ", i)))
		}
		older, newer := any(fmt.Sprint("desc", begin)), any(fmt.Sprint("asc", end))
		if p.SortDirection == "asc" {
			if end == items {
				newer = nil
			}
			return map[string]any{"data": data, "nextCursor": newer, "backwardsCursor": older}, nil
		}
		slices.Reverse(data)
		if begin == 0 {
			older = nil
		}
		return map[string]any{"data": data, "nextCursor": older, "backwardsCursor": newer}, nil
	})
}

// The window of a thousand: it stays live while the newest rows
// are not here, and what streamed meanwhile is there when they are.
//
// req: HIS-6, FLD-9
func TestWindowOfAThousand(t *testing.T) {
	bubble(t, func(r *rig) {
		r.long(3000)
		r.live()
		eye := r.now().History.Rows[50].Key
		for range 25 {
			r.must(Older{Anchor: eye})
			h := r.now().History
			held := slices.ContainsFunc(h.Rows, func(x *history.Row) bool { return x.Key == eye })
			if len(h.Rows) > 1000 || !held {
				t.Fatalf("%d rows are held, the row under the eye %v", len(h.Rows), held)
			}
			eye = h.Rows[0].Key
		}
		if s := r.now(); !s.History.Newer || !s.Thread.Live || !s.Status.Allows(ActNewer) || s.History.Stale != "" {
			t.Errorf("newer %v, live %v, stale %q, actions %v", s.History.Newer, s.Thread.Live, s.History.Stale, s.Status.Actions)
		}
		r.started("u2")
		r.completed("u2", message("i3000", "item 3000"))
		r.srv.Notify("item/agentMessage/delta", map[string]any{"threadId": "t1", "turnId": "u2", "itemId": "i3001", "delta": "item 30"})
		r.settle()
		for n := 0; r.now().History.Newer && n < 30; n++ {
			r.must(Newer{})
		}
		r.srv.Notify("item/agentMessage/delta", map[string]any{"threadId": "t1", "turnId": "u2", "itemId": "i3001", "delta": "01"})
		r.settle()
		rows := r.now().History.Rows
		if n := len(rows); n != 1000 || rowText(rows[n-3]) != "item 2999" || rowText(rows[n-2]) != "item 3000" || rowText(rows[n-1]) != "item 3001" {
			t.Errorf("%d rows end with %q", n, rowText(rows[n-1]))
		}
		r.refused(Newer{}, "end")
	})
}

// A failed page keeps what is there, and is simply asked for again.
func TestAFailedNewerPage(t *testing.T) {
	bubble(t, func(r *rig) {
		r.long(2000)
		r.must(Select{Thread: "t1"})
		for range 10 {
			r.must(Older{})
		}
		before := r.now().History
		r.srv.Fail("thread/items/list", -32603, "broken")
		r.refused(Newer{}, "page-failed")
		if h := r.now().History; !slices.Equal(h.Rows, before.Rows) || h.LoadingNewer || !h.Newer {
			t.Error("a failed page changed the rows")
		}
		r.long(2000)
		r.must(Newer{})
		r.must(Refresh{}) // the way to the end at once
		if h := r.now().History; h.Newer || len(h.Rows) != 100 {
			t.Errorf("after a refresh newer %v, %d rows", h.Newer, len(h.Rows))
		}
	})
}

// Live rows push out rows far from the one under the eye.
func TestLookAt(t *testing.T) {
	bubble(t, func(r *rig) {
		r.long(1000)
		r.live()
		for r.now().History.Older {
			r.must(Older{})
		}
		r.must(LookAt{Row: r.now().History.Rows[10].Key})
		r.started("u2")
		for i := range 5 {
			r.completed("u2", message(fmt.Sprint("new", i), "new"))
		}
		r.settle()
		if h := r.now().History; rowText(h.Rows[0]) != "item 0" || !h.Newer {
			t.Errorf("the first row is %q, newer %v", rowText(h.Rows[0]), h.Newer)
		}
	})
}

// A conversation that the server has and lists nothing of says so, and offers
// to join, which is what repairs it (fact 20).
func TestALostHistoryDatabase(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Answer("thread/turns/list", page())
		r.srv.Answer("thread/items/list", page())
		r.must(Select{Thread: "t1"})
		r.state(Ready)
		if s := r.now(); s.History.Stale != string(staleLost) || s.History.Empty || !s.Status.Allows(ActJoin) {
			t.Errorf("stale %q, empty %v, actions %v", s.History.Stale, s.History.Empty, s.Status.Actions)
		}
		r.srv.Answer("thread/turns/list", page(turn("u1", "completed")))
		r.srv.Answer("thread/items/list", page(entry("u1", "i1", "one")))
		r.must(Join{})
		if h := r.now().History; h.Stale != "" || r.said() != "one" {
			t.Errorf("after the join stale %q, rows %q", h.Stale, r.said())
		}
		r.srv.Answer("thread/turns/list", page())
		r.srv.Answer("thread/items/list", page())
		r.must(Refresh{})
		if h := r.now().History; h.Stale != string(staleGone) {
			t.Errorf("joined, and nothing is listed: stale %q", h.Stale)
		}
		r.srv.Notify("thread/reverted", map[string]any{"threadId": "t1"})
		r.settle()
		r.must(Refresh{})
		if h := r.now().History; h.Stale != "" {
			t.Errorf("all of it was cut off: stale %q", h.Stale)
		}
	})
}
