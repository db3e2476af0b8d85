package protocol

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// An Empty result says no more than that the request was carried out.
type Empty struct{}

// Results of the read methods.
type (
	// ThreadReadResult holds the thread, without turns.
	ThreadReadResult struct {
		Thread Thread `json:"thread"`
	}
	// ThreadTurnsListResult is a page of turns. A nil cursor is the end.
	ThreadTurnsListResult struct {
		Data            []Turn  `json:"data"`
		NextCursor      *string `json:"nextCursor"`
		BackwardsCursor *string `json:"backwardsCursor"`
		// Bytes is the length of the answer as it came.
		Bytes int64 `json:"-"`
		// Over says that the page is longer than anything that was asked for:
		// its end was left out.
		Over bool `json:"-"`
		// Unread counts the turns and items that could not be read.
		Unread int `json:"-"`
	}
	// ThreadItemsListResult is a page of items. A nil cursor is the end.
	ThreadItemsListResult struct {
		Data            []Entry `json:"data"`
		NextCursor      *string `json:"nextCursor"`
		BackwardsCursor *string `json:"backwardsCursor"`
		// Bytes is the length of the answer as it came.
		Bytes int64 `json:"-"`
		// Over says that the page is longer than anything that was asked for:
		// its end was left out.
		Over bool `json:"-"`
		// Unread counts the items that could not be read.
		Unread int `json:"-"`
	}
	// ThreadListResult is a page of threads. A nil cursor is the end.
	ThreadListResult struct {
		Data       []Thread `json:"data"`
		NextCursor *string  `json:"nextCursor"`
		// Unread counts the threads that could not be read.
		Unread int `json:"-"`
	}
	// AccountReadResult says who is signed in; Account is nil for nobody.
	AccountReadResult struct {
		Account *Account `json:"account"`
		// Required says whether the server's provider wants a sign-in. It is always
		// there ([Missing]).
		Required *bool `json:"requiresOpenaiAuth"`
		// UserID names the owner; only 0.171.0 has it, and not always.
		UserID string `json:"userId"`
	}
	// Account is a signed-in account. Type is apiKey, chatgpt, amazonBedrock …
	Account struct {
		Type     string `json:"type"`
		Email    string `json:"email"`
		PlanType string `json:"planType"`
	}
	// SkillsListResult holds the skills by folder.
	SkillsListResult struct {
		Data []SkillsEntry `json:"data"`
		// Unread counts the folders and skills that could not be read.
		Unread int `json:"-"`
	}
	// SkillsEntry is one folder's skills, and what could not be read of them.
	SkillsEntry struct {
		Cwd    string       `json:"cwd"`
		Skills []Skill      `json:"skills"`
		Errors []SkillError `json:"errors"`
		// Unread counts the skills that could not be read.
		Unread int `json:"-"`
	}
	// Skill is one skill. Scope is repo, user, system or admin.
	Skill struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Path        string `json:"path"`
		Scope       string `json:"scope"`
		Enabled     bool   `json:"enabled"`
	}
	// SkillError is a skill that could not be read.
	SkillError struct {
		Path    string `json:"path"`
		Message string `json:"message"`
	}
	// ModelListResult is a page of the built-in catalogue. A nil cursor is the end.
	ModelListResult struct {
		Data       []Model `json:"data"`
		NextCursor *string `json:"nextCursor"`
		// Unread counts the models that could not be read.
		Unread int `json:"-"`
	}
	// Model is one model of the catalogue.
	Model struct {
		ID                  string   `json:"id"`
		Model               string   `json:"model"`
		DisplayName         string   `json:"displayName"`
		Description         string   `json:"description"`
		Hidden              bool     `json:"hidden"`
		IsDefault           bool     `json:"isDefault"`
		Efforts             []Effort `json:"supportedReasoningEfforts"`
		DefaultEffort       string   `json:"defaultReasoningEffort"`
		Tiers               []Tier   `json:"serviceTiers"`
		DefaultTier         string   `json:"defaultServiceTier"`
		InputModalities     []string `json:"inputModalities"`
		SupportsPersonality bool     `json:"supportsPersonality"`
	}
	// Effort is a reasoning effort a model supports.
	Effort struct {
		Name        string `json:"reasoningEffort"`
		Description string `json:"description"`
	}
	// Tier is a service tier of a model.
	Tier struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	// QueueListResult is a page of a queue. A nil cursor is the end.
	QueueListResult struct {
		Data       []QueueEntry `json:"data"`
		NextCursor *string      `json:"nextCursor"`
		// Unread counts the entries that could not be read.
		Unread int `json:"-"`
	}
	// FuzzyFileSearchResult holds the best matches, the best first.
	FuzzyFileSearchResult struct {
		Files []FoundFile `json:"files"`
	}
	// McpServerStatusListResult is a page of MCP servers. A nil cursor is the end.
	McpServerStatusListResult struct {
		Data       []McpServer `json:"data"`
		NextCursor *string     `json:"nextCursor"`
		// Unread counts the servers that could not be read.
		Unread int `json:"-"`
	}
	// McpServer is one of them. Auth is unknown, unsupported, notLoggedIn,
	// bearerToken or oAuth; ToolCount counts the tools, of which Tools holds the
	// first.
	McpServer struct {
		Name, Auth, ToolsError string
		Tools                  []string
		ToolCount              int
	}
	// FoundFile is one of them, by its path under a root. MatchType is file or
	// directory.
	FoundFile struct {
		Root      string `json:"root"`
		Path      string `json:"path"`
		MatchType string `json:"match_type"`
		FileName  string `json:"file_name"`
		Score     int64  `json:"score"`
	}
	// QueueEntry is one waiting message.
	QueueEntry struct {
		ID       string      `json:"id"`
		ClientID string      `json:"clientUserMessageId"`
		Input    []UserInput `json:"input"`
	}
	// InitializeResult is the server's side of the handshake. Its version is
	// in UserAgent only: see [ServerVersion].
	InitializeResult struct {
		UserAgent      string `json:"userAgent"`
		CodexHome      string `json:"codexHome"`
		PlatformFamily string `json:"platformFamily"`
		PlatformOS     string `json:"platformOs"`
	}
)

// Results of the mutations.
type (
	// Opened is what start, resume and fork say of the thread they subscribed
	// the caller to.
	Opened struct {
		Thread          Thread   `json:"thread"`
		Cwd             string   `json:"cwd"`
		Model           string   `json:"model"`
		ModelProvider   string   `json:"modelProvider"`
		ReasoningEffort string   `json:"reasoningEffort"`
		ServiceTier     string   `json:"serviceTier"`
		ApprovalPolicy  Approval `json:"approvalPolicy"`
		Sandbox         Sandbox  `json:"sandbox"`
	}
	// ThreadStartResult describes the new thread.
	ThreadStartResult struct {
		Opened
	}
	// ThreadForkResult describes the copy.
	ThreadForkResult struct {
		Opened
	}
	// ThreadResumeResult describes the joined thread. Live events begin where
	// the two cursors say: page backwards from them.
	ThreadResumeResult struct {
		Opened
		TurnsBackwardsCursor *string `json:"turnsBackwardsCursor"`
		ItemsBackwardsCursor *string `json:"itemsBackwardsCursor"`
	}
	// ThreadUnarchiveResult holds the thread taken back.
	ThreadUnarchiveResult struct {
		Thread Thread `json:"thread"`
	}
	// ThreadRevertResult holds the thread that is left.
	ThreadRevertResult struct {
		Thread Thread `json:"thread"`
	}
	// ReviewStartResult holds the turn of the review.
	ReviewStartResult struct {
		Turn   Turn   `json:"turn"`
		Thread string `json:"reviewThreadId"`
	}
	// ThreadUnsubscribeResult says unsubscribed, notSubscribed or notLoaded.
	ThreadUnsubscribeResult struct {
		Status string `json:"status"`
	}
	// TurnStartResult holds the new turn, or the running one: then it was a
	// steer (ruling 2).
	TurnStartResult struct {
		Turn Turn `json:"turn"`
	}
	// TurnSteerResult names the steered turn.
	TurnSteerResult struct {
		TurnID string `json:"turnId"`
	}
	// AccountLoginStartResult says which kind of login began.
	AccountLoginStartResult struct {
		Type string `json:"type"`
	}
	// QueueAddResult holds the new entry.
	QueueAddResult struct {
		Entry QueueEntry `json:"queuedSubmission"`
	}
	// QueueUpdateResult holds the changed entry.
	QueueUpdateResult struct {
		Entry QueueEntry `json:"queuedSubmission"`
	}
	// QueueDeleteResult says whether the entry was still there.
	QueueDeleteResult struct {
		Deleted bool `json:"deleted"`
	}
	// QueueStartResult holds the turn that began.
	QueueStartResult struct {
		Turn Turn `json:"turn"`
	}
)

// An Entry is one item of a page with the turn it belongs to.
type Entry struct {
	TurnID string
	Item   Item
}

var errNoTurn = errors.New("item without a turn")

var (
	errNoData   = errors.New("a page without its list")
	errNoTurnID = errors.New("no turn")
	errNoAuth   = errors.New("no word about signing in")
)

// Missing says what a result must have and has not: a page its list, what is
// about a thread or turn its ID. Without them it would say that there is
// nothing, and that is not what was said.
func Missing(result any) error {
	page := func(none bool) error {
		if none {
			return errNoData
		}
		return nil
	}
	thread := func(t Thread) error {
		if t.ID == "" {
			return errNoID
		}
		return nil
	}
	switch r := result.(type) {
	case *AccountReadResult:
		if r.Required == nil {
			return errNoAuth
		}
	case *ThreadListResult:
		return page(r.Data == nil)
	case *ThreadTurnsListResult:
		return page(r.Data == nil)
	case *ThreadItemsListResult:
		return page(r.Data == nil)
	case *ModelListResult:
		return page(r.Data == nil)
	case *SkillsListResult:
		return page(r.Data == nil)
	case *QueueListResult:
		return page(r.Data == nil)
	case *FuzzyFileSearchResult:
		return page(r.Files == nil)
	case *McpServerStatusListResult:
		return page(r.Data == nil)
	case *ThreadRevertResult:
		return thread(r.Thread)
	case *ReviewStartResult:
		if r.Turn.ID == "" {
			return errNoTurnID
		}
	case *ThreadReadResult:
		return thread(r.Thread)
	case *ThreadStartResult:
		return thread(r.Thread)
	case *ThreadForkResult:
		return thread(r.Thread)
	case *ThreadResumeResult:
		return thread(r.Thread)
	case *ThreadUnarchiveResult:
		return thread(r.Thread)
	case *TurnStartResult:
		if r.Turn.ID == "" {
			return errNoTurnID
		}
	}
	return nil
}

// UnmarshalJSONFrom reads an entry and bounds it before the next is read.
func (e *Entry) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var started, completed int64
	r := newReader(d)
	defer r.release()
	r.object("entry", func(name string) {
		switch name {
		case "turnId":
			e.TurnID = r.str(name)
		case "startedAtMs":
			started = r.integer(name)
		case "completedAtMs":
			completed = r.integer(name)
		case "item":
			r.into(&e.Item)
		default:
			r.skip()
		}
	})
	if err := r.fail(); err != nil {
		return err
	}
	if !usable(e.TurnID) || !usable(e.Item.ID) {
		return errNoTurn
	}
	e.Item.setTimes(started, completed)
	return nil
}

// setTimes fills in the times that stand beside an item, which 0.171.0 gives
// inside it too.
func (it *Item) setTimes(started, completed int64) {
	if it.StartedAtMs == 0 {
		it.StartedAtMs = started
	}
	if it.CompletedAtMs == 0 {
		it.CompletedAtMs = completed
	}
}
