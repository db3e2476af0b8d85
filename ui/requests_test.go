package ui

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
	"holdfast/widgets"
)

func (d *desk) card(i int) *widgets.Card {
	d.t.Helper()
	c, ok := d.w.cards.column.Objects[i].(*widgets.Card)
	if !ok {
		d.t.Fatalf("no card %d among %d", i, len(d.w.cards.column.Objects))
	}
	return c
}

func labels(bs []*widgets.Button) []string {
	var out []string
	for _, b := range bs {
		out = append(out, b.Label())
	}
	return out
}

// Ruling 40: the order, the least far-reaching first, an amendment after Allow
// for session, Stop turn last.
func TestCardDecisionsAreInOrder(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(asking)
	wantList(t, "decisions", labels(d.card(0).Buttons()), []string{
		"Decline", "Allow once", "Allow for session", "Allow, and from now on all that begins with git push", "Stop turn",
	})
}

// Ruling 40: keys are ignored for 500 ms after a card appears.
func TestCardIgnoresKeysAtFirst(t *testing.T) {
	for _, tt := range []struct {
		after time.Duration
		want  []string
	}{
		{0, nil}, {quiet - 1, nil}, {quiet, []string{"session.Answer"}},
	} {
		t.Run(fmt.Sprint(tt.after), func(t *testing.T) {
			d := newDesk(t, 1200, 800)
			d.show(asking)
			d.press(fyne.KeyR, ctrl)
			wantEqual(t, "focus", d.focus(), "Decline")
			d.now = d.now.Add(tt.after)
			d.press(fyne.KeyReturn, 0)
			wantList(t, "asked", d.core.names(), tt.want)
		})
	}
}

func TestCardAnswersWithItsDecision(t *testing.T) {
	for i, want := range []string{"decline", "accept", "acceptForSession", "acceptWithExecpolicyAmendment", "cancel"} {
		d := newDesk(t, 1200, 800)
		d.show(asking)
		d.now = d.now.Add(quiet)
		b := d.card(0).Buttons()[i]
		d.c.Focus(b)
		d.press(fyne.KeySpace, 0)
		got := d.core.asked
		if w := []session.Intent{session.Answer{Request: "r1", Decision: want}}; !reflect.DeepEqual(got, w) {
			t.Errorf("%q asked %+v, want %+v", b.Label(), got, w)
		}
	}
}

func TestAnAnsweredCardHasNoButtons(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(asking)
	d.now = d.now.Add(quiet)
	d.press(fyne.Key4, fyne.KeyModifierAlt)
	old := d.card(0).Buttons()[0]
	d.show(with(asking, func(s *session.Snapshot) { s.Requests.Cards[0].Answered = true }))
	if f := d.w.cards.focusables(); len(f) != 0 {
		t.Errorf("%d things of an answered card can have the keyboard", len(f))
	}
	old.Tapped(nil)
	wantList(t, "asked by a tap that came late", d.core.names(), nil)
}

func TestUnknownRequestsCanOnlyBeRefused(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(with(running, func(s *session.Snapshot) {
		s.Requests = &session.Requests{Cards: []*session.Request{{
			ID: "r9", Thread: "t1", Kind: "unknown", Method: "item/dance", Text: "item/dance", Live: true,
			Decisions: []session.Decision{{Name: "refuse", Text: "Refuse"}},
		}}}
	}))
	wantList(t, "decisions", labels(d.card(0).Buttons()), []string{"Refuse"})
}

func TestUserInputSendsItsAnswers(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(with(running, func(s *session.Snapshot) {
		s.Requests = &session.Requests{Cards: []*session.Request{inputRequest()}}
	}))
	d.now = d.now.Add(quiet)
	send := d.card(0).Buttons()[0]
	wantEqual(t, "label", send.Label(), "Send the answer")
	d.c.Focus(send)
	d.press(fyne.KeyReturn, 0)
	wantList(t, "asked without a required answer", d.core.names(), nil)
	wantEqual(t, "focus at what is missing", d.focus(), "options:q1")
	d.press(fyne.KeyDown, 0)
	d.press(fyne.KeySpace, 0)
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyTab, 0)
	wantEqual(t, "focus", d.focus(), "input:q2")
	d.write("s3cret")
	d.show(with(running, func(s *session.Snapshot) { // the same request, in a later snapshot
		s.Requests = &session.Requests{Cards: []*session.Request{inputRequest()}}
	}))
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	want := []session.Intent{session.Answer{Request: "r2", Answers: map[string][]string{"q1": {"next"}, "q2": {"s3cret"}}}}
	if !reflect.DeepEqual(d.core.asked, want) {
		t.Errorf("asked %+v, want %+v", d.core.asked, want)
	}
}

func TestElicitationChecksItsFields(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(with(running, func(s *session.Snapshot) {
		s.Requests = &session.Requests{Cards: []*session.Request{{
			ID: "r3", Thread: "t1", Kind: "elicitation", Text: "How many?", Live: true,
			Questions: []session.Question{{ID: "n", Header: "Number", Kind: "integer", Required: true}, {ID: "b", Header: "Sure", Kind: "boolean"}},
			Decisions: []session.Decision{{Name: "accept", Text: "Submit"}, {Name: "decline"}, {Name: "cancel", Text: "Cancel"}},
		}}}
	}))
	d.now = d.now.Add(quiet)
	d.c.Focus(d.w.cards.focusables()[0])
	d.write("many")
	accept := d.card(0).Buttons()[1]
	wantEqual(t, "label", accept.Label(), "Submit")
	d.c.Focus(accept)
	d.press(fyne.KeyReturn, 0)
	wantList(t, "asked with a word for a number", d.core.names(), nil)
	wantEqual(t, "focus", d.focus(), "input:n")
	d.press(fyne.KeyA, ctrl)
	f, ok := d.c.Focused().(*widgets.Field)
	if !ok {
		t.Fatalf("focus is at %q", d.focus())
	}
	f.SetText("7")
	d.c.Focus(accept)
	d.press(fyne.KeyReturn, 0)
	want := []session.Intent{session.Answer{Request: "r3", Decision: "accept", Answers: map[string][]string{"n": {"7"}}}}
	if !reflect.DeepEqual(d.core.asked, want) {
		t.Errorf("asked %+v, want %+v", d.core.asked, want)
	}
}

// A request of another joined conversation is a badge and a way there, no card.
func TestRequestsOfOthersAreBadges(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(with(running, func(s *session.Snapshot) {
		r := commandRequest()
		r.Thread = "t2"
		s.Requests = &session.Requests{Cards: []*session.Request{r}}
		rows := threadRows()
		rows[1].Asks = true
		s.Threads = &session.Threads{Rows: rows}
	}))
	wantEqual(t, "cards", len(d.w.cards.column.Objects), 0)
	wantEqual(t, "badge", d.w.side.list.Rows()[1].Badge.String(), "asks")
	d.focusOn("open asking")
	d.press(fyne.KeyReturn, 0)
	if got, want := d.core.asked, []session.Intent{session.Select{Thread: "t2"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("asked %+v, want %+v", got, want)
	}
}

// answering is a window in which an answer is half typed.
func answering(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t, 1200, 800)
	d.show(func(s *session.Snapshot) {
		joined(s)
		s.Requests = &session.Requests{Cards: []*session.Request{inputRequest()}}
	})
	for _, f := range d.w.cards.focusables() {
		if e, ok := f.(*widgets.Field); ok {
			d.c.Focus(e)
			d.write("half of " + e.Name)
		}
	}
	return d
}

// What is typed as an answer is unsent text: it stays while the request is open,
// wherever the user looks, and it can be copied when the request is over without
// it. A secret is never among it.
func TestAHalfTypedAnswerIsNotLost(t *testing.T) {
	const typed = "half of input:q1"
	tests := map[string]struct {
		then func(*session.Snapshot)
		want string
	}{
		"nothing": {func(*session.Snapshot) {}, typed},
		"closed":  {func(s *session.Snapshot) { s.Requests = &session.Requests{} }, typed},
		"lost": {func(s *session.Snapshot) {
			r := *s.Requests.Cards[0]
			r.Live = false
			s.Requests = &session.Requests{Cards: []*session.Request{&r}}
		}, typed},
		"elsewhere": {func(s *session.Snapshot) { s.Thread = &session.Thread{ID: "t2"} }, typed},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := answering(t)
			d.show(tt.then)
			wantList(t, "unsent", d.w.cards.unsent(), []string{tt.want})
			d.press(fyne.KeyQ, ctrl)
			wantEqual(t, "dialog", d.dialog(), "close")
			d.press(fyne.KeyEscape, 0)
			d.press(fyne.KeyC, shiftCtrl)
			wantEqual(t, "copied", d.w.app.Clipboard().Content(), tt.want)
			d.show(func(s *session.Snapshot) { s.Requests = &session.Requests{} })
		})
	}
	d := answering(t)
	card := d.card(0)
	d.show(func(s *session.Snapshot) { s.Thread = &session.Thread{ID: "t2"} })
	d.show(joined)
	if d.card(0) != card || card.Typed() != typed {
		t.Errorf("back in the conversation the card holds %q", card.Typed())
	}
}

// An answer that was given is no unsent text, unless the connection was lost
// before the server took it.
func TestAnAnswerThatWasGiven(t *testing.T) {
	answered := func(s *session.Snapshot) {
		r := *s.Requests.Cards[0]
		r.Answered = true
		s.Requests = &session.Requests{Cards: []*session.Request{&r}}
	}
	lost := func(s *session.Snapshot) {
		r := *s.Requests.Cards[0]
		r.Live = false
		s.Requests = &session.Requests{Cards: []*session.Request{&r}}
	}
	gone := func(s *session.Snapshot) { s.Requests = &session.Requests{} }
	for name, tt := range map[string]struct {
		then []func(*session.Snapshot)
		want []string
	}{
		"taken": {[]func(*session.Snapshot){answered, gone}, nil},
		"lost":  {[]func(*session.Snapshot){answered, answered, lost, gone}, []string{"half of input:q1"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := answering(t)
			for _, f := range tt.then {
				d.show(f)
			}
			wantList(t, "unsent", d.w.cards.unsent(), tt.want)
			d.w.copyDrafts()
			wantList(t, "unsent once it was copied", d.w.cards.unsent(), tt.want) // a clipboard may end with the window
		})
	}
}
