package ui

import (
	"errors"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"holdfast/core/profile"
	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets"
	"holdfast/widgets/theme"
)

// A profilesPanel lists the profiles of the settings file; its buttons act on
// the row that is marked. The file is read and written off the window's
// goroutine.
type profilesPanel struct {
	w       *Window
	file    profile.File
	modal   *widgets.Modal
	note    *widgets.Text
	problem *widgets.Text
	list    *widgets.RowList
	use     *widgets.Button
	edit    *widgets.Button
	start   *widgets.Button
	remove  *widgets.Button
	add     *widgets.Button
	close   *widgets.Button
}

// openProfiles shows the profiles, to switch, change, add and remove.
func (w *Window) openProfiles() {
	if w.opts.Config == "" {
		w.say(safetext.Trusted("There is no file of profiles here."))
		return
	}
	p := &profilesPanel{w: w, note: dim(safetext.Trusted("Reading…")), problem: errorText()}
	p.list = widgets.NewRowList("profiles", safetext.Trusted("Profiles"))
	p.list.MarkCurrent = true
	p.list.OnOpen = func(widgets.Row) { p.switchTo() }
	p.list.OnMove = func(widgets.Row) { p.showButtons() }
	button := func(label safetext.Line, name string, do func()) *widgets.Button {
		b := widgets.NewButton(label, widgets.Plain, do)
		b.Name = name
		return b
	}
	p.use = button(safetext.Trusted("Switch to it…"), "switch", p.switchTo)
	p.edit = button(safetext.Trusted("Edit…"), "edit", func() { p.form(p.list.Current().ID) })
	p.start = button(safetext.Trusted("Use at the start"), "start", p.useAtStart)
	p.remove = button(safetext.Trusted("Remove…"), "remove", p.removeProfile)
	p.add = button(safetext.Trusted("Add…"), "add", func() { p.form("") })
	p.close = closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &p.modal, nil)
	body := []fyne.CanvasObject{p.note, container.New(listRoom{w, p.list}, p.list), p.problem}
	p.modal = widgets.NewModal("profiles", safetext.Trusted("Profiles"), body, p.close, p.use, p.edit, p.start, p.remove, p.add)
	p.show()
	w.dialog(p.modal, p.close)
	p.do("", func() (profile.File, error) { return profile.Load(w.opts.Config) })
}

// do reads or changes the file, and shows what it says then with the keyboard on
// a profile of it.
func (p *profilesPanel) do(on string, change func() (profile.File, error)) {
	p.w.opts.Go(func() {
		f, err := change()
		p.w.opts.Do(func() {
			if err != nil {
				p.complain(err)
				return
			}
			p.file = f
			setError(p.problem, safetext.Line{})
			p.show()
			p.list.MoveTo(or(on, p.w.snap.Server.Profile))
			p.showButtons()
			if widgets.Top(p.w.win.Canvas()) == p.modal {
				p.w.win.Canvas().Focus(p.first())
			}
			p.w.WriteState()
		})
	})
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// first is what the keyboard begins at.
func (p *profilesPanel) first() fyne.Focusable {
	if len(p.file.Profiles) == 0 {
		return p.add
	}
	return p.list
}

// complain says what is wrong with the file, and where.
func (p *profilesPanel) complain(err error) {
	setError(p.problem, safetext.MakeLine(err.Error()+"."))
	p.note.Set(safetext.MakeLine(p.w.opts.Config))
	for _, b := range []*widgets.Button{p.use, p.edit, p.start, p.remove} {
		b.SetEnabled(false)
	}
	p.add.SetEnabled(!errors.Is(err, profile.ErrBroken))
	p.modal.Refresh()
	p.w.WriteState()
}

func (p *profilesPanel) show() {
	var rows []widgets.Row
	start, _ := p.file.Find("")
	for _, x := range p.file.Profiles {
		row := widgets.Row{ID: x.Name, Title: safetext.MakeLine(x.Name), Sub: safetext.MakeLine(x.Describe())}
		switch {
		case p.applied(x.Name):
			row.Badge = safetext.Trusted("in use")
		case x.Name == start.Name:
			row.Badge = safetext.Trusted("at the start")
		}
		rows = append(rows, row)
	}
	p.list.SetRows(rows)
	setVisible(p.list, len(rows) > 0)
	p.note.Set(safetext.Trusted("Each is a way to a server. Switching ends the connection that is there; nothing is sent before you confirm the new one."))
	if len(rows) == 0 {
		p.note.Set(safetext.Trusted("There are none yet: Holdfast starts a codex of your own. Add one to reach another server, or to start codex in another way."))
	}
	p.showButtons()
	p.modal.Refresh()
}

// applied says that the window is connected by that profile.
func (p *profilesPanel) applied(name string) bool { return p.w.snap.Server.Profile == name }

func (p *profilesPanel) showButtons() {
	start, _ := p.file.Find("")
	at, any := p.list.Current().ID, len(p.file.Profiles) > 0
	p.use.SetEnabled(any)
	p.edit.SetEnabled(any)
	p.start.SetEnabled(any && at != start.Name)
	p.remove.SetEnabled(any)
}

// switchTo asks before the connection is given up for another.
func (p *profilesPanel) switchTo() {
	if name := p.list.Current().ID; name != "" {
		p.w.askSwitch(name, p.modal.Close)
	}
}

// askSwitch asks before a profile is applied. The session then keeps every draft
// apart, and waits for the confirmation of what it reached (REC-9).
func (w *Window) askSwitch(name string, first func()) {
	at := w.snap.At
	text := line("The connection to %s ends. What is typed and not sent is kept as drafts.", w.snap.Server.Endpoint)
	more := []safetext.Line{text, safetext.Trusted("Nothing is sent to the other server before you confirm it.")}
	if t := w.snap.Thread; t != nil && t.TurnStatus == "inProgress" {
		more = append(more, safetext.Trusted("A turn is running. If Holdfast started this codex, the turn is interrupted."))
	}
	w.confirm("switch", line("Switch to “%s”?", name), safetext.Trusted("Switch"), func() {
		first()
		w.core.Do(at, session.ApplyProfile{Name: name}, func(r session.Result) {
			w.opts.Do(func() { w.switched(name, r) })
		})
	}, more...)
}

// switched forgets what was offered for the other server.
func (w *Window) switched(name string, r session.Result) {
	if !r.OK {
		w.say(refusal(session.ApplyProfile{}, r))
	}
	if r.Code == "bad-profile" || r.Code == "no-profiles" || r.Code == "stale" {
		return // nothing changed
	}
	w.opts.Cwd = ""
	w.opts.Go(func() {
		f, err := profile.Load(w.opts.Config)
		var roots []string
		if p, findErr := f.Find(name); err == nil && findErr == nil {
			for _, x := range p.Roots {
				if real, err := filepath.EvalSymlinks(x.Local); err == nil {
					roots = append(roots, real)
				}
			}
		}
		w.opts.Do(func() { w.opts.Links.Roots = roots })
	})
}

func (p *profilesPanel) useAtStart() {
	name := p.list.Current().ID
	p.do(name, func() (profile.File, error) { return profile.UseAtStart(p.w.opts.Config, name) })
}

func (p *profilesPanel) removeProfile() {
	name := p.list.Current().ID
	more := []safetext.Line{safetext.Trusted("It is taken out of the settings file. Nothing on the server changes.")}
	if p.applied(name) {
		more = append(more, safetext.Trusted("The window is connected by it now. The connection goes on, and has to be confirmed."))
	}
	p.w.confirm("remove profile", line("Remove “%s”?", name), safetext.Trusted("Remove"), func() {
		p.do("", func() (profile.File, error) { return profile.Remove(p.w.opts.Config, name) })
	}, more...)
}

// errorText is where a field says what is wrong with it.
func errorText() *widgets.Text {
	t := widgets.NewText(safetext.Line{}, widgets.Style{Size: theme.SizeSmall, Color: theme.ColorErr})
	t.Hide()
	return t
}

// setError shows or takes away what is wrong.
func setError(t *widgets.Text, l safetext.Line) {
	t.Set(l)
	setVisible(t, !l.Empty())
}

// saved goes on after a profile was written: one that is in use is not applied
// by that.
func (p *profilesPanel) saved(was, name string, f profile.File) {
	inUse := was != "" && p.applied(was)
	p.do(name, func() (profile.File, error) { return f, nil })
	if !inUse {
		return
	}
	if p.w.snap.Status.State == session.Reconnecting {
		p.w.ask(session.ProfileEdited{}) // attempts at the old target end (REC-9)
	}
	at := p.w.snap.At
	var m *widgets.Modal
	later := closer(safetext.Trusted("Later"), "later", widgets.Primary, &m, nil)
	now := closer(safetext.Trusted("Connect anew"), "apply", widgets.Plain, &m, func() {
		p.modal.Close()
		p.w.core.Do(at, session.ApplyProfile{Name: name}, func(r session.Result) {
			p.w.opts.Do(func() { p.w.switched(name, r) })
		})
	})
	m = widgets.NewModal("apply profile", safetext.Trusted("The profile in use was changed"), []fyne.CanvasObject{
		para(safetext.Trusted("The connection is still the one from before. Connecting anew ends it and keeps what is typed as drafts; nothing is sent before you confirm the server.")),
	}, later, now)
	p.w.dialog(m, later)
}

// form opens a profile to be edited, or an empty one.
func (p *profilesPanel) form(was string) {
	d := profile.Draft{Connect: "stdio", Experimental: true}
	for _, x := range p.file.Profiles {
		if x.Name == was {
			d = profile.DraftOf(x)
		}
	}
	newProfileForm(p, was, d)
}

// wordsOf shows which words a command line comes to.
func wordsOf(argv []string) safetext.Line {
	if len(argv) == 0 {
		return safetext.Line{}
	}
	return line("Runs: %s", "‹"+strings.Join(argv, "› ‹")+"›")
}
