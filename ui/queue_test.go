package ui

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
	"holdfast/widgets"
)

// queueing is a running turn with a queue of three messages.
func queueing(s *session.Snapshot) {
	running(s)
	s.Status.Actions = append(s.Status.Actions, session.ActQueue)
	s.Queue = &session.Queue{Rule: "The server sends the next message when a turn ends.", Entries: []session.QueueEntry{
		{ID: "q1", Text: "Then run the linter.", TextOnly: true}, {ID: "q2", Text: "And look at [image]"}, {ID: "q3", Text: "Last of all, write the notes.", TextOnly: true},
	}}
}

func TestQueueTheMessage(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(running)
	wantEqual(t, "Queue shows without a queue", d.w.comp.queue.Visible(), false)
	d.show(queueing)
	wantEqual(t, "the main button", d.w.comp.main.Label(), "Steer")
	wantEqual(t, "the second one", d.w.comp.queue.AccessibilityLabel(), "Queue, Alt+Enter")
	wantEqual(t, "what waits", d.w.comp.queued.Label(), "3 queued")
	d.press(fyne.Key3, alt)
	d.press(fyne.KeyReturn, alt)
	wantList(t, "asked with nothing written", d.core.names(), nil)
	d.write("and then this")
	d.press(fyne.KeyReturn, alt)
	d.write("!") // while it is on its way: kept back
	wantEqual(t, "the text that went", d.core.drafts()[len(d.core.drafts())-1], "and then this")
	wantEqual(t, "asked", fmt.Sprintf("%T", d.core.asked[len(d.core.asked)-1]), "session.Enqueue")
	d.core.done[len(d.core.done)-1](session.Result{Error: "the queue is full", Code: "rejected"})
	d.drain()
	wantEqual(t, "what is said", d.w.notices.all()[0].Text, "Not queued: the queue is full")
	wantEqual(t, "focus", d.focus(), "message")
	d.show(joined)
	d.core.names()
	d.press(fyne.KeyReturn, alt)
	wantList(t, "asked with no turn running", d.core.names(), nil)
}

func TestQueuePanelByKeyboard(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(queueing)
	d.press(fyne.KeyQ, shiftCtrl)
	wantEqual(t, "dialog", d.dialog(), "queue")
	wantEqual(t, "focus", d.focus(), "queue")
	press := func(name string) session.Intent {
		t.Helper()
		d.core.names()
		for range 12 {
			if d.focus() == name {
				break
			}
			d.press(fyne.KeyTab, 0)
		}
		wantEqual(t, "focus", d.focus(), name)
		d.press(fyne.KeyReturn, 0)
		if len(d.core.asked) == 0 {
			return nil
		}
		return d.core.asked[0]
	}
	p := d.w.queue
	wantEqual(t, "the first can go up", !p.up.Disabled(), false)
	wantEqual(t, "it can be started", !p.start.Disabled(), false)
	wantEqual(t, "down", press("down"), session.Intent(session.EditQueue{Op: "reorder", Entry: "q1", Before: "q3"}))
	d.c.Focus(p.list)
	d.press(fyne.KeyDown, 0)
	wantEqual(t, "one with an image can be edited", !p.edit.Disabled(), false)
	wantEqual(t, "down", press("down"), session.Intent(session.EditQueue{Op: "reorder", Entry: "q2"}))
	wantEqual(t, "up", press("up"), session.Intent(session.EditQueue{Op: "reorder", Entry: "q2", Before: "q1"}))
	d.c.Focus(p.list)
	d.press(fyne.KeyEnd, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "edit queued")
	d.core.names()
	d.write("!")
	d.press(fyne.KeyReturn, ctrl)
	wantEqual(t, "edit", d.core.asked[0], session.Intent(session.EditQueue{Op: "update", Entry: "q3", Text: "Last of all, write the notes.!"}))
	d.press(fyne.KeyReturn, ctrl)
	wantEqual(t, "asked while the answer is open", len(d.core.asked), 1)
	d.core.done[0](session.Result{Error: "it is not there any more"})
	d.drain()
	wantEqual(t, "dialog after a refusal", d.dialog(), "edit queued")
	d.press(fyne.KeyReturn, ctrl)
	d.core.done[1](session.Result{OK: true})
	d.drain()
	wantEqual(t, "dialog after it", d.dialog(), "queue")

	press("remove")
	wantEqual(t, "dialog", d.dialog(), "unqueue")
	wantEqual(t, "focus", d.focus(), "cancel")
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "remove", d.core.asked[0], session.Intent(session.EditQueue{Op: "delete", Entry: "q3"}))

	// The turn was stopped: the queue waits, and can be started.
	d.show(func(s *session.Snapshot) { s.Thread.TurnStatus = "interrupted" })
	wantEqual(t, "start", press("start"), session.Intent(session.EditQueue{Op: "start", Entry: "q3"}))
	d.show(func(s *session.Snapshot) { s.Queue = &session.Queue{Rule: s.Queue.Rule} })
	wantEqual(t, "focus when nothing waits", d.focus(), "cancel")
	wantEqual(t, "note", p.note.String(), "Nothing waits. The server sends the next message when a turn ends.")
	d.show(func(s *session.Snapshot) { s.Thread = &session.Thread{ID: "t2"} })
	wantEqual(t, "dialog in another conversation", d.dialog(), "")
}

// What cannot be kept whole is not edited here.
func TestQueuedTextThatDoesNotFit(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(func(s *session.Snapshot) {
		queueing(s)
		long := make([]byte, widgets.MaxText+1)
		for i := range long {
			long[i] = "word "[i%5]
		}
		s.Queue.Entries[0].Text = string(long)
	})
	d.w.openQueue()
	wantEqual(t, "it can be edited", !d.w.queue.edit.Disabled(), false)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "queue")
}

// What was typed into the dialog is in one place after a refusal: the core put
// it into the message, or it stays in the dialog. The dialog stays when the queue
// closes under it.
func TestTheTextOfARefusedEditIsInOnePlace(t *testing.T) {
	for code, want := range map[string]string{"rejected": "queue", "not-sent": "queue", "stale": "edit queued", "outcome-unknown": "edit queued"} {
		d := newDesk(t, 1200, 800)
		d.show(queueing)
		d.press(fyne.KeyQ, shiftCtrl)
		d.press(fyne.KeyReturn, 0)
		wantEqual(t, "dialog", d.dialog(), "edit queued")
		d.core.names()
		d.press(fyne.KeyReturn, ctrl)
		d.core.done[0](session.Result{Error: "no", Code: code})
		d.drain()
		wantEqual(t, "dialog after "+code, d.dialog(), want)
	}
	d := newDesk(t, 1200, 800)
	d.show(queueing)
	d.press(fyne.KeyQ, shiftCtrl)
	d.press(fyne.KeyReturn, 0)
	d.write("!")
	d.show(func(s *session.Snapshot) { s.Thread, s.Queue = nil, nil })
	wantEqual(t, "dialog after a loss", d.dialog(), "edit queued")
	wantEqual(t, "the queue", d.w.queue == nil, true)
	wantEqual(t, "focus", d.focus(), "queued text")
	d.core.names()
	d.press(fyne.KeyReturn, ctrl)
	d.core.done[0](session.Result{Error: "replaced", Code: "stale"})
	d.drain()
	d.press(fyne.KeyEscape, 0)
	wantEqual(t, "dialog after Escape", d.dialog(), "")
	d.press(fyne.KeyC, shiftCtrl)
	wantEqual(t, "copied", d.w.app.Clipboard().Content(), "Then run the linter.!")
}
