package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// No mutation goes around the ledger: the calls that send one stand in mutate
// alone, the one that answers a request in write and reply, and nothing else in
// core has a connection to send on.
//
// req: LED-1, LED-3
func TestNothingGoesAroundTheLedger(t *testing.T) {
	may := map[string][]string{
		"SendTracked": {"mutate"},
		"Send":        {},
		"Reply":       {"reply", "write"},
		"Refuse":      {"asked", "write"},
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, isFunc := d.(*ast.FuncDecl)
			if !isFunc {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				sel, isSel := n.(*ast.SelectorExpr)
				if !isSel {
					return true
				}
				who, watched := may[sel.Sel.Name]
				if !watched || isType(sel) {
					return true
				}
				found[sel.Sel.Name]++
				if !slices.Contains(who, fn.Name.Name) {
					t.Errorf("%s calls %s", fn.Name.Name, sel.Sel.Name)
				}
				return true
			})
		}
	}
	if found["SendTracked"] != 1 || found["Reply"] != 2 {
		t.Errorf("found %v: the test no longer sees what it watches", found)
	}
}

// isType tells the intents Send and so on from the calls.
func isType(sel *ast.SelectorExpr) bool {
	x, isIdent := sel.X.(*ast.Ident)
	return isIdent && x.Name == "session"
}
