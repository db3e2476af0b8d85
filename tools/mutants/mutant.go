package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// mutant is one patch and the test that must notice it.
type mutant struct {
	name string // of the files, such as HIS-7 or HIS-7-order
	id   string // of the requirement
	pkg  string
	test string
}

var mutantName = regexp.MustCompile(`^([A-Z]{2,3}-\d+)(-[a-z0-9-]+)?$`)

// load reads the mutants under root.
func load(root string) ([]mutant, error) {
	patches, err := filepath.Glob(filepath.Join(root, "testdata", "mutants", "*.patch"))
	if err != nil {
		return nil, fmt.Errorf("list the patches: %w", err)
	}
	var all []mutant
	for _, patch := range patches {
		name := strings.TrimSuffix(filepath.Base(patch), ".patch")
		m := mutantName.FindStringSubmatch(name)
		if m == nil {
			return nil, fmt.Errorf("%s is not named after a requirement", patch)
		}
		text, err := os.ReadFile(strings.TrimSuffix(patch, ".patch") + ".test")
		if err != nil {
			return nil, fmt.Errorf("read which test %s fails: %w", name, err)
		}
		fields := strings.Fields(string(text))
		if len(fields) != 2 {
			return nil, fmt.Errorf("%s.test holds %q, want \"./package TestName\"", name, strings.TrimSpace(string(text)))
		}
		all = append(all, mutant{name: name, id: m[1], pkg: fields[0], test: fields[1]})
	}
	return all, nil
}

// verdict is what became of a mutant: killed, or why not.
type verdict struct{ word, detail string }

// judge runs the test without and with the patch, and leaves the copy as it was.
func judge(ctx context.Context, c *treeCopy, m mutant) verdict {
	switch r := c.clean(ctx, m); r.end {
	case passed:
	case absent:
		return verdict{"absent", "there is no such test"}
	case failed, broken:
		return verdict{"unsound", "the test fails without the patch:\n" + r.output}
	}
	if err := c.apply(ctx, m); err != nil {
		return verdict{"stale", err.Error()}
	}
	r := c.patched(ctx, m)
	if err := c.revert(ctx, m); err != nil {
		return verdict{"stuck", err.Error()}
	}
	switch r.end {
	case failed:
		return verdict{word: "killed"}
	case broken:
		return verdict{"broken", "the patched code does not compile:\n" + r.output}
	case passed, absent:
	}
	return verdict{"survived", "the test passes with the rule broken"}
}
