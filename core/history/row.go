package history

import (
	"reflect"
	"strings"

	"holdfast/core/protocol"
)

// A row is one item while the window holds it. What is published of it is an
// immutable Row, made when somebody looks.
type row struct {
	key   Key
	rev   uint64
	final bool
	// done numbers completions: rows of a turn in this order are in the
	// server's order (ruling 8). It is 0 until the row is final.
	done int64
	item protocol.Item
	// parts are the texts that stream into a row that is not final.
	parts []part
	base  int64 // the item's plain text without its parts
	lost  bool  // the row's own bound stopped a part
	size  int64 // the text it keeps, as the window counts it
	// paged says that a page brought it, under a made-up ID in a legacy thread.
	paged bool
	taken bool // a live completion was found to be this row
	over  bool // it was completed, or its turn ended, by an event that was not applied
	aside bool // it lies behind the newest end that was given up
	marks marks
	shown *Row
}

// A part is one growing text of a row.
type part struct {
	kind  protocol.DeltaKind
	index int
	text  *stream
}

// maxParts bounds the parts of one row; what comes for more joins the last.
const maxParts = 256

// publish gives the row as it is now, the same pointer while nothing changed.
func (r *row) publish() *Row {
	if r.shown != nil && r.shown.Rev == r.rev {
		return r.shown
	}
	out := &Row{Key: r.key, Rev: r.rev, Item: r.item}
	if r.final {
		out.State = Final
		out.Bytes, out.Kept = r.item.Bytes, r.item.Bytes
		if out.Bytes == 0 || len(r.item.Cuts) > 0 {
			out.Kept = int64(len(protocol.PlainText(r.item)))
			out.Bytes = max(out.Bytes, out.Kept)
		}
	} else {
		out.Item.Body = r.body()
		out.Bytes, out.Kept = r.base, r.base
		cut := r.lost
		for i, p := range r.parts {
			gap := int64(min(i, 1)) // a line end between two parts
			out.Bytes += p.text.total + gap
			out.Kept += p.text.kept() + gap
			cut = cut || p.text.cut
		}
		if cut {
			out.Item.Cuts = append(out.Item.Cuts[:len(out.Item.Cuts):len(out.Item.Cuts)],
				protocol.Cut{Field: "text", Bytes: out.Bytes})
		}
		out.Item.Bytes = out.Bytes
	}
	out.Cut = cutOf(out.Item.Cuts)
	r.shown = out
	return out
}

// cutOf says who shortened; where both did, ours is named.
func cutOf(cuts []protocol.Cut) CutBy {
	by := CutNone
	for _, c := range cuts {
		if !c.Server {
			return CutLocal
		}
		by = CutServer
	}
	return by
}

// body is the item's body with what streamed in.
func (r *row) body() protocol.ItemBody {
	if len(r.parts) == 0 {
		return r.item.Body
	}
	switch b := r.item.Body.(type) {
	case protocol.AgentMessage:
		b.Text = r.text(protocol.DeltaMessage)
		return b
	case protocol.Plan:
		b.Text = r.text(protocol.DeltaPlan)
		return b
	case protocol.CommandExecution:
		b.Output = r.text(protocol.DeltaOutput)
		return b
	case protocol.Reasoning:
		b.Summary, b.Content = r.texts(protocol.DeltaSummary), r.texts(protocol.DeltaReasoning)
		return b
	default:
		return b
	}
}

func (r *row) text(k protocol.DeltaKind) string { return strings.Join(r.texts(k), "") }

func (r *row) texts(k protocol.DeltaKind) (list []string) {
	for _, p := range r.parts {
		if p.kind == k {
			list = append(list, p.text.String())
		}
	}
	return list
}

// part finds or begins the part that a delta names. Parts of one kind are in
// the order of their index.
func (r *row) part(k protocol.DeltaKind, index int) *stream {
	at := len(r.parts)
	for i, p := range r.parts {
		if p.kind == k && p.index == index {
			return p.text
		}
		if p.kind == k && p.index > index && at == len(r.parts) {
			at = i
		}
	}
	if len(r.parts) >= maxParts {
		return r.parts[len(r.parts)-1].text
	}
	whole := wholeField
	if k == protocol.DeltaMessage {
		whole = wholeMessage
	}
	p := part{kind: k, index: index, text: newStream(whole, "")}
	r.parts = append(r.parts[:at], append([]part{p}, r.parts[at:]...)...)
	return p.text
}

// seed moves the texts that the item of item/started already has into parts,
// so that deltas continue them. Texts that streamed before it are kept.
func (r *row) seed(it protocol.Item) {
	had := r.parts
	if len(had) == 0 {
		for _, t := range startTexts(it.Body) {
			if t.s != "" {
				r.part(t.kind, t.index).append(t.s, int64(len(t.s)))
			}
		}
	}
	r.item = it
	r.item.Body = withoutTexts(it.Body)
	r.base = int64(len(protocol.PlainText(r.item)))
}

type startText struct {
	kind  protocol.DeltaKind
	index int
	s     string
}

func startTexts(b protocol.ItemBody) (list []startText) {
	switch b := b.(type) {
	case protocol.AgentMessage:
		return []startText{{protocol.DeltaMessage, 0, b.Text}}
	case protocol.Plan:
		return []startText{{protocol.DeltaPlan, 0, b.Text}}
	case protocol.CommandExecution:
		return []startText{{protocol.DeltaOutput, 0, b.Output}}
	case protocol.Reasoning:
		for i, s := range b.Summary {
			list = append(list, startText{protocol.DeltaSummary, i, s})
		}
		for i, s := range b.Content {
			list = append(list, startText{protocol.DeltaReasoning, i, s})
		}
		return list
	default:
		return nil
	}
}

// withoutTexts is b less the texts that stream.
func withoutTexts(b protocol.ItemBody) protocol.ItemBody {
	switch b := b.(type) {
	case protocol.AgentMessage:
		b.Text = ""
		return b
	case protocol.Plan:
		b.Text = ""
		return b
	case protocol.CommandExecution:
		b.Output = ""
		return b
	case protocol.Reasoning:
		b.Summary, b.Content = nil, nil
		return b
	default:
		return b
	}
}

// blank is the item a delta belongs to when nobody saw it start (trap 7).
func blank(id string, k protocol.DeltaKind) protocol.Item {
	it := protocol.Item{ID: id}
	switch k {
	case protocol.DeltaMessage:
		it.Type, it.Body = "agentMessage", protocol.AgentMessage{}
	case protocol.DeltaPlan:
		it.Type, it.Body = "plan", protocol.Plan{}
	case protocol.DeltaSummary, protocol.DeltaReasoning:
		it.Type, it.Body = "reasoning", protocol.Reasoning{}
	case protocol.DeltaOutput:
		it.Type, it.Body = "commandExecution", protocol.CommandExecution{Status: protocol.InProgress}
	case protocol.DeltaPatch:
		it.Type, it.Body = "fileChange", protocol.FileChange{Status: protocol.InProgress}
	}
	return it
}

// streams reports whether deltas of kind k belong to items with body b.
func streams(b protocol.ItemBody, k protocol.DeltaKind) bool {
	return reflect.TypeOf(b) == reflect.TypeOf(blank("", k).Body)
}

// weigh counts what the row keeps.
func (r *row) weigh() int64 {
	n := textBytes(r.item.Body)
	for _, p := range r.parts {
		n += p.text.kept()
	}
	return n
}
