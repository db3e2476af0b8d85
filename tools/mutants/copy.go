package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// treeCopy is a copy of the tree's files in a folder of its own.
type treeCopy struct {
	dir string
}

// newCopy copies every file that git tracks or would track. The fetched tools are shared by a link.
func newCopy(ctx context.Context, root string) (*treeCopy, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("find the tree: %w", err)
	}
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-coz", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the tree's files: %w", err)
	}
	dir, err := os.MkdirTemp("", "holdfast-mutants-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the copy: %w", err)
	}
	c := &treeCopy{dir: dir}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		err := copyFile(filepath.Join(root, name), filepath.Join(dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // deleted, not yet committed
			c.remove()
			return nil, fmt.Errorf("copy %s: %w", name, err)
		}
	}
	if err := os.Symlink(filepath.Join(root, ".tools"), filepath.Join(dir, ".tools")); err != nil {
		c.remove()
		return nil, fmt.Errorf("share the tools: %w", err)
	}
	return c, nil
}

func copyFile(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, info.Mode().Perm())
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

// test compiles and runs the mutant's test on the copy as it stands now.
func (c *treeCopy) test(ctx context.Context, m mutant) outcome {
	bin := filepath.Join(c.dir, "mutant.test")
	defer os.Remove(bin)
	compile := c.command(ctx, "go", "test", "-c", "-o", bin, "-tags", os.Getenv("TAGS"), m.pkg)
	if out, err := compile.CombinedOutput(); err != nil {
		return outcome{broken, string(out)}
	}
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
