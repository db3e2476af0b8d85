package protocol

import "github.com/go-json-experiment/json/jsontext"

// Answers to the server's questions.
type (
	// DecisionAnswer answers a CommandApproval or FileChangeApproval, and their
	// older forms.
	DecisionAnswer struct {
		Decision Decision `json:"decision"`
	}
	// UserInputAnswer answers a UserInputRequest, by question ID.
	UserInputAnswer struct {
		Answers map[string]AnswerList `json:"answers"`
	}
	// AnswerList holds the answers to one question.
	AnswerList struct {
		Answers []string `json:"answers"`
	}
	// ElicitationAnswer answers an Elicitation: accept with content, decline or
	// cancel.
	ElicitationAnswer struct {
		Action  string         `json:"action"`
		Content jsontext.Value `json:"content,omitzero"`
	}
	// PermissionsAnswer grants what was asked, or {} for nothing. Scope is turn
	// or session.
	PermissionsAnswer struct {
		Permissions jsontext.Value `json:"permissions"`
		Scope       string         `json:"scope,omitzero"`
	}
	// CurrentTimeAnswer gives the time in unix seconds.
	CurrentTimeAnswer struct {
		CurrentTimeAt int64 `json:"currentTimeAt"`
	}
)

// String hides the answers, some of which may be secret (ruling 34).
func (UserInputAnswer) String() string { return "[answers]" }

// GoString hides the answers.
func (UserInputAnswer) GoString() string { return "[answers]" }

// The decisions every command and file change takes, offered or not.
var (
	Accept           = word("accept")
	AcceptForSession = word("acceptForSession")
	Decline          = word("decline")
	Cancel           = word("cancel")
)

// The same for the older forms, whose words differ.
var (
	LegacyApproved           = word("approved")
	LegacyApprovedForSession = word("approved_for_session")
	LegacyAbort              = word("abort")
	LegacyDenied             = Decision{"denied", jsontext.Value(`{"denied":{"rejection":"denied by the user"}}`)}
)

// NoPermissions grants nothing of what was asked.
var NoPermissions = jsontext.Value("{}")

func word(s string) Decision { return Decision{s, jsontext.Value(`"` + s + `"`)} }

// MarshalJSONTo writes the decision as the server offered it.
func (d Decision) MarshalJSONTo(e *jsontext.Encoder) error { return e.WriteValue(d.Raw) }

// UnmarshalJSONFrom keeps the word or object, and its name.
func (d *Decision) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	d.Raw = v.Clone()
	d.Name, err = wordOrKey(decoderOf(d.Raw))
	return err
}
