package start

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"holdfast/core/session"
	"holdfast/core/words"
)

var (
	errNotThere  = words.Error("it does not exist")
	errLink      = words.Error("it is a link; choose the file that it leads to")
	errNotFile   = words.Error("it is not a file")
	errNotOurs   = words.Error("it may not be read")
	errUnread    = words.Error("reading it failed")
	errEmptyFile = words.Error("it is empty")
)

// ReadImage reads a file of at most limit bytes, and says where it really is: a
// folder on the way may be a link out of a root (DRF-6). A link in the file's
// own place is not followed: what was chosen may have been replaced by it. It
// never waits on a pipe or a device.
func ReadImage(path string, limit int64) (session.Image, error) {
	before, err := os.Lstat(path)
	switch {
	case err != nil:
		return session.Image{}, why(err)
	case before.Mode()&fs.ModeSymlink != 0:
		return session.Image{}, errLink
	case !before.Mode().IsRegular():
		return session.Image{}, errNotFile
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return session.Image{}, why(err)
	}
	f, err := os.OpenFile(real, os.O_RDONLY|straight, 0)
	if err != nil {
		return session.Image{}, why(err)
	}
	defer func() { _ = f.Close() }()
	// What was opened must be what was looked at: it may have been replaced.
	if now, err := f.Stat(); err != nil || !os.SameFile(before, now) {
		return session.Image{}, errNotFile
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return session.Image{}, errUnread
	case int64(len(data)) > limit:
		return session.Image{}, errors.New(words.T("it is larger than %d MiB", limit>>20))
	case len(data) == 0:
		return session.Image{}, errEmptyFile
	}
	return session.Image{Data: data, Path: real}, nil
}

// why says for people what is the matter with a path.
func why(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errNotThere
	case errors.Is(err, fs.ErrPermission):
		return errNotOurs
	}
	return errUnread
}
