package session

import (
	"slices"
	"strings"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/words"
)

// What a card may hold: the fields of a form and the choices of each, together,
// and the decisions.
const (
	maxFields    = 200
	maxDecisions = 20
)

// tooMuch reports whether a request asks for more than can be filled in here.
// It can only be declined or refused: half a form is no answer.
func tooMuch(r protocol.ServerRequest) bool {
	n := 0
	switch p := r.Params.(type) {
	case protocol.UserInputRequest:
		for _, q := range p.Questions {
			n += 1 + len(q.Options)
		}
	case protocol.Elicitation:
		for _, f := range p.Fields {
			n += 1 + len(f.Options)
		}
	default: // no fields
	}
	return n > maxFields
}

// emptied is a request that asks for too much, without what nobody can see: the
// card is kept as long as the server waits.
func emptied(r protocol.ServerRequest) protocol.ServerRequest {
	switch p := r.Params.(type) {
	case protocol.UserInputRequest:
		p.Questions = []protocol.Question{{Options: make([]protocol.Option, maxFields)}}
		r.Params = p
	case protocol.Elicitation:
		p.Fields = []protocol.Field{{Options: make([]protocol.Choice, maxFields)}}
		r.Params = p
	default: // no fields
	}
	return r
}

const tooMuchText words.Key = "It asks for more at once than can be shown here, so it cannot be filled in."

// questions are the fields of a request for input.
func questions(r protocol.ServerRequest) []Question {
	var out []Question
	if tooMuch(r) {
		return nil
	}
	switch p := r.Params.(type) {
	case protocol.UserInputRequest:
		for _, q := range p.Questions {
			x := Question{ID: q.ID, Header: q.Header, Text: q.Question, Kind: "choice", Other: q.IsOther, Secret: q.IsSecret, Required: true}
			if len(q.Options) == 0 {
				x.Kind = "text"
			}
			for _, o := range q.Options {
				x.Options = append(x.Options, Option{Value: o.Label, Label: o.Label, Text: o.Description})
			}
			out = append(out, x)
		}
	case protocol.Elicitation:
		for _, f := range p.Fields {
			x := Question{ID: f.Name, Header: f.Title, Text: f.Description, Kind: f.Kind, Required: f.Required, Default: f.Default}
			for _, o := range f.Options {
				x.Options = append(x.Options, Option{Value: o.Value, Label: o.Label})
			}
			out = append(out, x)
		}
	case protocol.CommandApproval, protocol.FileChangeApproval, protocol.LegacyCommandApproval, protocol.LegacyPatchApproval,
		protocol.PermissionsApproval, protocol.ToolCallRequest, protocol.UnknownRequest,
		protocol.CurrentTimeRead, protocol.AttestationGenerate, protocol.TokensRefresh: // no fields
	}
	return out
}

// requestsSection shows the cards. An answered one stays until it is closed.
func (l *loop) requestsSection() *Requests {
	s := &Requests{}
	for _, c := range l.requests.cards {
		s.Cards = append(s.Cards, l.describe(c))
	}
	return s
}

// describe puts a request into words: what is asked, exactly, why and where.
func (l *loop) describe(c *card) *Request {
	r := &Request{
		ID: c.id, Thread: c.thread, Method: c.req.Method, Live: c.live, Answered: c.op != "", At: c.made,
		Decisions: decisions(c.req), Questions: questions(c.req),
	}
	switch p := c.req.Params.(type) {
	case protocol.CommandApproval:
		r.Kind, r.Turn, r.Item = "command", p.Turn, p.Item
		r.Text, r.Reason, r.Cwd = p.Command, p.Reason, p.Cwd
		if p.Network != nil {
			r.Text = strings.TrimSpace(p.Command + "\n" + words.T("Connect to %s (%s)", p.Network.Host, p.Network.Protocol))
		}
	case protocol.LegacyCommandApproval:
		r.Kind, r.Item = "command", p.CallID
		r.Text, r.Reason, r.Cwd = strings.Join(p.Command, " "), p.Reason, p.Cwd
	case protocol.FileChangeApproval:
		r.Kind, r.Turn, r.Item = "fileChange", p.Turn, p.Item
		r.Text, r.Reason, r.Cwd = words.T("Change files"), p.Reason, p.GrantRoot
		r.Diff = l.diffOf(c.thread, p.Turn, p.Item)
	case protocol.LegacyPatchApproval:
		r.Kind, r.Item = "fileChange", p.CallID
		r.Text, r.Reason, r.Diff = words.T("Change files"), p.Reason, protocol.PlainText(protocol.Item{Body: protocol.FileChange{Changes: p.Changes}})
	case protocol.PermissionsApproval:
		r.Kind, r.Turn, r.Item = "permissions", p.Turn, p.Item
		r.Text, r.Reason, r.Cwd = string(p.Permissions), p.Reason, p.Cwd
	case protocol.UserInputRequest:
		r.Kind, r.Turn, r.Item = "userInput", p.Turn, p.Item
		r.Text = words.T("Codex asks for your answer")
		if tooMuch(c.req) {
			r.Reason = tooMuchText.String()
		}
	case protocol.Elicitation:
		r.Kind, r.Turn = "elicitation", p.Turn
		r.Text, r.Reason = strings.TrimSpace(p.Message+"\n"+p.URL), p.Server
		if tooMuch(c.req) {
			r.Reason = strings.TrimSpace(p.Server + "\n" + tooMuchText.String())
		}
	case protocol.ToolCallRequest:
		r.Kind, r.Turn = "toolCall", p.Turn
		r.Text = strings.TrimSpace(p.Tool + " " + string(p.Arguments))
	case protocol.UnknownRequest:
		r.Kind, r.Text = "unknown", p.Raw
	case protocol.CurrentTimeRead, protocol.AttestationGenerate, protocol.TokensRefresh: // no card
	}
	return r
}

// diffOf finds the patch of a file change: it is in the item, not in the
// request (PROTOCOL.md section 8).
func (l *loop) diffOf(thread, turn, item string) string {
	k := history.Key{Turn: turn, Item: item}
	j := l.joined[thread]
	if j == nil {
		return ""
	}
	for _, r := range slices.Backward(j.window.View().Rows) {
		if r.Key == k {
			return protocol.PlainText(r.Item)
		}
	}
	return ""
}
