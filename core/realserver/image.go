package realserver

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
)

// Image writes a small PNG into the work folder and returns its path.
func (h *Home) Image(name string) string {
	h.t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		h.t.Fatal(err)
	}
	path := filepath.Join(h.Work, name)
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}
