package drive

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine bounds an input line: a draft of 64 MiB and its escapes.
const maxLine = 160 << 20

var errLineTooLong = errors.New("the line is longer than 160 MiB")

// A lineReader gives the non-empty lines of its input, the last one with or
// without its newline.
type lineReader struct{ r *bufio.Reader }

func newLineReader(r io.Reader) *lineReader { return &lineReader{bufio.NewReaderSize(r, 64<<10)} }

// next returns a line that is not empty. errLineTooLong is about one line: the
// next one can be read.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (l *lineReader) line() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			return nil, errLineTooLong
		}
		return line, err
	}
}
