package lint

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// linter is where make puts the pinned linter.
const linter = ".tools/bin/golangci-lint-2.15.0"

// expectation is what a comment of a planted line asks for: "linter: part of the text".
var expectation = regexp.MustCompile(`\b([a-z]+): ([^;]+)`)

// issue is one complaint of the linter.
type issue struct {
	FromLinter, Text string
	Pos              struct {
		Filename string
		Line     int
	}
}

func TestPlantedViolations(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	config, err := os.ReadFile(filepath.Join(root, ".golangci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".golangci.yml"), string(config))
	for name, text := range planted {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	found := lint(t, filepath.Join(root, linter), dir)
	for _, name := range slices.Sorted(maps.Keys(planted)) {
		for i, line := range strings.Split(planted[name], "\n") {
			_, comment, _ := strings.Cut(line, " // ")
			for _, want := range expectation.FindAllStringSubmatch(comment, -1) {
				if !slices.ContainsFunc(found, func(is issue) bool {
					return is.Pos.Filename == name && is.Pos.Line == i+1 && is.FromLinter == want[1] &&
						strings.Contains(is.Text, strings.TrimSpace(want[2]))
				}) {
					t.Errorf("%s:%d: %s says nothing of %q", name, i+1, want[1], want[2])
				}
			}
		}
	}
	for _, name := range []string{"gofumpt", "nolintlint"} { // their lines can carry no comment
		if !slices.ContainsFunc(found, func(is issue) bool { return is.FromLinter == name }) {
			t.Errorf("%s says nothing at all", name)
		}
	}
	for _, is := range found {
		if strings.HasPrefix(is.Pos.Filename, "core/transport/") {
			t.Errorf("a package that may start processes is blamed: %+v", is)
		}
	}
	if t.Failed() {
		for _, is := range found {
			t.Logf("found %s:%d %s: %s", is.Pos.Filename, is.Pos.Line, is.FromLinter, is.Text)
		}
	}
}

// lint returns the complaints about the module in dir.
func lint(t *testing.T, bin, dir string) []issue {
	t.Helper()
	out := filepath.Join(t.TempDir(), "issues.json")
	cmd := exec.CommandContext(t.Context(), bin, "run", "--allow-parallel-runners", "--output.json.path", out,
		"--max-issues-per-linter=0", "--max-same-issues=0", "--uniq-by-line=false", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	text, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatal("the linter found nothing at all")
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatalf("the linter did not run (make lint installs it): %v\n%s", err, text)
	}
	var report struct{ Issues []issue }
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatal(fmt.Errorf("read the linter's report: %w", err))
	}
	return report.Issues
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
