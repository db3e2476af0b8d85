package protocol

import "github.com/go-json-experiment/json/jsontext"

// An Item is one thread item (PROTOCOL.md section 4): a message, a command, a
// file change, and so on. Text in it is untrusted server text.
type Item struct {
	// Type is the protocol's item type, such as "agentMessage".
	Type string
	// ID is the provider's own; it can come back in another turn.
	ID string
	// Body holds what the type says.
	Body ItemBody
	// StartedAtMs and CompletedAtMs are unix milliseconds, 0 where the server
	// does not say (0.155.1).
	StartedAtMs, CompletedAtMs int64
	// Cuts lists the fields that were shortened, by us or by the server.
	Cuts []Cut
	// Bytes is the length of the item's text in UTF-8 bytes before our cuts.
	Bytes int64
}

// A Cut says that one field is not whole.
type Cut struct {
	// Field is the wire name, such as "aggregatedOutput".
	Field string
	// Server is true when the server shortened it, false when we did (ruling 9).
	Server bool
	// Bytes is the true length, 0 when only the server knows it.
	Bytes int64
}

// ItemBody is the closed set of item contents.
//
//sumtype:decl
type ItemBody interface{ itemBody() }

type (
	// UserMessage is what a user sent.
	UserMessage struct {
		ClientID string
		Content  []UserInput
	}
	// AgentMessage is what the model said. Phase may be empty.
	AgentMessage struct{ Text, Phase string }
	// Plan is the text of a proposed plan.
	Plan struct{ Text string }
	// Reasoning is the model's thinking, in parts.
	Reasoning struct{ Summary, Content []string }
	// CommandExecution is a command the server ran or wants to run.
	CommandExecution struct {
		Command, Cwd, Status, Output, Source string
		ExitCode                             *int64
		DurationMs                           *int64
	}
	// FileChange is a patch. Status is inProgress, completed, failed or declined.
	FileChange struct {
		Status  string
		Changes []FileUpdate
	}
	// ToolCall is a call of an MCP tool (Server set) or of a dynamic tool.
	// Arguments and Result are JSON or plain text.
	ToolCall struct {
		Server, Tool, Status, Arguments, Result, Error string
		DurationMs                                     *int64
	}
	// CollabCall is a call that starts or talks to sub-agents.
	CollabCall struct {
		Tool, Status, Prompt, Sender string
		Receivers                    []string
	}
	// SubAgent says that a sub-agent began or ended something.
	SubAgent struct{ Kind, Path, Thread string }
	// WebSearch is a search the provider ran.
	WebSearch struct{ Query, Action string }
	// ImageView says that the model looked at an image file of the server.
	ImageView struct{ Path string }
	// ImageGeneration is an image the provider made. Bytes is the length of
	// its encoded data, which is never kept in a row.
	ImageGeneration struct {
		Status, Prompt, SavedPath string
		Bytes                     int64
	}
	// Review marks that a review began (Entered) or ended.
	Review struct {
		Entered bool
		Text    string
	}
	// Compaction marks that the history before it was summarized.
	Compaction struct{}
	// Sleep says that the model waited.
	Sleep struct{ DurationMs int64 }
	// HookPrompt is text a hook put in.
	HookPrompt struct{ Fragments []string }
	// FunctionOutput is a tool output with no call beside it.
	FunctionOutput struct{ Name, Output string }
	// UnknownItem is of a type this build does not know: a short safe summary
	// of its JSON, bounded like any other field.
	UnknownItem struct{ Summary string }
)

func (UserMessage) itemBody()      {}
func (AgentMessage) itemBody()     {}
func (Plan) itemBody()             {}
func (Reasoning) itemBody()        {}
func (CommandExecution) itemBody() {}
func (FileChange) itemBody()       {}
func (ToolCall) itemBody()         {}
func (CollabCall) itemBody()       {}
func (SubAgent) itemBody()         {}
func (WebSearch) itemBody()        {}
func (ImageView) itemBody()        {}
func (ImageGeneration) itemBody()  {}
func (Review) itemBody()           {}
func (Compaction) itemBody()       {}
func (Sleep) itemBody()            {}
func (HookPrompt) itemBody()       {}
func (FunctionOutput) itemBody()   {}
func (UnknownItem) itemBody()      {}

// A FileUpdate is one file of a FileChange. Kind is add, delete or update. For
// an added file Diff is its content, not a patch. MovedTo is an updated file's
// new path, "" if it stays.
type FileUpdate struct{ Path, Kind, Diff, MovedTo string }

// A UserInput is one part of a user message. Type says which fields count:
// text (Text), image (URL), localImage (Path), skill and mention (Name, Path),
// audio (URL), localAudio (Path).
type UserInput struct {
	Type, Text, URL, Path, Name string
	// Media and Bytes are, in an item, the media type and the length of a data
	// URL, which is not kept. They are never sent.
	Media string
	Bytes int64
}

// MarshalJSONTo writes the fields that the type needs, empty or not.
func (in UserInput) MarshalJSONTo(e *jsontext.Encoder) error {
	fields := []string{"type", in.Type}
	switch in.Type {
	case "image", "audio":
		fields = append(fields, "url", in.URL)
	case "localImage", "localAudio":
		fields = append(fields, "path", in.Path)
	case "skill", "mention":
		fields = append(fields, "name", in.Name, "path", in.Path)
	default:
		fields = append(fields, "text", in.Text)
	}
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, s := range fields {
		if err := e.WriteToken(jsontext.String(s)); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}

// UnmarshalJSONFrom reads one part, bounded as in an item.
func (in *UserInput) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	r := newReader(d)
	defer r.release()
	*in = r.input()
	return r.fail()
}
