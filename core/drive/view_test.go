package drive

import (
	"encoding/json"
	"slices"
	"testing"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
)

// A fork repeats the keys of its origin, and each window counts revs from one:
// whoever keeps texts by key and rev, as the contract says, has the text of the
// conversation that is shown.
func TestTextsOfTwoConversationsWithEqualKeys(t *testing.T) {
	v, seq := &view{}, uint64(0)
	kept, shown := map[string]string{}, map[string]uint64{}
	show := func(view uint64, rows ...*history.Row) (texts int) {
		t.Helper()
		seq++
		s := &session.Snapshot{
			Seq: seq, Generations: session.Generations{View: view}, History: &history.View{Rows: rows},
			Status: &session.Status{}, Server: &session.Server{}, Account: &session.Account{}, Threads: &session.Threads{},
			Drafts: &session.Drafts{}, Operations: &session.Operations{}, Requests: &session.Requests{}, Notices: &session.Notices{},
		}
		var got []struct {
			Item string
			Rev  uint64
			Text *string
		}
		e := v.diff(s)
		if e.Rows == nil {
			return 0
		}
		if err := json.Unmarshal(e.Rows, &got); err != nil {
			t.Fatal(err)
		}
		for i, x := range got {
			if x.Text == nil && shown[x.Item] != x.Rev {
				t.Fatalf("%s has a new rev %d, and no text", x.Item, x.Rev)
			}
			if x.Text != nil {
				if shown[x.Item] == x.Rev {
					t.Fatalf("%s has a text and its old rev %d", x.Item, x.Rev)
				}
				kept[x.Item] = *x.Text
				texts++
			}
			shown[x.Item] = x.Rev
			if want := protocol.PlainText(rows[i].Item); kept[x.Item] != want {
				t.Fatalf("%s reads %q, want %q", x.Item, kept[x.Item], want)
			}
		}
		return texts
	}
	row := func(id, text string, rev uint64) *history.Row {
		return &history.Row{
			Key: history.Key{Turn: "u1", Item: id}, Rev: rev,
			Item: protocol.Item{ID: id, Type: "agentMessage", Body: protocol.AgentMessage{Text: text}},
		}
	}
	a, b := row("i1", "of one", 1), row("i2", "of one too", 2)
	got := []int{
		show(1, a, b),
		show(1, a, row("i2", "of one too", 2)),      // made anew, and the same
		show(1, a, row("i2", "of one, changed", 3)), // changed
		show(0, a), // kept after a loss
		show(2, row("i1", "of two", 1), row("i2", "of two too", 2)),
		show(3, row("i1", "of one, later", 1)),
	}
	if want := []int{2, 0, 1, 0, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("texts = %v, want %v", got, want)
	}
}
