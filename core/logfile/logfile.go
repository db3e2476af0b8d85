package logfile

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"gopkg.in/natefinch/lumberjack.v2"

	"holdfast/core/safetext"
)

const (
	maxMegabytes = 5
	maxOld       = 3
	queueLen     = 1024
)

// A Log is an open log.
type Log struct {
	// Logger writes to it; it may be used after Close, to no effect.
	Logger *slog.Logger
	// Path is the file's.
	Path string

	sink *sink
}

// Open makes a log in a folder. It always gives a usable one: what the disk says
// is seen with the first record, see Lost.
func Open(dir string, level slog.Leveler) *Log {
	path := filepath.Join(dir, Name)
	// A folder of ours alone; if it cannot be made, writing says so.
	_ = os.MkdirAll(dir, 0o700)
	return open(&lumberjack.Logger{Filename: path, MaxSize: maxMegabytes, MaxBackups: maxOld}, path, level)
}

func open(out io.WriteCloser, path string, level slog.Leveler) *Log {
	s := newSink(out)
	h := slog.NewJSONHandler(s, &slog.HandlerOptions{Level: level})
	return &Log{Logger: slog.New(safetext.NewRedactor(h)), Path: path, sink: s}
}

// Lost is how many records could not be written and are not yet told of in the
// file.
func (l *Log) Lost() int64 { return l.sink.lost.Load() }

// Close writes what is queued and closes the file. On a disk that hangs it gives
// up when ctx is over.
func (l *Log) Close(ctx context.Context) error {
	l.sink.stop()
	select {
	case <-l.sink.done:
		return l.sink.closeErr
	case <-ctx.Done():
		return fmt.Errorf("close the log: %w", context.Cause(ctx))
	}
}

// A sink takes records without ever waiting.
type sink struct {
	out   io.WriteCloser
	queue chan []byte
	quit  chan struct{}
	once  sync.Once
	done  chan struct{}
	lost  atomic.Int64
	// torn says that the file may end inside a record. The goroutine's own.
	torn     bool
	closeErr error // set before done is closed
}

func newSink(out io.WriteCloser) *sink {
	s := &sink{out: out, queue: make(chan []byte, queueLen), quit: make(chan struct{}), done: make(chan struct{})}
	go s.run()
	return s
}

// Write queues one record; slog calls it once for each. It never fails, as
// nobody could do anything about it.
func (s *sink) Write(p []byte) (int, error) {
	select {
	case s.queue <- append([]byte(nil), p...): // the handler uses p again
	default:
		s.lost.Add(1)
	}
	return len(p), nil
}

func (s *sink) stop() { s.once.Do(func() { close(s.quit) }) }

func (s *sink) run() {
	defer close(s.done)
	for {
		select {
		case p := <-s.queue:
			s.record(p)
		case <-s.quit:
			for {
				select {
				case p := <-s.queue:
					s.record(p)
				default:
					s.closeErr = s.out.Close()
					return
				}
			}
		}
	}
}

// record writes one record, and before it how many are missing.
func (s *sink) record(p []byte) {
	if n := s.lost.Load(); n > 0 {
		if !s.put(fmt.Appendf(nil, `{"level":"WARN","msg":"records lost","count":%d}`+"\n", n)) {
			s.lost.Add(1)
			return
		}
		s.lost.Add(-n)
	}
	if !s.put(p) {
		s.lost.Add(1)
	}
}

func (s *sink) put(p []byte) bool {
	if s.torn {
		p = append([]byte("\n"), p...)
	}
	n, err := s.out.Write(p)
	if err != nil {
		s.torn = s.torn || n > 0
		return false
	}
	s.torn = false
	return true
}
