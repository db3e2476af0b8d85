package profile

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"holdfast/core/transport"
	"holdfast/core/words"
)

const whole = `# mine
profile = "far"
language = "ja"
theme = "dark"
text_size = 200
send_key = "enter"
auto_load = true

[[profiles]]
name = "near"

[[profiles]]
name = "far"
connect = "wss://codex.example/x"
files = "same"
token_file = "token"
experimental_api = false
codex = "bin/codex"
codex_home = "/var/codex"
roots = [
  { local = "/home/me/src", server = "/srv/src" },
]

[[profiles]]
name = "ssh"
connect = ["ssh", "host", "codex app-server"]

[[profiles]]
name = "sock"
connect = "unix://run/codex.sock"
`

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoad(t *testing.T) {
	path := write(t, whole)
	dir := filepath.Dir(path)
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want := File{
		Path: path, Use: "far",
		Settings: Settings{Language: words.Japanese, Theme: ThemeDark, TextSize: 200, SendKey: SendEnter, AutoLoad: true},
		Profiles: []Profile{
			{Name: "near", ExperimentalAPI: true},
			{
				Name: "far", Connect: Connect{Kind: transport.WebSocket, URL: "wss://codex.example/x"}, Files: FilesSame,
				Roots: []Root{{"/home/me/src", "/srv/src"}}, TokenFile: filepath.Join(dir, "token"),
				Codex: filepath.Join(dir, "bin/codex"), CodexHome: "/var/codex",
			},
			{Name: "ssh", Connect: Connect{Kind: transport.Command, Argv: []string{"ssh", "host", "codex app-server"}}, ExperimentalAPI: true},
			{Name: "sock", Connect: Connect{Kind: transport.Unix, Path: filepath.Join(dir, "run/codex.sock")}, ExperimentalAPI: true},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Load gives\n%+v\nwant\n%+v", got, want)
	}
}

func TestMissingFileIsDefaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "config.toml")
	got, err := Load(path)
	if want := Defaults(path); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Load = %+v, %v, want %+v", got, err, want)
	}
	p, err := got.Find("")
	if want := (Profile{ExperimentalAPI: true}); err != nil || !reflect.DeepEqual(p, want) {
		t.Errorf("Find = %+v, %v, want the built-in profile", p, err)
	}
}

// Every complaint names the line and the key.
func TestBrokenFiles(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"not TOML", "a = 1\ntheme = \"dark\nb = 2", "2: is not TOML: "},
		{"binary", "\x00\x01", "1: is not TOML: "},
		{"key twice", "theme = \"dark\"\ntheme = \"dark\"", "2: "},
		{"unknown key", "\n\ncolour = 1", "3: colour is no setting that is known here"},
		{"unknown table", "[window]\nx = 1", "1: window is no setting that is known here"},
		{"unknown key of a profile", "[[profiles]]\nname = \"a\"\n[[profiles]]\nname = \"b\"\nurl = \"x\"", "5: url is no setting that is known here"},
		{"unknown key of a root", "[[profiles]]\nname = \"a\"\nroots = [{local = \"/a\", server = \"/b\", mode = 1}]", "3: mode is no setting that is known here"},
		{"theme", "theme = \"blue\"", "1: theme must be one of system, light, dark, high-contrast"},
		{"theme of a wrong type", "theme = 5", "1: theme must be a string, in quotes"},
		{"size too small", "text_size = 89", "1: text_size must be a whole number from 90 to 200"},
		{"size too large", "text_size = 201", "1: text_size must be a whole number from 90 to 200"},
		{"size of a wrong type", "text_size = \"100\"", "1: text_size must be a whole number from 90 to 200"},
		{"truth of a wrong type", "auto_load = \"yes\"", "1: auto_load must be true or false"},
		{"send key", "send_key = \"tab\"", "1: send_key must be one of ctrl-enter, enter"},
		{"files", "[[profiles]]\nname = \"a\"\nfiles = \"maybe\"", "3: files must be one of same, separate"},
		{"no name", "[[profiles]]\nconnect = \"stdio\"", "1: name is missing"},
		{"same name", "[[profiles]]\nname = \"a\"\n\n[[profiles]]\nname = \"a\"", "5: name \"a\" is taken by another profile"},
		{"no such profile", "profile = \"b\"\n[[profiles]]\nname = \"a\"", "1: profile \"b\" is the name of no profile here"},
		{"profiles of a wrong type", "profiles = 5", "1: profiles must be a list of tables"},
		{"profiles are words", "profiles = [\"a\"]", "1: profiles must be a list of tables"},
		{"plain ws abroad", "[[profiles]]\nname = \"a\"\nconnect = \"ws://codex.example:80\"", "3: connect does not work: ws://codex.example:80 is not encrypted and not this machine"},
		{"password in the address", "[[profiles]]\nname = \"a\"\nconnect = \"wss://me:s3cret@codex.example\"", "3: connect does not work: an address must not hold a user or password"},
		{"connection of another kind", "[[profiles]]\nname = \"a\"\nconnect = \"http://x\"", "3: connect does not work: a connection is one of "},
		{"connection of a wrong type", "[[profiles]]\nname = \"a\"\nconnect = 5", "3: connect does not work: a connection is one of "},
		{"empty command", "[[profiles]]\nname = \"a\"\nconnect = []", "3: connect does not work: this command names no program"},
		{"command of numbers", "[[profiles]]\nname = \"a\"\nconnect = [1]", "3: connect is a list, and not of strings"},
		{"relative root", "[[profiles]]\nname = \"a\"\nroots = [{local = \"src\", server = \"/b\"}]", "3: local is no absolute path"},
		{"half a root", "[[profiles]]\nname = \"a\"\n[[profiles.roots]]\nlocal = \"/a\"", "3: server is missing"},
		{"two at once", "x = 1\ntheme = 5", "1: x is no setting that is known here\nPATH:2: theme must be a string"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, tt.in)
			f, err := Load(path)
			if !errors.Is(err, ErrBroken) || !reflect.DeepEqual(f, File{}) {
				t.Fatalf("Load = %+v, %v", f, err)
			}
			want := path + ":" + strings.ReplaceAll(tt.want, "PATH", path)
			if !strings.HasPrefix(err.Error(), want) {
				t.Errorf("error\n%s\nwant\n%s", err, want)
			}
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error holds the password: %s", err)
			}
			// A broken file is never written over.
			if _, err := Update(path, func(f *File) { f.Settings.Theme = ThemeDark }); !errors.Is(err, ErrBroken) {
				t.Errorf("Update = %v", err)
			}
			if left, err := os.ReadFile(path); err != nil || string(left) != tt.in {
				t.Errorf("the file is now %q, %v", left, err)
			}
		})
	}
}

func TestFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir); !errors.Is(err, ErrBroken) {
		t.Errorf("a folder: %v", err)
	}
	at := "# " + strings.Repeat("x", maxFile-2)
	if _, err := Load(write(t, at)); err != nil {
		t.Errorf("a file at the bound: %v", err)
	}
	if _, err := Load(write(t, at+"x")); !errors.Is(err, ErrBroken) {
		t.Errorf("a file past the bound: %v", err)
	}
}

func TestUpdate(t *testing.T) {
	path := write(t, whole)
	before, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Update(path, func(f *File) {
		f.Settings.TextSize = 120
		f.Profiles = append(f.Profiles, Profile{Name: "cmd", Connect: Connect{Kind: transport.Command, Argv: []string{"a b", "c\"d"}}, ExperimentalAPI: true})
	})
	if err != nil {
		t.Fatal(err)
	}
	want := before
	want.Settings.TextSize = 120
	want.Profiles = append(want.Profiles, got.Profiles[4])
	if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(got.Profiles[4].Connect.Argv, []string{"a b", "c\"d"}) {
		t.Errorf("Update gives\n%+v\nwant\n%+v", got, want)
	}
	again, err := Load(path)
	if err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("Load gives\n%+v, %v\nwant\n%+v", again, err, want)
	}
	names, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("files left behind: %v, %v", names, err)
	}
}

func TestUpdateMakesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "config.toml")
	if _, err := Update(path, func(f *File) { f.Settings.Theme = ThemeLight }); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
}

// A change that could not be read again is not written.
func TestUpdateRefusesWhatItCannotRead(t *testing.T) {
	path := write(t, whole)
	if _, err := Update(path, func(f *File) { f.Settings.TextSize = 1000 }); !errors.Is(err, ErrBroken) {
		t.Errorf("Update = %v", err)
	}
	if left, err := os.ReadFile(path); err != nil || string(left) != whole {
		t.Errorf("the file is now %q, %v", left, err)
	}
}

func TestUpdateKeepsALink(t *testing.T) {
	path := write(t, whole)
	link := filepath.Join(t.TempDir(), "link.toml")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := Update(link, func(f *File) { f.Settings.TextSize = 110 }); err != nil {
		t.Fatal(err)
	}
	f, err := Load(path)
	if err != nil || f.Settings.TextSize != 110 {
		t.Errorf("the file behind the link has %+v, %v", f.Settings, err)
	}
}

func TestParseConnect(t *testing.T) {
	tests := []struct {
		in   string
		want Connect
		err  string
	}{
		{"stdio", Connect{}, ""},
		{"ws://127.0.0.1:4500", Connect{Kind: transport.WebSocket, URL: "ws://127.0.0.1:4500"}, ""},
		{"ws://localhost:1/x", Connect{Kind: transport.WebSocket, URL: "ws://localhost:1/x"}, ""},
		{"ws://[::1]:1", Connect{Kind: transport.WebSocket, URL: "ws://[::1]:1"}, ""},
		{"wss://host", Connect{Kind: transport.WebSocket, URL: "wss://host"}, ""},
		{"unix:///run/x.sock", Connect{Kind: transport.Unix, Path: "/run/x.sock"}, ""},
		{`cmd:ssh -p 22 host 'codex app-server' a\ b`, Connect{Kind: transport.Command, Argv: []string{"ssh", "-p", "22", "host", "codex app-server", "a b"}}, ""},
		{`cmd:echo $HOME; rm *`, Connect{Kind: transport.Command, Argv: []string{"echo", "$HOME;", "rm", "*"}}, ""},
		{"ws://10.0.0.1:1", Connect{}, "ws://10.0.0.1:1 is not encrypted and not this machine: use wss:// (plain ws:// goes to loopback only)"},
		{"ws://localhost.example", Connect{}, "ws://localhost.example is not encrypted and not this machine: use wss:// (plain ws:// goes to loopback only)"},
		{"wss://u:p@host", Connect{}, "an address must not hold a user or password: put the token in a token file"},
		{"cmd:", Connect{}, "this command names no program"},
		{"cmd:a 'b", Connect{}, "this command has a quote or backslash that is not finished"},
		{"unix://", Connect{}, "this connection names no socket: write unix:///PATH"},
		{"", Connect{}, errConnect.Error()},
		{"stdio:x", Connect{}, errConnect.Error()},
		{"http://127.0.0.1", Connect{}, errConnect.Error()},
	}
	for _, tt := range tests {
		got, err := ParseConnect(tt.in)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if !reflect.DeepEqual(got, tt.want) || text != tt.err {
			t.Errorf("ParseConnect(%q) = %+v, %q; want %+v, %q", tt.in, got, text, tt.want, tt.err)
		}
		if err == nil {
			if again, err := ParseConnect(got.String()); err != nil || !reflect.DeepEqual(again, got) {
				t.Errorf("%q and back: %+v, %v", got.String(), again, err)
			}
		}
	}
}

func TestSharedFiles(t *testing.T) {
	tests := []struct {
		kind  transport.Kind
		files Files
		want  bool
	}{
		{transport.Stdio, FilesByKind, true},
		{transport.Unix, FilesByKind, true},
		{transport.Command, FilesByKind, false},
		{transport.WebSocket, FilesByKind, false},
		{transport.Stdio, FilesSeparate, false},
		{transport.WebSocket, FilesSame, true},
	}
	for _, tt := range tests {
		if got := (Profile{Connect: Connect{Kind: tt.kind}, Files: tt.files}).SharedFiles(); got != tt.want {
			t.Errorf("kind %d, files %q: %v", tt.kind, tt.files, got)
		}
	}
}

func TestFlags(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	file, err := Load(write(t, whole))
	if err != nil {
		t.Fatal(err)
	}
	far, near := file.Profiles[1], file.Profiles[0]
	tests := []struct {
		name string
		args string
		want func() Resolved
		err  string
	}{
		{"the file alone", "", func() Resolved {
			return Resolved{Profile: far, Transport: far.Target(here), SharedFiles: true, Cwd: here, Scale: 1}
		}, ""},
		{"another profile", "--profile near --thread t1 --timing 10", func() Resolved {
			return Resolved{Profile: near, Transport: near.Target(here), SharedFiles: true, Cwd: here, Thread: "t1", Scale: 10}
		}, ""},
		{"laid over a profile", "--profile near --codex ./codex --codex-home home --token-file tok --cwd sub", func() Resolved {
			p := near
			p.Codex, p.CodexHome, p.TokenFile = filepath.Join(here, "codex"), filepath.Join(here, "home"), filepath.Join(here, "tok")
			return Resolved{Profile: p, Transport: p.Target(filepath.Join(here, "sub")), SharedFiles: true, Cwd: filepath.Join(here, "sub"), Scale: 1}
		}, ""},
		{"a connection without a profile", "--connect ws://127.0.0.1:1 --cwd /srv", func() Resolved {
			p := Profile{Connect: Connect{Kind: transport.WebSocket, URL: "ws://127.0.0.1:1"}, ExperimentalAPI: true}
			return Resolved{Profile: p, Transport: p.Target(""), Cwd: "/srv", Scale: 1}
		}, ""},
		{"a connection over a profile", "--profile ssh --connect unix://s.sock", func() Resolved {
			p := file.Profiles[2]
			p.Connect = Connect{Kind: transport.Unix, Path: filepath.Join(here, "s.sock")}
			return Resolved{Profile: p, Transport: p.Target(here), SharedFiles: true, Cwd: here, Scale: 1}
		}, ""},
		{"a name is looked up later", "--profile near --codex codex", func() Resolved {
			p := near
			p.Codex = "codex"
			return Resolved{Profile: p, Transport: p.Target(here), SharedFiles: true, Cwd: here, Scale: 1}
		}, ""},
		{"no such profile", "--profile nowhere", nil, "choose a profile: there is no profile of that name: \"nowhere\" (" + file.Path + ")"},
		{"bad connection", "--connect ftp://x", nil, "--connect: " + errConnect.Error()},
		{"plain ws abroad", "--connect ws://example.org", nil, "--connect: ws://example.org is not encrypted and not this machine: use wss:// (plain ws:// goes to loopback only)"},
		{"bad timing", "--timing -1", nil, "--timing must be 1 or more"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var f Flags
			set := flag.NewFlagSet("test", flag.ContinueOnError)
			f.Register(set)
			if err := set.Parse(strings.Fields(tt.args)); err != nil {
				t.Fatal(err)
			}
			got, err := f.Apply(file)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("error %v, want %s", err, tt.err)
				}
				return
			}
			want := tt.want()
			want.Settings = file.Settings
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("Apply gives\n%+v, %v\nwant\n%+v", got, err, want)
			}
		})
	}
}

func TestChooseForgetsTheFlagsConnection(t *testing.T) {
	file, err := Load(write(t, whole))
	if err != nil {
		t.Fatal(err)
	}
	f := Flags{Connect: "ws://127.0.0.1:1", TokenFile: "/t", Codex: "/c", Thread: "t1", Timing: 5}
	got, err := f.Choose(file, "far")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Profile, file.Profiles[1]) || got.Scale != 5 || got.Thread != "" {
		t.Errorf("Choose gives %+v", got)
	}
	if _, err := f.Choose(file, "nowhere"); !errors.Is(err, ErrNoProfile) {
		t.Errorf("an unknown profile: %v", err)
	}
}
