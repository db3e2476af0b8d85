package logfile

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A disk is a file that can be full, or hang.
type disk struct {
	mu     sync.Mutex
	text   bytes.Buffer
	full   bool
	room   int           // bytes that still fit when full
	hang   chan struct{} // nil: it does not
	closed bool
}

func (d *disk) Write(p []byte) (int, error) {
	if d.hang != nil {
		<-d.hang
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full && len(p) > d.room {
		n, _ := d.text.Write(p[:d.room])
		d.room = 0
		return n, errors.New("no space left on device")
	}
	return d.text.Write(p)
}

func (d *disk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	return nil
}

func (d *disk) set(full bool, room int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full, d.room = full, room
}

var timeField = regexp.MustCompile(`"time":"[^"]*",`)

func (d *disk) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return timeField.ReplaceAllString(d.text.String(), "")
}

// "A full disk under the log" loses records, counts them, and goes on later.
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		l := open(d, "x.log", slog.LevelInfo)
		step := func(msg string) {
			l.Logger.Info(msg)
			synctest.Wait()
		}
		step("one")
		d.set(true, 10)
		step("two")
		step("three")
		if got := l.Lost(); got != 2 {
			t.Errorf("Lost() = %d on a full disk, want 2", got)
		}
		d.set(false, 0)
		step("four")
		if got := l.Lost(); got != 0 {
			t.Errorf("Lost() = %d when told of, want 0", got)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
		want := `{"level":"INFO","msg":"one"}
{"time":"2
{"level":"WARN","msg":"records lost","count":2}
{"level":"INFO","msg":"four"}
`
		if got := d.String(); got != want || !d.closed {
			t.Errorf("the file (closed: %v) holds\n%s\nwant\n%s", d.closed, got, want)
		}
	})
}

// A disk that hangs takes no time from the program, and no memory without end.
func TestHangingDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{hang: make(chan struct{})}
		l := open(d, "x.log", slog.LevelInfo)
		l.Logger.Info("first")
		synctest.Wait() // the writer hangs in it
		start := time.Now()
		for range queueLen + 50 {
			l.Logger.Info("more")
		}
		if waited := time.Since(start); waited != 0 {
			t.Errorf("logging waited %v", waited)
		}
		if got := l.Lost(); got != 50 {
			t.Errorf("Lost() = %d, want 50", got)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := l.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close = %v while the disk hangs", err)
		}
		close(d.hang)
		synctest.Wait()
		if got := strings.Count(d.String(), `"msg":"more"`); got != queueLen {
			t.Errorf("%d records were written, want the %d queued ones", got, queueLen)
		}
		l.Logger.Info("after the end") // must not panic or wait
	})
}

func TestNoSecretReachesTheFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		l := open(d, "x.log", slog.LevelInfo)
		l.Logger.Info("dial", "url", "wss://me:s3cret@host/?token=s3cret", "apiKey", "s3cret", "err", errors.New("Authorization: Bearer s3cret"))
		l.Logger.Debug("not at this level")
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
		want := `{"level":"INFO","msg":"dial","url":"wss://[secret]@host/?token=[secret]","apiKey":"[secret]","err":"Authorization: [secret]"}` + "\n"
		if got := d.String(); got != want {
			t.Errorf("the file holds\n%s\nwant\n%s", got, want)
		}
	})
}

func TestOpenWritesAndKeepsTheFileToUs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	l := Open(dir, slog.LevelInfo)
	l.Logger.Info("hello")
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(l.Path)
	if err != nil || !strings.Contains(string(data), `"msg":"hello"`) {
		t.Errorf("the file holds %q, %v", data, err)
	}
	for path, want := range map[string]os.FileMode{l.Path: 0o600, dir: 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want && runtime.GOOS != "windows" {
			t.Errorf("%s: %v, %v, want mode %v", path, info, err, want)
		}
	}
}

// The folder's place is taken by a file: nothing can be written, nothing stops.
func TestFolderThatCannotBeMade(t *testing.T) {
	blocker := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocker, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := Open(filepath.Join(blocker, "logs"), slog.LevelInfo)
	l.Logger.Info("one")
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if got := l.Lost(); got != 1 {
		t.Errorf("Lost() = %d, want 1", got)
	}
}

func TestDir(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Setenv("HOME", "/home/me")
		if dir, err := Dir(); err != nil || !filepath.IsAbs(dir) {
			t.Errorf("Dir() = %q, %v", dir, err)
		}
		return
	}
	t.Setenv("HOME", "/home/me")
	for state, want := range map[string]string{"": "/home/me/.local/state/holdfast", "/var/state": "/var/state/holdfast", "relative": "/home/me/.local/state/holdfast"} {
		t.Setenv("XDG_STATE_HOME", state)
		if dir, err := Dir(); err != nil || dir != want {
			t.Errorf("XDG_STATE_HOME=%q: Dir() = %q, %v, want %q", state, dir, err, want)
		}
	}
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", "")
	if dir, err := Dir(); err == nil {
		t.Errorf("without a home: %q", dir)
	}
}
