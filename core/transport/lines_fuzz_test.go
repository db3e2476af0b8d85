package transport

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"
)

// However the bytes come in: each line that is not empty is one frame, whole and
// in order, and a torn one is never taken for whole.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\nbc\r\n{}"), uint8(0))
	f.Add([]byte("\r\n\r\n"), uint8(1))
	f.Add([]byte("0123456789\n0"), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, how uint8) {
		var want [][]byte
		lines := bytes.Split(data, []byte("\n"))
		whole := lines[:len(lines)-1]
		for _, b := range whole {
			if b = bytes.TrimLeft(b, "\r"); len(b) > 0 {
				want = append(want, b)
			}
		}
		torn := len(bytes.TrimLeft(lines[len(lines)-1], "\r")) > 0
		src := io.Reader(bytes.NewReader(data))
		switch how % 3 {
		case 1:
			src = iotest.HalfReader(src)
		case 2:
			src = iotest.DataErrReader(src)
		}
		l := newLines(src, MaxFrame)
		var got [][]byte
		tore := false
		r, err := l.next()
		for ; err == nil; r, err = l.next() {
			b, rerr := io.ReadAll(r)
			switch {
			case rerr == nil:
				got = append(got, b)
			case errors.Is(rerr, io.ErrUnexpectedEOF):
				tore = true
			default:
				t.Errorf("a line ended with %v", rerr)
			}
		}
		if !slices.EqualFunc(got, want, bytes.Equal) || tore != torn {
			t.Errorf("lines %q torn %v, want %q torn %v", got, tore, want, torn)
		}
	})
}
