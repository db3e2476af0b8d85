package realserver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"holdfast/core/fakemodel"
	"holdfast/core/seed"
)

// A Seed is what a home holds before a test begins. It is kept in the user's
// cache folder, by the server's version, the name and the revision.
//
// A server writes down the full paths of its files, so a home works at one
// path only. Each seed therefore has one place to live, which a test has for
// itself until it ends and which is copied anew for each.
type Seed struct {
	Name string
	// Revision changes whenever Make makes something else.
	Revision int
	Make     func(h *Home, m *seed.Maker) error
	// After, if set, goes on when the server of Make has ended.
	After func(h *Home) error
}

// Long3000 holds one conversation, "Three thousand items", of 100 turns with
// 30 items each.
var Long3000 = Seed{Name: "long3000", Revision: 1, Make: func(h *Home, m *seed.Maker) error {
	_, err := m.Make(h.Context(), seed.Long("Three thousand items", 100, 30))
	return err
}}

// Into moves the home to the seed's place and fills it. The first call for a
// version takes seconds, every later one copies files. Another test that wants
// the same seed waits for this one to end.
func (s Seed) Into(h *Home) {
	h.t.Helper()
	place, err := s.place(h)
	if err != nil {
		h.t.Fatalf("seed %s for codex %s: %v", s.Name, h.Version, err)
	}
	config, err := os.ReadFile(filepath.Join(h.Dir, "config.toml"))
	if err != nil {
		h.t.Fatal(err)
	}
	h.Dir = filepath.Join(place, "home")
	if err := s.fill(h, filepath.Join(place, "kept")); err != nil {
		h.t.Fatalf("seed %s for codex %s: %v", s.Name, h.Version, err)
	}
	if err := os.WriteFile(filepath.Join(h.Dir, "config.toml"), config, 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// place makes the seed's folder and keeps it for this test.
func (s Seed) place(h *Home) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir() // no HOME: still right, only not kept
	}
	dir := filepath.Join(base, "holdfast", "seed", fmt.Sprintf("%s-%s-%d", h.Version, s.Name, s.Revision))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the cache folder: %w", err)
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	if err := lock.Lock(); err != nil {
		return "", fmt.Errorf("lock the cache folder: %w", err)
	}
	h.t.Cleanup(func() { _ = lock.Unlock() })
	return dir, nil
}

// fill copies what is kept to the home, after making it where it is not there.
func (s Seed) fill(h *Home, kept string) error {
	if _, err := os.Stat(kept); err == nil {
		return replace(h.Dir, kept)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look for a seed: %w", err)
	}
	if err := os.RemoveAll(h.Dir); err != nil {
		return fmt.Errorf("clear the seed's place: %w", err)
	}
	if err := os.Mkdir(h.Dir, 0o700); err != nil {
		return fmt.Errorf("make the seed's place: %w", err)
	}
	h.Configure(fakemodel.Config{})
	server := h.ListenWS()
	maker := server.Maker()
	if err := s.Make(h, maker); err != nil {
		return err
	}
	_ = maker.Client.Close()
	server.Stop()
	if s.After != nil {
		if err := s.After(h); err != nil {
			return err
		}
	}
	partial := kept + ".partial"
	if err := replace(partial, h.Dir); err != nil {
		return err
	}
	if err := os.Rename(partial, kept); err != nil {
		return fmt.Errorf("keep a seed: %w", err)
	}
	return nil
}

// replace makes dst a copy of src.
func replace(dst, src string) error {
	if err := os.RemoveAll(dst); err != nil {
		return fmt.Errorf("clear %s: %w", dst, err)
	}
	if err := os.CopyFS(dst, os.DirFS(src)); err != nil {
		return fmt.Errorf("copy a home: %w", err)
	}
	return nil
}
