package protocol

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A RequestID is a request's ID as it came: a number, 0 and negative ones
// included (trap 1), or a string (trap 2). It is comparable. The zero RequestID
// is none at all.
type RequestID struct{ raw string }

// maxID bounds what is kept of a peer for a request's name.
const maxID = 4096

var errRequestID = errors.New("a request ID is a string or an integer")

// NumberID makes the ID n.
func NumberID(n int64) RequestID { return RequestID{strconv.FormatInt(n, 10)} }

// ParseID reads an ID from its JSON.
func ParseID(v jsontext.Value) (RequestID, error) {
	v = bytes.TrimSpace(v)
	if len(v) == 0 || len(v) > maxID {
		return RequestID{}, errRequestID
	}
	switch v.Kind() {
	case jsontext.KindString:
	case jsontext.KindNumber:
		if bytes.ContainsAny(v, ".eE") {
			return RequestID{}, errRequestID
		}
	default:
		return RequestID{}, errRequestID
	}
	if !v.IsValid(DecodeOptions()) {
		return RequestID{}, errRequestID
	}
	return RequestID{string(v)}, nil
}

// IsZero reports whether there is no ID.
func (id RequestID) IsZero() bool { return id.raw == "" }

// String gives the ID's JSON.
func (id RequestID) String() string { return id.raw }

// Number gives the ID as a number, if it is one that fits.
func (id RequestID) Number() (int64, bool) {
	n, err := strconv.ParseInt(id.raw, 10, 64)
	return n, err == nil
}

// MarshalJSONTo writes the ID as it came.
func (id RequestID) MarshalJSONTo(e *jsontext.Encoder) error {
	if id.IsZero() {
		return errRequestID
	}
	return e.WriteValue(jsontext.Value(id.raw))
}

// UnmarshalJSONFrom reads a number or a string.
func (id *RequestID) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	*id, err = ParseID(v)
	return err
}
