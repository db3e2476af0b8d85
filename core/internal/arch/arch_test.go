package arch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	module  = "holdfast"
	fyneApp = "fyne.io/fyne/v2/app"
)

// pkg is what go list says of a package.
type pkg struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
	Deps                               []string
}

// name is the package's path inside the module; the main package at the top is "".
func (p pkg) name() string { return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/") }

func TestImports(t *testing.T) {
	for _, p := range list(t) {
		for _, complaint := range check(p) {
			t.Error(complaint)
		}
	}
}

// TestPlantedImports proves that each rule catches its violation.
func TestPlantedImports(t *testing.T) {
	tests := []struct {
		name string
		pkg  pkg
		want []string
	}{
		{
			name: "a machine imports the link",
			pkg:  pkg{ImportPath: "holdfast/core/history", Imports: []string{"holdfast/core/rpc"}},
			want: []string{"core/history imports core/rpc, which the table does not allow"},
		},
		{
			name: "a package outside the table imports ours",
			pkg:  pkg{ImportPath: "holdfast/core/brandnew", Imports: []string{"holdfast/core/stamp", "fmt"}},
			want: []string{"core/brandnew imports core/stamp, which the table does not allow"},
		},
		{
			name: "core depends on the toolkit through another module",
			pkg:  pkg{ImportPath: "holdfast/core/safetext", Deps: []string{"fmt", "fyne.io/fyne/v2/theme"}},
			want: []string{"core/safetext depends on fyne.io/fyne/v2/theme; core is headless"},
		},
		{
			name: "the window without GL stays free of it",
			pkg:  pkg{ImportPath: "holdfast/cmd/holdfast-headless", Deps: []string{"fyne.io/fyne/v2/widget"}},
			want: []string{"cmd/holdfast-headless depends on fyne.io/fyne/v2/widget; it runs without a window system"},
		},
		{
			name: "a widget's test needs GL",
			pkg:  pkg{ImportPath: "holdfast/widgets", TestImports: []string{"fyne.io/fyne/v2/app"}},
			want: []string{"widgets imports fyne.io/fyne/v2/app, which only the main package may"},
		},
		{
			name: "a machine starts a process",
			pkg:  pkg{ImportPath: "holdfast/core/session", Imports: []string{"os/exec"}},
			want: []string{"core/session imports os/exec; processes start in core/transport"},
		},
		{
			name: "a widget's outside test reaches for the session",
			pkg:  pkg{ImportPath: "holdfast/widgets", XTestImports: []string{"holdfast/widgets", "holdfast/core/session"}},
			want: []string{"widgets imports core/session in its tests, which the table does not allow"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := check(tt.pkg); !slices.Equal(got, tt.want) {
				t.Errorf("check says\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
}

// check returns what is wrong with the imports of p.
func check(p pkg) []string {
	var bad []string
	name := p.name()
	tests := slices.Concat(p.TestImports, p.XTestImports)
	for _, dep := range ours(p.Imports) {
		if !allowed(mayImport[name], dep) {
			bad = append(bad, fmt.Sprintf("%s imports %s, which the table does not allow", name, dep))
		}
	}
	for _, dep := range ours(tests) {
		if dep != name && !isHelper(name, dep) && !allowed(join(mayImport[name], testsMayAlsoImport[name], anyTestMayImport), dep) {
			bad = append(bad, fmt.Sprintf("%s imports %s in its tests, which the table does not allow", name, dep))
		}
	}
	if name != "" && slices.Contains(slices.Concat(p.Imports, tests), fyneApp) {
		bad = append(bad, fmt.Sprintf("%s imports %s, which only the main package may", name, fyneApp))
	}
	if slices.Contains(p.Imports, "os/exec") && !slices.Contains(osExec, name) && !isTool(name) {
		bad = append(bad, fmt.Sprintf("%s imports os/exec; processes start in core/transport", name))
	}
	if i := slices.IndexFunc(p.Deps, isFyne); i >= 0 {
		switch {
		case name == "core" || strings.HasPrefix(name, "core/"):
			bad = append(bad, fmt.Sprintf("%s depends on %s; core is headless", name, p.Deps[i]))
		case name == "cmd/holdfast-headless":
			bad = append(bad, fmt.Sprintf("%s depends on %s; it runs without a window system", name, p.Deps[i]))
		}
	}
	return bad
}

// ours returns the packages of this module among imports, by their path inside it.
func ours(imports []string) []string {
	var deps []string
	for _, imp := range imports {
		if dep, ok := strings.CutPrefix(imp, module+"/"); ok && !slices.Contains(deps, dep) {
			deps = append(deps, dep)
		}
	}
	return deps
}

// allowed reports whether one of patterns is dep, or covers it with a trailing star.
func allowed(patterns []string, dep string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		prefix, star := strings.CutSuffix(p, "*")
		return p == dep || star && strings.HasPrefix(dep, prefix)
	})
}

// isHelper reports whether dep is a helper for tests that name, a package of core or of the top level, may see.
func isHelper(name, dep string) bool {
	parent := path.Dir(path.Dir(dep))
	return path.Base(path.Dir(dep)) == "internal" && (parent == "." || strings.HasPrefix(name+"/", parent+"/"))
}

func isTool(name string) bool { return strings.HasPrefix(name, "tools/") }
func isFyne(dep string) bool  { return strings.HasPrefix(dep, "fyne.io/") }
func join(lists ...[]string) []string {
	return slices.Concat(lists...)
}

// list returns every package of the module, as the window's build sees it.
func list(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-tags=x11,no_animations",
		"-json=ImportPath,Imports,TestImports,XTestImports,Deps", "./...")
	cmd.Dir = filepath.Join("..", "..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []pkg
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatalf("read go list: %v", err)
		}
		pkgs = append(pkgs, p)
	}
}
