package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOnePost proves that the way onto the window's goroutine is named once in the program: the main package hands
// fyne.Do to the poster, and nothing else crosses.
func TestOnePost(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	var uses []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		found, err := fyneDos(name, src)
		uses = append(uses, found...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(uses) > 1 {
		t.Errorf("fyne.Do is named %d times, want once at most:\n%s", len(uses), strings.Join(uses, "\n"))
	}
}

func TestPlantedDo(t *testing.T) {
	src := []byte(`package p

import "fyne.io/fyne/v2"
import other "fyne.io/fyne/v2"

func f() {
	fyne.Do(nil) // the first
	post := other.DoAndWait
	post(nil)
	fyne.NewSize(1, 1)
}`)
	got, err := fyneDos("p.go", src)
	if want := []string{"p.go:7:2", "p.go:8:10"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("fyneDos = %q, %v, want %q", got, err, want)
	}
}

// fyneDos returns where the source names fyne.Do or fyne.DoAndWait, under whatever name the toolkit is imported.
func fyneDos(name string, src []byte) ([]string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, imp := range file.Imports {
		if imp.Path.Value != `"fyne.io/fyne/v2"` {
			continue
		}
		if imp.Name != nil {
			names = append(names, imp.Name.Name)
		} else {
			names = append(names, "fyne")
		}
	}
	var uses []string
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Do" && sel.Sel.Name != "DoAndWait" {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(names, x.Name) {
			uses = append(uses, files.Position(sel.Pos()).String())
		}
		return true
	})
	return uses, nil
}
