package transport

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLines(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name  string
		in    io.Reader
		limit int64
		want  []string // what each line reads as, an error after a colon
		end   error
	}{
		{"nothing", strings.NewReader(""), 9, nil, io.EOF},
		{"one", strings.NewReader("{}\n"), 9, []string{"{}"}, io.EOF},
		{"two in one read", strings.NewReader("a\nb\n"), 9, []string{"a", "b"}, io.EOF},
		{"byte by byte", iotest.OneByteReader(strings.NewReader("abc\nde\n")), 9, []string{"abc", "de"}, io.EOF},
		{"empty lines are no frames", strings.NewReader("\n\r\n\na\r\n\nb\n\n"), 9, []string{"a\r", "b"}, io.EOF},
		{"last line torn", strings.NewReader("a\nbc"), 9, []string{"a", "bc: unexpected EOF"}, io.ErrUnexpectedEOF},
		{"stream breaks", io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 9, []string{"a", "b: broken"}, broken},
		{"at the limit", strings.NewReader("abc\nd\n"), 3, []string{"abc", "d"}, io.EOF},
		{"one past it", strings.NewReader("abcd\ne\n"), 3, []string{": frame over 512 MiB"}, errTooLong},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLines(tt.in, tt.limit)
			var got []string
			r, err := l.next()
			for ; err == nil; r, err = l.next() {
				b, rerr := io.ReadAll(r)
				s := string(b)
				if rerr != nil {
					s += ": " + rerr.Error()
				}
				got = append(got, s)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("lines %q, want %q", got, tt.want)
			}
			if !errors.Is(err, tt.end) {
				t.Errorf("end %v, want %v", err, tt.end)
			}
			if _, again := l.next(); !errors.Is(again, err) {
				t.Errorf("next after the end: %v, want %v", again, err)
			}
		})
	}
}

// A reader that stops early leaves nothing of its line to the next one.
func TestTheRestOfALineIsSkipped(t *testing.T) {
	l := newLines(strings.NewReader("0123456789\nab\n"), 99)
	r, err := l.next()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	next, err := l.next()
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(next)
	if string(b) != "ab" || err != nil {
		t.Errorf("next line %q, %v, want ab", b, err)
	}
}

// A long line is passed on as it comes: what is held is the buffer.
func TestALongLineIsNeverHeld(t *testing.T) {
	const size = 100 << 20
	src := &counter{r: io.LimitReader(zeros{}, size)}
	l := newLines(src, MaxFrame)
	r, err := l.next()
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4096)
	var read, ahead int64
	for err == nil {
		var n int
		n, err = r.Read(buf)
		read += int64(n)
		ahead = max(ahead, src.n-read)
	}
	if read != size || ahead > 64<<10 {
		t.Errorf("read %d bytes with up to %d held, want %d with at most %d", read, ahead, size, 64<<10)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
