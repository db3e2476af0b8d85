package ui

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
	"holdfast/widgets/theme"
)

// historyScenes are the ways in which a conversation is not all there: its ends,
// rows that were shortened, a reading that is not complete, older conversations,
// and attachments that are not listed.
func historyScenes() map[string]func(*desk) {
	shown := func(change func(*session.Snapshot)) func(*desk) {
		return func(d *desk) { d.show(with(joined, change)) }
	}
	ends := func(change func(*history.View)) func(*desk) {
		return func(d *desk) {
			h := items(1000, 1060)
			for id, t := range h.Turns {
				t.Status = "completed"
				h.Turns[id] = t
			}
			change(h)
			bothEnds(d, h)
		}
	}
	atStart := func(scene func(*desk)) func(*desk) {
		return func(d *desk) { scene(d); d.w.trans.ScrollToStart() }
	}
	stale := func(why string) func(*desk) {
		return shown(func(s *session.Snapshot) {
			s.History.Stale = why
			s.Status = &session.Status{
				State: session.HistoryRefresh, Code: "refresh", Actions: s.Status.Actions,
				Text: "This conversation may not be complete: " + why + ". Refresh reads it again.",
			}
		})
	}
	list := func(a session.Attachments) func(*desk) {
		return func(d *desk) { d.show(attached(&a)); d.press(fyne.KeyE, shiftCtrl) }
	}
	return map[string]func(*desk){
		"h1-older":         atStart(ends(func(*history.View) {})),
		"h2-loading-older": atStart(ends(func(h *history.View) { h.LoadingOlder = true })),
		"h3-newer":         ends(func(*history.View) {}),
		"h4-loading-newer": ends(func(h *history.View) { h.LoadingNewer = true }),
		"h5-overflow":      stale("too much happened while the history was read"),
		"h6-changed": func(d *desk) {
			d.show(with(reading, func(s *session.Snapshot) { s.History.Stale = "changed since read" }))
		},
		"h7-incomplete": func(d *desk) {
			d.show(with(reading, func(s *session.Snapshot) {
				s.History = &history.View{Stale: "the server lists nothing of it, as after the loss of its history database; joining reads it again"}
			}))
		},
		"h8-cut": func(d *desk) {
			d.show(with(joined, func(s *session.Snapshot) { s.History = cutRows() }))
			d.c.Capture()
			d.press(fyne.Key2, fyne.KeyModifierAlt)
			for _, k := range []fyne.KeyName{fyne.KeyEnd, fyne.KeyUp, fyne.KeyReturn, fyne.KeyUp, fyne.KeyReturn, fyne.KeyEnd} {
				d.press(k, 0)
			}
		},
		"h9-summaries": func(d *desk) {
			d.show(folding(true, history.TurnInfo{ID: "u1", Status: "completed", Summary: true}, summary()))
		},
		"ha-whole-turn": func(d *desk) { d.show(folding(true, history.TurnInfo{ID: "u1", Status: "completed"}, turnRows("u1"))) },
		"hb-folded": func(d *desk) {
			d.show(folding(false, history.TurnInfo{ID: "u1", Status: "completed", Folded: true}, turnRows("u1")))
		},
		"hc-attachments-failed":  list(session.Attachments{Stale: "it could not be read (the list is locked)"}),
		"hd-attachments-reading": list(session.Attachments{Rows: attachments().Rows, Loading: true, Stale: "it is being read"}),
		"he-attachments-full":    list(session.Attachments{Rows: hundred(), Stale: "it has more than 100 attachments, and only the first 100 are kept"}),
	}
}

// cutRows are rows that the server cut, that the window shortened, and one of
// which only a part was heard.
func cutRows() *history.View {
	ask := row("u1", "a", 1, protocol.UserMessage{Content: []protocol.UserInput{{Type: "text", Text: "Show me both logs."}}})
	server := row("u1", "s", 1, protocol.CommandExecution{Command: "cat everything.log", Status: "completed", Output: "first\n… \nlast", ExitCode: number(0)})
	server.Cut, server.Item.Cuts = history.CutServer, []protocol.Cut{{Server: true}}
	part := row("u1", "p", 1, protocol.AgentMessage{Text: "…and the second one ends with"})
	part.State = history.Partial
	return &history.View{
		Newest: "u1", Turns: map[string]history.TurnInfo{"u1": {ID: "u1", Status: "inProgress"}},
		Rows: []*history.Row{ask, server, cutRow(history.Final, 6<<20), part},
	}
}

// summary is what an older conversation lists of a turn.
func summary() []*history.Row {
	rows := turnRows("u1")
	return []*history.Row{rows[0], rows[3]}
}

// hundred are as many attachments as are kept.
func hundred() []*session.AttachmentRow {
	var rows []*session.AttachmentRow
	for i := range 100 {
		rows = append(rows, &session.AttachmentRow{
			Type: "note", Identity: fmt.Sprint("page ", i), ID: fmt.Sprint("m", i), CreatedAt: noon.Unix(), Bytes: 2, Reason: "type not known",
		})
	}
	return rows
}

// Each of them in each theme, narrow and wide: everything that can have the
// keyboard is whole, inside the window, and on the round that Tab makes.
//
// req: UI-1
func TestHistoryInEachTheme(t *testing.T) {
	for name, scene := range historyScenes() {
		for _, width := range []float32{360, 1200} {
			t.Run(fmt.Sprint(name, " ", width), func(t *testing.T) {
				d := newDesk(t, width, 740)
				scene(d)
				grounds := map[any]bool{}
				for range 3 {
					d.wantInside(width)
					grounds[theme.Current().BG] = true
					d.press(fyne.KeyT, shiftCtrl)
				}
				wantEqual(t, "grounds of three themes", len(grounds), 3)
				if d.dialog() == "" {
					wantList(t, "Tab", d.tour(), names(d.w.order()))
				}
			})
		}
	}
}

// What is not complete says so above its rows, with the steps that mend it.
//
// req: HIS-10
func TestWhatIsNotCompleteSaysSo(t *testing.T) {
	for name, want := range map[string]string{
		"h5-overflow":   "Not up to date. This conversation may not be complete: too much happened while the history was read. Refresh reads it again. [refresh]",
		"h6-changed":    "Not up to date. It has changed since it was read. Refresh reads it again. [refresh]",
		"h7-incomplete": "Not up to date. It may not be complete: the server lists nothing of it, as after the loss of its history database; joining reads it again. [join refresh]",
		"h1-older":      "",
	} {
		d := newDesk(t, 1200, 740)
		historyScenes()[name](d)
		got := ""
		if d.w.banner.Visible() {
			var steps []string
			for _, b := range d.w.banner.Buttons() {
				steps = append(steps, b.Name)
			}
			got = fmt.Sprint(d.w.banner.Words(), " ", steps)
		}
		wantEqual(t, name, got, want)
	}
}
