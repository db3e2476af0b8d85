package transport

import (
	"bufio"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// What is kept of a child's stderr, for the sentence about its end.
const (
	tailLines = 4
	tailLine  = 200
)

// A tail logs the lines of a child's stderr and remembers the last few, and the
// last one that calls itself an error.
type tail struct {
	log   *slog.Logger
	mu    sync.Mutex
	lines []string
	fatal string
}

func newTail(log *slog.Logger) *tail { return &tail{log: log} }

// read takes lines until r ends. A line without end is cut, never collected.
func (t *tail) read(r io.Reader) {
	b := bufio.NewReaderSize(r, 4096)
	for {
		line, more, err := b.ReadLine()
		if err != nil {
			return
		}
		t.add(string(line))
		for more && err == nil {
			_, more, err = b.ReadLine()
		}
	}
}

func (t *tail) add(line string) {
	line = cleanLine(line)
	if line == "" || backtrace.MatchString(line) {
		return
	}
	t.log.Debug("stderr", slog.String("line", line))
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.lines) == tailLines {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, line)
	if isError.MatchString(line) {
		t.fatal = line
	}
}

// last gives the error, else the remembered lines as one text.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fatal != "" {
		return t.fatal
	}
	return strings.Join(t.lines, " / ")
}

var (
	// backtrace matches what Rust prints after an error.
	backtrace = regexp.MustCompile(`^(Stack backtrace:|\d+: |at )`)
	isError   = regexp.MustCompile(`(?i)^(error|fatal)\b`)
	escapes   = regexp.MustCompile(`\x1b\[[0-9;?]*[ -/]*[@-~]`)
	secrets   = regexp.MustCompile(`(?i)(bearer\s+)\S+|(://)[^\s/@]+@|((?:token|secret|password|api[_-]?key)["']?\s*[=:]\s*)\S+|(\?)[^\s"']+|\bsk-[\w-]+`)
)

// cleanLine makes a line of foreign output fit for a sentence: one line, no
// control characters, bounded, and nothing in it that looks like a secret.
func cleanLine(s string) string {
	s = escapes.ReplaceAllString(strings.ToValidUTF8(s, "\uFFFD"), "")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
	s = secrets.ReplaceAllString(strings.TrimSpace(s), "$1$2$3$4***")
	if r := []rune(s); len(r) > tailLine {
		s = string(r[:tailLine]) + "…"
	}
	return s
}
