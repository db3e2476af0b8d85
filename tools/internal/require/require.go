// Package require reads the table of requirements and finds the tests that name its rows. It judges no test.
//
// # Decisions
//
// 2026-11-30: the table is Markdown that people read, parsed with one expression.
// Instead of a data file with a rendered copy, because two copies would differ one day.
package require

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Row is one thing that must hold.
type Row struct {
	ID     string
	Mutant bool // a patch that breaks it must make its test fail
	Text   string
}

// Area is the part of the ID before the number.
func (r Row) Area() string {
	area, _, _ := strings.Cut(r.ID, "-")
	return area
}

var (
	rowLine = regexp.MustCompile(`(?m)^\| ([A-Z]{2,3}-\d+)( M)? \| (.*) \|$`)
	comment = regexp.MustCompile(`//\s*req:(.*)`)
	id      = regexp.MustCompile(`[A-Z]{2,3}-\d+`)
)

// Read returns the rows of core/REQUIREMENTS.md under root, in order.
func Read(root string) ([]Row, error) {
	text, err := os.ReadFile(filepath.Join(root, "core", "REQUIREMENTS.md"))
	if err != nil {
		return nil, fmt.Errorf("read the requirements: %w", err)
	}
	var rows []Row
	for _, m := range rowLine.FindAllStringSubmatch(string(text), -1) {
		rows = append(rows, Row{ID: m[1], Mutant: m[2] != "", Text: m[3]})
	}
	return rows, nil
}

// Named returns, for each ID that a comment of a test file under root names, where: file and line.
func Named(root string) (map[string][]string, error) {
	named := map[string][]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(src), "\n") {
			for _, m := range comment.FindAllStringSubmatch(line, -1) {
				for _, id := range id.FindAllString(m[1], -1) {
					named[id] = append(named[id], fmt.Sprintf("%s:%d", name, i+1))
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for named requirements: %w", err)
	}
	return named, nil
}
