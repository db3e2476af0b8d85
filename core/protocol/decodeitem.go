package protocol

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

var errItem = errors.New("item without id or type")

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
	var field func(string)
	r.object("item", func(name string) {
		switch {
		case name == "id":
			it.ID = r.str("id")
		case name == "startedAtMs":
			it.StartedAtMs = r.integer(name)
		case name == "completedAtMs":
			it.CompletedAtMs = r.integer(name)
		case name == "type" && field == nil:
			it.Type = r.str("type")
			field = r.fields(it)
			r.replay(early, field)
		case field != nil:
			field(name)
		default:
			early = append(early, pending{name, r.value().Clone()})
		}
	})
	if r.err != nil {
		return
	}
	if it.ID == "" || it.Type == "" {
		r.err = errItem
		return
	}
	if r.odd != "" {
		it.Body = UnknownItem{Summary: "cannot be read: " + r.odd}
	}
	it.Cuts = r.cuts
	it.Bytes = int64(plainLen(*it)) + r.lost
}

// replay reads the fields that came before the type.
func (r *reader) replay(early []pending, field func(string)) {
	stream := r.d
	for _, p := range early {
		r.d = NewDecoder(bytesReader(p.value))
		field(p.name)
	}
	r.d = stream
}

// fields gives the function that reads the fields of it's type into its body.
func (r *reader) fields(it *Item) func(string) {
	switch it.Type {
	case "userMessage":
		return body(it, r.userMessage)
	case "agentMessage":
		return body(it, r.agentMessage)
	case "plan":
		return body(it, r.plan)
	case "reasoning":
		return body(it, r.reasoning)
	case "commandExecution":
		return body(it, r.command)
	case "fileChange":
		return body(it, r.fileChange)
	case "mcpToolCall", "dynamicToolCall":
		return body(it, r.toolCall)
	case "collabAgentToolCall":
		return body(it, r.collabCall)
	case "subAgentActivity":
		return body(it, r.subAgent)
	case "webSearch":
		return body(it, r.webSearch)
	case "imageView":
		return body(it, r.imageView)
	case "imageGeneration":
		return body(it, r.imageGeneration)
	case "enteredReviewMode", "exitedReviewMode":
		return body(it, r.review(it.Type == "enteredReviewMode"))
	case "contextCompaction":
		return body(it, func(*Compaction, string) { r.skip() })
	case "sleep":
		return body(it, r.sleep)
	case "hookPrompt":
		return body(it, r.hookPrompt)
	case "functionCallOutput":
		return body(it, r.functionOutput)
	}
	return body(it, r.unknown)
}

// body keeps the item's body as read so far, field by field.
func body[B ItemBody](it *Item, read func(*B, string)) func(string) {
	var b B
	it.Body = b
	return func(name string) {
		read(&b, name)
		it.Body = b
	}
}
