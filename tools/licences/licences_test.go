package main

import (
	"os"
	"path/filepath"
	"testing"

	"holdfast/core/licences"
)

// The list is what the build has: a module that comes, goes or changes has to be
// in it (go run ./tools/licences).
func TestTheListIsCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := list(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the build has: make it again", file)
	}
	for _, l := range licences.All() {
		if l.Name == "" || l.Kind == "" || len(l.Text) < 200 {
			t.Errorf("a licence is not whole: %q %q, %d bytes", l.Name, l.Kind, len(l.Text))
		}
	}
	if n := len(licences.All()); n < 30 {
		t.Errorf("only %d licences", n)
	}
}
