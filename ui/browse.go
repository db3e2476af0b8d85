package ui

import (
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/widgets"
)

// maxFiles bounds how many files of a folder are listed.
const maxFiles = 2000

// browser is the dialog that goes through folders to a file. Folders are read
// off the window's goroutine: one on a network may not answer.
type browser struct {
	w     *Window
	m     *widgets.Modal
	list  *widgets.RowList
	where *widgets.Text
	said  *widgets.Text
	dir   string
	turn  int // counts what was asked for: only the newest answer is shown
	// lists says which files are shown, takes takes one or says why not.
	lists func(name string) bool
	takes func(path string) safetext.Line
}

// browse opens it for an image, where the last one was found.
func (w *Window) browse() {
	b := &browser{w: w, lists: isImage}
	b.takes = func(path string) safetext.Line {
		why := w.addImage(path)
		if why.Empty() {
			w.imageDir = b.dir
			b.m.Close()
			w.focusComposer()
		}
		return why
	}
	b.start(safetext.Trusted("Choose an image"), w.imageDir)
}

// isImage says that a file looks like an image that can be sent.
func isImage(name string) bool {
	return !strings.HasPrefix(name, ".") && imageKinds[strings.ToLower(filepath.Ext(name))]
}

// browseToken opens it for a token file. The file itself is never opened: only
// its path is taken.
func (w *Window) browseToken(then func(path string)) {
	b := &browser{w: w, lists: func(string) bool { return true }}
	b.takes = func(path string) safetext.Line {
		b.m.Close()
		then(path)
		return safetext.Line{}
	}
	b.start(safetext.Trusted("Choose the token file"), "")
}

// start opens the dialog in a folder, or at home.
func (b *browser) start(head safetext.Line, dir string) {
	b.where, b.said = dim(safetext.Line{}), para(safetext.Line{})
	b.list = widgets.NewRowList("files", safetext.Trusted("Files"))
	b.list.OnOpen = b.open
	b.said.Hide()
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &b.m, nil)
	b.m = widgets.NewModal("browse", head,
		[]fyne.CanvasObject{b.where, widgets.NewFixed(8*b.list.RowHeight(), b.list), b.said}, cancel)
	if home, err := os.UserHomeDir(); dir == "" && err == nil {
		dir = home
	}
	if dir == "" {
		dir = string(filepath.Separator)
	}
	b.w.dialog(b.m, b.list)
	b.read(dir)
}

// open goes into a folder, or takes an image.
func (b *browser) open(r widgets.Row) {
	if r.Off {
		return
	}
	if name, folder := strings.CutSuffix(r.ID, "/"); folder {
		b.read(filepath.Join(b.dir, name))
		return
	}
	if why := b.takes(filepath.Join(b.dir, r.ID)); !why.Empty() {
		b.say(why)
	}
}

func (b *browser) say(l safetext.Line) {
	b.said.Set(l)
	b.said.Show()
	b.m.Refresh()
}

// read lists a folder. One that cannot be read leaves the old one shown.
func (b *browser) read(dir string) {
	b.turn++
	turn := b.turn
	b.w.opts.Go(func() {
		rows, err := listFiles(dir, b.lists)
		b.w.opts.Do(func() {
			switch {
			case turn != b.turn:
			case err != nil:
				b.say(line("This folder cannot be read: %s.", err))
			default:
				b.dir = dir
				b.where.Set(safetext.MakeLine(dir))
				b.said.Hide()
				b.list.SetRows(rows)
				b.list.MoveTo(rows[0].ID)
				b.m.Refresh()
			}
		})
	})
}

// listFiles gives the way up, the folders and the files of a folder that are
// wanted.
func listFiles(dir string, wanted func(name string) bool) ([]widgets.Row, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	rows := []widgets.Row{{ID: "../", Title: safetext.Trusted("..")}}
	var files []widgets.Row
	left := 0
	for _, e := range entries {
		name, folder := e.Name(), e.IsDir()
		if e.Type()&os.ModeSymlink != 0 {
			info, err := os.Stat(filepath.Join(dir, name))
			folder = err == nil && info.IsDir()
		}
		switch {
		case folder && strings.HasPrefix(name, ".") && !wanted(name), !folder && !wanted(name):
		case len(rows)+len(files) > maxFiles:
			left++
		case folder:
			rows = append(rows, widgets.Row{ID: name + "/", Title: safetext.MakeLine(name + "/")})
		default:
			files = append(files, widgets.Row{ID: name, Title: safetext.MakeLine(name)})
		}
	}
	rows = append(rows, files...)
	if left > 0 {
		rows = append(rows, widgets.Row{Title: line("%d more are not listed: give the path instead", left), Off: true})
	}
	return rows, nil
}
