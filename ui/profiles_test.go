package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/profile"
	"holdfast/core/session"
	"holdfast/widgets"
)

const profilesFile = `# mine
profile = "near"

[[profiles]]
name = "near" # here

[[profiles]]
name = "far"
connect = ["ssh", "far", "codex app-server"]
roots = [{ local = "/home/me/src", server = "/srv/src" }]
`

// profileDesk is a window with a settings file, connected by "near".
func profileDesk(t *testing.T, width float32) (*desk, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(profilesFile), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, width, 720)
	d.w.opts.Config = path
	d.show(func(s *session.Snapshot) {
		joined(s)
		s.Server = &session.Server{Profile: "near", Endpoint: "codex", Confirmed: true}
	})
	d.press(fyne.KeyG, ctrl)
	d.drain()
	return d, path
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// tabs is where Tab goes inside a dialog, from where it is.
func (d *desk) tabs(n int) []string {
	var out []string
	for range n {
		out = append(out, d.focus())
		d.press(fyne.KeyTab, 0)
	}
	return out
}

// req: UI-2
func TestProfilesByKeyboard(t *testing.T) {
	d, path := profileDesk(t, 700)
	wantEqual(t, "dialog", d.dialog(), "profiles")
	wantEqual(t, "profiles", listed(d), "near far")
	wantList(t, "the Tab order", d.tabs(7), []string{"profiles", "cancel", "switch", "edit", "remove", "add", "profiles"})

	d.w.win.Canvas().Focus(nil)
	d.focusIn("profiles")
	d.press(fyne.KeyEnd, 0)
	d.core.names()
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "switch")
	wantEqual(t, "the keyboard begins at", d.focus(), "cancel")
	d.press(fyne.KeyEscape, 0)
	wantList(t, "asked without a yes", d.core.names(), nil)
	d.press(fyne.KeyReturn, 0)
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "")
	if got := d.core.asked; len(got) != 1 || got[0] != (session.ApplyProfile{Name: "far"}) {
		t.Errorf("asked %v, want the profile far", got)
	}
	d.core.done[0](session.Result{OK: true})
	d.drain()
	wantEqual(t, "the folder that is offered", d.w.opts.Cwd, "")
	wantEqual(t, "the file", readFile(t, path), profilesFile)
}

// focusIn gives the keyboard to a part of the open dialog.
func (d *desk) focusIn(name string) {
	d.t.Helper()
	for range 40 {
		if d.focus() == name {
			return
		}
		d.press(fyne.KeyTab, 0)
	}
	d.t.Fatalf("Tab never comes to %q", name)
}

// A new profile is written by keyboard alone: what is wrong is said beside its
// field, and nothing of the file is lost.
func TestAddAProfile(t *testing.T) {
	d, path := profileDesk(t, 700)
	d.focusIn("add")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "profile")
	wantList(t, "the Tab order", d.tabs(10), []string{
		"name", "connection", "codex", "codex_home", "files", "add folder", "experimentalApi", "cancel", "save", "name",
	})
	d.focusIn("connection")
	d.press(fyne.KeyDown, 0)
	wantList(t, "the Tab order of an address", d.tabs(4), []string{"connection", "address", "token_file", "browse"})
	d.focusIn("address")
	d.write("ws://10.0.0.1:1")
	d.focusIn("save")
	d.press(fyne.KeyReturn, 0)
	form := widgets.Top(d.c)
	wantEqual(t, "what is wrong has the keyboard", d.focus(), "name")
	for _, want := range []string{"This is missing.", "ws://10.0.0.1:1 is not encrypted"} {
		if !strings.Contains(texts(form), want) {
			t.Errorf("the form says %q, want %q in it", texts(form), want)
		}
	}
	d.write("third")
	d.focusIn("address")
	d.c.Focused().(*widgets.Field).SetText("stdio")
	d.press(fyne.KeyReturn, 0)
	if want := "This is no address"; !strings.Contains(texts(form), want) {
		t.Errorf("the form says %q, want %q in it", texts(form), want)
	}
	wantEqual(t, "the file", readFile(t, path), profilesFile)

	d.c.Focused().(*widgets.Field).SetText("wss://example.org/")
	d.press(fyne.KeyReturn, 0)
	d.drain()
	wantEqual(t, "dialog", d.dialog(), "profiles")
	wantEqual(t, "profiles", listed(d), "near far third")
	wantEqual(t, "the file", readFile(t, path), profilesFile+"\n[[profiles]]\nname = 'third'\nconnect = 'wss://example.org/'\nexperimental_api = true\n")
}

// The profile in use can be edited; the connection stays until one asks.
// req: REC-9
func TestEditTheProfileInUse(t *testing.T) {
	d, path := profileDesk(t, 700)
	d.core.names()
	d.focusIn("edit")
	d.press(fyne.KeyReturn, 0)
	d.focusIn("codex")
	d.write("/opt/codex")
	wantList(t, "asked while connected", d.core.names(), nil)
	d.show(func(s *session.Snapshot) { s.Status = &session.Status{State: session.Reconnecting} })
	d.write("2")
	d.write("3")
	wantList(t, "asked while it reconnects", d.core.names(), []string{"session.ProfileEdited"})
	d.show(func(s *session.Snapshot) { s.Status = &session.Status{State: session.Ready} })
	d.press(fyne.KeyReturn, 0)
	d.drain()
	wantEqual(t, "dialog", d.dialog(), "apply profile")
	wantEqual(t, "the keyboard begins at", d.focus(), "later")
	d.press(fyne.KeyReturn, 0)
	wantList(t, "asked after Later", d.core.names(), nil)
	want := strings.Replace(profilesFile, "\"near\" # here\n", "\"near\" # here\ncodex = '/opt/codex23'\n", 1)
	wantEqual(t, "the file", readFile(t, path), want)
}

// A token file is chosen by its path; it is not read.
func TestImportATokenFile(t *testing.T) {
	d, path := profileDesk(t, 700)
	home := t.TempDir()
	t.Setenv("HOME", home)
	if err := os.WriteFile(filepath.Join(home, ".token"), []byte("s3cret"), 0o000); err != nil {
		t.Fatal(err)
	}
	d.focusIn("add")
	d.press(fyne.KeyReturn, 0)
	d.write("t")
	d.focusIn("connection")
	d.press(fyne.KeyDown, 0)
	d.focusIn("address")
	d.write("wss://h/")
	d.focusIn("browse")
	d.press(fyne.KeyReturn, 0)
	d.drain()
	wantEqual(t, "files", listed(d), ".. .token")
	d.press(fyne.KeyEnd, 0)
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "profile")
	d.focusIn("save")
	d.press(fyne.KeyReturn, 0)
	d.drain()
	f, err := profile.Load(path)
	if err != nil || len(f.Profiles) != 3 || f.Profiles[2].TokenFile != filepath.Join(home, ".token") {
		t.Errorf("the file has %+v, %v", f.Profiles, err)
	}
	if strings.Contains(readFile(t, path), "s3cret") {
		t.Error("the token itself is in the file")
	}
}

// Folders are added and taken out; each says what is wrong with it.
func TestRootsOfAProfile(t *testing.T) {
	d, path := profileDesk(t, 700)
	d.press(fyne.KeyEnd, 0)
	d.focusIn("edit")
	d.press(fyne.KeyReturn, 0)
	if !strings.Contains(texts(widgets.Top(d.c)), "Runs: ‹ssh› ‹far› ‹codex app-server›") {
		t.Errorf("the form says %q", texts(widgets.Top(d.c)))
	}
	d.focusIn("add folder")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "focus", d.focus(), "folder here")
	d.write("rel")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "what is wrong has the keyboard", d.focus(), "folder here")
	for _, want := range []string{"This is no absolute path.", "This is missing."} {
		if !strings.Contains(texts(widgets.Top(d.c)), want) {
			t.Errorf("the form says %q, want %q in it", texts(widgets.Top(d.c)), want)
		}
	}
	d.c.Focused().(*widgets.Field).SetText("/x")
	d.press(fyne.KeyTab, 0)
	d.write("/y")
	d.press(fyne.KeyReturn, 0)
	d.drain()
	want := strings.Replace(profilesFile, `[{ local = "/home/me/src", server = "/srv/src" }]`, `[{local = '/home/me/src', server = '/srv/src'}, {local = '/x', server = '/y'}]`, 1)
	wantEqual(t, "the file", readFile(t, path), want)

	d.focusIn("edit")
	d.press(fyne.KeyReturn, 0)
	d.focusIn("remove folder")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "focus", d.focus(), "add folder")
	d.focusIn("save")
	d.press(fyne.KeyReturn, 0)
	d.drain()
	f, err := profile.Load(path)
	if err != nil || len(f.Profiles[1].Roots) != 1 || f.Profiles[1].Roots[0] != (profile.Root{Local: "/x", Server: "/y"}) {
		t.Errorf("the file has %+v, %v", f.Profiles, err)
	}
}

func TestRemoveAProfileAndUseAnotherAtTheStart(t *testing.T) {
	d, path := profileDesk(t, 700)
	d.press(fyne.KeyEnd, 0)
	d.focusIn("start")
	d.press(fyne.KeyReturn, 0)
	d.drain()
	wantEqual(t, "the file", readFile(t, path), strings.Replace(profilesFile, `"near"`, `'far'`, 1))
	d.focusIn("remove")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "remove profile")
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	d.drain()
	wantEqual(t, "the file", readFile(t, path), "# mine\n\n[[profiles]]\nname = \"near\" # here\n\n")
	wantEqual(t, "focus", d.focus(), "profiles")
}

// A file that cannot be read is left as it is, and says what to repair.
func TestABrokenFileOfProfiles(t *testing.T) {
	d, path := profileDesk(t, 700)
	d.press(fyne.KeyEscape, 0)
	if err := os.WriteFile(path, []byte("colour = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.press(fyne.KeyG, ctrl)
	d.drain()
	if got := texts(widgets.Top(d.c)); !strings.Contains(got, path+":1: colour is no setting that is known here.") {
		t.Errorf("the dialog says %q", got)
	}
	wantList(t, "the Tab order", d.tabs(2), []string{"cancel", "cancel"})
}

// texts is all that a dialog says.
func texts(o fyne.CanvasObject) string {
	var out []string
	var walk func(fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if !o.Visible() {
			return
		}
		switch x := o.(type) {
		case *widgets.Text:
			out = append(out, x.String())
		case *fyne.Container:
			for _, c := range x.Objects {
				walk(c)
			}
		case *widgets.Modal:
			for _, c := range x.Body() {
				walk(c)
			}
		}
	}
	walk(o)
	return strings.Join(out, "\n")
}
