package ui

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"holdfast/core/session"
	"holdfast/widgets"
	"holdfast/widgets/transcript"
)

// A leaf is something a person sees as one thing, where it is on the canvas.
type leaf struct {
	name string
	x, y float32
	w, h float32
	// in is the scrolled part it lies in, which clips it.
	in *container.Scroll
}

func (l leaf) overlaps(o leaf) bool {
	const slack = 0.6
	return l.x+slack < o.x+o.w && o.x+slack < l.x+l.w && l.y+slack < o.y+o.h && o.y+slack < l.y+l.h
}

// leaves walks what is visible.
func leaves(o fyne.CanvasObject, at fyne.Position, in *container.Scroll) []leaf {
	if !o.Visible() {
		return nil
	}
	at = at.Add(o.Position())
	one := func(name string) []leaf {
		return []leaf{{name, at.X, at.Y, o.Size().Width, o.Size().Height, in}}
	}
	switch x := o.(type) {
	case *widgets.Button:
		return one("button " + x.Label())
	case *widgets.Text:
		if x.String() == "" {
			return nil
		}
		return one("text " + x.String())
	case *widgets.Field:
		return one("field " + x.Name)
	case *widgets.Composer:
		return one("composer")
	case *widgets.RowList:
		return one("list " + x.Name)
	case *widgets.Code:
		return one("code")
	case *transcript.Transcript:
		return one("transcript")
	case *container.Scroll:
		return append(one("a scrolled part"), leaves(x.Content, at.Subtract(x.Offset), x)...)
	case *fyne.Container:
		var out []leaf
		for _, c := range x.Objects {
			out = append(out, leaves(c, at, in)...)
		}
		return out
	case fyne.Widget:
		var out []leaf
		for _, c := range test.WidgetRenderer(x).Objects() {
			out = append(out, leaves(c, at, in)...)
		}
		return out
	}
	return nil
}

// checkLayout says what is cut off or lies on something else.
func (d *desk) checkLayout(root fyne.CanvasObject, what string) {
	d.t.Helper()
	size := d.c.Size()
	all := leaves(root, fyne.Position{}, nil)
	if len(all) < 2 {
		d.t.Errorf("%s: only %d things are seen", what, len(all))
	}
	for i, l := range all {
		if l.x < -0.6 || l.x+l.w > size.Width+0.6 || l.in == nil && (l.y < -0.6 || l.y+l.h > size.Height+0.6) {
			d.t.Errorf("%s: %s is outside: %.0f,%.0f %.0fx%.0f in %v", what, l.name, l.x, l.y, l.w, l.h, size)
		}
		if l.w < 4 || l.h < 4 {
			d.t.Errorf("%s: %s has no room: %.0fx%.0f", what, l.name, l.w, l.h)
		}
		for _, o := range all[i+1:] {
			if l.in == o.in && l.overlaps(o) {
				d.t.Errorf("%s: %s (%.0f,%.0f %.0fx%.0f) lies on %s (%.0f,%.0f %.0fx%.0f)", what,
					l.name, l.x, l.y, l.w, l.h, o.name, o.x, o.y, o.w, o.h)
			}
		}
	}
}

func everything(s *session.Snapshot) {
	asking(s)
	s.Thread.PossiblyInUse = true
	s.Thread.Access = session.AccessFull
	s.Thread.Title = strings.Repeat("A title that is long ", 8)
	s.Composer = &session.Composer{Thread: "t1", Problem: "image: a long reason that wraps over more than one line of the window", Access: session.AccessFull, Images: []string{"/tmp/a-picture-with-a-long-name-that-goes-on.png"}, Blocks: []string{strings.Repeat("x", 200_000)}}
	s.Notices = &session.Notices{Rows: []session.Notice{{ID: "1", Text: strings.Repeat("A notice with many words. ", 6)}, {ID: "2", Text: "Short."}}}
	s.Status = &session.Status{State: session.Confirmation, Text: "The connection changed to another server with a long name. Check the profile, then reconnect.", Actions: []session.Action{session.ActConfirm, session.ActReconnect, session.ActProfile, session.ActStop, session.ActSteer, session.ActOlder}}
}

// Nothing is cut off and nothing lies on something else, from 320 px on, in all
// themes and text sizes.
// req: UI-2
func TestNothingOverlapsAtAnyWidth(t *testing.T) {
	scenes := map[string]func(*session.Snapshot){"reading": reading, "joined": joined, "running": running, "asking": asking, "manual": manual, "everything": everything}
	for _, mode := range []string{"light", "dark", "hc"} {
		for _, scale := range []int{100, 150} {
			for name, scene := range scenes {
				d := newDesk(t, 1200, 800)
				d.w.change(func(s *Settings) { s.Theme, s.TextSize = mode, scale })
				d.show(scene)
				for _, width := range []float32{320, 360, 500, 559, 560, 1200} {
					height := float32(900)
					if scale == 100 && name != "everything" {
						height = 700
					}
					d.w.win.Resize(fyne.NewSize(width, height))
					d.w.root.Refresh()
					d.checkLayout(d.w.root, fmt.Sprintf("%s %s %d%% %.0f", name, mode, scale, width))
				}
			}
		}
	}
}

// The list is as wide as its text needs, and never so wide that the column
// suffers; its buttons stand in Tab order.
// req: UI-2
func TestTheListGrowsWithTheText(t *testing.T) {
	for _, tt := range []struct {
		width float32
		size  int
		want  float32
	}{{1200, 100, 264}, {1200, 90, 264}, {1200, 140, 264 * 1.4}, {1200, 200, 384}, {800, 200, 264}} {
		d := newDesk(t, tt.width, 800)
		d.w.change(func(s *Settings) { s.TextSize = tt.size })
		d.show(reading)
		wantEqual(t, fmt.Sprint("width of the list at ", tt.width, " and ", tt.size, " %"), d.w.head.box.Position().X, tt.want)
		a, o := d.w.side.archive.Position(), d.w.side.ops.Position()
		if o.Y < a.Y || o.Y == a.Y && o.X <= a.X {
			t.Errorf("at %v and %d %%: Archived is at %v, Operations at %v", tt.width, tt.size, a, o)
		}
	}
}

func TestTheDrawerFillsTheNarrowWindow(t *testing.T) {
	d := newDesk(t, 320, 500)
	d.show(everything)
	d.press(fyne.Key1, alt)
	d.checkLayout(d.w.root, "drawer")
	wantEqual(t, "drawer", d.w.shell.drawer, true)
	d.w.win.Resize(fyne.NewSize(800, 500))
	d.show(joined)
	wantEqual(t, "drawer in a wide window", d.w.shell.drawer, false)
}

func TestDialogsFitTheNarrowestWindow(t *testing.T) {
	for name, open := range map[string]func(*Window){
		"new": (*Window).openNew, "keys": (*Window).openKeys, "commands": (*Window).openCommands, "sign in": (*Window).openSignIn,
		"connection": (*Window).openConnection, "operations": (*Window).openOperations, "image": (*Window).openImage, "browse": (*Window).browse,
		"access": (*Window).pickAccess, "model": (*Window).pickModel,
	} {
		d := newDesk(t, 320, 420)
		d.show(joined)
		open(d.w)
		m := widgets.Top(d.c)
		if m == nil || m.Name != name {
			t.Errorf("%s: the dialog %q is open", name, d.dialog())
			continue
		}
		d.checkLayout(m, name)
		if d.c.Focused() == nil {
			t.Errorf("%s: nothing has the keyboard", name)
		}
		d.press(fyne.KeyEscape, 0)
		wantEqual(t, "dialog after Escape", d.dialog(), "")
	}
}
