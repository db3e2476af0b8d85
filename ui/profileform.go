package ui

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/profile"
	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
)

// A profileForm edits one profile. Its fields are checked by the reader of the
// settings file, and each says beside it what is wrong.
type profileForm struct {
	p     *profilesPanel
	was   string
	modal *widgets.Modal
	kind  *widgets.RowList
	files *widgets.RowList
	api   *widgets.RowList
	// fields by the key of the file, in the order they are shown; connect has one
	// for each kind.
	fields map[string]*formField
	order  []string
	words  *widgets.Text
	roots  []rootRow
	slot   *fyne.Container // of the roots
	more   *widgets.Button
	told   bool // the core knows of unsaved edits
	saving bool
}

// A formField is a labelled entry with what is wrong with it.
type formField struct {
	entry *widgets.Field
	wrong *widgets.Text
	box   *fyne.Container
}

type rootRow struct{ local, server *formField }

// The keys of the connection's fields, one for each kind.
var connectKeys = map[string]string{"websocket": "address", "unix": "socket", "command": "command"}

func newProfileForm(p *profilesPanel, was string, d profile.Draft) {
	f := &profileForm{p: p, was: was, fields: map[string]*formField{}, slot: widgets.NewColumn(4), words: dim(safetext.Line{})}
	connect, _ := profile.ParseConnect(d.Connect)
	f.kind = radio("connection", safetext.Trusted("Connection"), []widgets.Row{
		{ID: "stdio", Title: safetext.Trusted("A codex started here")},
		{ID: "websocket", Title: safetext.Trusted("An address, wss:// or ws://")},
		{ID: "unix", Title: safetext.Trusted("A unix socket")},
		{ID: "command", Title: safetext.Trusted("A command, such as ssh")},
	}, connect.Word(), f.changed)
	f.files = radio("files", safetext.Trusted("Files"), []widgets.Row{
		{ID: "kind", Title: safetext.Trusted("As the connection says")},
		{ID: "same", Title: safetext.Trusted("The same on both sides")},
		{ID: "separate", Title: safetext.Trusted("The server has its own")},
	}, or(string(d.Files), "kind"), f.changed)
	f.api = radio("experimentalApi", safetext.Trusted("experimentalApi"), []widgets.Row{
		{ID: "on", Title: safetext.Trusted("On: the queue works")}, {ID: "off", Title: safetext.Trusted("Off")},
	}, map[bool]string{true: "on", false: "off"}[d.Experimental], f.changed)

	body := []fyne.CanvasObject{
		f.field("name", safetext.Trusted("Name"), d.Name),
		widgets.Labelled(safetext.Trusted("Connection"), f.kind),
		f.field("address", safetext.Trusted("Address"), connect.URL),
		f.field("socket", safetext.Trusted("Path of the socket"), connect.Path),
		f.field("command", safetext.Trusted("Program and arguments, with quotes as in a shell; no shell is run"), commandWords(d.Connect)),
		f.words,
		f.field("token_file", safetext.Trusted("File with the token: only its path is kept"), d.TokenFile),
		f.browseButton(),
		f.field("codex", safetext.Trusted("Program, empty for the codex that is found"), d.Codex),
		f.field("codex_home", safetext.Trusted("CODEX_HOME, empty for the usual"), d.CodexHome),
		widgets.Labelled(safetext.Trusted("Files"), f.files),
		dim(safetext.Trusted("Folders that both sides have, here and as the server names them:")),
		f.slot,
	}
	f.more = widgets.NewButton(safetext.Trusted("Add a folder"), widgets.Quiet, func() { f.addRoot(profile.Root{}, true) })
	f.more.Name = "add folder"
	body = append(body, widgets.NewFlow(0, f.more), widgets.Labelled(safetext.Trusted("experimentalApi"), f.api))
	for _, r := range d.Roots {
		f.addRoot(r, false)
	}
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &f.modal, nil)
	ok := widgets.NewButton(safetext.Trusted("Save"), widgets.Primary, f.save)
	ok.Name = "save"
	head := safetext.Trusted("New profile")
	if was != "" {
		head = line("Profile “%s”", was)
	}
	f.modal = widgets.NewModal("profile", head, body, cancel, ok)
	f.showKind()
	p.w.dialog(f.modal, f.fields["name"].entry)
}

// radio is a list in a form of which one row holds.
func radio(name string, says safetext.Line, rows []widgets.Row, chosen string, changed func()) *widgets.RowList {
	list := widgets.NewRowList(name, says)
	list.SetRows(rows)
	list.MarkCurrent, list.Radio = true, true
	list.MoveTo(chosen)
	list.OnMove = func(widgets.Row) { changed() }
	list.OnOpen = list.OnMove
	return list
}

// commandWords is a command as one writes it.
func commandWords(connect string) string {
	if words, is := strings.CutPrefix(connect, "cmd:"); is {
		return words
	}
	return ""
}

// field makes a labelled entry with room for what is wrong with it.
func (f *profileForm) field(key string, label safetext.Line, text string) fyne.CanvasObject {
	x := f.makeField(key, label, text)
	f.fields[key] = x
	f.order = append(f.order, key)
	return x.box
}

func (f *profileForm) makeField(name string, label safetext.Line, text string) *formField {
	x := &formField{entry: widgets.NewField(safetext.Line{}), wrong: errorText()}
	x.entry.Name, x.entry.Says = name, label
	x.entry.SetText(text)
	x.entry.OnChanged = func(string) { f.changed() }
	x.entry.OnEnter = func(string) { f.save() }
	x.box = widgets.NewColumn(0, widgets.Labelled(label, x.entry), widgets.Inset(x.wrong))
	return x
}

func (f *profileForm) browseButton() fyne.CanvasObject {
	b := widgets.NewButton(safetext.Trusted("Find the token file…"), widgets.Quiet, func() {
		f.p.w.browseToken(func(path string) { f.fields["token_file"].entry.SetText(path) })
	})
	b.Name = "browse"
	f.fields["browse"] = &formField{box: widgets.NewFlow(0, b)}
	return f.fields["browse"].box
}

// addRoot adds a pair of folders.
func (f *profileForm) addRoot(r profile.Root, byHand bool) {
	x := rootRow{
		local:  f.makeField("folder here", safetext.Trusted("Folder here"), r.Local),
		server: f.makeField("folder there", safetext.Trusted("Folder as the server names it"), r.Server),
	}
	var box *fyne.Container
	remove := widgets.NewButton(safetext.Trusted("Take it out"), widgets.Quiet, func() { f.removeRoot(x, box) })
	remove.Name = "remove folder"
	box = widgets.NewColumn(0, x.local.box, x.server.box, widgets.NewFlow(0, remove))
	f.roots = append(f.roots, x)
	f.slot.Add(box)
	if byHand {
		f.changed()
		f.modal.Refresh()
		f.p.w.win.Canvas().Focus(x.local.entry)
	}
}

// removeRoot takes a pair out; the keyboard goes to where another is added.
func (f *profileForm) removeRoot(x rootRow, box *fyne.Container) {
	for i, r := range f.roots {
		if r == x {
			f.roots = append(f.roots[:i:i], f.roots[i+1:]...)
			break
		}
	}
	f.slot.Remove(box)
	f.changed()
	f.modal.Refresh()
	f.p.w.win.Canvas().Focus(f.more)
}

// changed shows what follows from an edit. Unsaved edits of the profile in use
// end attempts that run by themselves (REC-9).
func (f *profileForm) changed() {
	if f.modal == nil {
		return // it is being made
	}
	f.showKind()
	w := f.p.w
	if !f.told && f.was != "" && f.p.applied(f.was) && w.snap.Status.State == session.Reconnecting {
		f.told = true
		w.ask(session.ProfileEdited{})
	}
}

// showKind shows the fields of the kind that is chosen. The others keep what
// they hold.
func (f *profileForm) showKind() {
	kind := f.kind.Current().ID
	for id, key := range connectKeys {
		setVisible(f.fields[key].box, id == kind)
	}
	setVisible(f.fields["token_file"].box, kind == "websocket")
	setVisible(f.fields["browse"].box, kind == "websocket")
	setVisible(f.fields["codex"].box, kind == "stdio")
	setVisible(f.fields["codex_home"].box, kind == "stdio")
	f.words.Set(safetext.Line{})
	if c, err := profile.ParseConnect("cmd:" + f.text("command")); err == nil {
		f.words.Set(wordsOf(c.Argv))
	}
	setVisible(f.words, kind == "command")
	f.modal.Refresh()
}

func (f *profileForm) text(key string) string { return strings.TrimSpace(f.fields[key].entry.Text) }

// draft is what the form says.
func (f *profileForm) draft() profile.Draft {
	d := profile.Draft{
		Name: f.text("name"), Experimental: f.api.Current().ID == "on", TokenFile: f.text("token_file"),
		Codex: f.text("codex"), CodexHome: f.text("codex_home"), Connect: "stdio",
	}
	if id := f.files.Current().ID; id != "kind" {
		d.Files = profile.Files(id)
	}
	switch f.kind.Current().ID {
	case "websocket":
		d.Connect = f.text("address")
	case "unix":
		d.Connect = "unix://" + f.text("socket")
	case "command":
		d.Connect = "cmd:" + f.text("command")
	}
	for _, r := range f.roots {
		d.Roots = append(d.Roots, profile.Root{Local: strings.TrimSpace(r.local.entry.Text), Server: strings.TrimSpace(r.server.entry.Text)})
	}
	return d
}

// save writes the profile, or says beside each field what is wrong.
func (f *profileForm) save() {
	d, w := f.draft(), f.p.w
	made, wrong := f.p.file.Check(f.was, d)
	if kind := f.kind.Current().ID; len(wrong) == 0 && made.Connect.Word() != kind {
		wrong = append(wrong, &profile.Error{Key: "connect", Text: words.T("is no address: it begins with wss:// or ws://")})
	}
	if f.complain(wrong) || f.saving {
		return
	}
	f.saving = true
	w.opts.Go(func() {
		file, err := profile.Put(w.opts.Config, f.was, d)
		w.opts.Do(func() {
			f.saving = false
			if err != nil {
				f.say("name", line("Not saved: %s.", err))
				w.win.Canvas().Focus(f.fields["name"].entry)
				return
			}
			f.modal.Close()
			f.p.saved(f.was, d.Name, file)
		})
	})
}

// complain says beside each field what is wrong with it, and puts the keyboard
// on the first one.
func (f *profileForm) complain(wrong []*profile.Error) bool {
	texts := map[string]safetext.Line{}
	for _, e := range wrong {
		texts[f.fieldOf(e.Key)] = wrongText(e.Text)
	}
	var first *formField
	each := func(key string, x *formField) {
		if x.wrong == nil {
			return
		}
		setError(x.wrong, texts[key])
		if first == nil && !texts[key].Empty() {
			first = x
		}
	}
	for _, key := range f.order {
		each(key, f.fields[key])
	}
	for i, r := range f.roots {
		each(fmt.Sprintf("roots.%d.local", i), r.local)
		each(fmt.Sprintf("roots.%d.server", i), r.server)
	}
	f.modal.Refresh()
	if first != nil {
		f.p.w.win.Canvas().Focus(first.entry)
	}
	return len(wrong) > 0
}

// wrongText is a complaint about a key of the file, as it stands beside a field.
func wrongText(text string) safetext.Line {
	text = strings.TrimPrefix(text, words.T("does not work: "))
	if strings.HasPrefix(text, "is ") || strings.HasPrefix(text, "must ") {
		text = "This " + text // the other languages need no subject
	}
	return line("%s.", text)
}

// fieldOf is the field that shows what is wrong with a key of the file.
func (f *profileForm) fieldOf(key string) string {
	if key != "connect" {
		return key
	}
	if shown, has := connectKeys[f.kind.Current().ID]; has {
		return shown
	}
	return "name"
}

func (f *profileForm) say(key string, l safetext.Line) {
	setError(f.fields[key].wrong, l)
	f.modal.Refresh()
}
