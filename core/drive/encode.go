package drive

import (
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxKept bounds the encoded elements that are kept for the next time.
const maxKept = 32 << 20

// A cache keeps how the elements of a section were encoded: one that is the same
// as before is not encoded again when another one changes.
type cache[T any] map[*T]jsontext.Value

// list encodes a section, an element for each of rows.
func (c *cache[T]) list(rows []*T, encode func(*T) jsontext.Value) jsontext.Value {
	next, size, kept := cache[T]{}, 2, 0
	parts := make([]jsontext.Value, len(rows))
	for i, r := range rows {
		b, known := (*c)[r]
		if !known {
			b = encode(r)
		}
		if kept+len(b) <= maxKept {
			next[r] = b
			kept += len(b)
		}
		parts[i] = b
		size += len(b) + 1
	}
	*c = next
	out := append(make(jsontext.Value, 0, size), '[')
	for i, b := range parts {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, b...)
	}
	return append(out, ']')
}

// raw encodes a section; what cannot be encoded does not exist in ours.
func raw(x any) jsontext.Value {
	b, err := json.Marshal(x, jsontext.AllowInvalidUTF8(true), json.FormatNilSliceAsNull(false))
	if err != nil {
		return jsontext.Value("null")
	}
	return b
}

// line is the event, with room for the end of its line: its sections are encoded
// already, and not looked at again.
func (e *snapshotEvent) line() []byte {
	parts := [][]byte{[]byte(`{"event":"snapshot","seq":`), raw(e.Seq)}
	v := reflect.ValueOf(e).Elem()
	for i := range v.NumField() {
		section, ok := v.Field(i).Interface().(jsontext.Value)
		if !ok || section == nil {
			continue
		}
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		parts = append(parts, []byte(`,"`+name+`":`), section)
	}
	size := len("}\n")
	for _, p := range parts {
		size += len(p)
	}
	b := make([]byte, 0, size)
	for _, p := range parts {
		b = append(b, p...)
	}
	return append(b, '}')
}
