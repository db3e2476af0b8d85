package ui

import (
	"context"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
)

func listing(n int, more bool) func(*session.Snapshot) {
	return func(s *session.Snapshot) { s.Threads = &session.Threads{Rows: conversations(n), More: more} }
}

// The list reads its next page when it is scrolled to its end (ruling 10), once,
// by the wheel and by the keyboard; what comes stands where it was asked for.
func TestTheListPagesAsItIsScrolled(t *testing.T) {
	for name, toEnd := range map[string]func(*desk){
		"wheel": func(d *desk) {
			for range 5 {
				d.w.side.list.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -10_000)})
			}
		},
		"keyboard": func(d *desk) {
			d.press(fyne.Key1, fyne.KeyModifierAlt)
			d.press(fyne.KeyEnd, 0)
			d.press(fyne.KeyDown, 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 1200, 800)
			d.show(listing(50, true))
			d.c.Capture()
			wantList(t, "asked before", d.core.names(), nil)
			toEnd(d)
			asked := d.core.asked
			if len(asked) != 1 || asked[0] != session.Intent(session.ListThreads{More: true}) {
				t.Fatalf("asked %+v, want the next page once", asked)
			}
			at := d.w.side.list.Place()
			d.show(listing(100, true))
			wantEqual(t, "place", d.w.side.list.Place(), at)
			if name == "keyboard" {
				wantEqual(t, "row", d.w.side.list.Current().ID, "t50")
			}
			d.core.names()
			d.show(listing(120, false))
			toEnd(d)
			wantList(t, "asked at the end of all", d.core.names(), nil)
		})
	}
}

// The filter says what it has looked at.
func TestTheFilterSaysWhatItSearched(t *testing.T) {
	for _, c := range []struct {
		name, typed, search string
		more                bool
		want                string
	}{
		{"nothing typed", "", "", true, ""},
		{"a part is loaded", "step 1", "", true, "11 of the 20 loaded. Enter searches all of them."},
		{"all is loaded", "step 1", "", false, "11 of 20 conversations."},
		{"what the server found", "step", "step", false, "20 conversations found by the server for “step”."},
		{"within what the server found", "step 1", "step", false, "11 of the 20 found for “step”. Enter searches all conversations."},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t, 1200, 800)
			d.show(func(s *session.Snapshot) {
				s.Threads = &session.Threads{Rows: conversations(20), More: c.more, Search: c.search}
			})
			d.w.side.filter.SetText(c.typed)
			wantEqual(t, "hint", d.w.side.hint.String(), c.want)
			d.core.names()
			d.press(fyne.KeyP, ctrl)
			d.press(fyne.KeyReturn, 0)
			wantEqual(t, "asked", d.core.asked[0], session.Intent(session.ListThreads{Search: c.typed}))
		})
	}
}

// A row is made once, and again when it or the minute has changed.
func TestARowOfTheListIsMadeOnce(t *testing.T) {
	d := newDesk(t, 1200, 800)
	rows := conversations(2)
	d.show(func(s *session.Snapshot) { s.Threads = &session.Threads{Rows: rows} })
	b := d.w.side
	first := b.rowOf(rows[0], d.now)
	wantEqual(t, "the same", b.rowOf(rows[0], d.now), first)
	changed := *rows[0]
	changed.Title = "Another"
	wantEqual(t, "title", b.rowOf(&changed, d.now).row.Title.String(), "Another")
	wantEqual(t, "text", b.rowOf(&changed, d.now).text, "another /home/me/src/project-0 main")
	wantEqual(t, "later", b.rowOf(&changed, d.now.Add(3*3600e9)).row.Right.String(), "3 h")
}

// The ages in the list go on although nothing is published.
func TestAgesGoOn(t *testing.T) {
	d := newDesk(t, 900, 600)
	d.show(joined)
	at := d.now.Unix()
	d.show(func(s *session.Snapshot) {
		s.Threads = &session.Threads{Rows: []*session.ThreadRow{{ID: "t1", Title: "one", RecencyAt: at}}}
	})
	age := func() string { return d.w.side.list.Rows()[0].Right.String() }
	before := age()
	d.now = d.now.Add(7 * time.Minute)
	ticks := make(chan time.Time, 1)
	ticks <- d.now
	ctx, cancel := context.WithCancel(t.Context())
	d.w.opts.Do = func(f func()) { f(); cancel() }
	d.w.WatchClock(ctx, ticks)
	wantEqual(t, "ages", before+", "+age(), "now, 7 min")
}
