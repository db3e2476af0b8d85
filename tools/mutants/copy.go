package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"holdfast/tools/internal/tree"
)

// treeCopy is a copy of the tree's files in a folder of its own.
type treeCopy struct {
	dir   string
	built map[string]string // the test binary of a package, without a patch
}

// newCopy copies the tree under root into a folder of its own.
func newCopy(ctx context.Context, root string) (*treeCopy, error) {
	dir, err := os.MkdirTemp("", "holdfast-mutants-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the copy: %w", err)
	}
	c := &treeCopy{dir: dir, built: map[string]string{}}
	if err := tree.Copy(ctx, root, dir); err != nil {
		c.remove()
		return nil, err
	}
	return c, nil
}

func (c *treeCopy) remove() { _ = os.RemoveAll(c.dir) }

func (c *treeCopy) apply(ctx context.Context, m mutant) error  { return c.git(ctx, m, "apply") }
func (c *treeCopy) revert(ctx context.Context, m mutant) error { return c.git(ctx, m, "apply", "-R") }

func (c *treeCopy) git(ctx context.Context, m mutant, args ...string) error {
	cmd := c.command(ctx, "git", append(args, filepath.Join("testdata", "mutants", m.name+".patch"))...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the patch does not apply: %w\n%s", err, out)
	}
	return nil
}

// end is how a test ended.
type end uint8

const (
	passed end = iota
	failed
	broken // its package does not compile
	absent // there is no test of that name
)

type outcome struct {
	end    end
	output string
}

// clean runs the mutant's test without a patch. A package's tests are compiled once for all of its mutants.
func (c *treeCopy) clean(ctx context.Context, m mutant) outcome {
	bin, done := c.built[m.pkg]
	if !done {
		bin = filepath.Join(c.dir, fmt.Sprintf("clean%d.test", len(c.built)))
		if out, err := c.compile(ctx, m, bin); err != nil {
			return outcome{broken, out}
		}
		c.built[m.pkg] = bin
	}
	return c.run(ctx, m, bin)
}

// patched compiles and runs the mutant's test on the copy as it stands now.
func (c *treeCopy) patched(ctx context.Context, m mutant) outcome {
	bin := filepath.Join(c.dir, "mutant.test")
	defer os.Remove(bin)
	if out, err := c.compile(ctx, m, bin); err != nil {
		return outcome{broken, out}
	}
	return c.run(ctx, m, bin)
}

func (c *treeCopy) compile(ctx context.Context, m mutant, bin string) (string, error) {
	out, err := c.command(ctx, "go", "test", "-c", "-o", bin, "-tags", os.Getenv("TAGS"), m.pkg).CombinedOutput()
	return string(out), err
}

func (c *treeCopy) run(ctx context.Context, m mutant, bin string) outcome {
	run := c.command(ctx, bin, "-test.v", "-test.timeout=3m", "-test.run", pattern(m.test))
	run.Dir = filepath.Join(c.dir, m.pkg)
	out, err := run.CombinedOutput()
	ran := strings.Contains(string(out), "=== RUN   "+m.test)
	switch {
	case err == nil && ran:
		return outcome{passed, string(out)}
	case ran:
		return outcome{failed, string(out)}
	default:
		return outcome{absent, string(out)}
	}
}

// pattern matches the one test: each part of a name such as TestX/a_case for itself.
func pattern(test string) string {
	parts := strings.Split(test, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// command is a command on the copy. The copy is no part of a repository that may lie above it.
func (c *treeCopy) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GIT_CEILING_DIRECTORIES="+filepath.Dir(c.dir))
	return cmd
}
