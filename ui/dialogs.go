package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
	"holdfast/widgets/theme"
)

// dialog opens a dialog and repairs the focus when it closes.
func (w *Window) dialog(m *widgets.Modal, first fyne.Focusable) {
	done := m.OnClosed
	m.OnClosed = func() {
		if done != nil {
			done()
		}
		w.settle()
	}
	m.Open(w.win.Canvas(), first)
	w.WriteState()
}

// closer makes a button that closes a dialog and then does something.
func closer(label safetext.Line, name string, kind widgets.Kind, m **widgets.Modal, then func()) *widgets.Button {
	b := widgets.NewButton(label, kind, func() {
		(*m).Close()
		if then != nil {
			then()
		}
	})
	b.Name = name
	return b
}

func para(l safetext.Line) *widgets.Text { return widgets.NewText(l, widgets.Style{}) }

func dim(l safetext.Line) *widgets.Text {
	return widgets.NewText(l, widgets.Style{Size: theme.SizeSmall, Color: theme.ColorDim})
}

// confirm asks before something that cannot be taken back; the keyboard begins
// at Cancel.
func (w *Window) confirm(name string, question, yes safetext.Line, then func(), more ...safetext.Line) {
	var m *widgets.Modal
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, nil)
	ok := closer(yes, "ok", widgets.Plain, &m, then)
	var body []fyne.CanvasObject
	for _, l := range more {
		body = append(body, para(l))
	}
	m = widgets.NewModal(name, question, body, cancel, ok)
	w.dialog(m, cancel)
}

func (w *Window) openRename(t target) {
	var m *widgets.Modal
	field := widgets.NewField(safetext.Trusted("Name"))
	field.Name = "name"
	field.SetText(t.title.String())
	save := func() {
		name := strings.TrimSpace(field.Text)
		if name == "" {
			return
		}
		m.Close()
		w.askAt(t.at.ConnOnly(), session.Rename{Thread: t.id, Name: name})
	}
	field.OnEnter = func(string) { save() }
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, nil)
	ok := widgets.NewButton(safetext.Trusted("Rename"), widgets.Primary, save)
	m = widgets.NewModal("rename", safetext.Trusted("Rename the conversation"), []fyne.CanvasObject{field}, cancel, ok)
	w.dialog(m, field)
	field.TypedShortcut(&fyne.ShortcutSelectAll{})
}

func (w *Window) openDelete(t target) {
	w.confirm("delete", line("Delete “%s”?", t.title), safetext.Trusted("Delete"),
		func() { w.askAt(t.at.ConnOnly(), session.Delete{Thread: t.id}) },
		safetext.Trusted("The server deletes the conversation and its history. This cannot be undone. Archive keeps it."))
}

// openMenu lists what can be done with one conversation of the list.
func (w *Window) openMenu(t target) {
	at := t.at.ConnOnly()
	archive := w.menuItem("archive", safetext.Trusted("Archive"), session.ActArchive, func() { w.askAt(at, session.Archive{Thread: t.id}) })
	if t.archived {
		archive = w.menuItem("unarchive", safetext.Trusted("Unarchive"), session.ActUnarchive, func() { w.askAt(at, session.Unarchive{Thread: t.id}) })
	}
	w.menu("menu", t.title, []menuItem{
		w.menuItem("open", safetext.Trusted("Open"), session.ActSelect, func() { w.askAt(at, session.Select{Thread: t.id}) }),
		w.menuItem("rename", safetext.Trusted("Rename…"), session.ActRename, func() { w.openRename(t) }),
		w.menuItem("fork", safetext.Trusted("Fork"), session.ActFork, func() { w.askAt(at, session.Fork{Thread: t.id}) }),
		archive,
		w.menuItem("delete", safetext.Trusted("Delete…"), session.ActDelete, func() { w.openDelete(t) }),
	})
}

// A menuItem is one line of a menu.
type menuItem struct {
	row widgets.Row
	run func()
}

// menuItem makes an item that is off while its action is not allowed.
func (w *Window) menuItem(id string, label safetext.Line, a session.Action, run func()) menuItem {
	it := menuItem{row: widgets.Row{ID: id, Title: label}, run: run}
	if a != "" && !w.snap.Status.Allows(a) {
		it.row.Off = true
		it.row.Badge = safetext.Trusted("not now")
	}
	return it
}

// menu shows a list to choose from.
func (w *Window) menu(name string, head safetext.Line, items []menuItem) {
	var m *widgets.Modal
	list := widgets.NewRowList(name, head)
	rows := make([]widgets.Row, len(items))
	for i, it := range items {
		rows[i] = it.row
	}
	list.SetRows(rows)
	list.OnOpen = func(r widgets.Row) {
		for _, it := range items {
			if it.row.ID == r.ID && !it.row.Off {
				m.Close()
				it.run()
				return
			}
		}
	}
	m = widgets.NewModal(name, head, []fyne.CanvasObject{w.bounded(list)}, closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil))
	w.dialog(m, list)
}

// bounded gives a list as much height as the window has for it.
func (w *Window) bounded(list *widgets.RowList) fyne.CanvasObject {
	return widgets.NewFixed(min(list.HeightAt(0), max(w.win.Canvas().Size().Height-170, 120)), list)
}

// openCommands lists every command with its key, those that are possible now
// first; the one chosen is run.
func (w *Window) openCommands() {
	var items []menuItem
	for _, c := range w.commands {
		if c.spoken || c.id == "commands" || c.id == "list" {
			continue
		}
		it := menuItem{row: widgets.Row{ID: c.id, Title: labelOf(c), Badge: safetext.MakeLine(c.keyText())}, run: func() { w.runCommand(c) }}
		it.row.Off = !w.enabled(c)
		items = append(items, it)
	}
	slices.SortStableFunc(items, func(a, b menuItem) int {
		switch {
		case a.row.Off == b.row.Off:
			return 0
		case a.row.Off:
			return 1
		}
		return -1
	})
	w.menu("commands", safetext.Trusted("Commands"), items)
}

// openKeys lists every key (UI-2).
func (w *Window) openKeys() {
	var rows []widgets.Row
	for _, c := range w.commands {
		rows = append(rows, widgets.Row{ID: c.id, Title: labelOf(c), Badge: safetext.MakeLine(c.keyText())})
	}
	for _, x := range []struct {
		key  string
		what words.Key
	}{
		{"Tab, Shift+Tab", "Next or previous control"},
		{"Enter, Space", "Press the button, open the row"},
		{"Up, Down, Page, Home, End", "Move in lists and the transcript"},
		{"Menu, Shift+F10", "What can be done with a conversation or a message"},
		{"@", "In the message: name a file of the conversation's folder"},
		{"Ctrl+C, Ctrl+A", "Copy, select all"},
	} {
		rows = append(rows, widgets.Row{ID: x.key, Title: safetext.Own(x.what), Badge: safetext.MakeLine(x.key)})
	}
	list := widgets.NewRowList("keys", safetext.Trusted("Keys"))
	list.SetRows(rows)
	var m *widgets.Modal
	m = widgets.NewModal("keys", safetext.Trusted("Keys"), []fyne.CanvasObject{w.bounded(list)}, closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil))
	w.dialog(m, list)
}

func (w *Window) openSignIn() {
	var m *widgets.Modal
	key := widgets.NewSecretField(safetext.Trusted("API key"))
	key.Name = "api key"
	at := w.snap.At
	sign := func() {
		secret := strings.TrimSpace(key.Text)
		key.SetText("") // not kept, wherever it goes from here
		if secret == "" {
			return
		}
		m.Close()
		w.askAt(at, session.SignIn{Key: session.Secret(secret)})
	}
	key.OnEnter = func(string) { sign() }
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, func() { key.SetText("") })
	ok := widgets.NewButton(safetext.Trusted("Sign in"), widgets.Primary, sign)
	m = widgets.NewModal("sign in", safetext.Trusted("Sign in with an API key"), []fyne.CanvasObject{
		para(safetext.Trusted("The key goes to the server, which keeps it in its own way. Holdfast does not keep it.")), key,
	}, cancel, ok)
	m.OnCancel = func() { key.SetText("") }
	w.dialog(m, key)
}

func (w *Window) openSignOut() {
	at := w.snap.At
	w.confirm("sign out", safetext.Trusted("Sign out?"), safetext.Trusted("Sign out"),
		func() { w.askAt(at, session.SignOut{}) },
		safetext.Trusted("The server forgets the account, also for its other clients."))
}

// openConnection says how this window is connected, and where to change it.
func (w *Window) openConnection() {
	s := w.snap.Server
	row := func(label words.Key, value string) fyne.CanvasObject {
		if value == "" {
			value = "–"
		}
		return widgets.Labelled(safetext.Own(label), para(safetext.MakeLine(value)))
	}
	body := []fyne.CanvasObject{
		row("Profile", s.Profile), row("Endpoint", s.Endpoint), row("Server", strings.TrimSpace("Codex "+s.Version+" "+s.Platform)),
		row("CODEX_HOME", s.CodexHome), row("Configuration file", w.opts.Config),
	}
	var m *widgets.Modal
	ok := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
	profiles := widgets.NewKeyButton(safetext.Trusted("Profiles…"), w.keyTo("profiles"), widgets.Plain, func() { m.Close(); w.openProfiles() })
	profiles.Name = "profiles"
	m = widgets.NewModal("connection", safetext.Trusted("Connection"), body, ok, profiles)
	w.dialog(m, ok)
}
