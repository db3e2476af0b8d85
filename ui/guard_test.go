package ui

import (
	"strings"
	"testing"

	"holdfast/core/history"
	"holdfast/core/session"
)

// A defect in the window's own code ends nothing and loses no text.
func TestADefectOfTheWindowKeepsTheText(t *testing.T) {
	tests := map[string]func(*desk){
		"in what is posted": func(d *desk) { d.w.opts.Do(func() { panic("defect") }); d.drain() },
		"in a command":      func(d *desk) { d.w.runCommand(command{label: "Break", run: func(*Window) { panic("defect") }}) },
		"in the rows": func(d *desk) {
			d.show(func(s *session.Snapshot) { s.History = &history.View{Rows: []*history.Row{nil}} })
		},
	}
	for name, act := range tests {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 360, 740)
			var where string
			d.w.opts.Broken = func(stack []byte) { where = string(stack) }
			d.show(joined)
			d.focusOn("message")
			d.write("unsent")
			act(d)
			if where == "" || strings.Contains(where, "panic(\"defect\")") {
				t.Errorf("the place is %q", where)
			}
			wantEqual(t, "message", d.w.comp.entry.Text, "unsent")
			n, said := d.w.notices.local, d.w.rows.rows
			if (len(n) == 0 || n[0].Text != brokenText.String()) && (len(said) != 1 || said[0].Key != "\x00broken") {
				t.Errorf("the window says %+v, and shows %d rows", n, len(said))
			}
			d.show(joined)
			d.w.copyDrafts()
			wantEqual(t, "copied", d.w.app.Clipboard().Content(), "unsent")
			d.w.closing()
			wantEqual(t, "dialog", d.dialog(), "close")
		})
	}
}
