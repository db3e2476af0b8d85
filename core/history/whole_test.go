package history

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"

	"holdfast/core/protocol"
)

// reads lists the reads of a search as it is answered, until it ends.
func reads(x *Whole, answer func(WholeRead) (found bool)) (log []string, found bool) {
	for {
		r, more := x.Next()
		switch {
		case !more:
			return log, false
		case r.Items != nil:
			from, err := json.Marshal(r.Items.Cursor)
			log = append(log, fmt.Sprintf("items of %s from %s, %d, copy %v, %v", r.Items.TurnID, from, r.Items.Limit, r.Copy, err))
		default:
			log = append(log, fmt.Sprintf("%s turns from %q, %d, copy %v at %d", r.Turns.ItemsView, r.Turns.Cursor, r.Turns.Limit, r.Copy, r.Index))
		}
		if answer(r) {
			return log, true
		}
	}
}

func TestAWholeRowIsLookedForInItsTurn(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil, entry("u1", agent("i1", "a")), entry("u1", agent("i2", "b"))), turnOf("u1", "completed"))
	before := w.View()
	x, err := w.Whole(Key{"u1", "i1"})
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	log, found := reads(x, func(WholeRead) bool {
		if pages++; pages == 3 {
			return true
		}
		x.Copied(ptr(fmt.Sprint("c", pages)))
		return false
	})
	want := []string{
		`items of u1 from "", 20, copy true, <nil>`, `items of u1 from "c1", 20, copy true, <nil>`, `items of u1 from "c2", 20, copy true, <nil>`,
	}
	if !slices.Equal(log, want) || !found || w.View() != before {
		t.Errorf("%q, %v, want %q", log, found, want)
	}
	x, _ = w.Whole(Key{"u1", "i1"})
	if log, found := reads(x, func(WholeRead) bool { x.Copied(nil); return false }); found || len(log) != 1 {
		t.Errorf("the end: %q, %v", log, found)
	}
	x, _ = w.Whole(Key{"u1", "i1"})
	if log, found := reads(x, func(WholeRead) bool { x.Copied(ptr("same")); return false }); found || len(log) != 2 {
		t.Errorf("a cursor that repeats: %q, %v", log, found)
	}
}

func TestAWholeRowOfALegacyTurn(t *testing.T) {
	w := New(thread, Legacy, Limits{})
	var turns []protocol.Turn
	for i := range 5 {
		turns = append(turns, turnOf(fmt.Sprint("u", i), "completed", user("x", "", "q"), agent("y", "a")))
	}
	for _, f := range w.Open() {
		w.GotTurns(f, turnsOf(nil, turns...))
	}
	// Three turns are newer; since then one more came, so that the page of three
	// does not reach it, and then it does.
	x, err := w.Whole(Key{"u1", "1"})
	if err != nil {
		t.Fatal(err)
	}
	server := slices.Concat(turns, []protocol.Turn{turnOf("u5", "completed")})
	log, found := reads(x, func(r WholeRead) bool {
		from := len(server)
		if r.Turns.Cursor != "" {
			if _, err := fmt.Sscanf(r.Turns.Cursor, "at%d", &from); err != nil {
				t.Fatal(err)
			}
		}
		to := max(from-r.Turns.Limit, 0)
		next := ptr(fmt.Sprint("at", to))
		if to == 0 {
			next = nil
		}
		page := slices.Clone(server[to:from])
		slices.Reverse(page)
		if !r.Copy {
			x.Passed(page, next)
			return false
		}
		if page[0].ID == "u1" {
			return true
		}
		x.Copied(next)
		return false
	})
	want := []string{
		`notLoaded turns from "", 3, copy false at 0`, `summary turns from "at3", 1, copy true at 1`,
		`notLoaded turns from "at2", 100, copy false at 0`, `summary turns from "at2", 1, copy true at 1`,
	}
	if !slices.Equal(log, want) || !found {
		t.Errorf("%q, %v, want %q", log, found, want)
	}
}

func TestWhatCannotBeReadWhole(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil, entry("u1", agent("i1", "a"))), turnOf("u1", "completed"))
	w.Apply(begun("u2"))
	w.Apply(delta("u2", "i2", "b"))
	for _, c := range []struct {
		key  Key
		want error
	}{{Key{"u1", "i9"}, ErrNotLoaded}, {Key{"u2", "i2"}, ErrGrowing}, {Key{"u1", "i1"}, nil}} {
		if _, err := w.Whole(c.key); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.key, err, c.want)
		}
	}
}
