package save

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	f, err := Create(" " + path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"one ", "two"} {
		if n, err := f.Write([]byte(s)); n != len(s) || err != nil {
			t.Errorf("%q: %d, %v", s, n, err)
		}
	}
	if _, err := Create(path); !errors.Is(err, ErrExists) {
		t.Errorf("over a file: %v", err)
	}
	if err := f.Finish(); err != nil || f.Path() != path || f.Len() != 7 {
		t.Errorf("%v, %q, %d", err, f.Path(), f.Len())
	}
	f.Discard()
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "one two" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := f.Write([]byte("late")); !errors.Is(err, ErrClosed) {
		t.Errorf("a late write: %v", err)
	}
}

func TestWhatIsDiscardedIsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.Write([]byte("half"))
	f.Discard()
	if err := f.Finish(); !errors.Is(err, ErrClosed) {
		t.Errorf("finished after all: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is there: %v", err)
	}
}

func TestNamesThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	if _, err := Create("  "); !errors.Is(err, ErrName) {
		t.Errorf("no name: %v", err)
	}
	if _, err := Create(filepath.Join(dir, "none", "x")); err == nil {
		t.Error("a file in a folder that is not there")
	}
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(filepath.Join(dir, "link")); !errors.Is(err, ErrExists) {
		t.Errorf("through a link: %v", err)
	}
	f, err := Create("~/x")
	if err != nil || f.Path() != filepath.Join(dir, "x") {
		t.Fatalf("in the home folder: %v", err)
	}
	f.Discard()
}
