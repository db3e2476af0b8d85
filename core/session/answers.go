package session

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// An answerBody is what goes back: a result, or a refusal with its text.
type answerBody struct {
	value  any
	refuse string
}

// Decisions that are ours: they stand for an answer of another form.
const (
	grantForTurn    = "grantForTurn"
	grantForSession = "grantForSession"
	refuseRequest   = "refuse"
)

// The words of the decisions (LOOK.md).
var decisionWords = map[string]words.Key{
	"decline": "Decline", "accept": "Allow once", "acceptForSession": "Allow for session", "cancel": "Stop turn",
	"acceptWithExecpolicyAmendment": "Allow, and commands like it",
	"applyNetworkPolicyAmendment":   "Allow, and this host from now on",
	"approved":                      "Allow once",
	"approved_for_session":          "Allow for session",
	"abort":                         "Stop turn",
	grantForTurn:                    "Allow for this turn",
	grantForSession:                 "Allow for session",
	refuseRequest:                   "Refuse",
}

// The order in which decisions stand: the least far-reaching first, none the
// default; an amendment stands after Allow for session (ruling 40).
var decisionOrder = []string{
	"decline", refuseRequest, "accept", "approved", grantForTurn, "acceptForSession", "approved_for_session",
	grantForSession, "acceptWithExecpolicyAmendment", "applyNetworkPolicyAmendment", "cancel", "abort",
}

// decisions are those a request can be answered with. Decline is always
// offered for commands and file changes: the server takes it though it does
// not list it.
func decisions(r protocol.ServerRequest) []Decision {
	var names []string
	switch p := r.Params.(type) {
	case protocol.CommandApproval:
		names = []string{"decline"}
		for _, d := range p.Decisions {
			names = append(names, d.Name)
		}
		if len(p.Decisions) == 0 {
			names = append(names, "accept", "acceptForSession", "cancel")
		}
	case protocol.FileChangeApproval:
		names = []string{"decline", "accept", "acceptForSession", "cancel"}
	case protocol.LegacyCommandApproval, protocol.LegacyPatchApproval:
		names = []string{"approved", "approved_for_session", "abort"}
	case protocol.PermissionsApproval:
		names = []string{"decline", grantForTurn, grantForSession}
	case protocol.Elicitation:
		names = []string{"decline", "accept", "cancel"}
		if tooMuch(r) {
			names = []string{"decline", "cancel"}
		}
	case protocol.ToolCallRequest, protocol.UnknownRequest:
		names = []string{refuseRequest}
	case protocol.UserInputRequest: // answered with values
		if tooMuch(r) {
			names = []string{refuseRequest}
		}
	case protocol.CurrentTimeRead, protocol.AttestationGenerate, protocol.TokensRefresh: // no card
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	out := make([]Decision, 0, len(names))
	for _, n := range slices.Compact(names) {
		if len(out) == maxDecisions && rank(n) == len(decisionOrder) {
			break // the known ones stand first
		}
		out = append(out, Decision{Name: n, Text: wordFor(r, n)})
	}
	return out
}

func wordFor(r protocol.ServerRequest, name string) string {
	if _, asksValues := r.Params.(protocol.Elicitation); asksValues && name == "accept" {
		return words.T("Send answers")
	}
	if known := decisionWords[name]; known != "" {
		return known.String()
	}
	// A word of the server's own could pass for one of ours.
	return words.T("Answer “%s”", quote(name))
}

func rank(name string) int {
	if i := slices.Index(decisionOrder, name); i >= 0 {
		return i
	}
	return len(decisionOrder)
}

// answerOf builds what goes on the wire. A decision that is not offered is
// refused here: the server would fail the item without a complaint.
func answerOf(r protocol.ServerRequest, in Answer) (answerBody, error) {
	if _, asksValues := r.Params.(protocol.UserInputRequest); asksValues && !tooMuch(r) {
		return userInput(in.Answers), checkAnswers(questions(r), in.Answers)
	}
	if !slices.ContainsFunc(decisions(r), func(d Decision) bool { return d.Name == in.Decision }) {
		return answerBody{}, errors.New(words.T("%q is not among the decisions of this request", in.Decision))
	}
	switch p := r.Params.(type) {
	case protocol.CommandApproval:
		for _, d := range p.Decisions {
			if d.Name == in.Decision {
				return answerBody{value: protocol.DecisionAnswer{Decision: d}}, nil // an object goes back as it came
			}
		}
		return answerBody{value: protocol.DecisionAnswer{Decision: plainDecision(in.Decision)}}, nil
	case protocol.FileChangeApproval, protocol.LegacyCommandApproval, protocol.LegacyPatchApproval:
		return answerBody{value: protocol.DecisionAnswer{Decision: plainDecision(in.Decision)}}, nil
	case protocol.PermissionsApproval:
		return permissions(p, in.Decision), nil
	case protocol.Elicitation:
		return elicited(r, in)
	case protocol.ToolCallRequest, protocol.UnknownRequest, protocol.UserInputRequest:
		return answerBody{refuse: "refused by the user"}, nil
	case protocol.CurrentTimeRead, protocol.AttestationGenerate, protocol.TokensRefresh:
	}
	return answerBody{}, words.Error("this kind of request cannot be answered here")
}

func plainDecision(name string) protocol.Decision {
	for _, d := range []protocol.Decision{
		protocol.Accept, protocol.AcceptForSession, protocol.Decline, protocol.Cancel,
		protocol.LegacyApproved, protocol.LegacyApprovedForSession, protocol.LegacyAbort,
	} {
		if d.Name == name {
			return d
		}
	}
	return protocol.Decline
}

func permissions(p protocol.PermissionsApproval, decision string) answerBody {
	a := protocol.PermissionsAnswer{Permissions: jsontext.Value("{}")}
	switch decision {
	case grantForTurn:
		a.Permissions, a.Scope = p.Permissions, "turn"
	case grantForSession:
		a.Permissions, a.Scope = p.Permissions, "session"
	}
	return answerBody{value: a}
}

func userInput(answers map[string][]string) answerBody {
	a := protocol.UserInputAnswer{Answers: map[string]protocol.AnswerList{}}
	for id, list := range answers {
		a.Answers[id] = protocol.AnswerList{Answers: list}
	}
	return answerBody{value: a}
}

// elicited fills in an MCP server's form, each value of the kind it asks for.
func elicited(r protocol.ServerRequest, in Answer) (answerBody, error) {
	a := protocol.ElicitationAnswer{Action: in.Decision}
	if in.Decision != "accept" {
		return answerBody{value: a}, nil
	}
	qs := questions(r)
	if err := checkAnswers(qs, in.Answers); err != nil {
		return answerBody{}, err
	}
	content := map[string]any{}
	for _, q := range qs {
		if list := in.Answers[q.ID]; len(list) > 0 {
			content[q.ID] = valueOf(q.Kind, list)
		}
	}
	raw, err := json.Marshal(content, json.Deterministic(true))
	a.Content = raw
	return answerBody{value: a}, err
}

// valueOf gives an answer in a field's kind; checkAnswers has seen that it fits.
func valueOf(kind string, list []string) any {
	switch kind {
	case "number":
		if f, err := strconv.ParseFloat(list[0], 64); err == nil {
			return f
		}
	case "integer":
		if n, err := strconv.ParseInt(list[0], 10, 64); err == nil {
			return n
		}
	case "boolean":
		if b, err := strconv.ParseBool(list[0]); err == nil {
			return b
		}
	case "choices":
		return list
	}
	return list[0]
}

// checkAnswers names the first field that is missing or of the wrong kind.
func checkAnswers(qs []Question, answers map[string][]string) error {
	for _, q := range qs {
		a := answers[q.ID]
		name := or(q.Header, q.ID)
		if len(a) == 0 || strings.TrimSpace(strings.Join(a, "")) == "" {
			if q.Required {
				return errors.New(words.T("%q needs an answer", name))
			}
			continue
		}
		var err error
		switch q.Kind {
		case "number":
			_, err = strconv.ParseFloat(a[0], 64)
		case "integer":
			_, err = strconv.ParseInt(a[0], 10, 64)
		case "boolean":
			_, err = strconv.ParseBool(a[0])
		}
		if err != nil {
			return errors.New(words.T("%q needs a value of the kind %s", name, q.Kind))
		}
	}
	return nil
}
