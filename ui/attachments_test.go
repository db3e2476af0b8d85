package ui

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
	"holdfast/widgets"
)

func attachments() *session.Attachments {
	at := noon.Add(-3 * time.Hour).Unix()
	return &session.Attachments{Rows: []*session.AttachmentRow{
		{Type: "note", Identity: "build.log", ID: "a1", CreatedAt: at, Bytes: 120, Reason: "type not known"},
		{Type: "text/html", Identity: "report\x00\u202Elmth.exe", ID: "a2", CreatedAt: at, Bytes: 2400, Reason: "type not known"},
		{Type: "note", Identity: strings.Repeat("long ", 51), ID: "a3", CreatedAt: at, Bytes: 65_537, Reason: "the payload is 65537 bytes long, at most 65536 are allowed"},
		{Type: "", Identity: "", ID: "a4", Reason: "the type is empty; the key is empty"},
	}}
}

func attached(a *session.Attachments) func(*session.Snapshot) {
	return with(joined, func(s *session.Snapshot) { s.Attachments = a })
}

// attachDesk is a desk with the attachments open.
func attachDesk(t *testing.T, width float32, a *session.Attachments) *desk {
	d := newDesk(t, width, 700)
	d.show(attached(a))
	d.press(fyne.KeyE, shiftCtrl)
	wantEqual(t, "dialog", d.dialog(), "attachments")
	return d
}

func TestTheHeaderCountsAttachments(t *testing.T) {
	for name, c := range map[string]struct {
		a     *session.Attachments
		shown bool
		label string
	}{
		"no conversation's list": {a: nil},
		"none":                   {a: &session.Attachments{}},
		"none yet":               {a: &session.Attachments{Loading: true, Stale: "it is being read"}},
		"some":                   {a: attachments(), shown: true, label: "Attachments (4)"},
		"read again":             {a: &session.Attachments{Rows: attachments().Rows, Loading: true, Stale: "it is being read"}, shown: true, label: "Attachments (4…)"},
		"stale":                  {a: &session.Attachments{Rows: attachments().Rows, Stale: "the connection was lost"}, shown: true, label: "Attachments (4, not complete)"},
		"none, and stale":        {a: &session.Attachments{Stale: "it could not be read"}, shown: true, label: "Attachments (0, not complete)"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 1200, 700)
			d.show(attached(c.a))
			h := d.w.head
			wantEqual(t, "the button is shown", h.attach.Visible(), c.shown)
			wantEqual(t, "the words are shown", h.count.Visible(), false)
			if c.shown {
				wantEqual(t, "label", h.attach.Label(), c.label)
				d.focusOn("attachments")
				d.press(fyne.KeyReturn, 0)
				wantEqual(t, "dialog", d.dialog(), "attachments")
			}
			narrow := newDesk(t, 360, 700)
			narrow.show(attached(c.a))
			wantEqual(t, "the button is shown when narrow", narrow.w.head.attach.Visible(), false)
			wantEqual(t, "the words are shown when narrow", narrow.w.head.count.Visible(), c.shown)
		})
	}
}

func TestAttachmentsWithoutAConversation(t *testing.T) {
	d := newDesk(t, 1200, 700)
	d.show(func(*session.Snapshot) {})
	d.press(fyne.KeyE, shiftCtrl)
	wantEqual(t, "dialog", d.dialog(), "")
	if n := d.w.notices.local; len(n) != 1 || n[0].Text != "No conversation is selected." {
		t.Errorf("the window says %+v", n)
	}
}

// Rows are metadata, cleaned; Enter shows it in full, and opens nothing.
// req: ATT-4, FLD-11
func TestAttachmentsAreListedAndNotOpened(t *testing.T) {
	d := attachDesk(t, 1200, attachments())
	wantEqual(t, "focus", d.focus(), "attachments")
	list := d.w.attach.list
	var got []string
	for _, r := range list.Rows() {
		got = append(got, strings.Join([]string{r.Title.String(), r.Badge.String(), r.Sub.String(), r.Right.String()}, " | "))
		for _, s := range []string{r.Title.String(), r.Badge.String()} {
			if strings.ContainsAny(s, "\x00\u202E\n") {
				t.Errorf("%q is not clean", s)
			}
		}
	}
	for i, want := range []string{
		"build.log | note | unavailable: type not known | 3 h · 120 bytes",
		" | text/html | unavailable: type not known | 3 h · 2.4 KB",
		" | note | unavailable: the payload is 65537 bytes long, at most 65536 are allowed | 3 h · 65.5 KB",
		"(empty) | (empty) | unavailable: the type is empty; the key is empty | 0 bytes",
	} {
		if !strings.HasSuffix(got[i], want) {
			t.Errorf("row %d is %q, want %q", i, got[i], want)
		}
	}
	wantList(t, "the Tab order", d.tour(), []string{"attachments", "cancel", "refresh attachments"})
	d.c.Focus(list)
	d.press(fyne.KeyDown, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "attachment")
	d.press(fyne.KeyTab, 0)
	wantEqual(t, "focus", d.focus(), "back")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog after Back", d.dialog(), "attachments")
	d.press(fyne.KeyEscape, 0)
	wantEqual(t, "dialog after Escape", d.dialog(), "")
	wantList(t, "asked", d.core.names(), nil)
	wantList(t, "opened", d.opens, nil)
}

// The panel follows the snapshots, and says in words what the list is.
func TestTheAttachmentPanelFollows(t *testing.T) {
	d := attachDesk(t, 1200, &session.Attachments{Loading: true, Stale: "it is being read"})
	p := d.w.attach
	says := func(note, focus string, rows int) {
		t.Helper()
		wantEqual(t, "note", p.note.String(), note)
		wantEqual(t, "rows", len(p.list.Rows()), rows)
		wantEqual(t, "the list is shown", p.list.Visible(), rows > 0)
		wantEqual(t, "focus", d.focus(), focus)
	}
	keep := func(a *session.Attachments) { d.show(func(s *session.Snapshot) { s.Attachments = a }) }
	says("Reading the list…", "cancel", 0)
	keep(&session.Attachments{})
	says("Nothing is attached to this conversation.", "cancel", 0)
	keep(attachments())
	says("Attachments are listed here; none can be opened.", "cancel", 4)
	d.c.Focus(p.list)
	keep(&session.Attachments{Rows: attachments().Rows[:1], Stale: "it kept changing while it was read"})
	says("This list may not be complete: it kept changing while it was read. Refresh reads it again.", "attachments", 1)
	d.c.Focus(p.refresh)
	d.press(fyne.KeyReturn, 0)
	wantList(t, "asked", d.core.names(), []string{"session.ListAttachments"})
	d.c.Focus(p.list)
	keep(&session.Attachments{})
	says("Nothing is attached to this conversation.", "cancel", 0)
	d.c.Focus(p.refresh)
	d.show(func(s *session.Snapshot) { s.Status = &session.Status{State: session.ManualReconnect} })
	wantEqual(t, "Refresh is off", p.refresh.Disabled(), true)
	wantEqual(t, "focus", d.focus(), "cancel")
}

func TestTheAttachmentPanelClosesWithItsConversation(t *testing.T) {
	for name, change := range map[string]func(*session.Snapshot){
		"another one": func(s *session.Snapshot) {
			other := *s.Thread
			other.ID = "t2"
			s.Thread, s.Attachments = &other, attachments()
		},
		"none": func(s *session.Snapshot) { s.Thread, s.Attachments = nil, nil },
	} {
		t.Run(name, func(t *testing.T) {
			d := attachDesk(t, 1200, attachments())
			d.show(change)
			wantEqual(t, "dialog", d.dialog(), "")
			if d.w.attach != nil {
				t.Error("the panel is still followed")
			}
			if d.focus() == "" {
				t.Error("nothing has the keyboard")
			}
		})
	}
}

// A hundred rows stay inside the window, and every one can be reached.
func TestAHundredAttachmentsScroll(t *testing.T) {
	a := &session.Attachments{}
	for range 25 {
		a.Rows = append(a.Rows, attachments().Rows...)
	}
	for _, width := range []float32{1200, 360} {
		d := attachDesk(t, width, a)
		if h := d.w.attach.list.Size().Height; h < 100 || h > 520 {
			t.Errorf("at %v the list is %v high", width, h)
		}
		d.press(fyne.KeyEnd, 0)
		wantEqual(t, "current row", d.w.attach.list.Current().ID, "a4")
		if m := widgets.Top(d.c); m.Size() != d.c.Size() {
			t.Errorf("the dialog covers %v of %v", m.Size(), d.c.Size())
		}
	}
}

// The refusal of a refresh is said in words.
func TestARefusedRefreshIsSaid(t *testing.T) {
	d := attachDesk(t, 1200, attachments())
	d.c.Focus(d.w.attach.refresh)
	d.press(fyne.KeyReturn, 0)
	d.core.done[0](session.Result{Code: "list-failed", Error: "The attachments could not be read. No answer came."})
	d.drain()
	if n := d.w.notices.local; len(n) != 1 || n[0].Text != "Attachments not read: The attachments could not be read. No answer came." {
		t.Errorf("the window says %+v", n)
	}
}
