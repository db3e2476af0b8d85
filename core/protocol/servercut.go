package protocol

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// The marks servers put in the middle of a command's output when they shorten
// it: up to 0.159.1 at 1 MiB, with a count; 0.171.0 at 64 KiB, without.
var (
	omittedBefore = []byte("\n... ")
	omittedAfter  = []byte(" bytes omitted ...\n")
	truncatedMark = []byte("\n... command output truncated for persistence ...\n")
)

const (
	omittedAt   = 1 << 20
	truncatedAt = 64 << 10
	// around is how far from the middle a mark is looked for: a rune's length
	// and its own.
	around = 128
)

// output reads a command's output, and notes where the server cut it.
func (r *reader) output(field string) string {
	if !r.is(field, jsontext.KindString) {
		return ""
	}
	v := r.value()
	if r.err != nil {
		return ""
	}
	b := r.unquote(v)
	if n, ok := serverCut(b); ok {
		r.cuts = append(r.cuts, Cut{Field: field, Server: true, Bytes: n})
	}
	return r.keep(field, b, maxField)
}

// serverCut looks for a mark where a server puts it, in an output as long as
// it then is: a command that prints such a line is no cut. n is the true
// length, 0 if the server did not say.
func serverCut(b []byte) (n int64, ok bool) {
	mid := len(b) / 2
	window := b[max(0, mid-around):min(len(b), mid+around)]
	switch {
	case len(b) >= omittedAt && len(b) < omittedAt+around:
		_, rest, found := bytes.Cut(window, omittedBefore)
		count, _, closed := bytes.Cut(rest, omittedAfter)
		left, err := strconv.ParseInt(string(count), 10, 64)
		if !found || !closed || err != nil {
			return 0, false
		}
		mark := len(omittedBefore) + len(count) + len(omittedAfter)
		return int64(len(b)-mark) + left, true
	case len(b) > truncatedAt-around && len(b) <= truncatedAt:
		return 0, bytes.Contains(window, truncatedMark)
	}
	return 0, false
}
