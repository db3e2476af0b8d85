package itemtext

import (
	"errors"
	"fmt"
	"io"
)

var (
	// ErrOrder says that text came before the ID of what it belongs to.
	ErrOrder = errors.New("the text comes before the ID of its item")
	// ErrSink says that the text could not be written where it goes.
	ErrSink = errors.New("the text could not be written")
)

// A Page is what a page said.
type Page struct {
	// Found says that the item was in it, and its text copied.
	Found bool
	// Next is the cursor of the next page, nil at the end.
	Next *string
}

// FromItems copies the text of an item out of a page of thread/items/list.
func FromItems(r io.Reader, turn, item string, w io.Writer) (Page, error) {
	c := copier{scanner: newScanner(r), to: w}
	c.page(func() {
		of := ""
		c.object(func(name string) {
			switch {
			case name == "turnId":
				of = c.short()
			case name == "item" && !c.got.Found && (of == "" || of == turn):
				c.item(func(id string) bool { return id == item })
			default:
				c.skip()
			}
		})
	})
	return c.got, c.err
}

// FromItemsAt copies the text of the entry at an index of the page, whatever its
// ID: for servers that write the text first.
func FromItemsAt(r io.Reader, index int, w io.Writer) (Page, error) {
	c := copier{scanner: newScanner(r), to: w}
	at := -1
	c.page(func() {
		at++
		c.object(func(name string) {
			if name == "item" && at == index && !c.got.Found {
				c.item(nil)
				return
			}
			c.skip()
		})
	})
	return c.got, c.err
}

// FromTurn copies the text of the item at an index out of a page of
// thread/turns/list: the items of legacy turns have no ID to go by (ruling 6).
func FromTurn(r io.Reader, turn string, index int, w io.Writer) (Page, error) {
	c := copier{scanner: newScanner(r), to: w}
	c.page(func() {
		of, at := "", -1
		c.object(func(name string) {
			switch {
			case name == "id":
				of = c.short()
			case name == "items" && of == "" && !c.got.Found:
				c.fail(ErrOrder)
			case name == "items" && of == turn:
				c.array(func() {
					if at++; at == index && !c.got.Found {
						c.item(nil)
						return
					}
					c.skip()
				})
			default:
				c.skip()
			}
		})
	})
	return c.got, c.err
}

// A copier copies the text of one item.
type copier struct {
	*scanner
	to   io.Writer
	got  Page
	some bool // text was written before
}

// page reads the object around the data.
func (c *copier) page(element func()) {
	if c.peek() == ':' { // the value of a name that was read before
		c.discard(1)
	}
	c.object(func(name string) {
		switch name {
		case "data":
			c.array(element)
		case "nextCursor":
			c.got.Next = nil
			if c.peek() != '"' {
				c.skip()
				return
			}
			next := c.short()
			c.got.Next = &next
		default:
			c.skip()
		}
	})
}

// where names the members of items that hold text, or what holds some. A raw one
// is any JSON, and copied as that.
var where = map[string]struct{ raw bool }{
	"text": {}, "content": {}, "summary": {}, "fragments": {}, "review": {}, "prompt": {}, "query": {},
	"command": {}, "aggregatedOutput": {}, "changes": {}, "path": {}, "diff": {}, "kind": {}, "move_path": {},
	"server": {}, "tool": {}, "result": {}, "contentItems": {}, "error": {}, "message": {}, "resource": {},
	"agentPath": {}, "receiverThreadIds": {}, "revisedPrompt": {}, "savedPath": {}, "name": {}, "output": {},
	"arguments": {raw: true}, "action": {raw: true}, "structuredContent": {raw: true},
}

// known are the types of items whose members where tells of.
var known = map[string]bool{
	"userMessage": true, "agentMessage": true, "plan": true, "reasoning": true, "commandExecution": true,
	"fileChange": true, "mcpToolCall": true, "dynamicToolCall": true, "collabAgentToolCall": true,
	"subAgentActivity": true, "webSearch": true, "imageView": true, "imageGeneration": true,
	"enteredReviewMode": true, "exitedReviewMode": true, "hookPrompt": true, "functionCallOutput": true,
}

// item copies an item if it is the one that is wanted, which nil says it is.
func (c *copier) item(wanted func(id string) bool) {
	kind, id := "", ""
	c.object(func(name string) {
		switch at, textual := where[name]; {
		case name == "type" && kind == "":
			kind = c.short()
		case name == "id" && id == "":
			id = c.short()
		case name == "startedAtMs" || name == "completedAtMs" || (kind == "" || known[kind]) && !textual:
			c.skip()
		case wanted != nil && id == "":
			c.fail(ErrOrder)
		case wanted != nil && !wanted(id):
			c.skip()
		case kind != "" && !known[kind]:
			c.piece()
			c.write([]byte(name + ": "))
			c.raw(c.write)
		case name == "result" && c.peek() == '"': // a picture's data
			c.skip()
		default:
			c.value(at.raw, maxDepth)
		}
	})
	if (wanted == nil || id != "" && wanted(id)) && c.err == nil {
		c.got.Found = true
	}
}

// maxDepth is how deep text may stand in an item.
const maxDepth = 8

// value copies what text is in a value.
func (c *copier) value(raw bool, depth int) {
	switch b := c.peek(); {
	case depth == 0:
		c.skip()
	case b == '"':
		c.piece()
		c.text(c.write)
	case b == '[' && !raw:
		c.array(func() { c.value(false, depth-1) })
	case b == '{' && !raw:
		c.object(func(name string) {
			at, textual := where[name]
			switch {
			case textual:
				c.value(at.raw, depth-1)
			case name == "type" && depth < maxDepth && c.peek() == '"':
				c.kind()
			default:
				c.skip()
			}
		})
	case raw && b != 'n':
		c.piece()
		c.raw(c.write)
	default: // null, or no text
		c.skip()
	}
}

// kind names what a part is, where the part itself is not text.
func (c *copier) kind() {
	switch kind := c.short(); kind {
	case "add", "delete", "update", "image", "audio", "localImage", "localAudio", "skill", "mention":
		c.piece()
		c.write([]byte("[" + kind + "]"))
	}
}

// piece begins one more piece of text.
func (c *copier) piece() {
	if c.some {
		c.write([]byte("\n"))
	}
	c.some = true
}

func (c *copier) write(b []byte) {
	if c.err != nil {
		return
	}
	if _, err := c.to.Write(b); err != nil {
		c.fail(fmt.Errorf("%w: %w", ErrSink, err))
	}
}
