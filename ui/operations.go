package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
)

// The states of an operation that the window treats in its own way.
const (
	inFlight  = "InFlight"
	uncertain = "OutcomeUnknown"
)

// An opState is a state of an operation in words: short for a list, whole for
// the one that is looked at.
type opState struct{ short, whole words.Key }

var opStates = map[string]opState{
	"NotSent":   {short: "not sent", whole: "Not sent. The server never got it."},
	inFlight:    {short: "waiting", whole: "Sent. The answer is still to come."},
	"Confirmed": {short: "accepted", whole: "Accepted by the server."},
	"Rejected":  {short: "refused", whole: "Refused by the server."},
	uncertain:   {short: "uncertain", whole: "Sent, no answer. It may have run."},
}

// goneStates are those of a message that was accepted and is missing.
var goneStates = map[session.Gone]opState{
	session.NoTrace:  {short: "no trace", whole: "Accepted, but there is no trace of it in the history."},
	session.NotTaken: {short: "not taken", whole: "Accepted, but its turn ended without it."},
}

func stateOf(o *session.Operation) opState {
	if x, ok := goneStates[o.Gone]; ok {
		return x
	}
	if x, ok := opStates[o.State]; ok {
		return x
	}
	return opState{words.Key(o.State), words.Key(o.State)}
}

// opKinds are the kinds of operations in words, by the protocol's method.
var opKinds = map[string]words.Key{
	"turn/start": "Message", "turn/steer": "Steer", "turn/interrupt": "Stop",
	"thread/start": "New conversation", "thread/resume": "Join", "thread/fork": "Fork",
	"thread/archive": "Archive", "thread/unarchive": "Unarchive", "thread/delete": "Delete",
	"thread/name/set": "Rename", "thread/compact/start": "Compact", "thread/unsubscribe": "Leave",
	"account/login/start": "Sign-in", "account/logout": "Sign-out",
}

func kindOf(o *session.Operation) safetext.Line {
	if word, ok := opKinds[o.Kind]; ok {
		return safetext.Own(word)
	}
	switch {
	case strings.Contains(o.Kind, "queue/"):
		return safetext.Trusted("Queue")
	case strings.HasPrefix(o.Kind, "item/") || strings.Contains(o.Kind, "elicitation"):
		return safetext.Trusted("Answer to a request")
	}
	return safetext.MakeLine(o.Kind)
}

// whereOf names an operation's conversation as far as it is known.
func (w *Window) whereOf(o *session.Operation) safetext.Line {
	if o.Thread == "" {
		return safetext.Line{}
	}
	if t := w.from.thread; t != nil && t.ID == o.Thread {
		return title(t.Title)
	}
	for _, r := range w.snap.Threads.Rows {
		if r.ID == o.Thread {
			return title(r.Title)
		}
	}
	return line("conversation %s", o.Thread)
}

// operationsLabel is the badge: what is uncertain, else what is under way.
func operationsLabel(o *session.Operations) (label safetext.Line, unsure int) {
	running := 0
	for _, r := range o.Rows {
		switch r.State {
		case uncertain:
			unsure++
		case inFlight:
			running++
		}
	}
	switch {
	case unsure > 0:
		return line("Operations: %d uncertain", unsure), unsure
	case running > 0:
		return line("Operations: %d running", running), 0
	}
	return safetext.Trusted("Operations"), 0
}

// onlyHere are the operations whose text the server accepted and does not have,
// and that is nowhere else either.
func (w *Window) onlyHere() []*session.Operation {
	var out []*session.Operation
	for _, o := range w.snap.Operations.Rows {
		if o.Gone != session.NotGone && !o.Restored && strings.TrimSpace(o.Text) != "" {
			out = append(out, o)
		}
	}
	return out
}

// openOperations lists what was asked of the server: the uncertain first, then
// the newest first.
func (w *Window) openOperations() {
	ops := slices.Clone(w.snap.Operations.Rows)
	slices.Reverse(ops)
	slices.SortStableFunc(ops, func(a, b *session.Operation) int {
		switch {
		case (a.State == uncertain) == (b.State == uncertain):
			return 0
		case a.State == uncertain:
			return -1
		}
		return 1
	})
	if len(ops) == 0 {
		var m *widgets.Modal
		closeIt := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
		nothing := para(safetext.Trusted("Nothing that changes anything was asked of the server yet."))
		m = widgets.NewModal("operations", safetext.Trusted("Operations"), []fyne.CanvasObject{nothing}, closeIt)
		w.dialog(m, closeIt)
		return
	}
	var items []menuItem
	for _, o := range ops {
		items = append(items, menuItem{run: func() { w.openOperation(o.ID) }, row: widgets.Row{
			ID: o.ID, Title: safetext.Join(" · ", kindOf(o), w.whereOf(o)), Sub: operationSub(o),
			Right: safetext.MakeLine(clock(o.At)), Badge: safetext.Own(stateOf(o).short), Warn: o.State == uncertain || o.Gone != session.NotGone,
		}})
	}
	w.menu("operations", safetext.Trusted("Operations"), items)
}

// operationSub is an operation's text, else how its state is known.
func operationSub(o *session.Operation) safetext.Line {
	if strings.TrimSpace(o.Text) != "" {
		return quoted(o.Text)
	}
	return safetext.MakeLine(o.Proof)
}

// openOperation shows one operation, and what can be done about it.
func (w *Window) openOperation(id string) {
	i := slices.IndexFunc(w.snap.Operations.Rows, func(o *session.Operation) bool { return o.ID == id })
	if i < 0 {
		w.say(safetext.Trusted("This operation is not kept any more."))
		return
	}
	o := w.snap.Operations.Rows[i]
	body := []fyne.CanvasObject{
		para(safetext.Own(stateOf(o).whole)),
		dim(safetext.Join(" · ", w.whereOf(o), safetext.MakeLine(words.Date(o.At, "2 Jan 15:04:05")), safetext.MakeLine(o.Proof))),
	}
	var m *widgets.Modal
	closeIt := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
	buttons := []*widgets.Button{closeIt}
	if strings.TrimSpace(o.Text) != "" {
		body = append(body, shortCode(o.Text))
		buttons = append(buttons, w.copier(&m, o.Text))
		if o.State != inFlight {
			buttons = append(buttons, closer(safetext.Trusted("Restore…"), "restore", widgets.Plain, &m, func() { w.restoreOperation(o) }))
		}
	}
	if o.State != inFlight {
		buttons = append(buttons, closer(safetext.Trusted("Dismiss"), "dismiss", widgets.Plain, &m, func() { w.dismissOperation(o) }))
	}
	m = widgets.NewModal("operation", kindOf(o), body, buttons...)
	w.dialog(m, closeIt)
}

// restoreOperation puts the text into the message. Sending it again is an
// action of its own, and may do it twice (LED-7).
func (w *Window) restoreOperation(o *session.Operation) {
	put := func() {
		w.putIn(func(mode string) session.Intent {
			return session.Review{Op: o.ID, Action: "restore", Mode: mode}
		})
	}
	if o.State != uncertain && o.State != "Confirmed" {
		put()
		return
	}
	w.confirm("twice", safetext.Trusted("It may run twice"), safetext.Trusted("Put it into the message"), put,
		safetext.Trusted("The server may have taken this already. The text goes into the message; if you send it again, it may run a second time."))
}

// dismissOperation forgets a record; an uncertain one only after a question.
func (w *Window) dismissOperation(o *session.Operation) {
	at := w.snap.At
	drop := func() { w.askAt(at.OwnerOnly(), session.Review{Op: o.ID, Action: "dismiss"}) }
	if o.State != uncertain {
		drop()
		return
	}
	w.confirm("dismiss", safetext.Trusted("Dismiss an uncertain operation?"), safetext.Trusted("Dismiss"), drop,
		safetext.Trusted("Whether it ran stays unknown, and its text is kept nowhere else."))
}

// reconnect makes one attempt. Where a local server only does not answer, that
// restarts it, which the user has to want (ruling 16).
func (w *Window) reconnect() {
	if w.snap.Status.Code != "not-answering" {
		w.core.Do(w.snap.At, session.Reconnect{}, func(r session.Result) {
			if !r.OK && r.Code != "not-connected" { // that is what the banner says
				w.opts.Do(func() { w.sayNow(refusal(session.Reconnect{}, r)) })
			}
		})
		return
	}
	var m *widgets.Modal
	at := w.snap.At
	wait := closer(safetext.Trusted("Wait"), "cancel", widgets.Plain, &m, nil)
	restart := closer(safetext.Trusted("Restart"), "restart", widgets.Plain, &m, func() { w.askAt(at, session.Reconnect{}) })
	m = widgets.NewModal("restart", safetext.Trusted("Restart Codex?"), []fyne.CanvasObject{
		para(safetext.Trusted("The running turn is interrupted. What you typed is kept as a draft.")),
	}, wait, restart)
	w.dialog(m, wait)
}
