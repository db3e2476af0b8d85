package protocol

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// raw reads a value as text: a string as it is, anything else as JSON without
// spaces. It does not hold more of it than it keeps.
func (r *reader) raw(field string, limit int) string {
	if r.err != nil {
		return ""
	}
	switch r.d.PeekKind() {
	case jsontext.KindString:
		return r.text(field, limit)
	case jsontext.KindNull:
		r.skip()
		return ""
	}
	limit = min(limit, r.left)
	w := &ends{limit: limit}
	r.copyTo(w)
	if r.err != nil {
		return ""
	}
	w.dropLast() // the newline after a whole value
	return r.keepSized(field, validUTF8(w.bytes()), limit, w.n)
}

// copyTo writes the next value to w, token by token.
func (r *reader) copyTo(w *ends) {
	e := jsontext.NewEncoder(w, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	for depth := r.d.StackDepth(); ; {
		var err error
		switch r.d.PeekKind() {
		case jsontext.KindString, jsontext.KindNumber:
			v := r.value()
			w.n += clipped(v)
			err = e.WriteValue(v)
		default:
			var t jsontext.Token
			if t, err = r.d.ReadToken(); err == nil {
				err = e.WriteToken(t)
			}
		}
		if r.err == nil {
			r.err = err
		}
		if r.err != nil || r.d.StackDepth() == depth {
			return
		}
	}
}

// ends keeps the beginning and the end of what is written to it.
type ends struct {
	limit      int
	head, tail []byte
	n          int64
}

// Write never fails.
func (w *ends) Write(p []byte) (int, error) {
	w.n += int64(len(p))
	fits := min(len(p), w.limit-len(w.head))
	w.head = append(w.head, p[:fits]...)
	w.tail = append(w.tail, p[fits:]...)
	if over := len(w.tail) - w.limit; over > w.limit {
		w.tail = append(w.tail[:0], w.tail[over:]...)
	}
	return len(p), nil
}

// dropLast takes the last byte back.
func (w *ends) dropLast() {
	w.n--
	if len(w.tail) > 0 {
		w.tail = w.tail[:len(w.tail)-1]
		return
	}
	w.head = w.head[:max(0, len(w.head)-1)]
}

// bytes gives all that was written if it fits, else enough of both ends.
func (w *ends) bytes() []byte { return bytes.Join([][]byte{w.head, w.tail}, nil) }
