// Command licences writes the list of licences of everything that is in the
// program, for all systems it is built for.
//
//	go run ./tools/licences
package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"holdfast/core/licences"
)

// file is the list, from the root of the repository.
const file = "core/licences/licences.txt"

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	text, err := list(ctx, ".")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	return nil
}

// systems are what the program is built for.
var systems = []string{"linux", "windows", "darwin"}

// A part is a module in the program, or something that comes with one.
type part struct{ name, version, path string }

// list makes the list for the module at root.
func list(ctx context.Context, root string) (string, error) {
	parts, err := modules(ctx, root)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range parts {
		text, err := os.ReadFile(p.path)
		if err != nil {
			return "", fmt.Errorf("read the licence of %s: %w", p.name, err)
		}
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		fmt.Fprintf(&b, "%s%s | %s | %s\n\n%s\n", strings.TrimPrefix(licences.Mark, "\n"), p.name, p.version, kind(string(text)), strings.TrimSpace(string(text)))
		b.WriteString("\n")
	}
	return b.String(), nil
}

// modules are what the program is made of: with what comes along in the
// toolkit's folder of fonts, and Go itself.
func modules(ctx context.Context, root string) ([]part, error) {
	found := map[string]part{}
	for _, system := range systems {
		out, err := goTool(ctx, root, system, "list", "-deps", "-tags", "x11,no_animations", "-f", "{{with .Module}}{{if .Dir}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
		if err != nil {
			return nil, err
		}
		for _, line := range strings.Split(out, "\n") {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if len(f) != 3 || f[1] == "" { // not a module, or this one
				continue
			}
			if err := add(found, f[0], f[1], f[2]); err != nil {
				return nil, err
			}
		}
	}
	if err := ownFonts(found, root); err != nil {
		return nil, err
	}
	goroot, err := goTool(ctx, root, "linux", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	found["Go"] = part{"Go, its library and runtime", "", filepath.Join(strings.TrimSpace(goroot), "LICENSE")}
	parts := make([]part, 0, len(found))
	for _, p := range found {
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.name, b.name) })
	return parts, nil
}

// add finds the licence of a module, and those of the fonts in it.
func add(found map[string]part, name, version, dir string) error {
	texts, err := licenceFiles(dir)
	if err != nil {
		return err
	}
	if len(texts) == 0 {
		return fmt.Errorf("%s has no licence in %s", name, dir)
	}
	found[name] = part{name, version, texts[0]}
	fonts, err := licenceFiles(filepath.Join(dir, "theme", "font"))
	if err != nil {
		return nil //nolint:nilerr // it has no such folder
	}
	for _, f := range fonts {
		called := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(f), "LICENSE"), ".txt")
		key := name + ", font " + cmp.Or(strings.Trim(called, "_"), "Noto Sans")
		found[key] = part{key, version, f}
	}
	return nil
}

// ownFonts finds the licences of what is embedded from this repository.
func ownFonts(found map[string]part, root string) error {
	err := filepath.WalkDir(filepath.Join(root, "widgets"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		texts, err := licenceFiles(path)
		for _, f := range texts {
			name := "Holdfast, " + strings.TrimSuffix(filepath.Base(path)+" "+filepath.Base(f), ".txt")
			found[name] = part{name, "", f}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("look for fonts: %w", err)
	}
	return nil
}

// licenceFiles are the texts of licences in a folder.
func licenceFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("look for a licence: %w", err)
	}
	var out []string
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if !e.IsDir() && (strings.HasPrefix(name, "LICEN") || strings.HasPrefix(name, "COPYING") || strings.HasPrefix(name, "OFL")) && !strings.HasSuffix(name, ".GO") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

// kinds are told by a sentence of theirs.
var kinds = []struct{ name, says string }{
	{"CC-BY-4.0", "Creative Commons Attribution 4.0"},
	{"Bitstream-Vera", "Bitstream Vera"},
	{"Apache-2.0", "Apache License"},
	{"OFL-1.1", "SIL OPEN FONT LICENSE"},
	{"MPL-2.0", "Mozilla Public License"},
	{"MIT", "Permission is hereby granted, free of charge"},
	{"BSD-3-Clause", "Neither the name"},
	{"BSD-3-Clause", "may not be used to endorse"},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms"},
	{"ISC", "Permission to use, copy, modify, and"},
}

func kind(text string) string {
	flat := strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, k := range kinds {
		if strings.Contains(flat, strings.ToLower(k.says)) {
			return k.name
		}
	}
	return "see its text"
}

// goTool runs the go command for a system, with cgo, as the window is built.
func goTool(ctx context.Context, root, system string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=1")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, errs.String())
	}
	return string(out), nil
}
