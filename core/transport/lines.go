package transport

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// lines cuts a byte stream into frames at line ends without ever holding a
// whole line: a page of items can be 100 MiB on one line (PROTOCOL.md fact 19).
type lines struct {
	r    *bufio.Reader
	max  int64
	left int64 // of the current line, what may still come
	open bool  // in the middle of a line
	err  error // why there will be no more
}

func newLines(r io.Reader, limit int64) *lines {
	return &lines{r: bufio.NewReaderSize(r, 64<<10), max: limit}
}

// next skips what is left of the current line and empty lines, and waits for
// the first byte of another.
func (l *lines) next() (io.Reader, error) {
	if l.open {
		if _, err := io.Copy(io.Discard, lineReader{l}); err != nil && l.err == nil {
			l.err = err
		}
	}
	for l.err == nil {
		b, err := l.r.Peek(1)
		if err != nil {
			l.err = err
			break
		}
		if b[0] != '\n' && b[0] != '\r' {
			l.open, l.left = true, l.max
			return lineReader{l}, nil
		}
		_, _ = l.r.Discard(1) // it was peeked
	}
	return nil, l.err
}

// A lineReader reads the current line of l and ends where it ends.
type lineReader struct{ l *lines }

// Read gives io.EOF at the line's end only: a stream that ends in the middle of
// a line is io.ErrUnexpectedEOF, so that a torn frame is never a short one.
func (f lineReader) Read(p []byte) (int, error) {
	l := f.l
	if l.err != nil {
		return 0, l.err
	}
	if !l.open {
		return 0, io.EOF
	}
	if _, err := l.r.Peek(1); err != nil {
		return 0, l.fail(err)
	}
	b, _ := l.r.Peek(min(l.r.Buffered(), len(p))) // buffered, so it cannot fail
	end := bytes.IndexByte(b, '\n')
	if end >= 0 {
		b = b[:end]
	}
	if l.left -= int64(len(b)); l.left < 0 {
		return 0, l.fail(errTooLong)
	}
	n := copy(p, b)
	_, _ = l.r.Discard(n)
	if end < 0 {
		return n, nil
	}
	_, _ = l.r.Discard(1)
	l.open = false
	return n, io.EOF
}

func (l *lines) fail(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	l.open, l.err = false, err
	return err
}
