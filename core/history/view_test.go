package history

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"holdfast/core/protocol"
)

// freeze copies a view deeply.
func freeze(v *View) View {
	c := *v
	c.Rows, c.Turns = make([]*Row, len(v.Rows)), maps.Clone(v.Turns)
	for i, r := range v.Rows {
		row := *r
		if row.Item.Body != nil {
			if body, ok := deepCopy(reflect.ValueOf(row.Item.Body)).Interface().(protocol.ItemBody); ok {
				row.Item.Body = body
			}
		}
		row.Item.Cuts = slices.Clone(r.Item.Cuts)
		c.Rows[i] = &row
	}
	return c
}

// What was published is never written again, whatever happens after.
func TestViewsAreFrozen(t *testing.T) {
	w := opened(t, Limits{Items: 40, Bytes: 60_000}, itemsOf(ptr("c"), many("t0", "p", 20, 50)...), turnOf("t0", protocol.Completed))
	w.SetLive(true)
	var views []*View
	var copies []View
	publish := func() {
		v := w.View()
		views, copies = append(views, v), append(copies, freeze(v))
	}
	publish()
	for i := range 1000 {
		turn, item := fmt.Sprint("t", 1+i/60), fmt.Sprint("i", i/7)
		switch i % 7 {
		case 0:
			w.Apply(started(turn, agent(item, "so ")))
		case 6:
			w.Apply(completed(turn, agent(item, "so it ends")))
		case 3:
			w.Apply(piece(turn, "r"+item, protocol.DeltaSummary, i%3, "think "))
		case 4:
			w.Apply(piece(turn, "c"+item, protocol.DeltaOutput, 0, "line\n"))
		default:
			w.Apply(delta(turn, item, "and on "))
		}
		if i%60 == 59 {
			w.Apply(ended(turn, protocol.Completed))
		}
		if i%10 == 0 {
			publish()
		}
	}
	answer(t, w, w.Refresh(), itemsOf(nil, many("t9", "q", 5, 10)...), turnsOf(nil))
	w.Apply(reverted())
	publish()
	for i, v := range views {
		if !reflect.DeepEqual(*v, copies[i]) {
			t.Fatalf("view %d of %d changed after it was published", i, len(views))
		}
	}
}

func TestViewsShareWhatDidNotChange(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil, many("t1", "a", 3, 1)...), turnOf("t1", protocol.InProgress))
	first := w.View()
	wantEqual(t, "same view", w.View() == first, true)
	apply(w, delta("t1", "b", "x"))
	second := w.View()
	for i := range 3 {
		wantEqual(t, "row pointer", second.Rows[i] == first.Rows[i], true)
	}
	wantEqual(t, "turns are shared", reflect.ValueOf(first.Turns).Pointer() == reflect.ValueOf(second.Turns).Pointer(), true)
	apply(w, delta("t1", "b", "y"))
	third := w.View()
	wantEqual(t, "another row", third.Rows[3] == second.Rows[3], false)
	wantEqual(t, "same key", third.Rows[3].Key, second.Rows[3].Key)
	wantEqual(t, "higher revision", third.Rows[3].Rev > second.Rows[3].Rev, true)
	apply(w, ended("t1", protocol.Completed))
	wantEqual(t, "turns of the old view", third.Turns["t1"].Status, protocol.InProgress)
	wantEqual(t, "turns of the new view", w.View().Turns["t1"].Status, protocol.Completed)
}

// A page that says the same leaves the rows as they are.
func TestReadingAgainChangesNothing(t *testing.T) {
	page := itemsOf(nil, append(many("t1", "a", 3, 1), entry("t1", user("u", "c", "x")), entry("t1", command("c", "ls", "out")))...)
	w := opened(t, Limits{}, page)
	before := w.View()
	answer(t, w, w.Refresh(), page, turnsOf(nil))
	after := w.View()
	for i := range before.Rows {
		wantEqual(t, "row pointer", after.Rows[i] == before.Rows[i], true)
	}
}

// The invariants find what they are there to find.
func TestCheckFindsWhatIsBroken(t *testing.T) {
	for name, spoil := range map[string]func(w *Window){
		"a duplicate":          func(w *Window) { w.turns[0].rows = append(w.turns[0].rows, w.turns[0].rows[0]) },
		"a wrong count":        func(w *Window) { w.bytes++ },
		"too many":             func(w *Window) { w.limits.Items = 1 },
		"an overwritten final": func(w *Window) { w.turns[0].rows[0].final = false },
		"a wrong order":        func(w *Window) { slices.Reverse(w.turns[0].rows) },
		"a lost turn":          func(w *Window) { delete(w.byID, "t1") },
		"a lost row":           func(w *Window) { w.turns[0].rows = w.turns[0].rows[1:] },
	} {
		w := opened(t, Limits{}, itemsOf(nil, many("t1", "a", 3, 1)...), turnOf("t1", protocol.Completed))
		w.View()
		wantEqual(t, name+": before", w.check(), "")
		spoil(w)
		if w.check() == "" {
			t.Errorf("%s was not found", name)
		}
	}
}
