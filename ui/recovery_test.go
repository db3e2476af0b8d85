package ui

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
	"holdfast/widgets"
)

func draft(id, thread, text string) *session.Draft {
	d := &session.Draft{ID: id, Thread: thread, Text: text, At: noon}
	if thread == "t1" {
		d.Title = "Parser fails on CRLF"
	}
	return d
}

func oneDraft(s *session.Snapshot) {
	d := draft("d1", "t1", "Please also rename the test to say what it proves.")
	d.Images, d.Model, d.Effort = []string{"/home/me/shot.png"}, "gpt-5.5", "high"
	s.Drafts = &session.Drafts{Rows: []*session.Draft{d}}
	s.Status.Actions = append(slices.Clone(s.Status.Actions), session.ActDiscard)
}

// reconnecting is a live conversation just after the loss.
func reconnecting(s *session.Snapshot) {
	reading(s)
	s.Status = &session.Status{
		State: session.Reconnecting, Code: "reconnecting", Attempt: 2, Actions: []session.Action{session.ActCancel},
		Text: "The connection was lost: the connection was reset. Attempt 2 of 5 is under way. The turn may still be running on the server. What you typed is kept.",
	}
	s.History.Stale = "the connection was lost"
	oneDraft(s)
}

// recovered is the new connection: nothing selected, the rows still there.
func recovered(s *session.Snapshot) {
	s.At = fence.NextView()
	s.Generations.Owner++
	s.Generations.Connection++
	s.Status = &session.Status{
		State: session.AwaitingSelection, Code: "select", Text: "Connected. Choose a conversation, or start a new one.",
		Actions: []session.Action{session.ActSelect, session.ActNew, session.ActThreads, session.ActConfirm},
	}
	s.History = sampleView()
	s.History.Stale = "the connection was lost"
	s.Thread, s.Composer = nil, &session.Composer{Rev: 9}
	oneDraft(s)
}

// restorable is a confirmed connection with a conversation selected.
func restorable(s *session.Snapshot) {
	reading(s)
	s.Composer.Rev = 10
	oneDraft(s)
	s.Status.Actions = append(s.Status.Actions, session.ActRestore)
}

// Each step before a restore is named and offered, in its order.
//
// req: DRF-4
func TestADraftSaysWhatComesFirst(t *testing.T) {
	const d = "“Please also rename the test to say what it proves.” · 1 image · gpt-5.5, high · in Parser fails on CRLF"
	tests := map[string]struct {
		change  func(*session.Snapshot)
		words   string
		buttons []string
	}{
		"while reconnecting": {reconnecting, "Kept: “Please also rename the test to say what it proves.”", []string{"drafts"}},
		"nothing confirmed or selected": {
			recovered, "An unsent draft is kept apart from the message. " + d +
				" · To restore it, confirm the connection (local, you@example.com) and choose a conversation.",
			[]string{"confirm", "drafts"},
		},
		"not selected": {with(recovered, func(s *session.Snapshot) {
			s.Status.Actions = []session.Action{session.ActSelect, session.ActDiscard}
		}), "An unsent draft is kept apart from the message. " + d + " · To restore it, choose a conversation.", []string{"discard", "drafts"}},
		"not confirmed": {with(restorable, func(s *session.Snapshot) {
			s.Status.Actions = []session.Action{session.ActSelect, session.ActConfirm, session.ActDiscard}
		}), "An unsent draft is kept apart from the message. " + d + " · To restore it, confirm the connection (local, you@example.com).", []string{"confirm", "drafts"}},
		"both": {restorable, "An unsent draft is kept apart from the message. " + d, []string{"restore", "discard", "drafts"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 1200, 800)
			d.show(joined)
			d.show(tt.change)
			wantEqual(t, "shown", d.w.drafts.bar.Visible(), true)
			wantEqual(t, "words", d.w.drafts.bar.Words(), tt.words)
			var got []string
			for _, b := range d.w.drafts.bar.Buttons() {
				got = append(got, b.Name)
				if b.Key() == "" {
					t.Errorf("%s has no key", b.Label())
				}
			}
			wantList(t, "buttons", got, tt.buttons)
			wantEqual(t, "message", d.w.comp.entry.Text, "")
		})
	}
}

// Restoring and sending are two actions; neither happens by itself.
//
// req: DRF-4, DRF-5
func TestRestoreOnlyFillsTheMessage(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(joined)
	d.show(recovered)
	d.press(fyne.KeyF3, 0)
	wantList(t, "asked too early", d.core.names(), nil)
	d.show(restorable)
	wantList(t, "asked by showing", d.core.names(), nil)
	d.press(fyne.KeyF3, 0)
	in, ok := d.core.asked[0].(session.Restore)
	if !ok || in != (session.Restore{Draft: "d1"}) || d.core.at[0] != d.snap.At {
		t.Fatalf("asked %+v at %v", d.core.asked, d.core.at)
	}
	d.core.done[0](session.Result{OK: true})
	d.show(with(joined, func(s *session.Snapshot) {
		s.Drafts = &session.Drafts{}
		s.Composer = &session.Composer{Thread: "t1", Rev: 11, Text: "Please also rename the test to say what it proves."}
	}))
	wantEqual(t, "message", d.w.comp.entry.Text, "Please also rename the test to say what it proves.")
	wantEqual(t, "focus", d.focus(), "message")
	wantEqual(t, "draft shown", d.w.drafts.bar.Visible(), false)
	wantList(t, "asked after it", d.core.names(), []string{"session.Restore"})
	d.press(fyne.KeyReturn, ctrl)
	wantList(t, "asked by the send key", d.core.names(), []string{"session.Send"})
}

// Neither text overwrites the other: where the draft goes is asked, and Escape
// keeps both as they are.
//
// req: DRF-5
func TestRestoreOntoAMessageAsksWhere(t *testing.T) {
	for i, want := range []string{"", "before", "after", "replace"} {
		d := newDesk(t, 360, 740)
		d.show(restorable)
		at := d.snap.At
		d.focusOn("message")
		d.write("typed")
		d.core.asked, d.core.at, d.core.done = nil, nil, nil
		d.press(fyne.KeyF3, 0)
		d.core.done[0](session.Result{Code: "composer-not-empty", Error: "The composer is not empty."})
		d.drain()
		wantEqual(t, "dialog", d.dialog(), "where")
		wantEqual(t, "the safe choice has the keyboard", d.focus(), "cancel")
		for range i {
			d.press(fyne.KeyTab, 0)
		}
		d.press(fyne.KeyReturn, 0)
		wantEqual(t, "dialog after the choice", d.dialog(), "")
		last := len(d.core.asked) - 1
		if got := d.core.asked[last].(session.Restore); got.Mode != want || d.core.at[last] != at {
			t.Errorf("asked %+v at %v, want mode %q at %v", got, d.core.at[last], want, at)
		}
		wantEqual(t, "message", d.w.comp.entry.Text, "typed")
	}
}

// Discard asks, about the draft that was shown.
func TestDiscardAsks(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(restorable)
	d.press(fyne.KeyF8, 0)
	wantEqual(t, "dialog", d.dialog(), "discard")
	wantEqual(t, "the safe choice has the keyboard", d.focus(), "cancel")
	d.press(fyne.KeyReturn, 0)
	wantList(t, "asked by Cancel", d.core.names(), nil)
	d.press(fyne.KeyF8, 0)
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	if got := d.core.asked; len(got) != 1 || got[0] != session.Intent(session.Discard{Draft: "d1"}) {
		t.Errorf("asked %+v", got)
	}
}

// Of several drafts the open conversation's comes first, then the newest; each
// is read, restored and discarded by itself.
func TestSeveralDrafts(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(with(restorable, func(s *session.Snapshot) {
		s.Drafts.Rows = append(s.Drafts.Rows, draft("d2", "", "written offline"), draft("d3", "t2", "the newest"))
	}))
	if got := d.w.drafts.bar.Words(); !strings.HasPrefix(got, "3 unsent drafts are kept apart from the message. “Please also") {
		t.Errorf("the bar says %q", got)
	}
	d.press(fyne.KeyF4, 0)
	wantEqual(t, "dialog", d.dialog(), "drafts")
	list := d.c.Focused().(*widgets.RowList)
	var got []string
	for _, r := range list.Rows() {
		got = append(got, r.ID)
	}
	wantList(t, "order", got, []string{"d1", "d3", "d2"})
	d.press(fyne.KeyEnd, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "draft")
	wantList(t, "buttons", d.tour(), []string{"cancel", "copy", "discard", "restore"})
	d.press(fyne.KeyTab, fyne.KeyModifierShift)
	d.press(fyne.KeyReturn, 0)
	if got := d.core.asked; len(got) != 1 || got[0] != session.Intent(session.Restore{Draft: "d2"}) {
		t.Errorf("asked %+v", got)
	}
}

// Drafts can be read and copied in every state.
func TestDraftsAreReadableInEveryState(t *testing.T) {
	for _, state := range session.States() {
		d := newDesk(t, 360, 740)
		d.show(func(s *session.Snapshot) {
			s.Status = &session.Status{State: state, Text: "What is."}
			oneDraft(s)
			s.Drafts.Rows[0].Blocks = []string{"a block"}
		})
		wantEqual(t, state.String()+": shown", d.w.drafts.bar.Visible(), true)
		d.press(fyne.KeyF4, 0)
		wantEqual(t, state.String()+": dialog", d.dialog(), "draft")
		d.press(fyne.KeyTab, 0)
		d.press(fyne.KeyReturn, 0)
		wantEqual(t, state.String()+": copied", d.w.app.Clipboard().Content(),
			"Please also rename the test to say what it proves.\na block")
	}
}

// The rows stay on screen over a loss and a new connection, and say whose they
// are, until the next selection.
func TestRowsStayUntilTheNextSelection(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	before := keysOf(d.w.rows.rows)
	for name, change := range map[string]func(*session.Snapshot){"the loss": reconnecting, "the new connection": recovered} {
		d.show(change)
		wantList(t, "rows after "+name, keysOf(d.w.rows.rows), before)
		wantEqual(t, "title after "+name, d.w.head.title.String(), "Parser fails on CRLF")
		wantEqual(t, "live after "+name, d.w.head.live.String(), "not live")
		wantEqual(t, "access after "+name, d.w.head.access.Visible(), false)
	}
	d.show(recovered)
	if got := d.w.banner.Words(); !strings.Contains(got, "from before this connection") {
		t.Errorf("the banner says %q", got)
	}
	d.show(with(reading, func(s *session.Snapshot) { s.Generations.Connection++ }))
	if got := keysOf(d.w.rows.rows); slices.Equal(got, before) {
		t.Error("the rows of the new selection have the keys of the lost ones")
	}
	wantEqual(t, "live word of the reading", d.w.head.live.String(), "reading · not live · read 14:02")
	d.show(func(s *session.Snapshot) { recovered(s); s.History = nil })
	wantEqual(t, "title with nothing kept", d.w.head.title.String(), "Holdfast")
}

// Every status of the core's table has words, and each of its next steps a
// button with a key.
//
// req: UI-4
func TestEveryStatusOfTheCoreIsShown(t *testing.T) {
	quiet := map[string]bool{"reading": true, "live": true, "reading-history": true, "reading-list": false}
	for _, c := range coreStates(t) {
		d := newDesk(t, 360, 740)
		d.show(func(s *session.Snapshot) {
			s.Status = c.status
			s.Drafts = &session.Drafts{}
		})
		if quiet[c.status.Code] && !c.status.Allows(session.ActConfirm) {
			continue
		}
		if c.status.Code == "reading-list" {
			continue // it ends by itself in a moment
		}
		if !d.w.banner.Visible() || len(d.w.banner.Buttons()) == 0 {
			t.Errorf("%s: no banner or no button: %q", c.name, d.w.banner.Words())
		}
		for _, b := range d.w.banner.Buttons() {
			if b.Key() == "" || !c.status.Allows(session.Action(b.Name)) {
				t.Errorf("%s: the button %q has no key or is not allowed", c.name, b.Label())
			}
		}
	}
}

type coreState struct {
	name   string
	status *session.Status
}

// coreStates reads the core's golden table.
func coreStates(t *testing.T) []coreState {
	t.Helper()
	data, err := os.ReadFile("../core/session/testdata/states.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []coreState
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	for i := 0; i+3 < len(lines); i += 4 {
		word, code, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		s := &session.Status{Code: strings.Trim(code, "()"), Text: strings.TrimSpace(lines[i+2])}
		for _, state := range session.States() {
			if state.String() == word {
				s.State = state
			}
		}
		for _, a := range strings.Fields(strings.Trim(strings.TrimSpace(lines[i+3]), "[]")) {
			s.Actions = append(s.Actions, session.Action(a))
		}
		out = append(out, coreState{lines[i], s})
	}
	if len(out) < 15 {
		t.Fatalf("%d states were read", len(out))
	}
	return out
}

// A local server that does not answer is restarted after a question only.
//
// req: UI-4
func TestRestartAsks(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(with(running, func(s *session.Snapshot) {
		s.Status.Code, s.Status.Text = "not-answering", "Codex is not answering. Wait, or restart it with Reconnect: that interrupts the running turn."
		s.Status.Actions = append(slices.Clone(s.Status.Actions), session.ActReconnect)
	}))
	b := d.w.banner.Buttons()
	if len(b) != 1 || b[0].Label() != "Restart…" {
		t.Fatalf("the banner offers %v", b)
	}
	d.press(fyne.KeyR, shiftCtrl)
	wantEqual(t, "dialog", d.dialog(), "restart")
	d.press(fyne.KeyReturn, 0)
	wantList(t, "asked by Wait", d.core.names(), nil)
	d.press(fyne.KeyR, shiftCtrl)
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	wantList(t, "asked by Restart", d.core.names(), []string{"session.Reconnect"})
}

// After a defect of ours every text can still be copied, and the window closes.
func TestInternalErrorOffersTheText(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(joined)
	d.focusOn("message")
	d.write("typed since")
	d.show(func(s *session.Snapshot) {
		s.Status = &session.Status{
			State: session.ManualReconnect, Code: "internal-error", Actions: []session.Action{session.ActDiscard},
			Text: "Holdfast hit an internal error and has stopped. Copy your drafts, then close the window and start again.",
		}
		s.Drafts = &session.Drafts{Rows: []*session.Draft{draft("d1", "t1", "frozen"), draft("d2", "t1", "typed since")}}
	})
	wantEqual(t, "message", d.w.comp.entry.Text, "typed since")
	if got := d.w.banner.Words(); !strings.HasPrefix(got, "Holdfast has stopped.") {
		t.Errorf("the banner says %q", got)
	}
	d.focusOn("copyDrafts")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "copied", d.w.app.Clipboard().Content(), "typed since\n\nfrozen")
	d.w.closing()
	wantEqual(t, "dialog", d.dialog(), "close")
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "ended", d.ended, 1)
}

// A join that cannot work offers what does.
func TestAFailedJoinOffersWhatHelps(t *testing.T) {
	for fix, want := range map[session.Action][]string{"": {"join", "refresh"}, session.ActUnarchive: {"unarchive", "join"}, session.ActNew: {"new", "join"}} {
		d := newDesk(t, 360, 740)
		d.show(with(reading, func(s *session.Snapshot) {
			s.Thread.JoinProblem, s.Thread.JoinFix = "It does not work.", fix
			s.Status.Actions = append(s.Status.Actions, session.ActUnarchive)
		}))
		var got []string
		for _, b := range d.w.banner.Buttons() {
			got = append(got, b.Name)
		}
		wantList(t, "offered with "+string(fix), got, want)
	}
}

// Nothing that comes or goes during a recovery takes the keyboard or loses it.
//
// req: UI-2
func TestFocusOverARecovery(t *testing.T) {
	for _, place := range []string{"message", "transcript"} {
		d := newDesk(t, 1200, 800)
		d.show(joined)
		d.focusOn(place)
		for _, change := range []func(*session.Snapshot){reconnecting, manual, recovered, restorable, joined} {
			d.show(change)
			wantEqual(t, "focus", d.focus(), place)
		}
	}
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.show(reconnecting)
	d.focusOn("cancel")
	d.show(recovered)
	if f := d.focus(); f == "" || f == "cancel" {
		t.Errorf("the keyboard is at %q after its button went", f)
	}
	d.core.names()
	d.press(fyne.KeyReturn, 0) // meant for Cancel
	wantList(t, "asked", d.core.names(), nil)
	d.now = d.now.Add(time.Second)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "focus in the list or asked", d.focus() == "conversations" || len(d.core.asked) > 0, true)
}
