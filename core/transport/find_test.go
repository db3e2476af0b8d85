//go:build unix

package transport

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A tree writes files (native programs begin with ELF, others are scripts of
// node, or of sh if their name says so) and links, by path.
func tree(t *testing.T, native, scripts []string, links map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(path, content string) {
		p := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range native {
		write(p, "\x7fELF...")
	}
	for _, p := range scripts {
		if filepath.Ext(p) == ".sh" {
			write(p, "#!/bin/sh\nexec node codex\n")
			continue
		}
		write(p, "#!/usr/bin/env node\n")
	}
	for name, to := range links {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// PROTOCOL.md trap 19: the native program is started, not its launcher.
func TestTrap19NativeBinary(t *testing.T) {
	triple, pkg, name := platform()
	vendor := filepath.Join("vendor", triple, "bin", name)
	for _, tt := range []struct {
		name            string
		native, scripts []string
		links           map[string]string
		path, want      string
	}{
		{"native itself", []string{"codex"}, nil, nil, "codex", "codex"},
		{"wrapper", nil, []string{"codex.sh"}, nil, "codex.sh", "codex.sh"},
		{"wrapper by a link", nil, []string{"opt/codex.sh"}, map[string]string{"bin/codex": "../opt/codex.sh"}, "bin/codex", "bin/codex"},
		{"program of many names", []string{"opt/shim"}, nil, map[string]string{"bin/codex": "../opt/shim"}, "bin/codex", "bin/codex"},
		{"link to it", []string{"opt/codex"}, nil, map[string]string{"bin/codex": "../opt/codex"}, "bin/codex", "opt/codex"},
		{
			"npm project",
			[]string{"m/@openai/" + pkg + "/" + vendor},
			[]string{"m/@openai/codex/bin/codex.js"},
			map[string]string{"m/.bin/codex": "../@openai/codex/bin/codex.js"},
			"m/.bin/codex", "m/@openai/" + pkg + "/" + vendor,
		},
		{
			"the script itself",
			[]string{"m/@openai/" + pkg + "/" + vendor},
			[]string{"m/@openai/codex/bin/codex.js"},
			nil,
			"m/@openai/codex/bin/codex.js", "m/@openai/" + pkg + "/" + vendor,
		},
		{
			"npm global, nested",
			[]string{"lib/node_modules/@openai/codex/node_modules/@openai/" + pkg + "/" + vendor},
			[]string{"lib/node_modules/@openai/codex/bin/codex.js"},
			map[string]string{"bin/codex": "../lib/node_modules/@openai/codex/bin/codex.js"},
			"bin/codex", "lib/node_modules/@openai/codex/node_modules/@openai/" + pkg + "/" + vendor,
		},
		{"inside the package", []string{"m/@openai/codex/" + vendor}, []string{"m/@openai/codex/bin/codex.js"}, nil, "m/@openai/codex/bin/codex.js", "m/@openai/codex/" + vendor},
		{
			"older layout",
			[]string{"m/@openai/codex/vendor/" + triple + "/codex/" + name},
			[]string{"m/@openai/codex/bin/codex.js"},
			nil,
			"m/@openai/codex/bin/codex.js", "m/@openai/codex/vendor/" + triple + "/codex/" + name,
		},
		{
			"shim that is no link",
			[]string{"m/@openai/" + pkg + "/" + vendor},
			[]string{"m/@openai/codex/bin/codex.js", "m/.bin/codex"},
			nil,
			"m/.bin/codex", "m/@openai/" + pkg + "/" + vendor,
		},
		{
			"shim beside node_modules",
			[]string{"npm/node_modules/@openai/codex/" + vendor},
			[]string{"npm/node_modules/@openai/codex/bin/codex.js", "npm/codex"},
			nil,
			"npm/codex", "npm/node_modules/@openai/codex/" + vendor,
		},
		{
			"pnpm",
			[]string{"s/@openai/" + pkg + "/" + vendor},
			[]string{"s/@openai/codex/bin/codex.js", "m/.bin/codex"},
			map[string]string{"m/@openai/codex": "../../s/@openai/codex"},
			"m/.bin/codex", "s/@openai/" + pkg + "/" + vendor,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := tree(t, tt.native, tt.scripts, tt.links)
			got, err := NativeBinary(filepath.Join(dir, tt.path))
			if want := filepath.Join(dir, tt.want); got != want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		})
	}
}

func TestNativeBinaryRefusals(t *testing.T) {
	_, pkg, name := platform()
	triple, _, _ := platform()
	dir := tree(t, nil, []string{"alone", "m/@openai/codex/bin/codex.js", "m/@openai/" + pkg + "/vendor/" + triple + "/bin/" + name}, map[string]string{"broken": "nowhere"})
	for _, tt := range []struct{ path, want string }{
		{"none", "there is no codex program at %"},
		{"broken", "there is no codex program at %"},
		{"m", "the codex program at % cannot be read"},
		{"alone", "% is a launcher, and the program it starts is missing: install Codex again"},
		{"m/@openai/codex/bin/codex.js", "% is a launcher, and the program it starts is missing: install Codex again"},
	} {
		p := filepath.Join(dir, tt.path)
		got, err := NativeBinary(p)
		if got != "" {
			t.Errorf("%s: got %q", tt.path, got)
		}
		wantErr(t, err, InvalidProfile, strings.Replace(tt.want, "%", p, 1))
	}
}

// The flag wins over PATH, PATH over the project's own.
func TestFind(t *testing.T) {
	dir := tree(t, []string{"flag/codex", "path/codex"}, nil, nil)
	t.Setenv("PATH", filepath.Join(dir, "path"))
	for _, tt := range []struct{ flag, want string }{
		{filepath.Join(dir, "flag/codex"), "flag/codex"},
		{"codex", "path/codex"},
		{"", "path/codex"},
	} {
		got, err := Find(tt.flag)
		if want := filepath.Join(dir, tt.want); got != want || err != nil {
			t.Errorf("Find(%q) = %q, %v, want %q", tt.flag, got, err, want)
		}
	}
	_, err := Find(filepath.Join(dir, "none"))
	wantErr(t, err, InvalidProfile, "there is no codex program at "+filepath.Join(dir, "none"))
	t.Setenv("PATH", dir)
	_, err = Find("")
	wantErr(t, err, InvalidProfile, "no codex program was found on PATH: install Codex, or name the program with --codex")
	if !errors.Is(err, ErrNoCodex) {
		t.Errorf("%v is not %v", err, ErrNoCodex)
	}
}

func TestOwnTools(t *testing.T) {
	own := ".tools/codex/" + Pinned + "/node_modules/.bin/codex"
	dir := tree(t, []string{"top/" + own, "top/bin/holdfast"}, nil, nil)
	for in, want := range map[string]string{
		"top":        filepath.Join(dir, "top", own),
		"top/bin":    filepath.Join(dir, "top", own),
		"top/bin/no": filepath.Join(dir, "top", own),
		".":          "",
	} {
		if got := ownTools(filepath.Join(dir, in)); got != want {
			t.Errorf("ownTools(%s) = %q, want %q", in, got, want)
		}
	}
}
