package protocol

import (
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Thread is a conversation as the server describes it. Its times are in
// seconds, not milliseconds (trap 16).
type Thread struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Preview string `json:"preview"`
	Cwd     string `json:"cwd"`
	Status  Status `json:"status"`
	// HistoryMode is paginated or legacy; "" from a server that does not say.
	HistoryMode string `json:"historyMode"`
	CreatedAt   int64  `json:"createdAt"`
	UpdatedAt   int64  `json:"updatedAt"`
	RecencyAt   int64  `json:"recencyAt"`
	// ParentThreadID is set for sub-agents. ForkedFromID is not in list rows.
	ParentThreadID  string  `json:"parentThreadId"`
	ForkedFromID    string  `json:"forkedFromId"`
	Source          Source  `json:"source"`
	GitInfo         GitInfo `json:"gitInfo"`
	Model           string  `json:"model"`
	ReasoningEffort string  `json:"reasoningEffort"`
	ModelProvider   string  `json:"modelProvider"`
	Ephemeral       bool    `json:"ephemeral"`
	Path            string  `json:"path"`
	// CanAcceptDirectInput is false for children that only their parent steers.
	CanAcceptDirectInput *bool  `json:"canAcceptDirectInput"`
	Turns                []Turn `json:"turns"`
}

// GitInfo is what the server knows of the folder's repository.
type GitInfo struct {
	Branch string `json:"branch"`
}

// The types of a thread's status.
const (
	NotLoaded   = "notLoaded"
	Idle        = "idle"
	Active      = "active"
	SystemError = "systemError"
)

// A Status is a thread's status. ActiveFlags, of an active one, are
// waitingOnApproval and waitingOnUserInput.
type Status struct {
	Type        string   `json:"type"`
	ActiveFlags []string `json:"activeFlags"`
}

// A Source says what made a thread: a word such as vscode, or the key of an
// object such as subAgent.
type Source string

// UnmarshalJSONFrom accepts the word or the object.
func (s *Source) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	w, err := wordOrKey(d)
	*s = Source(w)
	return err
}

var errNoID = errors.New("no id")

// UnmarshalJSONFrom refuses a thread without an ID, and bounds the others.
func (t *Thread) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain Thread
	if err := json.UnmarshalDecode(d, (*plain)(t)); err != nil {
		return err
	}
	t.bound()
	return identity(t.ID)
}

// UnmarshalJSONFrom bounds the words.
func (s *Status) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain Status
	err := json.UnmarshalDecode(d, (*plain)(s))
	cutAt(maxWord, &s.Type)
	s.ActiveFlags = cutWords(s.ActiveFlags)
	return err
}

// Title is what a list shows for the thread: its name, else the first line of
// its preview that is not blank, else "Untitled".
func (t *Thread) Title() string {
	if s := strings.TrimSpace(t.Name); s != "" {
		return s
	}
	for line := range strings.Lines(t.Preview) {
		if s := strings.TrimSpace(line); s != "" {
			return s
		}
	}
	return "Untitled"
}

// A Turn is one exchange. Its times are unix seconds, 0 where there is none.
type Turn struct {
	ID string `json:"id"`
	// Status is inProgress, completed, interrupted or failed.
	Status      string     `json:"status"`
	StartedAt   int64      `json:"startedAt"`
	CompletedAt int64      `json:"completedAt"`
	DurationMs  int64      `json:"durationMs"`
	Error       *TurnError `json:"error"`
	// ItemsView says which items are here: notLoaded, summary or full.
	ItemsView string `json:"itemsView"`
	Items     []Item `json:"items"`
	// Unread counts the items that could not be read, Over those beyond the
	// bounds of what is kept.
	Unread int `json:"-"`
	Over   int `json:"-"`
}

// The states of a turn.
const (
	InProgress  = "inProgress"
	Completed   = "completed"
	Interrupted = "interrupted"
	Failed      = "failed"
)

// UnmarshalJSONFrom refuses a turn without an ID, and reads its items one by one.
func (t *Turn) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var p struct {
		ID          string     `json:"id"`
		Status      string     `json:"status"`
		StartedAt   int64      `json:"startedAt"`
		CompletedAt int64      `json:"completedAt"`
		DurationMs  int64      `json:"durationMs"`
		Error       *TurnError `json:"error"`
		ItemsView   string     `json:"itemsView"`
		Items       rows[Item] `json:"items"`
	}
	if err := json.UnmarshalDecode(d, &p); err != nil {
		return err
	}
	cutAt(maxWord, &p.Status, &p.ItemsView)
	*t = Turn{
		p.ID, p.Status, p.StartedAt, p.CompletedAt, p.DurationMs, p.Error, p.ItemsView,
		p.Items.list, p.Items.unread - p.Items.over, p.Items.over,
	}
	return identity(t.ID)
}

// A TurnError is why a turn failed.
type TurnError struct {
	Message string `json:"message"`
	Details string `json:"additionalDetails"`
	// Info is codexErrorInfo: a word, or the key of an object.
	Info ErrorInfo `json:"codexErrorInfo"`
}

// UnmarshalJSONFrom bounds the texts.
func (e *TurnError) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain TurnError
	err := json.UnmarshalDecode(d, (*plain)(e))
	e.bound()
	return err
}

// An ErrorInfo is a kind of provider failure, with the HTTP status where the
// server tells it, else 0.
type ErrorInfo struct {
	Kind   string
	Status int
}

// UnmarshalJSONFrom accepts a word, or an object with one name.
func (i *ErrorInfo) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != jsontext.KindBeginObject {
		return json.UnmarshalDecode(d, &i.Kind)
	}
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	v = v.Clone()
	if i.Kind, err = firstName(v); err != nil {
		return err
	}
	var detail map[string]struct {
		HTTPStatusCode int `json:"httpStatusCode"`
	}
	if json.Unmarshal(v, &detail, DecodeOptions()) == nil {
		i.Status = detail[i.Kind].HTTPStatusCode
	}
	return nil
}
