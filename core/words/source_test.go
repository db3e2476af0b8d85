package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// sources are the folders whose texts people read in the window.
var sources = []string{".", "core", "ui", "widgets"}

// A scan is what the source says: every text that is translated, and what the
// rules of this package forbid.
type scan struct {
	fset   *token.FileSet
	keys   map[string]string // a text, and the first place that says it
	wrong  []string
	fields map[string]bool // "package.field" of the type Key
}

// where each call has its text; N's first is for English alone.
var callArgs = map[string]int{
	"words.T": 0, "words.N": 2, "words.Date": 1, "words.Key": 0, "words.Error": 0, "safetext.Trusted": 0, "ui.line": 0,
}

// forwards are the functions that hand on a text of their caller's.
var forwards = map[string]bool{"ui.line": true, "words.T": true, "words.N": true, "words.Date": true, "words.String": true, "words.With": true, "words.Error": true, "safetext.Trusted": true}

func scanSource(t *testing.T) *scan {
	t.Helper()
	s := &scan{fset: token.NewFileSet(), keys: map[string]string{}, fields: map[string]bool{}}
	var files []*ast.File
	root := filepath.Join("..", "..")
	for _, dir := range sources {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && dir == "." && path != filepath.Join(root, dir):
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			f, err := parser.ParseFile(s.fset, path, nil, parser.SkipObjectResolution)
			files = append(files, f)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		s.keyFields(f)
	}
	for _, f := range files {
		s.file(f)
	}
	return s
}

// keyFields notes the fields of structs that are Keys.
func (s *scan) keyFields(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if st, ok := n.(*ast.StructType); ok {
			for _, field := range st.Fields.List {
				if isKey(f, field.Type) {
					for _, name := range field.Names {
						s.fields[f.Name.Name+"."+name.Name] = true
					}
				}
			}
		}
		return true
	})
}

func isKey(f *ast.File, x ast.Expr) bool { return nameOf(f, x) == "words.Key" }

// nameOf is "package.name" of a name.
func nameOf(f *ast.File, x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return f.Name.Name + "." + x.Name
	case *ast.SelectorExpr:
		if p, ok := x.X.(*ast.Ident); ok {
			return p.Name + "." + x.Sel.Name
		}
	}
	return ""
}

func (s *scan) file(f *ast.File) {
	for _, d := range f.Decls {
		atInit, in := true, ""
		if fn, ok := d.(*ast.FuncDecl); ok {
			atInit, in = false, f.Name.Name+"."+fn.Name.Name
		}
		s.walk(f, d, atInit, in)
	}
}

// walk notes the texts of a declaration. What is computed when the program
// starts is before the language is known.
func (s *scan) walk(f *ast.File, d ast.Node, atInit bool, in string) {
	keyParams := map[string]int{} // of local functions: which argument is a Key
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			s.walk(f, n.Body, false, in)
			return false
		case *ast.AssignStmt:
			if fn, ok := n.Rhs[0].(*ast.FuncLit); ok && len(n.Lhs) == 1 {
				if name, ok := n.Lhs[0].(*ast.Ident); ok && fn.Type.Params.NumFields() > 0 && isKey(f, fn.Type.Params.List[0].Type) {
					keyParams[name.Name] = 0
				}
			}
		case *ast.CallExpr:
			s.call(f, n, atInit, in)
			if name, ok := n.Fun.(*ast.Ident); ok {
				if i, ok := keyParams[name.Name]; ok {
					s.text(n.Args[i], true)
				}
			}
		case *ast.CompositeLit:
			s.composite(f, n)
		case *ast.ValueSpec:
			if n.Type != nil && isKey(f, n.Type) || in == "" && n.Type != nil && nameOf(f, n.Type) == "words.Error" {
				for _, v := range n.Values {
					s.text(v, true)
				}
			}
		}
		return true
	})
}

func (s *scan) call(f *ast.File, c *ast.CallExpr, atInit bool, in string) {
	name := nameOf(f, c.Fun)
	i, ok := callArgs[name]
	if !ok || i >= len(c.Args) || forwards[in] {
		return
	}
	if name == "words.Key" || name == "words.Error" {
		s.text(c.Args[i], false)
		return
	}
	if atInit {
		s.complain(c, "said before the language is known")
	}
	s.text(c.Args[i], true)
}

// composite notes the Keys of a table, and of a struct's fields.
func (s *scan) composite(f *ast.File, c *ast.CompositeLit) {
	table := false
	var anonymous map[int]bool
	switch t := c.Type.(type) {
	case *ast.ArrayType:
		table = isKey(f, t.Elt)
		if st, ok := t.Elt.(*ast.StructType); ok {
			anonymous = positions(f, st)
		}
	case *ast.MapType:
		table = isKey(f, t.Value)
	}
	for _, e := range c.Elts {
		value, field := e, ""
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			value = kv.Value
			if name, ok := kv.Key.(*ast.Ident); ok {
				field = name.Name
			}
		}
		_, literal := value.(*ast.BasicLit)
		if table || literal && s.fields[f.Name.Name+"."+field] {
			s.text(value, false)
		}
		if inner, ok := value.(*ast.CompositeLit); ok {
			for i := range anonymous {
				if i < len(inner.Elts) {
					s.text(inner.Elts[i], false)
				}
			}
		}
	}
}

// positions are the places of a struct's Keys.
func positions(f *ast.File, st *ast.StructType) map[int]bool {
	out, i := map[int]bool{}, 0
	for _, field := range st.Fields.List {
		for range field.Names {
			if isKey(f, field.Type) {
				out[i] = true
			}
			i++
		}
	}
	return out
}

// text notes a text; one that must be literal and is not is wrong.
func (s *scan) text(x ast.Expr, must bool) {
	switch text, ok := literal(x); {
	case ok:
		if _, known := s.keys[text]; !known {
			s.keys[text] = s.fset.Position(x.Pos()).String()
		}
	case must:
		s.complain(x, "a text that is not a literal cannot be looked up")
	}
}

func (s *scan) complain(n ast.Node, what string) {
	s.wrong = append(s.wrong, s.fset.Position(n.Pos()).String()+": "+what)
}

// literal is the value of a string literal, or of a sum of them.
func literal(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil && x.Kind == token.STRING
	case *ast.BinaryExpr:
		a, ok := literal(x.X)
		b, also := literal(x.Y)
		return a + b, ok && also
	}
	return "", false
}

var verb = regexp.MustCompile(`%(\[\d+\])?[-+# 0]*(?:\d+)?(?:\.\d+)?([a-zA-Z%])`)

// verbs are what a format is given, in the order of the arguments.
func verbs(format string) map[int]string {
	out, next := map[int]string{}, 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			next, _ = strconv.Atoi(strings.Trim(m[1], "[]"))
		}
		out[next] = m[2]
		next++
	}
	return out
}

// speaks says that a text has a word in it, and not signs alone.
func speaks(text string) bool {
	return strings.ContainsFunc(verb.ReplaceAllString(text, ""), unicode.IsLetter)
}

// unspoken are literals of the window that are not words of ours.
var unspoken = map[string]bool{"Tab, Shift+Tab": true, "Enter, Space": true, "Up, Down, Page, Home, End": true, "Menu, Shift+F10": true, "Ctrl+C, Ctrl+A": true, "Codex ": true, "This ": true}

// No sentence of the window is left outside: a literal there that begins with a
// capital and has a space in it is a text that is translated.
func TestNoSentenceIsLeftOutside(t *testing.T) {
	s := scanSource(t)
	for _, place := range []string{"ui", "widgets"} {
		root := filepath.Join("..", "..", place)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(s.fset, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			singular := map[ast.Node]bool{} // of N: English has it alone
			ast.Inspect(f, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok && nameOf(f, c.Fun) == "words.N" {
					singular[c.Args[1]] = true
				}
				x, ok := n.(*ast.BasicLit)
				text, isText := "", false
				if ok && !singular[x] {
					text, isText = literal(x)
				}
				_, known := s.keys[text]
				if isText && len(text) > 0 && unicode.IsUpper(rune(text[0])) && strings.Contains(text, " ") && !known && !unspoken[text] {
					t.Errorf("%s: %q is said in English alone", s.fset.Position(x.Pos()), text)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Every text of the window has its words in each language, and no word is left
// over. "English, Japanese and Simplified Chinese, complete, with a test that no
// key is missing."
func TestEveryTextIsTranslated(t *testing.T) {
	s := scanSource(t)
	for _, w := range s.wrong {
		t.Error(w)
	}
	if len(s.keys) < 400 {
		t.Errorf("only %d texts were found: the test does not see them", len(s.keys))
	}
	for _, l := range []Language{Japanese, Chinese} {
		words, err := load(l)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range slices.Sorted(maps.Keys(s.keys)) {
			text, ok := words[key]
			switch {
			case !ok && speaks(key):
				t.Errorf("%s: %s: no words for %q", l, s.keys[key], key)
			case ok && strings.TrimSpace(text) == "":
				t.Errorf("%s: nothing is said for %q", l, key)
			case ok && !maps.Equal(verbs(text), verbs(key)):
				t.Errorf("%s: %q takes %v, %q takes %v", l, key, verbs(key), text, verbs(text))
			}
		}
		for _, key := range slices.Sorted(maps.Keys(words)) {
			if _, used := s.keys[key]; !used {
				t.Errorf("%s: nothing says %q", l, key)
			}
		}
	}
}
