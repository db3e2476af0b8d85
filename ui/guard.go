package ui

import (
	"runtime/debug"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets/transcript"
)

// brokenText is said after a defect of the window's own.
const brokenText words.Key = "Holdfast hit an internal error in its window. What you typed is kept: copy it (all unsent text), then close the window and start again."

// guard runs a piece of the window. A defect of ours must not end the program:
// what was typed would go with it.
func (w *Window) guard(run func()) {
	defer func() {
		if p := recover(); p != nil {
			w.broke()
			defer func() { _ = recover() }() // the line that says so may fail as well
			w.notices.add(safetext.Own(brokenText), false)
			w.settle()
		}
	}()
	run()
}

// broke tells where a defect is. Its value may hold text of a conversation: it
// goes nowhere.
func (w *Window) broke() {
	if w.opts.Broken != nil {
		w.opts.Broken(debug.Stack())
	}
}

// guarded makes what is posted to the window's goroutine safe.
func (w *Window) guarded(do func(func())) func(func()) {
	return func(run func()) { do(func() { w.guard(run) }) }
}

// frameOf prepares a snapshot. If its rows cannot be made, the rest is shown.
func (w *Window) frameOf(s *session.Snapshot) (f *frame) {
	defer func() {
		if p := recover(); p != nil {
			w.broke()
			w.rows.view, w.rows.ops = nil, nil // what was begun is made anew
			w.rows.rows = []*transcript.Row{{
				Key: "\x00broken", Form: transcript.Failure, Head: safetext.Trusted("These messages cannot be shown."),
				Body: []safetext.Doc{safetext.Plain(brokenText.String())},
			}}
			f = &frame{snap: s, rows: w.rows.rows, from: w.rows.from}
		}
	}()
	rows := w.rows.build(s)
	return &frame{snap: s, rows: rows, from: w.rows.from}
}
