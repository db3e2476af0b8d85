package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"holdfast/core/transport"
	"holdfast/core/words"
)

// head begins a file that we wrote.
const head = "# Settings of Holdfast. A change made in the window changes its keys here; the rest stays as it is.\n\n"

// Update makes a change to the settings file: it reads the file, changes what it
// says, and replaces it in one step. Only the keys that changed are written
// anew; comments and the order stay. A file that cannot be read whole is left as
// it is, and the error is ErrBroken.
func Update(path string, change func(*File)) (File, error) {
	return update(path, func(f *File) error {
		change(f)
		return nil
	})
}

// update is Update for a change that may refuse: then nothing is written.
func update(path string, change func(*File) error) (File, error) {
	data, err := read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return File{}, err
	}
	f, err := parse(path, data)
	if err != nil {
		return File{}, err
	}
	was := f
	was.Profiles = slices.Clone(f.Profiles)
	if err := change(&f); err != nil {
		return File{}, err
	}
	f.Path = path
	text, back, err := textOf(data, was, f)
	if err != nil {
		return File{}, err
	}
	if err := replace(path, text); err != nil {
		return File{}, fmt.Errorf("write the settings: %w", err)
	}
	return back, nil
}

// textOf is the text that says f, and what is read from it: what we write we
// must be able to read.
func textOf(data []byte, was, f File) ([]byte, File, error) {
	anew, err := encode(f)
	if err != nil {
		return nil, File{}, err
	}
	want, err := parse(f.Path, anew)
	if err != nil {
		return nil, File{}, fmt.Errorf("check the new settings: %w", err)
	}
	if len(data) > 0 {
		if text, ok := amend(data, was, f); ok {
			if got, err := parse(f.Path, text); err == nil && reflect.DeepEqual(got, want) {
				return text, got, nil
			}
		}
	}
	return anew, want, nil
}

// The file as it is written; see doc.go.
type (
	fileForm struct {
		Use      string         `toml:"profile,omitempty"`
		Language words.Language `toml:"language"`
		Theme    Theme          `toml:"theme"`
		TextSize int            `toml:"text_size"`
		SendKey  SendKey        `toml:"send_key"`
		AutoLoad bool           `toml:"auto_load"`
		Profiles []profileForm  `toml:"profiles,omitempty"`
	}
	profileForm struct {
		Name         string     `toml:"name"`
		Connect      any        `toml:"connect"`
		Files        Files      `toml:"files,omitempty"`
		Roots        []rootForm `toml:"roots,omitempty,inline"`
		TokenFile    string     `toml:"token_file,omitempty"`
		Experimental bool       `toml:"experimental_api"`
		Codex        string     `toml:"codex,omitempty"`
		CodexHome    string     `toml:"codex_home,omitempty"`
	}
	rootForm struct {
		Local  string `toml:"local"`
		Server string `toml:"server"`
	}
)

func encode(f File) ([]byte, error) {
	form := fileForm{
		Use: f.Use, Language: f.Settings.Language, Theme: f.Settings.Theme, TextSize: f.Settings.TextSize, SendKey: f.Settings.SendKey, AutoLoad: f.Settings.AutoLoad,
	}
	for _, p := range f.Profiles {
		out := profileForm{
			Name: p.Name, Connect: p.Connect.String(), Files: p.Files, TokenFile: p.TokenFile,
			Experimental: p.ExperimentalAPI, Codex: p.Codex, CodexHome: p.CodexHome,
		}
		if p.Connect.Kind == transport.Command {
			out.Connect = p.Connect.Argv
		}
		for _, r := range p.Roots {
			out.Roots = append(out.Roots, rootForm(r))
		}
		form.Profiles = append(form.Profiles, out)
	}
	var b bytes.Buffer
	b.WriteString(head)
	if err := toml.NewEncoder(&b).Encode(form); err != nil {
		return nil, fmt.Errorf("encode the settings: %w", err)
	}
	return b.Bytes(), nil
}

// replace writes a file beside path and renames it over path, so that a crash
// or a full disk leaves the old one. A link keeps leading to its file.
func replace(path string, data []byte) (err error) {
	if real, linkErr := filepath.EvalSymlinks(path); linkErr == nil {
		path = real
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".config-*.toml") // mode 0600
	if err != nil {
		return err
	}
	if info, statErr := os.Stat(path); statErr == nil { // who could read it still can
		err = tmp.Chmod(info.Mode().Perm())
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	if err == nil {
		_, err = tmp.Write(data)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
