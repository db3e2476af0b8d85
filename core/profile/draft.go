package profile

import (
	"fmt"
	"path/filepath"
	"slices"

	"holdfast/core/transport"
	"holdfast/core/words"
)

// A Draft is a profile as a person writes it, before it is checked.
type Draft struct {
	// Connect is what ParseConnect takes.
	Name, Connect string
	Files         Files
	Roots         []Root
	TokenFile     string
	Experimental  bool
	Codex         string
	CodexHome     string
}

// DraftOf is a profile as one edits it.
func DraftOf(p Profile) Draft {
	return Draft{
		Name: p.Name, Connect: p.Connect.String(), Files: p.Files, Roots: slices.Clone(p.Roots), TokenFile: p.TokenFile,
		Experimental: p.ExperimentalAPI, Codex: p.Codex, CodexHome: p.CodexHome,
	}
}

// Check reads a draft as the file is read. was is the name of the profile that
// it stands in for, "" for a new one. What is wrong names the file's key; of a
// root also its number, as in roots.0.local.
func (f File) Check(was string, d Draft) (Profile, []*Error) {
	values := map[string]any{
		"name": d.Name, "connect": d.Connect, "files": string(d.Files), "token_file": d.TokenFile,
		"experimental_api": d.Experimental, "codex": d.Codex, "codex_home": d.CodexHome,
	}
	var roots []any
	for _, r := range d.Roots {
		roots = append(roots, map[string]any{"local": r.Local, "server": r.Server})
	}
	values["roots"] = roots
	if len(roots) == 0 {
		delete(values, "roots")
	}
	r := &reader{path: f.Path, named: true}
	p := r.table("", values).profile(filepath.Dir(f.Path))
	for _, other := range f.Profiles {
		if other.Name == d.Name && d.Name != was {
			r.wrong("name", "name", words.T("%q is taken by another profile", d.Name))
		}
	}
	return p, r.found
}

// Put checks a draft and writes it into the file: in the place of the profile
// that is named was, or as a new one for "".
func Put(path, was string, d Draft) (File, error) {
	return update(path, func(f *File) error {
		p, found := f.Check(was, d)
		if len(found) > 0 {
			return found[0]
		}
		if was == "" {
			f.Profiles = append(f.Profiles, p)
			return nil
		}
		i := slices.IndexFunc(f.Profiles, func(x Profile) bool { return x.Name == was })
		if i < 0 {
			return fmt.Errorf("%w: %q (%s)", ErrNoProfile, was, path)
		}
		f.Profiles[i] = p
		if f.Use == was {
			f.Use = p.Name
		}
		return nil
	})
}

// Remove takes a profile out of the file.
func Remove(path, name string) (File, error) {
	return one(path, name, func(f *File, i int) {
		f.Profiles = slices.Delete(f.Profiles, i, i+1)
		if f.Use == name {
			f.Use = ""
		}
	})
}

// UseAtStart makes a profile the one that a start without flags takes.
func UseAtStart(path, name string) (File, error) {
	return one(path, name, func(f *File, _ int) { f.Use = name })
}

// one makes a change about one profile of the file.
func one(path, name string, change func(*File, int)) (File, error) {
	return update(path, func(f *File) error {
		i := slices.IndexFunc(f.Profiles, func(x Profile) bool { return x.Name == name })
		if i < 0 {
			return fmt.Errorf("%w: %q (%s)", ErrNoProfile, name, path)
		}
		change(f, i)
		return nil
	})
}

// Describe says in a few words where a profile leads.
func (p Profile) Describe() string {
	switch p.Connect.Kind {
	case transport.Stdio:
		if p.Codex != "" {
			return p.Codex
		}
	case transport.Command, transport.WebSocket, transport.Unix:
	}
	return p.Connect.String()
}
