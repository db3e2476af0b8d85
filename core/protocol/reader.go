package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of one item (ruling 9).
const (
	// maxMessage is how much of a user or agent text is kept: all of it, to here.
	maxMessage = 1 << 20
	// maxField is how much of any other string is kept.
	maxField = 128 << 10
	// maxItem is how much text one item keeps in all: many fields that each fit
	// may not add up to a flood.
	maxItem = 2 << 20
	// maxParts is how many elements one list of an item keeps.
	maxParts = 10_000
)

// A reader takes one item, or one notification, apart token by token. Its
// methods never fail: a broken stream ends in err, and a known field that holds
// the wrong kind of value is skipped and named in odd.
type reader struct {
	d    *jsontext.Decoder
	err  error  // the stream is broken or cannot be believed
	odd  string // the first field of the wrong kind
	cuts []Cut
	left int   // of maxItem
	lost int64 // bytes our cuts left out
	buf  []byte

	early int // bytes held until an item's type is known
}

// readers keeps the buffers of readers, so that decoding a page leaves behind
// little more than what it keeps.
var readers = sync.Pool{New: func() any { return new(reader) }}

// maxBuf is the largest buffer that is kept for the next reader.
const maxBuf = 4 << 20

func newReader(d *jsontext.Decoder) *reader {
	r := readers.Get().(*reader)
	*r = reader{d: d, left: maxItem, buf: r.buf[:0]}
	return r
}

func (r *reader) release() {
	if cap(r.buf) > maxBuf {
		r.buf = nil
	}
	*r = reader{buf: r.buf}
	readers.Put(r)
}

// token reads one token whose value does not matter.
func (r *reader) token() {
	if r.err == nil {
		_, r.err = r.d.ReadToken()
	}
}

// value reads the next value as raw JSON, valid until the next call.
func (r *reader) value() jsontext.Value {
	if r.err != nil {
		return nil
	}
	v, err := r.d.ReadValue()
	r.err = err
	return v
}

func (r *reader) skip() {
	if r.err == nil {
		r.err = r.d.SkipValue()
	}
}

// is reports whether the next value is of kind k. A null is skipped: every
// field may be null. Anything else is skipped as well, and noted.
func (r *reader) is(field string, k jsontext.Kind) bool {
	if r.err != nil {
		return false
	}
	got := r.d.PeekKind()
	if got == k {
		return true
	}
	if got != jsontext.KindNull && r.odd == "" {
		r.odd = fmt.Sprintf("%q is %s", field, kindName(got))
	}
	r.skip()
	return false
}

func kindName(k jsontext.Kind) string {
	switch k {
	case jsontext.KindString:
		return "a string"
	case jsontext.KindNumber:
		return "a number"
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "a list"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "a boolean"
	}
	return "not a value"
}

// object reads an object: f reads the value of each name.
func (r *reader) object(field string, f func(name string)) {
	if !r.is(field, jsontext.KindBeginObject) {
		return
	}
	r.token()
	for r.err == nil && r.d.PeekKind() == jsontext.KindString {
		f(r.name())
	}
	r.token()
}

// array reads a list: f reads each element.
func (r *reader) array(field string, f func()) {
	if !r.is(field, jsontext.KindBeginArray) {
		return
	}
	r.token()
	n := 0
	for r.err == nil && r.d.PeekKind() != jsontext.KindEndArray && r.d.PeekKind() != jsontext.KindInvalid {
		if n++; n > maxParts {
			r.uncounted(field)
			continue
		}
		f()
	}
	if n > maxParts {
		r.cut(field)
	}
	r.token()
}

// uncounted passes over an element that is not kept, and counts its line of text.
func (r *reader) uncounted(field string) {
	var n int64
	switch kind := r.d.PeekKind(); {
	case kind == jsontext.KindString:
		n = r.decoded(field)
	case kind == jsontext.KindBeginObject && field == "changes":
		left, cuts := r.left, len(r.cuts)
		r.left = maxItem
		u := r.change(field)
		n = int64(PlainLen(Item{Body: FileChange{Changes: []FileUpdate{u}}}))
		r.left, r.cuts = left, r.cuts[:cuts]
	case kind == jsontext.KindBeginObject:
		r.object(field, func(name string) {
			if name == "text" {
				n = r.decoded(name)
				return
			}
			r.skip()
		})
	default:
		r.skip()
		return
	}
	r.lost += n + 1
}

// decoded reads a string and gives how long its text is.
func (r *reader) decoded(field string) int64 {
	if !r.is(field, jsontext.KindString) {
		return 0
	}
	b := r.unquote(r.value())
	return int64(len(b)) + clipped(b)
}

// name reads an object's next name. A name of the protocol costs no memory.
func (r *reader) name() string {
	v := r.value()
	if len(v) < 2 {
		return ""
	}
	if s, ok := names[string(v[1:len(v)-1])]; ok {
		return s
	}
	return string(r.unquote(v))
}

// text reads a string and keeps at most limit of it.
func (r *reader) text(field string, limit int) string {
	if !r.is(field, jsontext.KindString) {
		return ""
	}
	v := r.value()
	if r.err != nil {
		return ""
	}
	return r.keep(field, r.unquote(v), limit)
}

// keep bounds b, notes the cut, and counts.
func (r *reader) keep(field string, b []byte, limit int) string {
	return r.keepSized(field, b, limit, int64(len(b))+clipped(b))
}

// keepSized is keep for the ends of a text of n bytes.
func (r *reader) keepSized(field string, b []byte, limit int, n int64) string {
	s, whole := shorten(b, min(limit, r.left), n)
	if !whole {
		r.cuts = append(r.cuts, Cut{Field: field, Bytes: n})
		r.lost += n - int64(len(s))
	}
	r.left -= len(s)
	return s
}

// cut notes once that some of field was left out.
func (r *reader) cut(field string) {
	if n := len(r.cuts); n == 0 || r.cuts[n-1].Field != field {
		r.cuts = append(r.cuts, Cut{Field: field})
	}
}

// str reads any string but a message.
func (r *reader) str(field string) string { return r.text(field, maxField) }

// optional reads a string; nil for null or none.
func (r *reader) optional(field string) *string {
	if !r.is(field, jsontext.KindString) {
		return nil
	}
	s := r.str(field)
	return &s
}

// length reads a string and keeps only how long it is.
func (r *reader) length(field string) int64 {
	if !r.is(field, jsontext.KindString) {
		return 0
	}
	v := r.value()
	return int64(max(0, len(v)-2)) + clipped(v)
}

// num reads an integer; nil for null or none.
func (r *reader) num(field string) *int64 {
	if !r.is(field, jsontext.KindNumber) {
		return nil
	}
	t, err := r.d.ReadToken()
	if err != nil {
		r.err = err
		return nil
	}
	n, err := t.Int()
	if err != nil && r.odd == "" {
		r.odd = fmt.Sprintf("%q is not a whole number that fits", field)
	}
	return &n
}

// integer is num with 0 for none.
func (r *reader) integer(field string) int64 {
	if n := r.num(field); n != nil {
		return *n
	}
	return 0
}

// unquote decodes a JSON string; what is not UTF-8 becomes U+FFFD. The result
// is valid until the next call.
func (r *reader) unquote(v jsontext.Value) []byte {
	if len(v) < 2 {
		return nil
	}
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	// The error says that there were such bytes: they are replaced already.
	b, _ := jsontext.AppendUnquote(r.buf[:0], v)
	r.buf = b
	return b
}

// shorten copies b, or its first three quarters and its end with a mark
// between, limit bytes in all, cut at rune boundaries. size is b's true length.
func shorten(b []byte, limit int, size int64) (s string, whole bool) {
	if len(b) <= limit {
		return string(b), true
	}
	mark := fmt.Sprintf("\n… shortened here: %d bytes in all …\n", size)
	tail := limit/4 - len(mark)
	if tail <= 0 {
		return "", false
	}
	head := limit - limit/4
	for head > 0 && !utf8.RuneStart(b[head]) {
		head--
	}
	from := len(b) - tail
	for from < len(b) && !utf8.RuneStart(b[from]) {
		from++
	}
	var kept strings.Builder
	kept.Grow(head + len(mark) + len(b) - from)
	kept.Write(b[:head])
	kept.WriteString(mark)
	kept.Write(b[from:])
	return kept.String(), false
}

// fail is the reader's error where a field of the wrong kind is one too.
func (r *reader) fail() error {
	if r.err == nil && r.odd != "" {
		return errors.New(r.odd)
	}
	return r.err
}

// counted reads a string, and its true length.
func (r *reader) counted(field string) (s string, n int64) {
	lost := r.lost
	s = r.str(field)
	return s, int64(len(s)) + r.lost - lost
}

func validUTF8(b []byte) []byte { return bytes.ToValidUTF8(b, []byte("\uFFFD")) }

func joinLines(parts ...string) string {
	var b strings.Builder
	words(func(s string) { b.WriteString(s) }, parts...)
	return b.String()
}
