package ui

import (
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets"
)

// pick lets one of several values be chosen; the keyboard begins at the one
// that holds. first is what stands for no choice.
func (w *Window) pick(name string, head safetext.Line, rows []widgets.Row, chosen string, then func(string)) {
	var m *widgets.Modal
	list := widgets.NewRowList(name, head)
	list.SetRows(rows)
	list.Choose(chosen)
	list.MoveTo(chosen)
	list.OnOpen = func(r widgets.Row) { m.Close(); then(r.ID) }
	m = widgets.NewModal(name, head, []fyne.CanvasObject{w.bounded(list)}, closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, nil))
	w.dialog(m, list)
}

func choices(none safetext.Line, values []string) []widgets.Row {
	rows := []widgets.Row{{ID: "", Title: none}}
	for _, v := range values {
		rows = append(rows, widgets.Row{ID: v, Title: safetext.MakeLine(v)})
	}
	return rows
}

// composing is the composer to choose for, or nil, which is then said.
func (w *Window) composing() *session.Composer {
	if w.snap.Composer == nil {
		w.say(safetext.Trusted("There is no message to choose this for."))
	}
	return w.snap.Composer
}

func (w *Window) modelRows(none safetext.Line) []widgets.Row {
	rows := []widgets.Row{{ID: "", Title: none}}
	if c := w.snap.Catalog; c != nil {
		for _, m := range c.Models {
			r := widgets.Row{ID: m.ID, Title: safetext.MakeLine(m.Name), Sub: safetext.MakeLine(m.Description)}
			if m.Default {
				r.Badge = safetext.Trusted("default")
			}
			rows = append(rows, r)
		}
		if c.Problem != "" {
			rows = append(rows, widgets.Row{ID: "\x00", Title: line("The models could not be read. %s", c.Problem), Off: true})
		}
	}
	return rows
}

func (w *Window) pickModel() {
	if m := w.composing(); m != nil {
		at := w.snap.At
		w.pick("model", safetext.Trusted("Model"), w.modelRows(safetext.Trusted("As it is")), m.Model, func(id string) {
			if id != "\x00" {
				w.askAt(at, session.SetDraft{Model: &id})
			}
		})
	}
}

func (w *Window) pickEffort() {
	if m := w.composing(); m != nil {
		at := w.snap.At
		var values []string
		if _, model := chosenModel(w.snap); model != nil {
			values = model.Efforts
		}
		w.pick("effort", safetext.Trusted("Effort"), choices(safetext.Trusted("As it is"), values), m.Effort, func(v string) {
			w.askAt(at, session.SetDraft{Effort: &v})
		})
	}
}

func (w *Window) pickTier() {
	if m := w.composing(); m != nil {
		at := w.snap.At
		var values []string
		if _, model := chosenModel(w.snap); model != nil {
			values = model.Tiers
		}
		w.pick("speed", safetext.Trusted("Speed"), choices(safetext.Trusted("As it is"), values), m.Tier, func(v string) {
			w.askAt(at, session.SetDraft{Tier: &v})
		})
	}
}

func (w *Window) pickSkill() {
	m, c := w.composing(), w.snap.Catalog
	if m == nil || c == nil {
		return
	}
	rows := []widgets.Row{{ID: "", Title: safetext.Trusted("No skill")}}
	for _, s := range c.Skills {
		rows = append(rows, widgets.Row{ID: s.Name, Title: safetext.MakeLine(s.Name), Sub: safetext.MakeLine(s.Description)})
	}
	at := w.snap.At
	w.pick("skill", safetext.Trusted("Skill"), rows, m.Skill, func(v string) { w.askAt(at, session.SetDraft{Skill: &v}) })
}

// accessRows are the kinds of access, the least far-reaching first.
func accessRows(none safetext.Line) []widgets.Row {
	return []widgets.Row{
		{ID: "", Title: none},
		{ID: string(session.AccessReadOnly), Title: accessWord(session.AccessReadOnly), Sub: safetext.Trusted("Reads files. Asks before anything else.")},
		{ID: string(session.AccessWorkspace), Title: accessWord(session.AccessWorkspace), Sub: safetext.Trusted("Edits the folder. Asks for the rest.")},
		{ID: string(session.AccessFull), Title: accessWord(session.AccessFull), Sub: safetext.Trusted("Everything you may do. Never asks."), Badge: safetext.Trusted("no sandbox"), Warn: true},
	}
}

// pickAccess chooses what the next turn may do: the user alone decides that.
func (w *Window) pickAccess() {
	m := w.composing()
	if m == nil {
		return
	}
	at := w.snap.At
	w.pick("access", safetext.Trusted("Access from the next turn on"), accessRows(safetext.Trusted("As it is")), string(m.Access), func(v string) {
		a := session.Access(v)
		set := func() { w.askAt(at, session.SetDraft{Access: &a}) }
		if a == session.AccessFull {
			w.confirmFull(set)
			return
		}
		set()
	})
}

func (w *Window) confirmFull(then func()) {
	w.confirm("full access", safetext.Trusted("Give full access?"), safetext.Trusted("Give full access"), then,
		safetext.Trusted("The model can then change any file and run any command as you, without asking."))
}

// openNew starts a conversation.
func (w *Window) openNew() {
	var m *widgets.Modal
	at := w.snap.At.ConnOnly()
	cwd := widgets.NewField(safetext.Trusted("The server's default"))
	cwd.Name = "folder"
	cwd.SetText(w.opts.Cwd)
	if t := w.snap.Thread; t != nil && t.Cwd != "" {
		cwd.SetText(t.Cwd)
	}
	model, access := "", session.AccessUnknown
	models := w.choiceList("model", safetext.Trusted("Model"), w.modelRows(safetext.Trusted("The server's default")), func(id string) { model = id })
	kinds := w.choiceList("access", safetext.Trusted("Access"), accessRows(safetext.Trusted("The server's default")), func(id string) { access = session.Access(id) })
	start := func() {
		in := session.NewThread{Cwd: strings.TrimSpace(cwd.Text), Model: strings.TrimPrefix(model, "\x00"), Access: access}
		m.Close()
		if access == session.AccessFull {
			w.confirmFull(func() { w.toWrite(at, in) })
			return
		}
		w.toWrite(at, in)
	}
	cwd.OnEnter = func(string) { start() }
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, nil)
	ok := widgets.NewButton(safetext.Trusted("Start"), widgets.Primary, start)
	ok.Name = "start"
	m = widgets.NewModal("new", safetext.Trusted("New conversation"), []fyne.CanvasObject{
		widgets.Labelled(safetext.Trusted("Folder on the server"), cwd),
		widgets.Labelled(safetext.Trusted("Model"), models),
		widgets.Labelled(safetext.Trusted("Access"), kinds),
	}, cancel, ok)
	w.dialog(m, cwd)
}

// choiceList is a list in a form: what the keyboard is on is chosen.
func (w *Window) choiceList(name string, says safetext.Line, rows []widgets.Row, chosen func(string)) fyne.CanvasObject {
	list := widgets.NewRowList(name, says)
	list.SetRows(rows)
	list.MarkCurrent, list.Radio = true, true
	set := func(r widgets.Row) { chosen(r.ID) }
	list.OnMove, list.OnOpen = set, set
	return widgets.NewFixed(min(list.HeightAt(0), 4*list.RowHeight()), list)
}

// openImage adds an image by its path.
func (w *Window) openImage() {
	if w.composing() == nil {
		return
	}
	var m *widgets.Modal
	field := widgets.NewField(safetext.Trusted("Path of the image file"))
	field.Name = "path"
	problem := widgets.NewText(safetext.Line{}, widgets.Style{})
	problem.Hide()
	add := func() {
		path := strings.TrimSpace(field.Text)
		if why := w.addImage(path); !why.Empty() {
			problem.Set(why)
			problem.Show()
			m.Refresh()
			return
		}
		m.Close()
		w.focusComposer() // the key that sends is heard there
	}
	field.OnEnter = func(string) { add() }
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, nil)
	browse := closer(safetext.Trusted("Browse…"), "browse", widgets.Plain, &m, w.browse)
	ok := widgets.NewButton(safetext.Trusted("Add"), widgets.Primary, add)
	m = widgets.NewModal("image", safetext.Trusted("Add an image"), []fyne.CanvasObject{field, problem}, cancel, browse, ok)
	w.dialog(m, field)
}

// maxImage is what one image may have (ruling 36).
const maxImage = 10 << 20

var imageKinds = map[string]bool{".png": true, ".jpg": true, ".jpeg": true, ".gif": true, ".webp": true}

// addImage checks and adds an image, or says why not. It is read at Send.
func (w *Window) addImage(path string) safetext.Line {
	if path == "" {
		return safetext.Trusted("Give the path of an image file.")
	}
	if !imageKinds[strings.ToLower(filepath.Ext(path))] {
		return safetext.Trusted("Only PNG, JPEG, GIF and WebP images can be sent.")
	}
	info, err := os.Stat(path)
	switch {
	case err != nil || info.IsDir():
		return line("There is no file at %s.", path)
	case info.Size() > maxImage:
		return line("The image has %s; at most 10 MB can be sent.", bytesWord(info.Size()))
	}
	w.comp.chips.setImages(append(append([]string{}, w.comp.chips.images...), path))
	return safetext.Line{}
}

// dropped takes files that were dropped on the window.
func (w *Window) dropped(_ fyne.Position, uris []fyne.URI) {
	if w.composing() == nil {
		return
	}
	for _, u := range uris {
		if why := w.addImage(u.Path()); !why.Empty() {
			w.say(why)
		}
	}
}
