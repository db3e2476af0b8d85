package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"holdfast/core/transport"
)

const (
	keptPrefix = "kept-"
	firstName  = "first" // the file that holds the first conversation's id
)

// keptFor is where the home of a demo is kept once its conversations are made:
// it takes seconds to make them and no time to copy them. It belongs to one
// program and to these very conversations.
//
// The server writes down the full paths of its files, so the copy must go to
// the place where they were made.
func (d *Demo) keptFor(codex string) (string, error) {
	native, err := transport.NativeBinary(codex)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(native)
	if err != nil {
		return "", fmt.Errorf("look at the codex program: %w", err)
	}
	sum := sha256.New()
	_, _ = fmt.Fprintln(sum, native, info.Size(), info.ModTime().UnixNano())
	_, _ = fmt.Fprintf(sum, "%+v", conversations(d.Cwd))
	return filepath.Join(d.dir, keptPrefix+hex.EncodeToString(sum.Sum(nil))[:12]), nil
}

// restore fills the home from what is kept, and reports whether it could.
func (d *Demo) restore(kept string) (bool, error) {
	first, err := os.ReadFile(filepath.Join(kept, firstName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read what the demo keeps: %w", err)
	}
	for _, name := range places {
		if err := os.CopyFS(filepath.Join(d.dir, name), os.DirFS(filepath.Join(kept, name))); err != nil {
			return false, errors.Join(fmt.Errorf("copy what the demo keeps: %w", err), d.clear())
		}
	}
	d.First = string(first)
	return true, nil
}

// keep copies the home, in place of what was kept before. The file that says
// that it is whole comes last.
func (d *Demo) keep(kept string) error {
	entries, err := os.ReadDir(d.dir)
	if err != nil {
		return fmt.Errorf("read the demo's folder: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), keptPrefix) {
			if err := os.RemoveAll(filepath.Join(d.dir, e.Name())); err != nil {
				return fmt.Errorf("remove what an earlier demo kept: %w", err)
			}
		}
	}
	for _, name := range places {
		if err := os.CopyFS(filepath.Join(kept, name), os.DirFS(filepath.Join(d.dir, name))); err != nil {
			return fmt.Errorf("keep the demo's %s: %w", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(kept, firstName), []byte(d.First), 0o600); err != nil {
		return fmt.Errorf("keep the demo: %w", err)
	}
	return nil
}
