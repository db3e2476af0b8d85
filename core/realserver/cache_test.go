package realserver_test

import (
	"context"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// theOne lists a home's one conversation, and its items.
func theOne(ctx context.Context, t *testing.T, c *seed.Client) (id, name string, items []item) {
	t.Helper()
	var list struct {
		Data []struct{ ID, Name string }
	}
	if err := c.CallInto(ctx, "thread/list", map[string]any{"sortKey": "recency_at"}, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Data) != 1 {
		t.Fatalf("list is %+v, want one conversation", list)
	}
	id, name = list.Data[0].ID, list.Data[0].Name
	for cursor := any(nil); ; {
		var page struct {
			Data       []item
			NextCursor *string
		}
		if err := c.CallInto(ctx, "thread/items/list", map[string]any{"threadId": id, "limit": 100, "cursor": cursor}, &page); err != nil {
			t.Fatal(err)
		}
		items = append(items, page.Data...)
		if page.NextCursor == nil {
			return id, name, items
		}
		cursor = *page.NextCursor
	}
}

type item struct {
	TurnID string
	Item   struct{ ID, Text string }
}

func TestASeededHomeHoldsItsConversation(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		realserver.Long3000.Into(h)
		c := h.ListenWS().Client(seed.Quiet)
		id, name, items := theOne(h.Context(), t, c)
		if name != "Three thousand items" || len(items) != 3000 {
			t.Errorf("%q holds %d items, want 3000", name, len(items))
		}
		var resumed any
		if err := c.CallInto(h.Context(), "thread/resume", map[string]any{"threadId": id, "excludeTurns": true}, &resumed); err != nil {
			t.Error(err)
		}
	})
}

// A stretched rollout is one that the server reads: every item is listed once,
// in its turn, and has its size.
func TestAGiantHoldsItsItems(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		realserver.Giant(600).Into(h)
		_, name, items := theOne(h.Context(), t, h.ListenWS().Client(seed.Quiet))
		seen, turns, size := map[string]bool{}, map[string]int{}, 0
		for _, it := range items {
			seen[it.TurnID+it.Item.ID] = true
			turns[it.TurnID]++
			size += len(it.Item.Text)
		}
		if name != realserver.GiantName || len(items) != 600 || len(seen) != 600 || len(turns) != 20 || size < 290*4800 {
			t.Errorf("%q lists %d items, %d of them different, in %d turns, of %d bytes", name, len(items), len(seen), len(turns), size)
		}
	})
}
