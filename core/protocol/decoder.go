package protocol

import (
	"bytes"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeOptions are the options every frame is decoded with: strings that are
// not UTF-8, lone surrogates among them, read as U+FFFD instead of breaking the
// frame; a repeated name is not an error; a string kept through reflection is
// bounded like any other (ruling 9).
func DecodeOptions() json.Options { return lenient }

var lenient = json.JoinOptions(
	jsontext.AllowInvalidUTF8(true),
	jsontext.AllowDuplicateNames(true),
)

// NewDecoder reads JSON from r with [DecodeOptions].
func NewDecoder(r io.Reader) *jsontext.Decoder { return jsontext.NewDecoder(r, lenient) }

// bytesReader gives v as the reader that the decoder does not copy from.
func bytesReader(v []byte) io.Reader { return bytes.NewBuffer(v) }
