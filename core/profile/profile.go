package profile

import (
	"fmt"
	"os"
	"path/filepath"

	"holdfast/core/transport"
	"holdfast/core/words"
)

// What is wrong, for callers that branch on it.
var (
	// ErrBroken: the file is there and cannot be used; nothing may be written.
	ErrBroken = words.Error("the settings cannot be read")
	// ErrNoProfile: there is no profile of that name.
	ErrNoProfile = words.Error("there is no profile of that name")
)

// Files says whether client and server see the same files (ruling 36).
type Files string

// The two answers; the zero value leaves it to the kind of connection.
const (
	FilesByKind   Files = ""
	FilesSame     Files = "same"
	FilesSeparate Files = "separate"
)

// A Theme is how the window looks.
type Theme string

// The themes.
const (
	ThemeSystem       Theme = "system"
	ThemeLight        Theme = "light"
	ThemeDark         Theme = "dark"
	ThemeHighContrast Theme = "high-contrast"
)

// A SendKey is the key that sends (ruling 18).
type SendKey string

// The two ways.
const (
	SendCtrlEnter SendKey = "ctrl-enter"
	SendEnter     SendKey = "enter"
)

// The bounds of TextSize, in percent.
const (
	MinTextSize = 90
	MaxTextSize = 200
)

// Settings are the window's.
type Settings struct {
	Language words.Language
	Theme    Theme
	TextSize int
	SendKey  SendKey
	AutoLoad bool
}

// A Root is one folder as the client and as the server name it.
type Root struct{ Local, Server string }

// A Profile is one way to an app-server.
type Profile struct {
	Name            string
	Connect         Connect
	Files           Files
	Roots           []Root
	TokenFile       string
	ExperimentalAPI bool
	Codex           string
	CodexHome       string
}

// SharedFiles says whether client and server see the same files.
func (p Profile) SharedFiles() bool {
	switch p.Files {
	case FilesSame:
		return true
	case FilesSeparate:
		return false
	case FilesByKind:
	}
	return p.Connect.Kind == transport.Stdio || p.Connect.Kind == transport.Unix
}

// Target is what the transport needs of the profile; cwd is the working folder
// of a child.
func (p Profile) Target(cwd string) transport.Target {
	return transport.Target{
		Kind: p.Connect.Kind, Argv: p.Connect.Argv, URL: p.Connect.URL, Path: p.Connect.Path,
		TokenFile: p.TokenFile, Codex: p.Codex, CodexHome: p.CodexHome, Cwd: cwd,
	}
}

// builtin is the profile that is there without a file: the user's own Codex.
func builtin() Profile { return Profile{ExperimentalAPI: true} }

// A File is what the settings file says, or the defaults.
type File struct {
	// Path is where it was read from, or would be.
	Path     string
	Settings Settings
	// Use is the name of the profile to use, "" for the first.
	Use      string
	Profiles []Profile
}

// Defaults is what holds without a file.
func Defaults(path string) File {
	return File{Path: path, Settings: Settings{Language: words.System, Theme: ThemeSystem, TextSize: 100, SendKey: SendCtrlEnter}}
}

// Find returns the profile of a name. "" is the one to use by default, which is
// the built-in one if there is none.
func (f File) Find(name string) (Profile, error) {
	if name == "" {
		name = f.Use
	}
	if name == "" && len(f.Profiles) == 0 {
		return builtin(), nil
	}
	for _, p := range f.Profiles {
		if name == "" || p.Name == name {
			return p, nil
		}
	}
	return Profile{}, fmt.Errorf("%w: %q (%s)", ErrNoProfile, name, f.Path)
}

// Path is where the settings file lies.
func Path() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for settings: %w", err)
	}
	return filepath.Join(dir, "holdfast", "config.toml"), nil
}
