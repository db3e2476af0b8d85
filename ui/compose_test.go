package ui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"holdfast/core/session"
	"holdfast/widgets"
)

// with changes a snapshot further.
func with(base func(*session.Snapshot), change func(*session.Snapshot)) func(*session.Snapshot) {
	return func(s *session.Snapshot) { base(s); change(s) }
}

func TestSendCarriesWhatIsSeen(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.focusOn("message")
	d.write("hello")
	d.press(fyne.KeyReturn, 0)
	d.write("two")
	d.core.asked = nil
	d.press(fyne.KeyReturn, ctrl)
	wantList(t, "drafts before Send", d.core.drafts(), []string{"hello\ntwo"})
	wantList(t, "asked", d.core.names(), []string{"session.Send"})
}

func TestEnterSendsWhenTheSettingSaysSo(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.press(fyne.KeyReturn, shiftCtrl)
	wantEqual(t, "saved", d.saved.EnterSends, true)
	d.focusOn("message")
	d.write("one")
	d.press(fyne.KeyReturn, fyne.KeyModifierShift)
	d.write("two")
	wantEqual(t, "text", d.w.comp.entry.Text, "one\ntwo")
	d.press(fyne.KeyReturn, 0)
	wantList(t, "asked", d.core.names(), []string{"session.Send"})
}

// The core takes the text at dispatch; what was typed meanwhile stays.
func TestTypingDuringSendIsNotLostAndNotSentTwice(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.focusOn("message")
	d.write("first")
	d.press(fyne.KeyReturn, ctrl)
	d.write(" second")
	d.core.asked = nil
	d.show(with(joined, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Rev: 1} }))
	wantEqual(t, "text", d.w.comp.entry.Text, " second")
	wantList(t, "drafts", d.core.drafts(), []string{" second"})
}

func TestARefusedMessageComesBackInFrontOfTyping(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.focusOn("message")
	d.write("first")
	d.press(fyne.KeyReturn, ctrl)
	d.show(with(joined, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Rev: 1} }))
	d.write("next")
	d.show(with(joined, func(s *session.Snapshot) {
		s.Composer = &session.Composer{Thread: "t1", Rev: 2, Text: "first\nnext"}
	}))
	wantEqual(t, "text", d.w.comp.entry.Text, "first\nnext")
}

func TestSnapshotsNeverOverwriteTyping(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.focusOn("message")
	d.write("abc")
	d.show(with(joined, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Text: "a"} }))
	wantEqual(t, "text after an old echo", d.w.comp.entry.Text, "abc")
}

// Each conversation has its own text; a late key still reaches the right one.
func TestTextStaysWithItsConversation(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.focusOn("message")
	d.write("for one")
	d.show(with(joined, func(s *session.Snapshot) {
		s.Thread.ID, s.Composer = "t2", &session.Composer{Thread: "t2", Text: "for two"}
	}))
	wantEqual(t, "text of the other", d.w.comp.entry.Text, "for two")
	last, ok := d.core.asked[len(d.core.asked)-1].(session.SetDraft)
	if !ok || last.Thread == nil || *last.Thread != "t1" || *last.Text != "for one" {
		t.Errorf("the last draft is %+v, want the text of t1 by its name", last)
	}
	d.show(with(joined, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Text: "for one"} }))
	wantEqual(t, "text of the first again", d.w.comp.entry.Text, "for one")
}

// req: UI-5
func TestTheSendKeyNeverJoins(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(reading)
	d.focusOn("message")
	d.write("hello")
	d.press(fyne.KeyReturn, ctrl)
	wantList(t, "asked by the send key", d.core.names(), nil)
	if n := d.w.notices.local; len(n) != 1 || !strings.Contains(n[0].Text, "Join first") {
		t.Errorf("the window says %+v, want why nothing was sent", n)
	}
	wantEqual(t, "text", d.w.comp.entry.Text, "hello")
	d.press(fyne.KeyJ, ctrl)
	wantList(t, "asked by the join key", d.core.names(), []string{"session.Join"})
	send, _ := d.w.commandOf(session.ActSend)
	join, _ := d.w.commandOf(session.ActJoin)
	if send.keyText() == join.keyText() || d.w.comp.join == d.w.comp.main {
		t.Error("Join and Send share a key or a button")
	}
}

// req: UI-5
func TestAPressThatBeganUnderAnotherLabelDoesNothing(t *testing.T) {
	became := func(d *desk) { d.show(running) } // Send becomes Steer
	tests := map[string]func(*desk){
		"a mouse button held on Send": func(d *desk) {
			d.w.comp.main.MouseDown(&desktop.MouseEvent{})
			became(d)
			d.w.comp.main.MouseUp(&desktop.MouseEvent{})
			d.w.comp.main.Tapped(&fyne.PointEvent{})
		},
		"Space held on Send": func(d *desk) {
			d.focusOn("send")
			d.down(fyne.KeySpace, 0)
			became(d)
			d.typed(fyne.KeySpace, 0)
		},
		"Ctrl+Enter held in the message": func(d *desk) {
			d.focusOn("message")
			d.down(fyne.KeyReturn, ctrl)
			became(d)
			d.typed(fyne.KeyReturn, ctrl)
		},
	}
	for name, press := range tests {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 1200, 800)
			d.show(joined)
			d.focusOn("message")
			d.write("text")
			d.core.names()
			press(d)
			wantList(t, "asked", d.core.names(), nil)
			wantEqual(t, "label", d.w.comp.main.Label(), "Steer")
			d.w.comp.main.MouseDown(&desktop.MouseEvent{})
			d.w.comp.main.Tapped(&fyne.PointEvent{})
			wantList(t, "asked by a new press", d.core.names(), []string{"session.Steer"})
		})
	}
}

// A held key repeats; only the key-down counts.
// req: UI-5
func TestAHeldKeySendsOnce(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.focusOn("message")
	d.write("text")
	d.down(fyne.KeyReturn, ctrl)
	d.typed(fyne.KeyReturn, ctrl)
	d.show(with(joined, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Rev: 1, Text: "other"} }))
	d.typed(fyne.KeyReturn, ctrl)
	wantList(t, "asked", d.core.names(), []string{"session.Send"})
}

// Join is asked by the user alone, with the stamp of what is seen.
// req: JON-1
func TestReadingAsksNothingOfItself(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(func(*session.Snapshot) {})
	d.press(fyne.KeyReturn, 0) // on the first conversation
	wantList(t, "asked by opening", d.core.names(), []string{"session.Select"})
	d.show(reading)
	d.show(with(reading, func(s *session.Snapshot) { s.Thread.PossiblyInUse = true }))
	d.focusOn("message")
	d.write("text")
	wantList(t, "asked by showing and typing", d.core.names(), nil)
	wantEqual(t, "the Join button is shown", d.w.comp.join.Visible(), true)
	d.press(fyne.KeyJ, ctrl)
	if got := d.core.at[len(d.core.at)-1]; got != d.snap.At {
		t.Errorf("the join is stamped %v, want %v", got, d.snap.At)
	}
	wantList(t, "asked by the key", d.core.names(), []string{"session.Join"})
}

func TestStopIsAskedOnce(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(running)
	d.press(fyne.KeyPeriod, ctrl)
	d.show(with(running, func(s *session.Snapshot) {
		s.Thread.Stopping = true
		s.Status.Actions = []session.Action{session.ActSteer, session.ActStop}
	}))
	d.press(fyne.KeyPeriod, ctrl)
	wantList(t, "asked", d.core.names(), []string{"session.Stop"})
	wantEqual(t, "label", d.w.comp.stop.Label(), "Stopping…")
	wantEqual(t, "disabled", d.w.comp.stop.Disabled(), true)
}

type clipboard string

func (c clipboard) Content() string   { return string(c) }
func (c clipboard) SetContent(string) {}

// Text that would make the entry slow becomes a block; at the bound it does
// not, one past it does. Nothing is lost.
func TestLongPastesBecomeBlocks(t *testing.T) {
	prose := strings.Repeat("word ", widgets.MaxText/5+1)
	for name, tt := range map[string]struct {
		paste string
		block bool
	}{
		"at the bound":           {prose[:widgets.MaxText], false},
		"one past it":            {prose[:widgets.MaxText+1], true},
		"a run at the bound":     {strings.Repeat("x", 4<<10), false},
		"a run one past it":      {strings.Repeat("x", 4<<10+1), true},
		"short text with breaks": {"a\nb", false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 1200, 800)
			d.show(joined)
			d.w.comp.entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard(tt.paste)})
			want := tt.paste
			if tt.block {
				want = ""
				if got := d.w.comp.chips.blocks; len(got) != 1 || got[0] != tt.paste {
					t.Errorf("%d blocks, want the pasted text as one", len(got))
				}
			}
			if got := d.w.comp.entry.Text; got != want {
				t.Errorf("the entry has %d bytes, want %d", len(got), len(want))
			}
		})
	}
}

func TestAFullMessageSaysSo(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.w.comp.entry.SetText(strings.Repeat("word ", widgets.MaxText/5) + "z")
	d.focusOn("message")
	for range widgets.MaxText - len(d.w.comp.entry.Text) + 1 {
		d.write("x")
	}
	wantEqual(t, "bytes", len(d.w.comp.entry.Text), widgets.MaxText)
	wantEqual(t, "notices", len(d.w.notices.local), 1)
}

func TestCoreTextTooLongForTheEntryBecomesABlock(t *testing.T) {
	d := newDesk(t, 1200, 800)
	long := strings.Repeat("word ", widgets.MaxText)
	d.show(with(joined, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Rev: 3, Text: long} }))
	wantEqual(t, "entry", d.w.comp.entry.Text, "")
	if b := d.w.comp.chips.blocks; len(b) != 1 || b[0] != long {
		t.Errorf("%d blocks, want the text as one", len(b))
	}
}

// A block is unsent text from the moment it is pasted, with words before it and
// alone: it is copied, and closing asks for it.
func TestABlockIsUnsentText(t *testing.T) {
	long := strings.Repeat("word ", widgets.MaxText)
	for _, words := range []string{"head words", ""} {
		for _, told := range []bool{false, true} { // whether the core has said it back
			d := newDesk(t, 1200, 800)
			d.show(joined)
			d.focusOn("message")
			d.write(words)
			d.w.comp.addBlock(long)
			if told {
				d.show(with(joined, func(s *session.Snapshot) {
					s.Composer = &session.Composer{Thread: "t1", Rev: 9, Text: words, Blocks: []string{long}}
				}))
			}
			d.w.copyDrafts()
			wantEqual(t, "copied", d.w.app.Clipboard().Content() == together(words, []string{long}), true)
			d.w.closing()
			wantEqual(t, "dialog", d.dialog(), "close")
		}
	}
}

func TestClosingAsksForUnsentText(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.w.closing()
	wantEqual(t, "closed at once without text", d.ended, 1)
	d.focusOn("message")
	d.write("x")
	d.w.closing()
	wantEqual(t, "dialog", d.dialog(), "close")
	wantEqual(t, "the safe choice has the keyboard", d.focus(), "keep")
	d.press(fyne.KeyEscape, 0)
	wantEqual(t, "ended after Escape", d.ended, 1)
	wantEqual(t, "text", d.w.comp.entry.Text, "x")
	d.w.closing()
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "ended after Close", d.ended, 2)
}

func TestFullAccessAsks(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.press(fyne.KeyH, shiftCtrl)
	wantEqual(t, "dialog", d.dialog(), "access")
	d.press(fyne.KeyEnd, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "full access")
	wantEqual(t, "the safe choice has the keyboard", d.focus(), "cancel")
	wantEqual(t, "asked before the answer", len(d.core.asked), 0)
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	in, ok := d.core.asked[0].(session.SetDraft)
	if !ok || in.Access == nil || *in.Access != session.AccessFull {
		t.Errorf("asked %+v, want full access", d.core.asked)
	}
}

// Text is given to the core with the revision it was typed onto: a key at the
// moment of a loss goes to the draft, and is neither lost nor doubled.
func TestKeysAtTheMomentOfALoss(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(with(joined, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Rev: 5} }))
	d.focusOn("message")
	d.write("ab")
	d.show(with(reconnecting, func(s *session.Snapshot) {
		s.Composer = &session.Composer{Thread: "t1", Rev: 6}
		s.Drafts.Rows[0].Text = "ab"
	}))
	wantEqual(t, "message after the loss", d.w.comp.entry.Text, "")
	d.write("c")
	wantEqual(t, "message typed since", d.w.comp.entry.Text, "c")
	type typed struct {
		rev  uint64
		text string
	}
	var got []typed
	for _, in := range d.core.asked {
		if s, ok := in.(session.SetDraft); ok && s.Text != nil {
			got = append(got, typed{*s.Rev, *s.Text})
		}
	}
	if want := []typed{{5, "a"}, {5, "ab"}, {6, "c"}}; !slices.Equal(got, want) {
		t.Errorf("the core was given %v, want %v", got, want)
	}
	d.w.closing()
	wantEqual(t, "dialog", d.dialog(), "close")
}

// A loss while a message leaves: what was typed behind it stays in the message.
func TestALossWhileAMessageLeaves(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(with(joined, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Rev: 5} }))
	d.focusOn("message")
	d.write("first")
	d.press(fyne.KeyReturn, ctrl)
	d.write(" second")
	d.core.asked = nil
	d.show(with(reconnecting, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Rev: 7} }))
	wantEqual(t, "message", d.w.comp.entry.Text, " second")
	wantList(t, "drafts", d.core.drafts(), []string{" second"})
	d.show(with(reconnecting, func(s *session.Snapshot) {
		s.Composer = &session.Composer{Thread: "t1", Rev: 8, Text: "first\n second"}
	}))
	wantEqual(t, "message with the one that never left", d.w.comp.entry.Text, "first\n second")
}

// A refused message comes back while one types: both are there once.
func TestKeysAcrossTheReturnOfAMessage(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.focusOn("message")
	d.write("first")
	d.press(fyne.KeyReturn, ctrl)
	d.show(with(joined, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Rev: 1} }))
	d.write("next")
	// The core put "first" back before it got the last key, and joined both.
	d.show(with(joined, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Rev: 2, Text: "first\nnex"} }))
	d.show(with(joined, func(s *session.Snapshot) { s.Composer = &session.Composer{Thread: "t1", Rev: 3, Text: "first\nnext"} }))
	wantEqual(t, "message", d.w.comp.entry.Text, "first\nnext")
}
