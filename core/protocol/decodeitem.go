package protocol

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	errItem     = errors.New("item without id or type")
	errLateType = errors.New("item whose type comes after too much else")
)

// UnmarshalJSONFrom reads one item and bounds it before the next is read.
func (it *Item) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != jsontext.KindBeginObject {
		return fmt.Errorf("item is %s", kindName(d.PeekKind()))
	}
	r := newReader(d)
	defer r.release()
	r.item(it)
	return r.err
}

// unreadable makes the item a placeholder for one that cannot be read.
func (it *Item) unreadable(at int) {
	*it = Item{ID: fmt.Sprintf("unreadable-%d", at+1), Type: "unreadable", Body: UnknownItem{Summary: "cannot be read"}}
}

// into reads an item with a reader of its own.
func (r *reader) into(it *Item) {
	if r.err == nil {
		r.err = it.UnmarshalJSONFrom(r.d)
	}
}

// A pending field came before the item's type. Servers write the type first.
type pending struct {
	name  string
	value jsontext.Value
}

// item reads an item. A known field of the wrong kind makes it an UnknownItem
// that says so: one item that cannot be read does not hide a page.
func (r *reader) item(it *Item) {
	*it = Item{}
	var early []pending
	var rest bodyReader
	r.object("item", func(name string) {
		switch {
		case name == "id":
			it.ID = r.str(name)
		case name == "startedAtMs":
			it.StartedAtMs = r.integer(name)
		case name == "completedAtMs":
			it.CompletedAtMs = r.integer(name)
		case name == "type" && rest.field == nil:
			it.Type = r.text(name, maxWord)
			rest = r.body(it.Type)
			r.replay(early, rest.field)
		case rest.field != nil:
			rest.field(name)
		default:
			early = r.wait(early, name)
		}
	})
	if r.err != nil {
		return
	}
	if !usable(it.ID) || it.Type == "" {
		r.err = errItem
		return
	}
	it.Body = rest.done()
	if r.odd != "" {
		it.Body = UnknownItem{Summary: "cannot be read: " + r.odd}
	}
	it.Cuts = r.cuts
	it.Bytes = int64(PlainLen(*it)) + r.lost
}

// maxEarly bounds what is held of an item until its type is known.
const maxEarly = 16 << 20

// wait holds one more field until the type is known.
func (r *reader) wait(early []pending, name string) []pending {
	v := r.value().Clone()
	if r.early += overhead + len(v); r.early > maxEarly && r.err == nil {
		r.err = errLateType
	}
	return append(early, pending{name, v})
}

// replay reads the fields that came before the type.
func (r *reader) replay(early []pending, field func(string)) {
	stream := r.d
	for _, p := range early {
		r.d = decoderOf(p.value)
		field(p.name)
	}
	r.d = stream
}

// A bodyReader reads the fields of one type of item.
type bodyReader struct {
	field func(name string)
	done  func() ItemBody
}

// bodyOf makes the reader of a body from the function that reads its fields.
func bodyOf[B ItemBody](read func(*B, string)) bodyReader {
	var b B
	return bodyReader{
		field: func(name string) { read(&b, name) },
		done:  func() ItemBody { return b },
	}
}

// body chooses the reader for a type.
func (r *reader) body(kind string) bodyReader {
	switch kind {
	case "userMessage":
		return bodyOf(r.userMessage)
	case "agentMessage":
		return bodyOf(r.agentMessage)
	case "plan":
		return bodyOf(r.plan)
	case "reasoning":
		return bodyOf(r.reasoning)
	case "commandExecution":
		return bodyOf(r.command)
	case "fileChange":
		return bodyOf(r.fileChange)
	case "mcpToolCall", "dynamicToolCall":
		return bodyOf(r.toolCall)
	case "collabAgentToolCall":
		return bodyOf(r.collabCall)
	case "subAgentActivity":
		return bodyOf(r.subAgent)
	case "webSearch":
		return bodyOf(r.webSearch)
	case "imageView":
		return bodyOf(r.imageView)
	case "imageGeneration":
		return bodyOf(r.imageGeneration)
	case "enteredReviewMode", "exitedReviewMode":
		return r.review(kind == "enteredReviewMode")
	case "contextCompaction":
		return bodyOf(func(*Compaction, string) { r.skip() })
	case "sleep":
		return bodyOf(r.sleep)
	case "hookPrompt":
		return bodyOf(r.hookPrompt)
	case "functionCallOutput":
		return bodyOf(r.functionOutput)
	}
	return r.unknown()
}
