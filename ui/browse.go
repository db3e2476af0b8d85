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

// browser is the dialog that goes through folders to an image. Folders are read
// off the window's goroutine: one on a network may not answer.
type browser struct {
	w     *Window
	m     *widgets.Modal
	list  *widgets.RowList
	where *widgets.Text
	said  *widgets.Text
	dir   string
	turn  int // counts what was asked for: only the newest answer is shown
}

// browse opens it where the last image was found, or at home.
func (w *Window) browse() {
	b := &browser{w: w, where: dim(safetext.Line{}), said: para(safetext.Line{})}
	b.list = widgets.NewRowList("files", safetext.Trusted("Files"))
	b.list.OnOpen = b.open
	b.said.Hide()
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &b.m, nil)
	b.m = widgets.NewModal("browse", safetext.Trusted("Choose an image"),
		[]fyne.CanvasObject{b.where, widgets.NewFixed(8*b.list.RowHeight(), b.list), b.said}, cancel)
	dir := w.imageDir
	if home, err := os.UserHomeDir(); dir == "" && err == nil {
		dir = home
	}
	if dir == "" {
		dir = string(filepath.Separator)
	}
	w.dialog(b.m, b.list)
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
	if why := b.w.addImage(filepath.Join(b.dir, r.ID)); !why.Empty() {
		b.say(why)
		return
	}
	b.w.imageDir = b.dir
	b.m.Close()
	b.w.focusComposer()
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
		rows, err := listImages(dir)
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

// listImages gives the way up, the folders and the images of a folder.
func listImages(dir string) ([]widgets.Row, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	rows := []widgets.Row{{ID: "../", Title: safetext.Trusted("..")}}
	var images []widgets.Row
	left := 0
	for _, e := range entries {
		name, folder := e.Name(), e.IsDir()
		if e.Type()&os.ModeSymlink != 0 {
			info, err := os.Stat(filepath.Join(dir, name))
			folder = err == nil && info.IsDir()
		}
		switch {
		case strings.HasPrefix(name, "."), !folder && !imageKinds[strings.ToLower(filepath.Ext(name))]:
		case len(rows)+len(images) > maxFiles:
			left++
		case folder:
			rows = append(rows, widgets.Row{ID: name + "/", Title: safetext.MakeLine(name + "/")})
		default:
			images = append(images, widgets.Row{ID: name, Title: safetext.MakeLine(name)})
		}
	}
	rows = append(rows, images...)
	if left > 0 {
		rows = append(rows, widgets.Row{Title: line("%d more are not listed: give the path instead", left), Off: true})
	}
	return rows, nil
}
