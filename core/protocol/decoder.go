package protocol

import (
	"bytes"
	"errors"
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
	json.WithUnmarshalers(json.UnmarshalFromFunc(boundedString)),
)

// boundedString reads a string that is kept through reflection.
func boundedString(d *jsontext.Decoder, s *string) error {
	if d.PeekKind() != jsontext.KindString {
		return errors.ErrUnsupported // the usual way, with its usual error
	}
	r := newReader(d)
	defer r.release()
	*s = r.str("")
	return r.err
}

// NewDecoder reads JSON from r with [DecodeOptions]. A string longer than
// anything that is kept loses its middle before the decoder holds it whole.
func NewDecoder(r io.Reader) *jsontext.Decoder { return new(Frames).Next(r) }

// Frames decodes one frame after the other with the same buffers. The zero
// value is ready.
type Frames struct {
	clip clip
	d    *jsontext.Decoder
}

// Next returns the decoder of the frame that r reads, as [NewDecoder] does. It
// is the same one each time.
func (f *Frames) Next(r io.Reader) *jsontext.Decoder {
	f.clip.reset(r, clipHead, clipTail)
	if f.d == nil {
		f.d = jsontext.NewDecoder(&f.clip, lenient)
	} else {
		f.d.Reset(&f.clip, lenient)
	}
	return f.d
}

// decoderOf reads JSON that is in memory already.
func decoderOf(v []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(v), lenient)
}
