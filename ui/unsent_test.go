package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
)

// Closing names the conversations that hold unsent text, and so does the key
// that reads drafts when there is none of a lost connection.
func TestUnsentTextIsNamed(t *testing.T) {
	d := newDesk(t, 900, 600)
	d.show(joined)
	wantEqual(t, "without text", d.w.noDraft().String(), "There is no unsent draft.")
	id, other := "", ""
	for _, r := range d.snap.Threads.Rows {
		if d.snap.Thread.ID != r.ID {
			id, other = r.ID, r.Title
			break
		}
	}
	d.show(func(s *session.Snapshot) {
		s.Unsent = &session.Unsent{Composers: []*session.Composer{
			{Thread: id, Text: "words of one"}, {Thread: s.Thread.ID, Text: "as the core has it"}, {Thread: "somewhere", Blocks: []string{"a block"}},
		}}
	})
	wantEqual(t, "in", strings.Join(d.w.unsentIn(), ", "), other+", one that is not listed")
	wantEqual(t, "with text", d.w.noDraft().String(),
		"No draft is kept apart. There is unsent text in "+other+", one that is not listed.")
	d.press(fyne.KeyQ, ctrl)
	wantEqual(t, "dialog", d.dialog(), "close")
	wantEqual(t, "closed", d.ended, 0)
	d.w.copyDrafts()
	wantEqual(t, "copied", d.w.app.Clipboard().Content(), "words of one\n\na block")
}

// The plus is another key on other keyboards.
func TestLargerTextOnEveryKeyboard(t *testing.T) {
	for _, k := range []struct {
		key fyne.KeyName
		mod fyne.KeyModifier
	}{{fyne.KeyEqual, ctrl}, {fyne.KeyEqual, shiftCtrl}, {fyne.KeyPlus, ctrl}, {fyne.KeyPlus, shiftCtrl}} {
		d := newDesk(t, 900, 600)
		d.show(joined)
		d.press(k.key, k.mod)
		if d.saved.TextSize <= 100 {
			t.Errorf("after %s with %d the text has %d %%", k.key, k.mod, d.saved.TextSize)
		}
	}
}

// A notice that is shown whole is not said to be shortened; a longer one is.
func TestOnlyWhatIsCutIsSaidToBe(t *testing.T) {
	for n, want := range map[int]bool{250: false, 1000: true} {
		d := newDesk(t, 1200, 700)
		d.show(joined)
		d.show(func(s *session.Snapshot) {
			s.Notices = &session.Notices{Rows: []session.Notice{{ID: "n", Text: strings.Repeat("bubblewrap ", n/11)}}}
		})
		said := false
		for _, l := range d.w.notices.lines(d.w.notices.all(), nil, 0) {
			said = said || l.key == "rest"
		}
		wantEqual(t, "shortened", said, want)
	}
}
