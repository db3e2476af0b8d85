package protocol

import "github.com/go-json-experiment/json/jsontext"

// A ServerRequest is a question of the server. It is answered by its own ID.
type ServerRequest struct {
	ID     RequestID
	Method string
	Params ServerRequestParams
}

// ServerRequestParams is the closed set of the server's questions.
//
//sumtype:decl
type ServerRequestParams interface {
	serverRequest()
	// ThreadID is the thread the question is about, "" if none.
	ThreadID() string
}

type (
	// CommandApproval asks whether a command may run. Command is the exact line.
	CommandApproval struct {
		ItemRef
		Kind      string     `json:"kind"`
		Command   string     `json:"command"`
		Cwd       string     `json:"cwd"`
		Reason    string     `json:"reason"`
		Decisions []Decision `json:"availableDecisions"`
		// Network is set when a host is asked for rather than a command.
		Network *NetworkTarget `json:"networkApprovalContext"`
	}
	// NetworkTarget is a host a command wants to reach.
	NetworkTarget struct {
		Host     string `json:"host"`
		Protocol string `json:"protocol"`
	}
	// FileChangeApproval asks whether a patch may be applied. The diff is in the
	// item of the same ID.
	FileChangeApproval struct {
		ItemRef
		Reason    string `json:"reason"`
		GrantRoot string `json:"grantRoot"`
	}
	// PermissionsApproval asks for more permissions, kept as the server wrote
	// them: an answer gives them back whole, or none.
	PermissionsApproval struct {
		ItemRef
		Cwd         string         `json:"cwd"`
		Reason      string         `json:"reason"`
		Permissions jsontext.Value `json:"permissions"`
	}
	// UserInputRequest asks the user questions.
	UserInputRequest struct {
		ItemRef
		Questions  []Question `json:"questions"`
		IsBlocking bool       `json:"isBlocking"`
	}
	// Question is one of them.
	Question struct {
		ID       string   `json:"id"`
		Header   string   `json:"header"`
		Question string   `json:"question"`
		IsOther  bool     `json:"isOther"`
		IsSecret bool     `json:"isSecret"`
		Options  []Option `json:"options"`
	}
	// Option is one offered answer.
	Option struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	}
	// Elicitation is an MCP server's question. Mode is form or url, or another
	// that this build cannot fill in; Fields are a form's, in the schema's order.
	Elicitation struct {
		TurnRef
		Server  string
		Mode    string
		Message string
		URL     string
		Fields  []Field
	}
	// ToolCallRequest asks the client to run a tool it declared. We declare none.
	ToolCallRequest struct {
		TurnRef
		CallID    string  `json:"callId"`
		Tool      string  `json:"tool"`
		Arguments RawText `json:"arguments"`
	}
	// LegacyCommandApproval is the older form of CommandApproval.
	LegacyCommandApproval struct {
		Thread  string   `json:"conversationId"`
		CallID  string   `json:"callId"`
		Command []string `json:"command"`
		Cwd     string   `json:"cwd"`
		Reason  string   `json:"reason"`
	}
	// LegacyPatchApproval is the older form of FileChangeApproval.
	LegacyPatchApproval struct {
		Thread  string
		CallID  string
		Reason  string
		Changes []FileUpdate
	}
	// CurrentTimeRead asks for the time. It is answered without the user.
	CurrentTimeRead struct{ ThreadRef }
	// AttestationGenerate wants something we never declared.
	AttestationGenerate struct{ Whole }
	// TokensRefresh wants something we never declared.
	TokensRefresh struct{ Whole }
	// UnknownRequest is a question this build does not know: it is shown, and
	// never answered by itself (ruling 33). Raw is its JSON, bounded.
	UnknownRequest struct {
		ThreadRef
		Raw string
	}
)

// RawText is a value as bounded text: a string as it is, anything else as JSON.
type RawText string

// UnmarshalJSONFrom reads any value.
func (t *RawText) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	r := newReader(d)
	defer r.release()
	*t = RawText(r.raw("", maxField))
	return r.err
}

// A Field is one value of a form.
type Field struct {
	Name, Title, Description string
	// Kind is text, number, integer, boolean, choice or choices.
	Kind     string
	Required bool
	// Options are the choices; Label is shown, Value is sent.
	Options []Choice
	// Default is the default as text, "" for none.
	Default string
}

// A Choice is one value of a choice.
type Choice struct{ Value, Label string }

// A Decision is one answer the server offers: a word, or an object whose key
// is its name. Raw is sent back as it came.
type Decision struct {
	Name string
	Raw  jsontext.Value
}

// ThreadID gives the thread.
func (p LegacyCommandApproval) ThreadID() string { return p.Thread }

// ThreadID gives the thread.
func (p LegacyPatchApproval) ThreadID() string { return p.Thread }

func (CommandApproval) serverRequest()       {}
func (FileChangeApproval) serverRequest()    {}
func (PermissionsApproval) serverRequest()   {}
func (UserInputRequest) serverRequest()      {}
func (Elicitation) serverRequest()           {}
func (ToolCallRequest) serverRequest()       {}
func (LegacyCommandApproval) serverRequest() {}
func (LegacyPatchApproval) serverRequest()   {}
func (CurrentTimeRead) serverRequest()       {}
func (AttestationGenerate) serverRequest()   {}
func (TokensRefresh) serverRequest()         {}
func (UnknownRequest) serverRequest()        {}
