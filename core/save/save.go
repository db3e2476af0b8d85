package save

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"holdfast/core/words"
)

var (
	// ErrExists says that the file is there already.
	ErrExists = words.Error("the file exists already")
	// ErrName says that no file was named.
	ErrName = words.Error("no file is named")
	// ErrClosed says that the file takes nothing more.
	ErrClosed = words.Error("the file is closed")
)

// A File is being written. Its methods are safe for concurrent use.
type File struct {
	mu   sync.Mutex
	path string
	f    *os.File
	w    *bufio.Writer
	n    int64
	err  error
	shut bool
}

// Create begins a new file, readable for its owner alone. A path may begin with
// ~/ for the home folder; a relative one is in the folder of the process.
func Create(path string) (*File, error) {
	path = strings.TrimSpace(path)
	if path == "" {
		return nil, ErrName
	}
	if rest, home := strings.CutPrefix(path, "~/"); home {
		dir, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("find the home folder: %w", err)
		}
		path = filepath.Join(dir, rest)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find the folder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // never through a link
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, ErrExists
	case err != nil:
		return nil, fmt.Errorf("create the file: %w", err)
	}
	return &File{path: path, f: f, w: bufio.NewWriterSize(f, 64<<10)}, nil
}

// Path is where the file is, from the root.
func (f *File) Path() string { return f.path }

// Len is how many bytes were written.
func (f *File) Len() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

// Write adds to the file.
func (f *File) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.shut:
		return 0, ErrClosed
	case f.err != nil:
		return 0, f.err
	}
	n, err := f.w.Write(b)
	f.n += int64(n)
	if err != nil {
		f.err = fmt.Errorf("write the file: %w", err)
	}
	return n, f.err
}

// Finish keeps the file. One that could not be written whole is removed.
func (f *File) Finish() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shut {
		return ErrClosed
	}
	f.shut = true
	err := errors.Join(f.err, f.w.Flush(), f.f.Close())
	if err != nil {
		return fmt.Errorf("finish the file: %w", errors.Join(err, os.Remove(f.path)))
	}
	return nil
}

// Discard removes the file. After Finish, or a second time, it does nothing.
func (f *File) Discard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shut {
		return
	}
	f.shut = true
	_ = f.f.Close() // nothing of it stays
	_ = os.Remove(f.path)
}
