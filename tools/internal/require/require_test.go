package require

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// TestNamedRowsExist proves that no test claims a requirement that is not written down.
func TestNamedRowsExist(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	rows, err := Read(root)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, row := range rows {
		if known[row.ID] {
			t.Errorf("%s stands twice in the table", row.ID)
		}
		known[row.ID] = true
	}
	named, err := Named(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range slices.Sorted(maps.Keys(named)) {
		if !known[id] {
			t.Errorf("%s is no requirement, yet named at %v", id, named[id])
		}
	}
}

func TestRead(t *testing.T) {
	root := t.TempDir()
	write(t, root, "core/REQUIREMENTS.md", "| ID | must hold |\n|---|---|\n| HIS-7 M | one \\| two |\n| REC-1 | three |\ntext\n")
	// The comments are put together here, so that the search of the tree does not find them in this file.
	req := "// " + "req: "
	write(t, root, "a/a_test.go", "package a\n"+req+"HIS-7, REC-1\nfunc x() {} "+req+"HIS-7\n")
	write(t, root, "a/a.go", req+"REC-2\n")
	write(t, root, "a/testdata/b_test.go", req+"REC-3\n")
	rows, err := Read(root)
	want := []Row{{ID: "HIS-7", Mutant: true, Text: `one \| two`}, {ID: "REC-1", Text: "three"}}
	if err != nil || !slices.Equal(rows, want) {
		t.Errorf("Read = %+v, %v, want %+v", rows, err, want)
	}
	if area := rows[0].Area(); area != "HIS" {
		t.Errorf("Area = %q", area)
	}
	named, err := Named(root)
	file := filepath.Join(root, "a", "a_test.go")
	wantNamed := map[string][]string{"HIS-7": {file + ":2", file + ":3"}, "REC-1": {file + ":2"}}
	if err != nil || !reflect.DeepEqual(named, wantNamed) {
		t.Errorf("Named = %v, %v, want %v", named, err, wantNamed)
	}
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	name = filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
