package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/widgets"
)

// An image is found by keyboard alone: into a folder, up again, and taken. What
// is no image is not listed, and the dialog is one of ours: Escape closes it, and
// no shortcut reaches the window behind it.
func TestBrowseByKeyboard(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"b.PNG", "notes.txt", ".hidden.png", "sub/a.jpg"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("sub", filepath.Join(home, "way")); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, 700, 600)
	d.show(joined)
	d.w.browse()
	d.drain()
	wantEqual(t, "home", listed(d), ".. sub/ way/ b.PNG")
	d.press(fyne.KeyN, fyne.KeyModifierControl)
	wantEqual(t, "dialog after Ctrl+N", d.dialog(), "browse")

	d.press(fyne.KeyDown, 0)
	d.press(fyne.KeyReturn, 0)
	d.drain()
	wantEqual(t, "sub", listed(d), ".. a.jpg")
	d.press(fyne.KeyReturn, 0)
	d.drain()
	wantEqual(t, "up again", listed(d), ".. sub/ way/ b.PNG")

	if err := os.RemoveAll(filepath.Join(home, "sub")); err != nil {
		t.Fatal(err)
	}
	d.press(fyne.KeyDown, 0)
	d.press(fyne.KeyReturn, 0)
	d.drain()
	wantEqual(t, "a folder that is gone", listed(d), ".. sub/ way/ b.PNG")

	d.press(fyne.KeyEnd, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "images", strings.Join(d.w.comp.chips.images, " "), filepath.Join(home, "b.PNG"))
	wantEqual(t, "dialog", d.dialog(), "")
}

// listed are the titles of the list that has the keyboard.
func listed(d *desk) string {
	d.t.Helper()
	l, ok := d.c.Focused().(*widgets.RowList)
	if !ok {
		d.t.Fatalf("%T has the keyboard, want a list", d.c.Focused())
	}
	var out []string
	for _, r := range l.Rows() {
		out = append(out, r.Title.String())
	}
	return strings.Join(out, " ")
}
