package history

import (
	"errors"
	"testing"

	"holdfast/core/protocol"
)

// A legacy turn that is folded again is its summary: the rows between are free,
// and can be had again.
func TestFoldingALegacyTurnFreesItsRows(t *testing.T) {
	w := legacyWindow(t, Limits{}, turnsOf(nil,
		legacyTurn("t1", protocol.Completed, user("", "", "hi"), agent("", "bye")),
		legacyTurn("t2", protocol.Completed, user("", "", "x"), agent("", "y"))))
	before, bytes := len(w.rows), w.bytes
	full := legacyTurn("t1", protocol.Completed, user("", "", "hi"), agent("", "first"), command("", "ls", "out"),
		user("", "", "and"), agent("", "bye"))
	open := func() {
		fetches, err := w.Expand("t1")
		f := one(t, w.GotTurns(one(t, fetches, err), turnsOf(ptr("s1"), legacyTurn("t2", protocol.Completed))), nil)
		w.GotTurns(f, turnsOf(nil, full))
		wantLines(t, w, "t1/0 hi", "t1/1 first", "t1/2 ls\nout", "t1/3 and", "t1/4 bye", "t2/0 x", "t2/1 y")
	}
	open()
	w.SetAnchor(Key{"t1", "3"})
	if err := w.Fold("t1", true); err != nil {
		t.Fatal(err)
	}
	wantLines(t, w, "t1/0 hi", "t1/1 bye", "t2/0 x", "t2/1 y")
	wantEqual(t, "held", [2]int64{int64(len(w.rows)), w.bytes}, [2]int64{int64(before), bytes})
	wantEqual(t, "anchor", w.anchor, Key{"t1", "0"})
	wantEqual(t, "summary", w.View().Turns["t1"].Summary, true)
	if err := w.Fold("t1", true); err != nil { // it is already
		t.Fatal(err)
	}
	open()
}

// Elsewhere nothing goes: the turn is marked, and its rows stay.
func TestFoldingATurnKeepsItsRows(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil, entry("t1", user("i1", "", "hi")), entry("t1", command("i2", "ls", "out")),
		entry("t1", agent("i3", "bye"))), turnOf("t1", protocol.Completed))
	before := w.View()
	if err := w.Fold("t1", true); err != nil {
		t.Fatal(err)
	}
	v := w.View()
	wantEqual(t, "rows", v.Rows, before.Rows)
	wantEqual(t, "folded", [2]bool{v.Turns["t1"].Folded, before.Turns["t1"].Folded}, [2]bool{true, false})
	wantEqual(t, "ends", Ends(v.Rows), []int{0, 2})
	w.Refresh() // it stays folded over a read
	wantEqual(t, "folded", w.View().Turns["t1"].Folded, true)
	if err := w.Fold("t1", false); err != nil || w.View().Turns["t1"].Folded {
		t.Errorf("unfolded: %v", err)
	}
	_ = w.Fold("t1", true)
	if _, err := w.Expand("t1"); err == nil {
		t.Error("expanded during a read")
	}
}

func TestWhatCannotBeFolded(t *testing.T) {
	w := opened(t, Limits{}, itemsOf(nil, entry("t1", agent("i1", "a"))), turnOf("t1", protocol.Completed))
	apply(w, begun("t2"), completed("t2", user("i2", "", "b")))
	for id, want := range map[string]error{"t1": nil, "t2": ErrRunning, "t3": ErrNotLoaded} {
		if err := w.Fold(id, true); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", id, err, want)
		}
	}
	if fetches, err := w.Expand("t1"); err != nil || fetches != nil || w.View().Turns["t1"].Folded {
		t.Errorf("expand shows what is folded: %v, %v", fetches, err)
	}
	wantEqual(t, "no ends", len(Ends(nil)), 0)
}
