package ui

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
)

// items are rows from first to last of one long conversation.
func items(first, last int) *history.View {
	h := &history.View{Turns: map[string]history.TurnInfo{}, Older: true, Newer: true}
	for i := first; i <= last; i++ {
		turn := fmt.Sprint("t", i/10)
		h.Turns[turn] = history.TurnInfo{ID: turn, Status: "interrupted"}
		h.Rows = append(h.Rows, &history.Row{
			Key: history.Key{Turn: turn, Item: fmt.Sprint("i", i)}, Rev: 1, State: history.Final,
			Item: protocol.Item{ID: fmt.Sprint("i", i), Type: "agentMessage", Body: protocol.AgentMessage{Text: fmt.Sprint("row ", i)}},
		})
	}
	return h
}

// bothEnds shows rows of a live conversation, with both ends to load.
func bothEnds(d *desk, h *history.View) {
	d.show(func(s *session.Snapshot) {
		joined(s)
		s.History = h
		st := *s.Status
		st.Actions = append(st.Actions, session.ActOlder, session.ActNewer)
		s.Status = &st
	})
	d.c.Capture() // a frame lays out what is in view
}

// The button and the key hand over the rows in view: what is seen stays, and
// does not move, when rows come and go at the two ends.
// req: UI-2, FLD-9
func TestPagingKeepsWhatIsSeen(t *testing.T) {
	d := newDesk(t, 900, 700)
	bothEnds(d, items(1000, 1999))
	d.w.trans.ScrollToStart()
	d.w.trans.ScrollBy(-4000)
	d.c.Capture()
	d.core.names()
	for _, c := range []struct {
		what string
		mod  fyne.KeyModifier
		h    *history.View
	}{
		{"older", fyne.KeyModifierControl, items(900, 1899)},
		{"newer", fyne.KeyModifierControl | fyne.KeyModifierShift, items(1000, 1999)},
	} {
		before := d.w.trans.InView()
		first, last := d.w.inView()
		d.press(fyne.KeyO, c.mod)
		var got history.Key
		want := last
		switch in := d.core.asked[len(d.core.asked)-1].(type) {
		case session.Older:
			got = in.Anchor
		case session.Newer:
			got, want = in.Anchor, first
		default:
			t.Errorf("%s: %T was asked", c.what, in)
		}
		if got != want || want == (history.Key{}) {
			t.Errorf("%s: anchor %v, want %v", c.what, got, want)
		}
		bothEnds(d, c.h)
		if after := d.w.trans.InView(); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%s: in view\n got %q\nwant %q", c.what, after, before)
		}
	}
}

// The core is told where the reader looks as soon as that changes, whatever
// comes later; at the end it is the newest row that is followed.
func TestTheCoreIsToldWhereTheReaderLooks(t *testing.T) {
	d := newDesk(t, 900, 700)
	bothEnds(d, items(0, 99))
	looks := func() (out []session.Intent) {
		d.c.Capture()
		d.drain()
		for _, in := range d.core.asked {
			if _, is := in.(session.LookAt); is {
				out = append(out, in)
			}
		}
		d.core.names()
		return out
	}
	wantEqual(t, "at the end", fmt.Sprint(looks()), "[]")
	d.w.trans.ScrollToStart()
	first, _ := d.w.inView()
	wantEqual(t, "above it", fmt.Sprint(looks()), fmt.Sprint([]session.Intent{session.LookAt{Row: first}}))
	bothEnds(d, items(0, 120))
	wantEqual(t, "when more came", fmt.Sprint(looks()), "[]")
	d.w.trans.ScrollToEnd()
	wantEqual(t, "at the end again", fmt.Sprint(looks()), fmt.Sprint([]session.Intent{session.LookAt{}}))
}

// Scrolling near an end loads beyond it, once, and only when the setting says
// so (ruling 31); a page that did not come is not asked for in a circle.
func TestLoadingByScrolling(t *testing.T) {
	for _, on := range []bool{false, true} {
		d := newDesk(t, 900, 700)
		d.w.settings.AutoLoad = on
		wants := func(what string, want ...string) {
			t.Helper()
			d.c.Capture()
			d.drain()
			if !on {
				want = nil
			}
			wantList(t, what, loads(d), want)
		}
		bothEnds(d, items(1000, 1999))
		wants("at first, at the end", "session.Newer")
		d.w.trans.ScrollToStart()
		d.w.trans.ScrollBy(-9000)
		wants("in the middle")
		d.w.trans.ScrollToStart()
		wants("at the start", "session.Older")
		for range 3 { // the page failed: nothing has changed
			d.w.trans.ScrollBy(-9000)
			d.c.Capture()
			d.w.trans.ScrollToStart()
			bothEnds(d, items(1000, 1999))
		}
		wants("after a failure")
		loading := items(900, 1899)
		loading.LoadingNewer = true
		bothEnds(d, loading)
		d.w.trans.ScrollToEnd()
		wants("while a page is read")
		bothEnds(d, items(900, 1899))
		wants("at the end", "session.Newer")
	}
}

// loads are the pages that were asked for.
func loads(d *desk) (out []string) {
	for _, n := range d.core.names() {
		if n == "session.Older" || n == "session.Newer" {
			out = append(out, n)
		}
	}
	return out
}
