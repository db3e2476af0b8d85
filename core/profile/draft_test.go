package profile

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// commented is a file as people write them.
const commented = `# my machines
profile = "near" # the usual
theme = "dark"

# the one at home
[[profiles]]
name = "near"
token_file = "tok" # rotated weekly

# behind the wall:
# ask Ann
[[profiles]]
name = "far" # a box
connect = ["ssh", "far", "codex",
  "app-server"] # through the wall
roots = [{ local = "/home/me/src", server = "/srv/src" }]
`

func TestAChangeKeepsTheRest(t *testing.T) {
	tests := []struct {
		name   string
		change func(path string) (File, error)
		want   func(string) string
	}{
		{"the theme", func(path string) (File, error) {
			return Update(path, func(f *File) { f.Settings.Theme = ThemeLight })
		}, func(s string) string { return strings.Replace(s, `"dark"`, `'light'`, 1) }},
		{"a key that was not there", func(path string) (File, error) {
			return Update(path, func(f *File) { f.Settings.TextSize = 120 })
		}, func(s string) string { return strings.Replace(s, "\"dark\"\n", "\"dark\"\ntext_size = 120\n", 1) }},
		{"a new name", func(path string) (File, error) {
			return Put(path, "near", Draft{Name: "home", Connect: "stdio", TokenFile: "tok", Experimental: true})
		}, func(s string) string {
			return strings.Replace(strings.Replace(s, `profile = "near"`, `profile = 'home'`, 1), `name = "near"`, `name = 'home'`, 1)
		}},
		{"a key of a profile, and one more", func(path string) (File, error) {
			return Put(path, "far", Draft{
				Name: "far", Connect: "cmd:ssh far codex app-server", Files: FilesSame, Experimental: false,
				Roots: []Root{{"/home/me/src", "/srv/a b"}, {"/x", "/y"}},
			})
		}, func(s string) string {
			s = strings.Replace(s, `roots = [{ local = "/home/me/src", server = "/srv/src" }]`, `roots = [{local = '/home/me/src', server = '/srv/a b'}, {local = '/x', server = '/y'}]`, 1)
			return s + "experimental_api = false\nfiles = 'same'\n"
		}},
		{"a key goes", func(path string) (File, error) {
			return Put(path, "near", Draft{Name: "near", Connect: "stdio", Experimental: true})
		}, func(s string) string { return strings.Replace(s, "token_file = \"tok\" # rotated weekly\n", "", 1) }},
		{"a profile more", func(path string) (File, error) {
			return Put(path, "", Draft{Name: "third", Connect: "wss://example.org/", TokenFile: "/t", Experimental: true})
		}, func(s string) string {
			return s + "\n[[profiles]]\nname = 'third'\nconnect = 'wss://example.org/'\ntoken_file = '/t'\nexperimental_api = true\n"
		}},
		{"a profile less", func(path string) (File, error) { return Remove(path, "far") }, func(s string) string {
			return s[:strings.Index(s, "# behind the wall")]
		}},
		{"the one in use goes", func(path string) (File, error) { return Remove(path, "near") }, func(s string) string {
			from, to := strings.Index(s, "# the one at home"), strings.Index(s, "# behind the wall")
			return strings.Replace(s[:from]+s[to:], "profile = \"near\" # the usual\n", "", 1)
		}},
		{"another at the start", func(path string) (File, error) { return UseAtStart(path, "far") }, func(s string) string {
			return strings.Replace(s, `profile = "near"`, `profile = 'far'`, 1)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, commented)
			if err := os.Chmod(path, 0o640); err != nil {
				t.Fatal(err)
			}
			f, err := tt.change(path)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := string(data), tt.want(commented); got != want {
				t.Errorf("the file is\n%s\nwant\n%s", got, want)
			}
			if back, err := Load(path); err != nil || !reflect.DeepEqual(back, f) {
				t.Errorf("read again it says %+v, %v, want %+v", back, err, f)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("its mode is %v, %v", info.Mode(), err)
			}
			left, err := os.ReadDir(filepath.Dir(path))
			if err != nil || len(left) != 1 {
				t.Errorf("its folder holds %v, %v", left, err)
			}
		})
	}
}

// Where the text cannot be followed the file is written anew, and says the same.
func TestAChangeOfAnUnusualFile(t *testing.T) {
	for _, text := range []string{
		"profiles = [{ name = 'a', codex = 'x' }, { name = 'b' }] # in a line\n",
		"[[profiles]]\nname = 'a'\n[[profiles.roots]]\nlocal = '/a'\nserver = '/b'\n[[profiles]]\nname = 'b'\n",
		"[[profiles]]\nname = 'a'\n[[profiles]]\nname = 'b'", // no newline at its end
		"",
	} {
		path := write(t, text)
		before, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		want := before
		want.Profiles = append([]Profile{}, before.Profiles...)
		want.Profiles = append(want.Profiles, Profile{Name: "c", ExperimentalAPI: true, Roots: []Root{{"/l", "/s"}}})
		if len(before.Profiles) > 0 {
			want.Profiles[0].Roots = []Root{{"/c", "/d"}}
		}
		got, err := Update(path, func(f *File) { f.Profiles = want.Profiles })
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q becomes %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestCheckNamesTheField(t *testing.T) {
	f := File{Path: "/c/config.toml", Profiles: []Profile{{Name: "a"}, {Name: "b"}}}
	ok := Draft{Name: "a", Connect: "stdio"}
	tests := []struct {
		name string
		was  string
		d    func(*Draft)
		want []string
	}{
		{"itself", "a", func(*Draft) {}, nil},
		{"no name", "a", func(d *Draft) { d.Name = "" }, []string{"name is missing"}},
		{"a name that is taken", "a", func(d *Draft) { d.Name = "b" }, []string{`name "b" is taken by another profile`}},
		{"a new one of an old name", "", func(*Draft) {}, []string{`name "a" is taken by another profile`}},
		{"nowhere", "a", func(d *Draft) { d.Connect = "http://x" }, []string{"connect does not work: " + errConnect.Error()}},
		{"roots", "a", func(d *Draft) { d.Roots = []Root{{"/a", "/b"}, {"c", ""}} }, []string{"roots.1.local is no absolute path", "roots.1.server is missing"}},
		{"files", "a", func(d *Draft) { d.Files = "some" }, []string{"files must be one of same, separate"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := ok
			tt.d(&d)
			_, found := f.Check(tt.was, d)
			var got []string
			for _, e := range found {
				got = append(got, strings.TrimPrefix(e.Error(), f.Path+": "))
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("Check says %q, want %q", got, tt.want)
			}
		})
	}
	p, found := f.Check("", Draft{Name: "c", Connect: "cmd:ssh 'a b'", TokenFile: "tok", Codex: "codex", CodexHome: "h"})
	want := Profile{Name: "c", Connect: Connect{Kind: 3, Argv: []string{"ssh", "a b"}}, TokenFile: "/c/tok", Codex: "codex", CodexHome: "/c/h"}
	want.Connect.Kind = p.Connect.Kind
	if len(found) > 0 || !reflect.DeepEqual(p, want) {
		t.Errorf("Check gives %+v, %v, want %+v", p, found, want)
	}
	again, found := f.Check("", DraftOf(p))
	if len(found) > 0 || !reflect.DeepEqual(again, p) {
		t.Errorf("there and back gives %+v, %v, want %+v", again, found, p)
	}
}

func TestWhatIsRefusedChangesNothing(t *testing.T) {
	path := write(t, commented)
	for name, f := range map[string]func() (File, error){
		"a bad draft":           func() (File, error) { return Put(path, "near", Draft{Connect: "stdio"}) },
		"one that is gone":      func() (File, error) { return Put(path, "gone", Draft{Name: "x", Connect: "stdio"}) },
		"one to remove is gone": func() (File, error) { return Remove(path, "gone") },
		"one to use is gone":    func() (File, error) { return UseAtStart(path, "gone") },
	} {
		_, err := f()
		data, readErr := os.ReadFile(path)
		if err == nil || readErr != nil || string(data) != commented {
			t.Errorf("%s: %v, and the file is %q, %v", name, err, data, readErr)
		}
		if strings.Contains(name, "gone") && !errors.Is(err, ErrNoProfile) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
