package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
	"holdfast/widgets"
)

// The uncertain come first, and each record says what, where, when and what is
// known.
func TestOperationsPanel(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(doubtful)
	wantEqual(t, "badge", d.w.side.ops.Label(), "Operations: 2 uncertain")
	d.press(fyne.KeyG, shiftCtrl)
	wantEqual(t, "dialog", d.dialog(), "operations")
	var got []string
	for _, r := range d.c.Focused().(*widgets.RowList).Rows() {
		got = append(got, r.Title.String()+" | "+r.Sub.String()+" | "+r.Right.String()+" | "+r.Badge.String())
	}
	wantList(t, "rows", got, []string{
		"Archive · Flaky recovery test with a title that is longer than the list is wide |  | 14:02 | uncertain",
		"Message · Parser fails on CRLF | “Please also rename the test to say what it proves.” | 14:02 | uncertain",
		"Message · Trim the nightly report | “Trim it” | 14:02 | refused",
		"Join · Parser fails on CRLF | by answer | 14:02 | accepted",
	})
}

// An uncertain message stays reviewable; what repeats it says so first, and is
// a restore, never a send.
//
// req: LED-7
func TestAnUncertainMessageIsReviewed(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(doubtful)
	d.w.rowAction(operationKey+"o2", actionReview)
	wantEqual(t, "dialog", d.dialog(), "operation")
	wantList(t, "buttons", d.tour(), []string{"cancel", "copy", "restore", "dismiss"})
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "copied", d.w.app.Clipboard().Content(), "Please also rename the test to say what it proves.")
	wantList(t, "asked by copying", d.core.names(), nil)
	d.w.rowAction(operationKey+"o2", actionReview)
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "twice")
	wantEqual(t, "the safe choice has the keyboard", d.focus(), "cancel")
	wantList(t, "asked before the answer", d.core.names(), nil)
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	if got := d.core.asked; len(got) != 1 || got[0] != session.Intent(session.Review{Op: "o2", Action: "restore"}) {
		t.Errorf("asked %+v", got)
	}
}

// An uncertain record goes only after a question, another one at once.
func TestDismissingOperations(t *testing.T) {
	for id, asks := range map[string]bool{"o3": true, "o4": false} {
		d := newDesk(t, 360, 740)
		d.show(doubtful)
		d.w.openOperation(id)
		d.press(fyne.KeyTab, fyne.KeyModifierShift)
		wantEqual(t, "button", d.focus(), "dismiss")
		d.press(fyne.KeyReturn, 0)
		wantEqual(t, id+" asks", d.dialog() == "dismiss", asks)
		if asks {
			d.press(fyne.KeyTab, 0)
			d.press(fyne.KeyReturn, 0)
		}
		if got := d.core.asked; len(got) != 1 || got[0] != session.Intent(session.Review{Op: id, Action: "dismiss"}) {
			t.Errorf("asked %+v", got)
		}
	}
}

// A narrow window hides the badge: what no row says is said in a line.
func TestUncertainIsSaidInANarrowWindow(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(doubtful)
	d.show(doubtful)
	d.focusOn("review")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "operations")
}
