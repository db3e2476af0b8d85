//go:build unix

package start

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Each thing that can be the matter with an image is said, at its bound and one
// past it; nothing waits.
//
// req: DRF-6
func TestReadImage(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, n int) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(strings.Repeat("x", n)), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	outside := write("outside.png", 3)
	link := filepath.Join(dir, "link.png")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		path string
		want error
		text string
	}{
		{path: write("limit", 10)},
		{path: link, want: errLink},
		{path: write("over", 11), text: "it is larger than 0 MiB"},
		{path: write("empty", 0), want: errEmptyFile},
		{path: filepath.Join(dir, "missing"), want: errNotThere},
		{path: dir, want: errNotFile},
		{path: fifo, want: errNotFile},
		{path: "/dev/null", want: errNotFile},
	} {
		img, err := ReadImage(tc.path, 10)
		switch {
		case tc.text != "":
			if err == nil || err.Error() != tc.text {
				t.Errorf("%s: %v, want %q", tc.path, err, tc.text)
			}
		case !errors.Is(err, tc.want):
			t.Errorf("%s: %v, want %v", tc.path, err, tc.want)
		case err == nil && len(img.Data) == 0:
			t.Errorf("%s: no data", tc.path)
		}
	}
	folder := filepath.Join(dir, "folder")
	if err := os.Symlink(dir, folder); err != nil {
		t.Fatal(err)
	}
	if img, err := ReadImage(filepath.Join(folder, "outside.png"), 10); err != nil || img.Path != outside {
		t.Errorf("through a folder that is a link it is at %q (%v), want %q", img.Path, err, outside)
	}
}
