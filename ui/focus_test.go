package ui

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
	"holdfast/widgets"
)

// tour presses Tab until the keyboard is where it was, and names each stop.
func (d *desk) tour() []string {
	d.t.Helper()
	d.c.Unfocus()
	d.press(fyne.KeyTab, 0)
	first := d.c.Focused()
	var out []string
	for range 60 {
		out = append(out, d.focus())
		d.press(fyne.KeyTab, 0)
		if d.c.Focused() == first {
			return out
		}
	}
	d.t.Fatalf("Tab never comes back: %q", out)
	return nil
}

// req: UI-2
func TestTabGoesThroughEverythingInOrder(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(func(s *session.Snapshot) {
		manual(s)
		s.Status.Actions = append(s.Status.Actions, session.ActOlder, session.ActRefresh, session.ActNew, session.ActThreads)
		s.Thread.Joined = true
		s.Requests = &session.Requests{Cards: []*session.Request{commandRequest()}}
		s.Notices = &session.Notices{Rows: []session.Notice{{ID: "n", Text: "A notice."}}}
	})
	wantList(t, "the Tab order", d.tour(), []string{
		"reconnect", "profile", "dismiss",
		"new", "filter", "conversations", "archived", "operations",
		"refresh", "menu", "older", "transcript",
		"Decline", "Allow once", "Allow for session", "Allow, and from now on all that begins with git push", "Stop turn",
		"message", "model", "effort", "access", "speed", "image",
	})
	if got, want := d.tour(), names(d.w.order()); !slices.Equal(got, want) {
		t.Errorf("Tab goes through %q, the window thinks %q", got, want)
	}
}

func names(fs []fyne.Focusable) []string {
	var out []string
	for _, f := range fs {
		switch x := f.(type) {
		case *widgets.Button:
			out = append(out, x.Name)
			if x.Name == "" {
				out[len(out)-1] = x.Label()
			}
		case *widgets.Field:
			out = append(out, x.Name)
		case *widgets.RowList:
			out = append(out, x.Name)
		case *widgets.Composer:
			out = append(out, x.Name)
		default:
			out = append(out, "transcript")
		}
	}
	return out
}

// req: UI-2
func TestTabInTheNarrowWindow(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.show(joined)
	wantList(t, "the Tab order", d.tour(), []string{
		"open conversations", "menu", "older", "transcript", "message", "model", "effort", "access", "speed", "image", "send",
	})
	d.press(fyne.Key1, fyne.KeyModifierAlt)
	wantEqual(t, "focus in the drawer", d.focus(), "conversations")
	wantList(t, "the Tab order of the drawer", d.tour(), []string{"new", "filter", "conversations", "archived", "operations"})
	d.press(fyne.KeyEscape, 0)
	wantEqual(t, "focus after Escape", d.focus(), "open conversations")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "focus in the drawer again", d.focus(), "conversations")
	d.press(fyne.KeyReturn, 0)
	wantList(t, "asked", d.core.names(), []string{"session.Select"})
	wantEqual(t, "the drawer is open", d.w.shell.drawer, false)
	wantEqual(t, "focus after opening a conversation", d.focus(), "transcript")
}

// What had the keyboard and is gone must not act, and the keyboard must be
// somewhere.
// req: UI-2
func TestFocusIsRepairedAfterEachChange(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(manual)
	d.focusOn("reconnect")
	d.show(joined) // the banner is gone
	if d.c.Focused() == nil || d.focus() == "reconnect" {
		t.Fatalf("the keyboard is at %q after its button was removed", d.focus())
	}
	d.core.names()
	d.press(fyne.KeyReturn, 0)
	if got := d.core.names(); slices.Contains(got, "session.Reconnect") {
		t.Errorf("a removed button acted: %q", got)
	}

	d.focusOn("send")
	d.show(manual) // Send is disabled
	if f := d.focus(); f == "send" || f == "" {
		t.Errorf("the keyboard is at %q after its button was disabled", f)
	}

	d.show(asking)
	d.now = d.now.Add(quiet)
	d.press(fyne.KeyR, ctrl)
	wantEqual(t, "focus after Ctrl+R", d.focus(), "Decline")
	d.show(with(joined, func(s *session.Snapshot) { s.Requests = &session.Requests{} })) // the request is gone
	if f := d.focus(); f == "Decline" || f == "" {
		t.Errorf("the keyboard is at %q after its card was removed", f)
	}
	d.show(running)
	d.focusOn("conversations")
	d.w.win.Resize(fyne.NewSize(360, 700)) // the list is gone
	d.show(running)
	if f := d.focus(); f == "conversations" || f == "" {
		t.Errorf("the keyboard is at %q after its list was hidden", f)
	}
}

// focusOn gives the keyboard to the thing of that name.
func (d *desk) focusOn(name string) {
	d.t.Helper()
	for _, f := range d.w.order() {
		d.c.Focus(f)
		if d.focus() == name {
			d.w.repairFocus() // notes the region, as after any change
			return
		}
	}
	d.t.Fatalf("nothing is called %q", name)
}

// req: UI-2
func TestNothingThatAppearsTakesTheFocus(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.press(fyne.Key3, fyne.KeyModifierAlt)
	wantEqual(t, "focus", d.focus(), "message")
	for name, change := range map[string]func(*session.Snapshot){
		"a card": asking, "a banner": manual, "a notice": func(s *session.Snapshot) {
			s.Notices = &session.Notices{Rows: []session.Notice{{ID: "1", Text: "Something was said."}}}
		},
		"a reading": reading, "a turn": running,
	} {
		d.show(change)
		wantEqual(t, "focus after "+name, d.focus(), "message")
	}
}

// req: UI-2
func TestEveryActionHasAKeyAndALabel(t *testing.T) {
	d := newDesk(t, 1200, 800)
	all := []session.Action{
		session.ActReconnect, session.ActCancel, session.ActConfirm, session.ActProfile, session.ActSignIn,
		session.ActSignOut, session.ActSelect, session.ActNew, session.ActJoin, session.ActSend, session.ActSteer,
		session.ActStop, session.ActAnswer, session.ActOlder, session.ActNewer, session.ActRefresh, session.ActThreads,
		session.ActFork, session.ActRename, session.ActArchive, session.ActUnarchive, session.ActDelete,
		session.ActCompact, session.ActQueue, session.ActExpand, session.ActRestore, session.ActDiscard,
	}
	for _, a := range all {
		c, ok := d.w.commandOf(a)
		if !ok || c.key == "" || c.label == "" || c.keyText() == "" {
			t.Errorf("the action %q has no key or no label: %+v", a, c)
		}
	}
}

// Two commands share a key only where one of them alone can run.
func TestKeysAreDistinct(t *testing.T) {
	may := map[string]bool{"Alt+1": true, "Ctrl+Enter": true, "F3": true, "Esc": true}
	seen := map[string]string{}
	for _, c := range commands() {
		k := c.keyText()
		if other, ok := seen[k]; ok && !may[k] {
			t.Errorf("%s and %s are both on %s", other, c.id, k)
		}
		seen[k] = c.id
	}
}

// req: UI-2
func TestF6GoesThroughTheRegions(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(asking)
	d.focusOn("message")
	var got []string
	for range 6 {
		d.press(fyne.KeyF6, 0)
		got = append(got, d.focus())
	}
	wantList(t, "F6", got, []string{"new", "refresh", "older", "Decline", "message", "new"})
}

// req: UI-2
func TestDialogsHoldTheKeyboardAndGiveItBack(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.focusOn("message")
	d.press(fyne.KeyD, shiftCtrl)
	wantEqual(t, "dialog", d.dialog(), "delete")
	wantEqual(t, "the safe choice has the keyboard", d.focus(), "cancel")
	wantList(t, "Tab stays inside", d.tour(), []string{"cancel", "ok"})
	d.show(manual) // the world goes on behind it
	wantEqual(t, "dialog after a snapshot", d.dialog(), "delete")
	d.press(fyne.KeyEscape, 0)
	wantEqual(t, "dialog after Escape", d.dialog(), "")
	wantEqual(t, "focus after Escape", d.focus(), "message")
	wantList(t, "asked", d.core.names(), nil)
}

func TestKeysWindowListsTheTable(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.press(fyne.KeyF1, 0)
	wantEqual(t, "dialog", d.dialog(), "keys")
	list, ok := d.c.Focused().(*widgets.RowList)
	if !ok {
		t.Fatalf("the keyboard is at %q", d.focus())
	}
	if got, want := len(list.Rows()), len(commands()); got < want {
		t.Errorf("%d keys are listed, want at least %d", got, want)
	}
}

// Who starts or joins a conversation goes on in its message; a keyboard that was
// moved meanwhile stays where it is.
// req: UI-2
func TestNewAndJoinLeadToTheMessage(t *testing.T) {
	begins := map[string]func(*desk){
		"new":  func(d *desk) { d.show(joined); d.w.focusList(); d.press(fyne.KeyN, ctrl); d.press(fyne.KeyReturn, 0) },
		"join": func(d *desk) { d.show(reading); d.w.focusList(); d.press(fyne.KeyJ, ctrl) },
	}
	ends := []struct {
		name   string
		result session.Result
		moved  bool
		want   string
	}{
		{name: "done", result: session.Result{OK: true}, want: "message"},
		{name: "refused", result: session.Result{Error: "The folder is not there."}, want: "conversations"},
		{name: "moved", result: session.Result{OK: true}, moved: true, want: "filter"},
	}
	for begin, do := range begins {
		for _, end := range ends {
			t.Run(begin+" "+end.name, func(t *testing.T) {
				d := newDesk(t, 1200, 800)
				do(d)
				wantEqual(t, "focus until the answer", d.focus(), "conversations")
				if end.moved {
					d.w.focusFilter()
				}
				d.core.done[len(d.core.done)-1](end.result)
				d.drain()
				wantEqual(t, "focus", d.focus(), end.want)
			})
		}
	}
}

// A narrow window begins where no key does harm, whatever is said at its start.
// req: UI-2
func TestANarrowStartIsNotOnANotice(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.w.win.Resize(fyne.NewSize(360, 700))
	d.show(func(s *session.Snapshot) {
		s.Status = &session.Status{State: session.Reconnecting, Text: "Connecting.", Actions: []session.Action{session.ActCancel}}
	})
	d.show(func(s *session.Snapshot) {
		reading(s)
		s.Notices = &session.Notices{Rows: []session.Notice{{ID: "a", Text: "about a"}}}
	})
	wantEqual(t, "focus", d.focus(), "transcript")
}

// What vanishes under the keyboard leaves it in its region, however it came
// there.
// req: UI-2
func TestTabIsFollowedByTheRepair(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(running)
	d.w.focusList()
	d.show(running)
	for range 40 {
		if d.focus() == "stop" {
			break
		}
		d.press(fyne.KeyTab, 0)
	}
	wantEqual(t, "focus", d.focus(), "stop")
	d.show(joined)
	wantEqual(t, "focus when Stop went", d.focus(), "message")
}

func TestDownLeadsFromTheFilterToTheList(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.press(fyne.KeyP, ctrl)
	wantEqual(t, "focus", d.focus(), "filter")
	d.press(fyne.KeyDown, 0)
	wantEqual(t, "focus", d.focus(), "conversations")
}

// A notice that stays keeps its button, so that a key meant for it cannot
// dismiss another.
// req: UI-2
func TestNoticesKeepTheirButtons(t *testing.T) {
	d := newDesk(t, 1200, 800)
	notices := func(ids ...string) func(*session.Snapshot) {
		return func(s *session.Snapshot) {
			s.Notices = &session.Notices{}
			for _, id := range ids {
				s.Notices.Rows = append(s.Notices.Rows, session.Notice{ID: id, Text: "about " + id})
			}
		}
	}
	d.show(joined)
	d.show(notices("a", "b"))
	b := d.w.regions()[0][1]
	d.c.Focus(b)
	d.show(notices("a", "b", "c"))
	if d.c.Focused() != b {
		t.Fatalf("with another notice %q has the keyboard", d.focus())
	}
	d.show(notices("b", "c"))
	d.press(fyne.KeyReturn, 0)
	wantList(t, "dismissed", []string{d.core.asked[len(d.core.asked)-1].(session.DismissNotice).ID}, []string{"b"})
}

// The key that presses a button types nothing where the keyboard goes by it.
func TestASpaceThatPressesTypesNothing(t *testing.T) {
	for _, open := range []struct {
		key fyne.KeyName
		mod fyne.KeyModifier
	}{{fyne.KeyF1, 0}, {fyne.KeyP, shiftCtrl}, {fyne.KeyL, shiftCtrl}, {fyne.KeyF1, ctrl}} {
		d := newDesk(t, 1200, 800)
		d.show(joined)
		d.press(fyne.Key3, alt)
		d.write("abc")
		d.press(open.key, open.mod)
		if d.dialog() == "" {
			t.Fatalf("%v opens no dialog", open)
		}
		for range 40 {
			if b, is := d.c.Focused().(*widgets.Button); is && (b.Name == "cancel" || b.Label() == "Close") {
				break
			}
			d.press(fyne.KeyTab, 0)
		}
		d.press(fyne.KeySpace, 0)
		wantEqual(t, fmt.Sprint(open, ": dialog"), d.dialog(), "")
		wantEqual(t, "focus", d.focus(), "message")
		wantEqual(t, "message", d.w.comp.entry.Text, "abc")
	}
}
