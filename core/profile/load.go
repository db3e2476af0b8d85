package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"holdfast/core/words"
)

// maxFile bounds the settings file.
const maxFile = 1 << 20

// An Error is one thing that is wrong with a settings file.
type Error struct {
	Path string
	Line int    // 0 when the whole file is meant
	Key  string // "" when no key is meant
	Text string
}

// Error implements error: file, line, key, and what is wrong.
func (e *Error) Error() string {
	s := e.Path + ":"
	if e.Line > 0 {
		s = fmt.Sprintf("%s:%d:", e.Path, e.Line)
	}
	if e.Key != "" {
		s += " " + e.Key
	}
	return s + " " + e.Text
}

// Is makes every Error an ErrBroken.
func (e *Error) Is(target error) bool { return target == ErrBroken }

// Load reads the settings file. One that does not exist is the defaults; one
// that is broken is an error that names every line to repair, and ErrBroken.
func Load(path string) (File, error) {
	data, err := read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Defaults(path), nil
	case err != nil:
		return File{}, err
	}
	return parse(path, data)
}

func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, &Error{Path: path, Text: words.T("is no file of settings")}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return data, nil
}

func unreadable(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the settings: %w", err)
	}
	return errors.Join(&Error{Path: path, Text: words.T("cannot be read")}, err)
}

func parse(path string, data []byte) (File, error) {
	var values map[string]any
	if err := toml.Unmarshal(data, &values); err != nil {
		return File{}, syntaxError(path, err)
	}
	r := &reader{path: path, lines: keyLines(data)}
	f := Defaults(path)
	top := r.table("", values)
	f.Use = top.text("profile", "")
	f.Settings.Language = oneOf(top, "language", words.Languages()...)
	f.Settings.Theme = oneOf(top, "theme", ThemeSystem, ThemeLight, ThemeDark, ThemeHighContrast)
	f.Settings.SendKey = oneOf(top, "send_key", SendCtrlEnter, SendEnter)
	f.Settings.TextSize = top.number("text_size", f.Settings.TextSize, MinTextSize, MaxTextSize)
	f.Settings.AutoLoad = top.truth("auto_load", false)
	for _, t := range top.tables("profiles") {
		f.Profiles = append(f.Profiles, t.profile(filepath.Dir(path)))
	}
	top.names(f)
	top.rest()
	if err := r.err(); err != nil {
		return File{}, err
	}
	return f, nil
}

func syntaxError(path string, err error) error {
	e := &Error{Path: path, Text: words.T("is not TOML")}
	var at *toml.DecodeError
	if errors.As(err, &at) {
		e.Line, _ = at.Position()
		e.Key = strings.Join(at.Key(), ".")
		e.Text = words.T("is not TOML: ") + strings.TrimPrefix(at.Error(), "toml: ")
	}
	return e
}

// profile reads one profile; paths in it begin at the folder of the file.
func (t *table) profile(dir string) Profile {
	p := Profile{
		Name:            t.text("name", ""),
		Connect:         t.connect(dir),
		Files:           oneOf(t, "files", FilesByKind, FilesSame, FilesSeparate),
		TokenFile:       absolute(dir, t.text("token_file", "")),
		ExperimentalAPI: t.truth("experimental_api", true),
		Codex:           program(dir, t.text("codex", "")),
		CodexHome:       absolute(dir, t.text("codex_home", "")),
	}
	if p.Name == "" {
		t.wrong("name", words.T("is missing"))
	}
	for _, r := range t.tables("roots") {
		root := Root{Local: absolute("", r.text("local", "")), Server: r.text("server", "")}
		if !filepath.IsAbs(root.Local) {
			r.wrong("local", words.T("is no absolute path"))
		}
		if root.Server == "" {
			r.wrong("server", words.T("is missing"))
		}
		r.rest()
		p.Roots = append(p.Roots, root)
	}
	t.rest()
	return p
}

// connect reads a connection: a string, or a list for a command.
func (t *table) connect(dir string) Connect {
	var c Connect
	var err error
	switch v := t.take("connect").(type) {
	case nil:
		return Connect{}
	case string:
		c, err = ParseConnect(v)
	case []any:
		argv := make([]string, len(v))
		for i, a := range v {
			s, ok := a.(string)
			if !ok {
				t.wrong("connect", words.T("is a list, and not of strings"))
				return Connect{}
			}
			argv[i] = s
		}
		c, err = command(argv)
	default:
		err = errConnect
	}
	if err != nil {
		t.wrong("connect", words.T("does not work: ")+err.Error())
	}
	c.Path = absolute(dir, c.Path)
	return c
}

// names checks that profile names are unique and the one to use is there.
func (t *table) names(f File) {
	seen := map[string]bool{}
	for i, p := range f.Profiles {
		if p.Name != "" && seen[p.Name] {
			t.r.wrong(fmt.Sprintf("profiles.%d.name", i), "name", words.T("%q is taken by another profile", p.Name))
		}
		seen[p.Name] = true
	}
	if f.Use != "" && !seen[f.Use] {
		t.wrong("profile", words.T("%q is the name of no profile here", f.Use))
	}
}

// absolute makes a path absolute: "~/" is the user's folder, anything relative
// begins at dir. "" stays.
func absolute(dir, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if path == "" || dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// program is absolute for paths; a bare name is looked up on PATH later.
func program(dir, name string) string {
	if strings.ContainsAny(name, `/\`) {
		return absolute(dir, name)
	}
	return name
}
