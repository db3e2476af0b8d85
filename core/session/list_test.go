package session

import (
	"encoding/json"
	"fmt"
	"testing"

	"holdfast/core/internal/fakeserver"
)

// A list of 10,000 is paged on demand to its end, each conversation once and in
// order; a change of one keeps the rows of all others.
func TestTenThousandConversations(t *testing.T) {
	const all = 10_000
	bubble(t, func(r *rig) {
		r.srv.Handle("thread/list", func(q fakeserver.Request) (any, error) {
			var p struct {
				Cursor string
				Limit  int
			}
			if err := json.Unmarshal(q.Params, &p); err != nil {
				return nil, err
			}
			from := 0
			if p.Cursor != "" {
				if _, err := fmt.Sscanf(p.Cursor, "at%d", &from); err != nil {
					return nil, err
				}
			}
			var data []any
			for i := from; i < min(from+p.Limit, all); i++ {
				data = append(data, row(fmt.Sprint("n", i), "idle"))
			}
			x := page(data...)
			if from+p.Limit < all {
				x["nextCursor"] = fmt.Sprint("at", from+p.Limit)
			}
			return x, nil
		})
		r.must(ListThreads{})
		pages := 1
		for ; r.now().Threads.More; pages++ {
			r.must(ListThreads{More: true})
		}
		before := r.now().Threads.Rows
		if len(before) != all || pages != all/listPage || said(r.now(), "list-full") {
			t.Fatalf("%d conversations in %d pages, full %v", len(before), pages, said(r.now(), "list-full"))
		}
		for i, x := range before {
			if x.ID != fmt.Sprint("n", i) {
				t.Fatalf("row %d is %s", i, x.ID)
			}
		}
		r.srv.Notify("thread/status/changed", map[string]any{"threadId": "n7", "status": map[string]any{"type": "active"}})
		r.settle()
		for i, x := range r.now().Threads.Rows {
			if same := x == before[i]; same != (i != 7) {
				t.Errorf("row %d is the same: %v", i, same)
			}
		}
	})
}
