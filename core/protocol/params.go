package protocol

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Parameters of the read methods. A zero optional field is not sent.
type (
	// ThreadReadParams asks for a thread's metadata and status, never its turns
	// (HIS-1).
	ThreadReadParams struct {
		ThreadID     string `json:"threadId"`
		IncludeTurns never  `json:"includeTurns"`
	}
	// ThreadTurnsListParams asks for one page of turns. ItemsView is notLoaded,
	// summary or full; SortDirection asc or desc.
	ThreadTurnsListParams struct {
		ThreadID      string `json:"threadId"`
		Cursor        string `json:"cursor,omitzero"`
		Limit         int    `json:"limit,omitzero"`
		SortDirection string `json:"sortDirection,omitzero"`
		ItemsView     string `json:"itemsView,omitzero"`
	}
	// ThreadItemsListParams asks for one page of items, of one turn with TurnID.
	ThreadItemsListParams struct {
		ThreadID      string      `json:"threadId"`
		TurnID        string      `json:"turnId,omitzero"`
		Cursor        ItemsCursor `json:"cursor,omitzero"`
		Limit         int         `json:"limit,omitzero"`
		SortDirection string      `json:"sortDirection,omitzero"`
	}
	// ThreadListParams asks for one page of threads, always by recency, newest
	// first: the default order loses rows (ruling 10).
	ThreadListParams struct {
		Cursor        string     `json:"cursor,omitzero"`
		Limit         int        `json:"limit,omitzero"`
		Archived      bool       `json:"archived,omitzero"`
		SearchTerm    string     `json:"searchTerm,omitzero"`
		SortKey       byRecency  `json:"sortKey"`
		SortDirection descending `json:"sortDirection"`
	}
	// AccountReadParams asks who is signed in, without a token refresh (REC-13).
	AccountReadParams struct {
		RefreshToken never `json:"refreshToken"`
	}
	// SkillsListParams asks for the skills of folders, the server's own without
	// any, from what the server has loaded (REC-13).
	SkillsListParams struct {
		Cwds        []string `json:"cwds,omitempty"`
		ForceReload never    `json:"forceReload"`
	}
	// ModelListParams asks for one page of the catalogue.
	ModelListParams struct {
		Cursor string `json:"cursor,omitzero"`
		Limit  int    `json:"limit,omitzero"`
	}
	// QueueListParams asks for one page of a thread's queue. Experimental.
	QueueListParams struct {
		ThreadID string `json:"threadId"`
		Cursor   string `json:"cursor,omitzero"`
		Limit    int    `json:"limit,omitzero"`
	}
	// FuzzyFileSearchParams asks for the files of folders that match a few letters;
	// a search with the same token that is under way is dropped.
	FuzzyFileSearchParams struct {
		Query             string   `json:"query"`
		Roots             []string `json:"roots"`
		CancellationToken string   `json:"cancellationToken,omitzero"`
	}
	// McpServerStatusListParams asks for one page of the MCP servers, with their
	// tools and nothing more of them.
	McpServerStatusListParams struct {
		ThreadID string       `json:"threadId,omitzero"`
		Cursor   string       `json:"cursor,omitzero"`
		Limit    int          `json:"limit,omitzero"`
		Detail   toolsAndAuth `json:"detail"`
	}
	// InitializeParams begins a connection.
	InitializeParams struct {
		ClientInfo   ClientInfo   `json:"clientInfo"`
		Capabilities Capabilities `json:"capabilities"`
	}
	// ClientInfo says who connects. Name must be legal in an HTTP header.
	ClientInfo struct {
		Name    string `json:"name"`
		Title   string `json:"title,omitzero"`
		Version string `json:"version"`
	}
	// Capabilities are what this client can do, per connection (ruling 19).
	Capabilities struct {
		ExperimentalAPI bool     `json:"experimentalApi"`
		OptOut          []string `json:"optOutNotificationMethods,omitempty"`
	}
)

// Parameters of the thread mutations.
type (
	// ThreadStartParams makes a thread; the caller is subscribed to it. Sandbox
	// is a [SandboxMode]'s word.
	ThreadStartParams struct {
		Cwd            string `json:"cwd,omitzero"`
		Model          string `json:"model,omitzero"`
		ServiceTier    string `json:"serviceTier,omitzero"`
		Personality    string `json:"personality,omitzero"`
		ApprovalPolicy string `json:"approvalPolicy,omitzero"`
		Sandbox        string `json:"sandbox,omitzero"`
		Ephemeral      bool   `json:"ephemeral,omitzero"`
	}
	// ThreadResumeParams subscribes to a thread, never asking for its turns.
	ThreadResumeParams struct {
		ThreadID     string `json:"threadId"`
		ExcludeTurns always `json:"excludeTurns"`
	}
	// ThreadForkParams copies a thread up to LastTurnID inclusive, or whole.
	ThreadForkParams struct {
		ThreadID     string `json:"threadId"`
		LastTurnID   string `json:"lastTurnId,omitzero"`
		Ephemeral    bool   `json:"ephemeral,omitzero"`
		ExcludeTurns always `json:"excludeTurns"`
	}
	// ThreadArchiveParams names the thread to archive.
	ThreadArchiveParams struct {
		ThreadID string `json:"threadId"`
	}
	// ThreadUnarchiveParams names the thread to take back.
	ThreadUnarchiveParams struct {
		ThreadID string `json:"threadId"`
	}
	// ThreadDeleteParams names the thread to delete.
	ThreadDeleteParams struct {
		ThreadID string `json:"threadId"`
	}
	// ThreadNameSetParams renames a thread.
	ThreadNameSetParams struct {
		ThreadID string `json:"threadId"`
		Name     string `json:"name"`
	}
	// ThreadCompactStartParams names the thread to compact.
	ThreadCompactStartParams struct {
		ThreadID string `json:"threadId"`
	}
	// ThreadRevertParams cuts off the turn BeforeTurnID and all later ones. Only
	// paginated threads can be cut.
	ThreadRevertParams struct {
		ThreadID     string `json:"threadId"`
		BeforeTurnID string `json:"beforeTurnId"`
	}
	// ReviewStartParams begins a review as a turn of the thread itself.
	ReviewStartParams struct {
		ThreadID string       `json:"threadId"`
		Target   ReviewTarget `json:"target"`
	}
	// ThreadUnsubscribeParams names the thread to leave.
	ThreadUnsubscribeParams struct {
		ThreadID string `json:"threadId"`
	}
)

// Parameters of the turn, queue and account mutations.
type (
	// TurnStartParams sends a message. What is set sticks to the thread.
	TurnStartParams struct {
		ThreadID            string      `json:"threadId"`
		Input               []UserInput `json:"input"`
		ClientUserMessageID string      `json:"clientUserMessageId,omitzero"`
		Cwd                 string      `json:"cwd,omitzero"`
		Model               string      `json:"model,omitzero"`
		Effort              string      `json:"effort,omitzero"`
		ServiceTier         string      `json:"serviceTier,omitzero"`
		Personality         string      `json:"personality,omitzero"`
		ApprovalPolicy      string      `json:"approvalPolicy,omitzero"`
		SandboxPolicy       *Sandbox    `json:"sandboxPolicy,omitzero"`
	}
	// TurnSteerParams adds a message to the turn ExpectedTurnID.
	TurnSteerParams struct {
		ThreadID            string      `json:"threadId"`
		ExpectedTurnID      string      `json:"expectedTurnId"`
		Input               []UserInput `json:"input"`
		ClientUserMessageID string      `json:"clientUserMessageId,omitzero"`
	}
	// TurnInterruptParams names the turn to stop. It is sent once a turn.
	TurnInterruptParams struct {
		ThreadID string `json:"threadId"`
		TurnID   string `json:"turnId"`
	}
	// AccountLoginStartParams signs in with an API key.
	AccountLoginStartParams struct {
		Type   apiKeyKind `json:"type"`
		APIKey string     `json:"apiKey"`
	}
	// AccountLogoutParams signs out. It is sent as null: the method takes none.
	AccountLogoutParams struct{}
	// QueueAddParams appends a message to a thread's queue. Experimental.
	QueueAddParams struct {
		ThreadID            string      `json:"threadId"`
		ClientUserMessageID string      `json:"clientUserMessageId"`
		Input               []UserInput `json:"input"`
	}
	// QueueUpdateParams replaces a waiting message's content. Experimental.
	QueueUpdateParams struct {
		ThreadID string      `json:"threadId"`
		EntryID  string      `json:"queuedSubmissionId"`
		Input    []UserInput `json:"input"`
	}
	// QueueDeleteParams removes a waiting message. Experimental.
	QueueDeleteParams struct {
		ThreadID string `json:"threadId"`
		EntryID  string `json:"queuedSubmissionId"`
	}
	// QueueReorderParams gives every waiting message, in order. Experimental.
	QueueReorderParams struct {
		ThreadID string   `json:"threadId"`
		EntryIDs []string `json:"queuedSubmissionIds"`
	}
	// QueueStartParams starts a paused queue, at EntryID if set. Experimental.
	QueueStartParams struct {
		ThreadID string `json:"threadId"`
		EntryID  string `json:"queuedSubmissionId,omitzero"`
	}
)

// String hides the key: no log or error shows it.
func (AccountLoginStartParams) String() string { return "[secret]" }

// GoString hides the key.
func (AccountLoginStartParams) GoString() string { return "[secret]" }

// An ItemsCursor says where a page of items begins: at the string of an
// earlier answer, or, to begin only, after a known item (HIS-5). The zero value
// begins at the end the direction says.
type ItemsCursor struct{ page, item string }

// PageCursor continues where an answer's cursor says. The string is opaque.
func PageCursor(s string) ItemsCursor { return ItemsCursor{page: s} }

// ItemAnchor begins after the item with this ID of the turn that the same
// parameters name. Servers before 0.159.1 do not know it: ok is false for them.
func ItemAnchor(v Version, item string) (c ItemsCursor, ok bool) {
	if v.Less(Target) || item == "" {
		return ItemsCursor{}, false
	}
	return ItemsCursor{item: item}, true
}

var errAnchorTurn = errors.New("an item anchor needs a turn")

// MarshalJSONTo refuses an item anchor without its turn.
func (p ThreadItemsListParams) MarshalJSONTo(e *jsontext.Encoder) error {
	if p.Cursor.item != "" && p.TurnID == "" {
		return errAnchorTurn
	}
	type plain ThreadItemsListParams
	return json.MarshalEncode(e, plain(p))
}

// MarshalJSONTo writes the string, or the anchor as an object.
func (c ItemsCursor) MarshalJSONTo(e *jsontext.Encoder) error {
	if c.item == "" {
		return e.WriteToken(jsontext.String(c.page))
	}
	return json.MarshalEncode(e, struct {
		Type   string `json:"type"`
		ItemID string `json:"itemId"`
	}{"item", c.item})
}
