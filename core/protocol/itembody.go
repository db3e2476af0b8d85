package protocol

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

func (r *reader) userMessage(b *UserMessage, name string) {
	switch name {
	case "clientId":
		b.ClientID = r.str(name)
	case "content":
		r.array(name, func() { b.Content = append(b.Content, r.input()) })
	default:
		r.skip()
	}
}

// input reads one part of a message. Of an image only its kind and length stay.
func (r *reader) input() UserInput {
	var in UserInput
	r.object("content", func(name string) {
		switch name {
		case "type":
			in.Type = r.str(name)
		case "text":
			in.Text = r.text(name, maxMessage)
		case "path":
			in.Path = r.str(name)
		case "name":
			in.Name = r.str(name)
		case "url":
			in.URL, in.Media, in.Bytes = r.url(name)
		default:
			r.skip()
		}
	})
	return in
}

// url reads a link. A data URL is not kept: its media type and length are.
func (r *reader) url(field string) (url, media string, n int64) {
	if !r.is(field, jsontext.KindString) {
		return "", "", 0
	}
	v := r.value()
	if r.err != nil {
		return "", "", 0
	}
	if rest, ok := bytes.CutPrefix(v, []byte(`"data:`)); ok {
		head := rest[:min(len(rest)-1, 100)]
		if i := bytes.IndexAny(head, ";,"); i >= 0 {
			media = string(validUTF8(head[:i]))
		}
		return "", media, int64(len(v)-2) + clipped(v)
	}
	return r.keep(field, r.unquote(v), maxField), "", 0
}

func (r *reader) agentMessage(b *AgentMessage, name string) {
	switch name {
	case "text":
		b.Text = r.text(name, maxMessage)
	case "phase":
		b.Phase = r.str(name)
	default:
		r.skip()
	}
}

func (r *reader) plan(b *Plan, name string) {
	if name == "text" {
		b.Text = r.str(name)
		return
	}
	r.skip()
}

func (r *reader) reasoning(b *Reasoning, name string) {
	switch name {
	case "summary":
		b.Summary = r.strings(name)
	case "content":
		b.Content = r.strings(name)
	default:
		r.skip()
	}
}

func (r *reader) strings(field string) (list []string) {
	r.array(field, func() { list = append(list, r.str(field)) })
	return list
}

func (r *reader) command(b *CommandExecution, name string) {
	switch name {
	case "command":
		b.Command = r.str(name)
	case "cwd":
		b.Cwd = r.str(name)
	case "status":
		b.Status = r.str(name)
	case "source":
		b.Source = r.str(name)
	case "aggregatedOutput":
		b.Output = r.output(name)
	case "exitCode":
		b.ExitCode = r.num(name)
	case "durationMs":
		b.DurationMs = r.num(name)
	default:
		r.skip()
	}
}

func (r *reader) fileChange(b *FileChange, name string) {
	switch name {
	case "status":
		b.Status = r.str(name)
	case "changes":
		b.Changes = r.changes(name)
	default:
		r.skip()
	}
}

func (r *reader) changes(field string) (list []FileUpdate) {
	r.array(field, func() { list = append(list, r.change(field)) })
	return list
}

func (r *reader) change(field string) (u FileUpdate) {
	r.object(field, func(name string) {
		switch name {
		case "path":
			u.Path = r.str(name)
		case "diff":
			u.Diff = r.str(name)
		case "kind":
			r.kind(&u)
		default:
			r.skip()
		}
	})
	return u
}

// kind reads a change's kind, an object with a type.
func (r *reader) kind(u *FileUpdate) {
	r.object("kind", func(name string) {
		switch name {
		case "type":
			u.Kind = r.str(name)
		case "move_path":
			u.MovedTo = r.str(name)
		default:
			r.skip()
		}
	})
}

func (r *reader) toolCall(b *ToolCall, name string) {
	switch name {
	case "server":
		b.Server = r.str(name)
	case "tool":
		b.Tool = r.str(name)
	case "status":
		b.Status = r.str(name)
	case "arguments":
		b.Arguments = r.raw(name, maxField)
	case "result":
		b.Result = r.toolResult(name)
	case "contentItems":
		b.Result = r.contents(name)
	case "error":
		r.object(name, func(inner string) {
			if inner == "message" {
				b.Error = r.str(inner)
				return
			}
			r.skip()
		})
	case "durationMs":
		b.DurationMs = r.num(name)
	default:
		r.skip()
	}
}

// toolResult reads an MCP result: its content, or what is structured if it has
// none; usually the one repeats the other.
func (r *reader) toolResult(field string) string {
	var content, structured string
	r.object(field, func(name string) {
		switch name {
		case "content":
			content = r.contents(name)
		case "structuredContent":
			structured = r.raw(name, maxField)
		default:
			r.skip()
		}
	})
	if content == "" {
		return structured
	}
	return content
}

// contents reads a list of content parts as text, a line for each.
func (r *reader) contents(field string) string {
	var parts []string
	r.array(field, func() { parts = append(parts, r.content(field)) })
	return strings.Join(parts, "\n")
}

// content reads one part. Servers of tools may send any value. Of an image or
// sound only its kind and length stay.
func (r *reader) content(field string) string {
	if r.err == nil && r.d.PeekKind() != jsontext.KindBeginObject {
		return r.raw(field, maxField)
	}
	var p contentPart
	r.object(field, func(name string) { r.contentField(&p, name) })
	switch {
	case p.bytes > 0:
		return binary(p.kind, p.media, p.bytes)
	case p.text != "" || p.kind == "":
		return p.text
	}
	return "[" + strings.TrimSpace(p.kind+" "+p.uri) + "]"
}

// A contentPart is what is read of one part.
type contentPart struct {
	kind, text, media, uri string
	bytes                  int64
}

func (r *reader) contentField(p *contentPart, name string) {
	switch name {
	case "type":
		p.kind = r.str(name)
	case "text":
		p.text = r.str(name)
	case "mimeType":
		p.media = r.str(name)
	case "uri":
		p.uri = r.str(name)
	case "resource":
		r.object(name, func(inner string) { r.contentField(p, inner) })
	case "data", "blob", "imageUrl", "image_url", "audioUrl", "audio_url", "encrypted_content":
		p.bytes = r.length(name)
	default:
		r.skip()
	}
}

func (r *reader) collabCall(b *CollabCall, name string) {
	switch name {
	case "tool":
		b.Tool = r.str(name)
	case "status":
		b.Status = r.str(name)
	case "prompt":
		b.Prompt = r.str(name)
	case "senderThreadId":
		b.Sender = r.str(name)
	case "receiverThreadIds":
		b.Receivers = r.strings(name)
	default:
		r.skip()
	}
}

func (r *reader) subAgent(b *SubAgent, name string) {
	switch name {
	case "kind":
		b.Kind = r.str(name)
	case "agentPath":
		b.Path = r.str(name)
	case "agentThreadId":
		b.Thread = r.str(name)
	default:
		r.skip()
	}
}

func (r *reader) webSearch(b *WebSearch, name string) {
	switch name {
	case "query":
		b.Query = r.str(name)
	case "action":
		b.Action = r.searchAction(name)
	default:
		r.skip()
	}
}

// searchAction reads what a search did as words: its type and its object.
func (r *reader) searchAction(field string) string {
	var words []string
	r.object(field, func(name string) {
		switch name {
		case "type", "query", "url", "pattern":
			if s := r.str(name); s != "" {
				words = append(words, s)
			}
		default:
			r.skip()
		}
	})
	return strings.Join(words, " ")
}

func (r *reader) imageView(b *ImageView, name string) {
	if name == "path" {
		b.Path = r.str(name)
		return
	}
	r.skip()
}

func (r *reader) imageGeneration(b *ImageGeneration, name string) {
	switch name {
	case "status":
		b.Status = r.str(name)
	case "revisedPrompt":
		b.Prompt = r.str(name)
	case "savedPath":
		b.SavedPath = r.str(name)
	case "result":
		b.Bytes = r.length(name)
	default:
		r.skip()
	}
}

func (r *reader) review(entered bool) bodyReader {
	b := Review{Entered: entered}
	return bodyReader{
		field: func(name string) {
			if name == "review" {
				b.Text = r.str(name)
				return
			}
			r.skip()
		},
		done: func() ItemBody { return b },
	}
}

func (r *reader) sleep(b *Sleep, name string) {
	if name == "durationMs" {
		b.DurationMs = r.integer(name)
		return
	}
	r.skip()
}

func (r *reader) hookPrompt(b *HookPrompt, name string) {
	if name != "fragments" {
		r.skip()
		return
	}
	r.array(name, func() {
		r.object("fragments", func(inner string) {
			if inner == "text" {
				b.Fragments = append(b.Fragments, r.str(inner))
				return
			}
			r.skip()
		})
	})
}

func (r *reader) functionOutput(b *FunctionOutput, name string) {
	switch {
	case name == "name":
		b.Name = r.str(name)
	case name == "output" && r.err == nil && r.d.PeekKind() == jsontext.KindString:
		b.Output = r.output(name)
	case name == "output":
		b.Output = r.contents(name)
	default:
		r.skip()
	}
}

// maxUnknown is how much of one field of an unknown item is kept.
const maxUnknown = 8 << 10

// unknown keeps the fields of an item of a type we do not know, a line each,
// for as long as they fit.
func (r *reader) unknown() bodyReader {
	var lines []byte
	return bodyReader{
		field: func(name string) {
			if len(lines) > maxField-2*maxUnknown {
				r.cut("item")
				v := []byte(r.value())
				if len(v) > 0 && v[0] == '"' { // shown without its quotes
					v = r.unquote(v)
				}
				r.lost += int64(len("\n"+name+": ")+len(v)) + clipped(v)
				return
			}
			if len(lines) > 0 {
				lines = append(lines, '\n')
			}
			lines = append(lines, r.keep("item", []byte(name), maxUnknown/4)...)
			lines = append(lines, ": "...)
			lines = append(lines, r.raw(name, maxUnknown)...)
		},
		done: func() ItemBody { return UnknownItem{Summary: string(lines)} },
	}
}
