package realserver_test

import (
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

func TestASeededHomeHoldsItsConversation(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		realserver.Long3000.Into(h)
		c := h.ListenWS().Client(seed.Quiet)
		var list struct {
			Data []struct{ ID, Name, Path string }
		}
		if err := c.CallInto(h.Context(), "thread/list", map[string]any{"sortKey": "recency_at"}, &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Data) != 1 || list.Data[0].Name != "Three thousand items" {
			t.Fatalf("list is %+v, want the one conversation", list)
		}
		total, cursor := 0, any(nil)
		for {
			var page struct {
				Data       []struct{ TurnID string }
				NextCursor *string
			}
			params := map[string]any{"threadId": list.Data[0].ID, "limit": 100, "cursor": cursor}
			if err := c.CallInto(h.Context(), "thread/items/list", params, &page); err != nil {
				t.Fatal(err)
			}
			total += len(page.Data)
			if page.NextCursor == nil {
				break
			}
			cursor = *page.NextCursor
		}
		if total != 3000 {
			t.Errorf("%d items, want 3000", total)
		}
		var resumed any
		if err := c.CallInto(h.Context(), "thread/resume", map[string]any{"threadId": list.Data[0].ID, "excludeTurns": true}, &resumed); err != nil {
			t.Error(err)
		}
	})
}
