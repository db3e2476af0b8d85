package protocol

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of an attachment, which are the server's own.
const (
	// MaxAttachments is how many attachments a thread may have.
	MaxAttachments = 100
	// MaxAttachmentKey is how many bytes of UTF-8 a type or an identity may have.
	MaxAttachmentKey = 256
	// MaxAttachmentPayload is how many bytes a payload may have as JSON without
	// spaces.
	MaxAttachmentPayload = 65_536
)

// ThreadAttachmentListParams asks for one page of a thread's attachments,
// oldest first.
type ThreadAttachmentListParams struct {
	ThreadID string `json:"threadId"`
	Cursor   string `json:"cursor,omitzero"`
	Limit    int    `json:"limit,omitzero"`
}

// ThreadAttachmentListResult is a page of attachments. A nil cursor is the end.
type ThreadAttachmentListResult struct {
	Data       []Attachment
	NextCursor *string
	// More says that the page held more than [MaxAttachments], and that the
	// rest of it was left out.
	More bool
	// Unread counts the attachments that could not be read.
	Unread int
}

// An Attachment is what is kept of a stored attachment. Its payload was
// measured and dropped: no type is known whose payload could be read.
type Attachment struct {
	ID, Type, Identity string
	CreatedAt          int64 // unix seconds
	// Bytes is the length of the payload as JSON without spaces.
	Bytes int64
	// Problem names what breaks the bounds or the shape of an attachment, ""
	// when nothing does.
	Problem string
	// Unkeyed says that type and identity do not name the attachment, because
	// one of them breaks its bounds. Only the ID does.
	Unkeyed bool
}

// UnmarshalJSONFrom reads a page and keeps no more of it than a thread may
// have.
func (p *ThreadAttachmentListResult) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	r := newReader(d)
	defer r.release()
	listed := false
	r.object("page", func(name string) {
		switch name {
		case "data":
			listed = true
			r.array(name, func() { p.add(r) })
		case "nextCursor":
			p.NextCursor = r.optional(name)
		default:
			r.skip()
		}
	})
	if err := r.fail(); err != nil {
		return err
	}
	if !listed {
		return errNoList
	}
	return nil
}

var errNoList = errors.New("a page without a list")

// add reads the next attachment of the page.
func (p *ThreadAttachmentListResult) add(r *reader) {
	if len(p.Data) == MaxAttachments {
		p.More = true
		r.skip()
		return
	}
	var a Attachment
	bad, err := readOne(r.d, &a)
	switch {
	case err != nil:
		r.err = err
	case bad != nil:
		p.Unread++
	default:
		p.Data = append(p.Data, a)
	}
}

// UnmarshalJSONFrom reads one attachment. What is wrong with it is noted; only
// without a usable ID does it fail, for then nothing tells it apart.
func (a *Attachment) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	const missing = "is missing"
	r := newReader(d)
	defer r.release()
	id, kind, identity, payload := missing, missing, missing, "the payload is missing"
	r.object("attachment", func(name string) {
		switch name {
		case "id":
			a.ID, id = r.key()
		case "attachmentType":
			a.Type, kind = r.key()
		case "identityKey":
			a.Identity, identity = r.key()
		case "createdAt":
			a.CreatedAt = r.integer(name)
		case "payload":
			a.Bytes = max(a.Bytes, r.compactLen())
			payload = payloadProblem(a.Bytes)
		default:
			r.skip()
		}
	})
	switch {
	case r.err != nil:
		return r.err
	case id != "":
		return fmt.Errorf("an attachment's id %s", id)
	}
	a.Unkeyed = kind != "" || identity != ""
	a.Problem = problems(about("the type", kind), about("the key", identity), payload, r.odd)
	return nil
}

// key reads a type, an identity or an ID, and says what is wrong with it. What
// is too long is shortened.
func (r *reader) key() (s, problem string) {
	if r.err != nil {
		return "", ""
	}
	if k := r.d.PeekKind(); k != jsontext.KindString {
		r.skip()
		return "", "is not a text"
	}
	v := r.value()
	if r.err != nil {
		return "", ""
	}
	b := r.unquote(v)
	n := int64(len(b)) + clipped(b)
	s, _ = shorten(b, MaxAttachmentKey, n)
	switch {
	case n > MaxAttachmentKey:
		return s, fmt.Sprintf("is %d bytes long, at most %d are allowed", n, MaxAttachmentKey)
	case strings.TrimSpace(s) == "": // the server counts spaces as empty too
		return s, "is empty"
	case !wellFormed(v):
		return s, "is not UTF-8"
	}
	return s, ""
}

// wellFormed reports whether a JSON string stands for valid UTF-8.
func wellFormed(v jsontext.Value) bool {
	_, err := jsontext.AppendUnquote(nil, v)
	return err == nil && utf8.Valid(v)
}

// compactLen reads a value of any kind and gives its length as JSON without
// spaces, holding none of it.
func (r *reader) compactLen() int64 {
	if r.err != nil {
		return 0
	}
	w := &ends{}
	r.copyTo(w)
	w.dropLast() // the newline after a whole value
	return w.n
}

// payloadProblem checks a payload before anybody could parse it (ATT-2).
func payloadProblem(n int64) string {
	if n > MaxAttachmentPayload {
		return fmt.Sprintf("the payload is %d bytes long, at most %d are allowed", n, MaxAttachmentPayload)
	}
	return ""
}

func about(what, problem string) string {
	if problem == "" {
		return ""
	}
	return what + " " + problem
}

func problems(all ...string) string {
	var list []string
	for _, p := range all {
		if p != "" {
			list = append(list, p)
		}
	}
	return strings.Join(list, "; ")
}
