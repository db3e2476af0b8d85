package profile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"holdfast/core/transport"
)

// head begins a file that we wrote.
const head = "# Settings of Holdfast. A change made in the window writes this file anew, without other comments.\n\n"

// Update makes a change to the settings file: it reads the file, changes what it
// says, and replaces it in one step. A file that cannot be read whole is left as
// it is, and the error is ErrBroken.
func Update(path string, change func(*File)) (File, error) {
	f, err := Load(path)
	if err != nil {
		return File{}, err
	}
	change(&f)
	f.Path = path
	data, err := encode(f)
	if err != nil {
		return File{}, err
	}
	// What we write we must be able to read.
	back, err := parse(path, data)
	if err != nil {
		return File{}, fmt.Errorf("check the new settings: %w", err)
	}
	if err := replace(path, data); err != nil {
		return File{}, fmt.Errorf("write the settings: %w", err)
	}
	return back, nil
}

// The file as it is written; see doc.go.
type (
	fileForm struct {
		Use      string        `toml:"profile,omitempty"`
		Theme    Theme         `toml:"theme"`
		TextSize int           `toml:"text_size"`
		SendKey  SendKey       `toml:"send_key"`
		AutoLoad bool          `toml:"auto_load"`
		Profiles []profileForm `toml:"profiles,omitempty"`
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
		Use: f.Use, Theme: f.Settings.Theme, TextSize: f.Settings.TextSize, SendKey: f.Settings.SendKey, AutoLoad: f.Settings.AutoLoad,
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
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
