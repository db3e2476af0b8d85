package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
)

// recoveryScenes are the states of a loss and of what follows (UI-1).
func recoveryScenes() map[string]func(*desk) {
	after := func(changes ...func(*session.Snapshot)) func(*desk) {
		return func(d *desk) {
			d.show(joined)
			for _, change := range changes {
				d.show(change)
			}
		}
	}
	then := func(scene func(*desk), do func(*desk)) func(*desk) {
		return func(d *desk) { scene(d); do(d) }
	}
	key := func(k fyne.KeyName, mod fyne.KeyModifier) func(*desk) { return func(d *desk) { d.press(k, mod) } }
	focused := func(name string) func(*desk) { return func(d *desk) { d.focusOn(name) } }
	return map[string]func(*desk){
		"r1-reconnecting": then(after(reconnecting), focused("cancel")),
		"r2-manual":       then(after(with(manual, oneDraft)), focused("reconnect")),
		"r3-recovered":    then(after(reconnecting, recovered), focused("confirm")),
		"r4-restore":      then(after(reconnecting, recovered, restorable), focused("restore")),
		"r5-several": after(with(restorable, func(s *session.Snapshot) {
			s.Drafts.Rows = append(s.Drafts.Rows, draft("d2", "", "written while offline"), draft("d3", "t2", "the newest"))
		})),
		"r6-read":       then(after(restorable), key(fyne.KeyF4, 0)),
		"r7-where":      then(after(restorable), func(d *desk) { d.w.openWhere(func(string) {}) }),
		"r8-discard":    then(after(restorable), key(fyne.KeyF8, 0)),
		"r9-uncertain":  after(doubtful),
		"ra-operations": then(after(doubtful), key(fyne.KeyG, shiftCtrl)),
		"rb-operation":  then(after(doubtful), func(d *desk) { d.w.openOperation("o2") }),
		"rc-silent": after(with(running, func(s *session.Snapshot) {
			s.Status.Code, s.Status.Text = "not-answering", "Codex is not answering. Wait, or restart it with Reconnect: that interrupts the running turn."
			s.Status.Actions = append(slices.Clone(s.Status.Actions), session.ActReconnect)
		})),
		"rd-sign-in": after(with(reconnecting, func(s *session.Snapshot) {
			s.Status = &session.Status{
				State: session.SignInRequired, Code: "rejected", Actions: []session.Action{session.ActProfile, session.ActReconnect, session.ActDiscard},
				Text: "The server rejected the token in /run/token. Put a valid token there, then reconnect. What you typed is kept.",
			}
		})),
		"re-changed": after(with(reading, func(s *session.Snapshot) {
			s.Status = &session.Status{
				State: session.Confirmation, Code: "target-changed", Actions: []session.Action{session.ActConfirm, session.ActProfile, session.ActSelect, session.ActThreads},
				Text: "The token file is gone. Confirm to go on with this connection, or apply the profile.",
			}
		})),
		"rf-refresh": then(after(with(joined, func(s *session.Snapshot) {
			s.Thread.Live = false
			s.Status.State, s.Status.Code = session.HistoryRefresh, "refresh"
			s.Status.Text = "This conversation may not be complete: the items could not be read. Refresh reads it again."
			s.History.Stale = "the items could not be read"
		})), focused("refresh")),
		"rg-broken": after(func(s *session.Snapshot) {
			reconnecting(s)
			s.Status = &session.Status{
				State: session.ManualReconnect, Code: "internal-error", Actions: []session.Action{session.ActDiscard},
				Text: "Holdfast hit an internal error and has stopped. Copy your drafts, then close the window and start again.",
			}
		}),
	}
}

// doubtful is a reading after a loss with operations of each kind.
func doubtful(s *session.Snapshot) {
	reading(s)
	op := func(id, kind, thread, state, proof, text string) *session.Operation {
		return &session.Operation{ID: id, Kind: kind, Thread: thread, State: state, Proof: proof, Text: text, At: noon}
	}
	s.Operations = &session.Operations{Rows: []*session.Operation{
		op("o1", "thread/resume", "t1", "Confirmed", "by answer", ""),
		op("o2", "turn/start", "t1", "OutcomeUnknown", "", "Please also rename the test to say what it proves."),
		op("o3", "thread/archive", "t4", "OutcomeUnknown", "", ""),
		op("o4", "turn/start", "t2", "Rejected", "refused: the model is not offered", "Trim it"),
	}}
}
