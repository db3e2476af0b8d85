package protocol_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"holdfast/core/protocol"
	"holdfast/core/realserver"
)

func contract(t *testing.T) protocol.ContractList {
	t.Helper()
	c, err := protocol.Contract()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// declared reads the methods from the source of this package: the literals of
// the method values, the keys of the decoders' tables, the one client
// notification.
func declared(t *testing.T) protocol.ContractList {
	t.Helper()
	c := protocol.ContractList{
		Contract: protocol.ContractVersion, Target: protocol.Target.String(), Regression: protocol.Regression.String(),
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			collect(&c, n)
			return true
		})
	}
	for _, list := range []*[]string{&c.Queries, &c.Calls, &c.Mutations, &c.ClientNotifications, &c.Notifications, &c.ServerRequests} {
		slices.Sort(*list)
	}
	return c
}

// collect adds the methods that one node declares.
func collect(c *protocol.ContractList, n ast.Node) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		list := kindList(c, n.Type)
		for _, e := range n.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok || list == nil {
				continue
			}
			if name, ok := kv.Key.(*ast.Ident); ok && name.Name == "Method" {
				*list = append(*list, literal(kv.Value))
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			switch name.Name {
			case "notifications":
				c.Notifications = append(c.Notifications, keys(n.Values[i])...)
			case "requests":
				c.ServerRequests = append(c.ServerRequests, keys(n.Values[i])...)
			case "Initialized":
				c.ClientNotifications = append(c.ClientNotifications, literal(n.Values[i]))
			}
		}
	}
}

// kindList chooses the list for a literal of type Kind[P, R].
func kindList(c *protocol.ContractList, t ast.Expr) *[]string {
	index, ok := t.(*ast.IndexListExpr)
	if !ok {
		return nil
	}
	name, ok := index.X.(*ast.Ident)
	if !ok {
		return nil
	}
	return map[string]*[]string{"Query": &c.Queries, "Call": &c.Calls, "Mutation": &c.Mutations}[name.Name]
}

func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		return "not a literal"
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return lit.Value
	}
	return s
}

func keys(e ast.Expr) (list []string) {
	for _, elt := range e.(*ast.CompositeLit).Elts {
		list = append(list, literal(elt.(*ast.KeyValueExpr).Key))
	}
	return list
}

// req: CON-2
func TestContractListsWhatTheCodeUses(t *testing.T) {
	if got, want := contract(t), declared(t); !reflect.DeepEqual(got, want) {
		t.Errorf("app-server-contract.json is\n%+v\nthe code uses\n%+v", got, want)
	}
}

// req: CON-2
func TestContractNamesThePinnedVersions(t *testing.T) {
	c := contract(t)
	if c.Target != realserver.Target || c.Regression != realserver.Regression {
		t.Errorf("contract is for %s and %s, pinned are %s and %s", c.Target, c.Regression, realserver.Target, realserver.Regression)
	}
	if protocol.NewestKnown.String() != realserver.Newest || protocol.Minimum != protocol.Regression {
		t.Errorf("newest known %v, minimum %v", protocol.NewestKnown, protocol.Minimum)
	}
}

// methodLike is how a method of the protocol looks.
var methodLike = regexp.MustCompile(`^[a-z][A-Za-z]*(/[a-z][A-Za-z]*)+$`)

// kits are the folders that are no part of the product: they play a server, or
// use one for tests.
var kits = []string{"core/fakemodel", "core/internal", "core/realserver", "core/seed", "tools", ".tools", "out", "bin", ".git"}

// req: CON-2
func TestNoOtherMethodIsNamedAnywhere(t *testing.T) {
	c := contract(t)
	used := slices.Concat(c.Queries, c.Calls, c.Mutations, c.ClientNotifications, c.Notifications, c.ServerRequests)
	known := loadSchemas(t, realserver.Target, true).methods()
	root, err := realserver.Root()
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() && (slices.Contains(kits, filepath.ToSlash(rel)) || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if s := literal(lit); methodLike.MatchString(s) && slices.Contains(known, s) && !slices.Contains(used, s) {
				t.Errorf("%s names %q, which app-server-contract.json does not list", rel, s)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Errorf("only %d files looked at", files)
	}
}

// req: CON-2
func TestAttachmentsAreNotWritten(t *testing.T) {
	c := contract(t)
	for _, m := range slices.Concat(c.Queries, c.Calls, c.Mutations) {
		if m == "thread/attachment/add" || m == "thread/attachment/remove" {
			t.Errorf("the contract lists %s", m)
		}
	}
}

// retryable is the allowlist of REC-13, to the letter.
var retryable = []string{
	"account/read", "model/list", "skills/list", "thread/attachment/list", "thread/items/list",
	"thread/list", "thread/read", "thread/turns/list",
}

// req: REC-13
func TestQueriesAreTheRetryAllowlist(t *testing.T) {
	if got := contract(t).Queries; !slices.Equal(got, retryable) {
		t.Errorf("queries are %q, want %q", got, retryable)
	}
}
