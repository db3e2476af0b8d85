package ui

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/licences"
	"holdfast/core/safetext"
	"holdfast/core/save"
	"holdfast/widgets"
)

// openAbout says which versions there are, and the licences of all that is in
// the program.
func (w *Window) openAbout() {
	all := licences.All()
	server := strings.TrimSpace(w.snap.Server.Version + " " + w.snap.Server.Platform)
	if server == "" {
		server = "–"
	}
	rows := make([]widgets.Row, len(all))
	texts := map[string]licences.Licence{}
	toolkit := ""
	for i, l := range all {
		rows[i] = widgets.Row{ID: l.Name, Title: safetext.MakeLine(l.Name), Sub: safetext.MakeLine(strings.TrimSpace(l.Kind + "  " + l.Version))}
		texts[l.Name] = l
		if l.Name == "fyne.io/fyne/v2" {
			toolkit = " · Fyne " + l.Version
		}
	}
	list := widgets.NewRowList("licences", safetext.Trusted("Licences"))
	list.SetRows(rows)
	list.OnOpen = func(r widgets.Row) { w.openLicence(texts[r.ID]) }
	var m *widgets.Modal
	ok := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
	bundle := widgets.NewKeyButton(safetext.Trusted("Save diagnostics…"), w.keyTo("diagnostics"), widgets.Plain, func() { m.Close(); w.run("diagnostics") })
	bundle.Name = "diagnostics"
	height := min(list.HeightAt(0), max(w.win.Canvas().Size().Height-330, 120))
	m = widgets.NewModal("about", safetext.MakeLine(w.opts.Product+" "+w.opts.Version), []fyne.CanvasObject{
		para(safetext.Trusted("A desktop window for Codex. What it shows is what the server said; nothing is sent, run or joined unless you say so.")),
		dim(safetext.MakeLine("Codex " + server)),
		dim(safetext.MakeLine(runtime.Version() + toolkit + " · " + runtime.GOOS + "/" + runtime.GOARCH)),
		widgets.Labelled(safetext.Trusted("Licences of what is in it; Enter shows one"), widgets.NewFixed(height, list)),
	}, ok, bundle)
	w.dialog(m, ok)
}

func (w *Window) openLicence(l licences.Licence) {
	code := widgets.NewCode(safetext.Plain(l.Text))
	code.Prose = true
	code.Rows = max(int((w.win.Canvas().Size().Height-240)/22), 5)
	var m *widgets.Modal
	ok := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
	m = widgets.NewModal("licence", safetext.MakeLine(l.Name), []fyne.CanvasObject{code}, ok)
	m.Wide = viewerWidth
	w.dialog(m, ok)
	if !code.Disabled() {
		w.win.Canvas().Focus(code)
	}
}

// mayDiagnose says whether there is something that makes a bundle.
func mayDiagnose(w *Window) (bool, safetext.Line) {
	if w.opts.Diagnostics == nil {
		return false, safetext.Trusted("There is nothing here that makes one.")
	}
	return true, safetext.Line{}
}

// openDiagnostics writes a bundle for who looks for a fault, to a file that the
// user names. It goes nowhere else.
func (w *Window) openDiagnostics() {
	server := strings.TrimSpace(w.snap.Server.Version + " " + w.snap.Server.Platform)
	state := w.snap.Status.State.String()
	w.askPath("diagnostics", safetext.Trusted("Save diagnostics"), "holdfast-diagnostics.zip",
		safetext.Trusted("Versions, the settings without secrets, the end of the log, and what doctor finds. No message, no draft and no token is in it. It is sent nowhere; look at it before you give it to somebody."),
		func(f *save.File) {
			w.say(writing(f.Path()))
			w.opts.Go(func() {
				err := w.opts.Diagnostics(f, server, state)
				if err != nil {
					f.Discard()
				} else {
					err = f.Finish()
				}
				said := line("Saved %s to %s.", bytesWord(f.Len()), f.Path())
				if err != nil {
					said = line("Not saved: %s.", err)
				}
				w.opts.Do(func() { w.sayAfter(writing(f.Path()), said) })
			})
		})
}
