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
	json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFromFunc(boundedString),
		boundedList[Thread](), boundedList[Turn](), boundedList[Item](), boundedList[Model](), boundedList[SkillsEntry](),
		boundedList[Skill](), boundedList[SkillError](), boundedList[QueueEntry](), boundedList[UserInput](), boundedList[FoundFile](),
		boundedList[Effort](), boundedList[Tier](), boundedList[string](),
		boundedList[Decision](), boundedList[Question](), boundedList[Option](), boundedList[PlanStep](), boundedList[constOption](),
	)),
)

// MaxCursor is the longest cursor that may be sent back. A longer one may have
// been shortened when it was read, and leads nowhere.
const MaxCursor = 64 << 10

// maxList is how many elements a list read through reflection may have: no page
// has more than 100.
const maxList = 10_000

var errLongList = errors.New("a list of more than 10,000, or 20 MiB")

// boundedList reads a list of T. A longer one cannot be read: what would be
// left out of it is nobody's to choose.
func boundedList[T any]() *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(d *jsontext.Decoder, list *[]T) error {
		if d.PeekKind() != jsontext.KindBeginArray {
			return errors.ErrUnsupported // the usual way, with its usual error
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		out, size := []T{}, 0
		for d.PeekKind() != jsontext.KindEndArray {
			if len(out) == maxList || size > maxPageBytes {
				return errLongList
			}
			var x T
			if err := json.UnmarshalDecode(d, &x); err != nil {
				return err
			}
			size += Size(x) - overhead
			out = append(out, x)
		}
		*list = out
		_, err := d.ReadToken()
		return err
	})
}

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

// Rest gives what of the frame was not decoded yet, as it came, and nothing of
// it to the decoder any more. It is nil in the middle of a long string.
func (f *Frames) Rest() io.Reader {
	c := &f.clip
	if c.drop != nil || c.long {
		return nil
	}
	return io.MultiReader(bytes.NewReader(bytes.Clone(f.d.UnreadBuffer())), bytes.NewReader(c.out), bytes.NewReader(c.in), c.src)
}

// decoderOf reads JSON that is in memory already.
func decoderOf(v []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(v), lenient)
}
