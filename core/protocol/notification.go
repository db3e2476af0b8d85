package protocol

// A Notification is something the server said unasked. The set is closed; what
// this build does not know is [Unknown].
//
//sumtype:decl
type Notification interface {
	notification()
	// ThreadID is the thread the notification is about, "" if none. Events of a
	// sub-agent name the child's thread (trap 12).
	ThreadID() string
}

// ThreadRef is the thread of a notification.
type ThreadRef struct {
	Thread string `json:"threadId"`
}

// ThreadID gives the thread.
func (r ThreadRef) ThreadID() string { return r.Thread }

// TurnRef is the turn of a notification.
type TurnRef struct {
	ThreadRef
	Turn string `json:"turnId"`
}

// ItemRef is the item of a notification.
type ItemRef struct {
	TurnRef
	Item string `json:"itemId"`
}

// Notifications about a thread.
type (
	// ThreadStarted says that a thread was made or forked.
	ThreadStarted struct {
		Of Thread `json:"thread"`
	}
	// ThreadStatusChanged gives a thread's new status.
	ThreadStatusChanged struct {
		ThreadRef
		Status Status `json:"status"`
	}
	// ThreadArchived says that a thread was archived.
	ThreadArchived struct{ ThreadRef }
	// ThreadUnarchived says that a thread was taken back.
	ThreadUnarchived struct{ ThreadRef }
	// ThreadDeleted says that a thread is gone.
	ThreadDeleted struct{ ThreadRef }
	// ThreadClosed says that a thread was unloaded.
	ThreadClosed struct{ ThreadRef }
	// ThreadReverted says that turns were cut off: drop every cursor.
	ThreadReverted struct{ ThreadRef }
	// ThreadNameUpdated gives a thread's new name, "" for none.
	ThreadNameUpdated struct {
		ThreadRef
		Name string `json:"threadName"`
	}
	// AttachmentUpdated says that an attachment was created or deleted.
	AttachmentUpdated struct {
		ThreadRef
		Attachment string `json:"attachmentId"`
		Type       string `json:"attachmentType"`
		Identity   string `json:"identityKey"`
		Operation  string `json:"operation"`
	}
	// QueueChanged says that a thread's queue is no longer what was read.
	QueueChanged struct{ ThreadRef }
	// SettingsUpdated gives a thread's settings.
	SettingsUpdated struct {
		ThreadRef
		Settings Settings `json:"threadSettings"`
	}
	// TokenUsageUpdated gives a thread's use of its context.
	TokenUsageUpdated struct {
		TurnRef
		Usage TokenUsage `json:"tokenUsage"`
	}
	// Compacted says that a thread's history was summarized.
	Compacted struct{ TurnRef }
	// ModelRerouted says that another model answers.
	ModelRerouted struct {
		TurnRef
		From string `json:"fromModel"`
		To   string `json:"toModel"`
	}
	// RequestResolved says that a request of the server is closed, by whomever.
	RequestResolved struct {
		ThreadRef
		Request RequestID `json:"requestId"`
	}
)

// Notifications about a turn.
type (
	// TurnStarted says that a turn began.
	TurnStarted struct {
		ThreadRef
		Turn Turn `json:"turn"`
	}
	// TurnCompleted says that a turn ended, and how.
	TurnCompleted struct {
		ThreadRef
		Turn Turn `json:"turn"`
	}
	// TurnDiffUpdated gives the whole diff of a turn so far.
	TurnDiffUpdated struct {
		TurnRef
		Diff string `json:"diff"`
		// Bytes is the diff's true length.
		Bytes int64 `json:"-"`
	}
	// TurnPlanUpdated gives the turn's plan as a list.
	TurnPlanUpdated struct {
		TurnRef
		Explanation string     `json:"explanation"`
		Steps       []PlanStep `json:"plan"`
	}
	// PlanStep is one line of a plan: pending, inProgress or completed.
	PlanStep struct {
		Step   string `json:"step"`
		Status string `json:"status"`
	}
	// TurnErrored says that a turn hit an error; with WillRetry it goes on.
	TurnErrored struct {
		TurnRef
		Error     TurnError `json:"error"`
		WillRetry bool      `json:"willRetry"`
	}
)

// Notifications about an item.
type (
	// ItemStarted says that an item began.
	ItemStarted struct {
		TurnRef
		Item Item
	}
	// ItemCompleted gives an item as it stays.
	ItemCompleted struct {
		TurnRef
		Item Item
	}
	// Delta is a piece of an item's text. Adjacent ones that agree in all but
	// Text may be joined (ruling 5). Bytes is the text's true length.
	Delta struct {
		ItemRef
		Kind  DeltaKind
		Part  int
		Text  string
		Bytes int64
	}
	// ReasoningPartAdded says that a new part of a summary begins.
	ReasoningPartAdded struct {
		ItemRef
		Part int `json:"summaryIndex"`
	}
	// PatchUpdated gives a file change's files so far.
	PatchUpdated struct {
		ItemRef
		Changes []FileUpdate
		Cuts    []Cut
	}
	// ToolProgress says how far an MCP tool call is.
	ToolProgress struct {
		ItemRef
		Message string `json:"message"`
	}
)

// A DeltaKind says which text a delta belongs to.
type DeltaKind uint8

// The kinds of delta.
const (
	DeltaMessage DeltaKind = iota
	DeltaPlan
	DeltaSummary   // of a reasoning, in parts
	DeltaReasoning // the raw reasoning, in parts
	DeltaOutput    // of a command
	DeltaPatch     // output of a file change
)

// Notifications about the server or the account.
type (
	// AccountUpdated says that the account may be another one.
	AccountUpdated struct {
		Whole
		AuthMode string `json:"authMode"`
		PlanType string `json:"planType"`
	}
	// LoginCompleted says how a login ended.
	LoginCompleted struct {
		Whole
		LoginID string `json:"loginId"`
		Success bool   `json:"success"`
		Error   string `json:"error"`
	}
	// RateLimitsUpdated gives the account's limits.
	RateLimitsUpdated struct {
		Whole
		Limits RateLimits `json:"rateLimits"`
	}
	// RateLimits are the account's limits; a nil window was not told.
	RateLimits struct {
		Primary   *RateWindow `json:"primary"`
		Secondary *RateWindow `json:"secondary"`
	}
	// RateWindow is one limit. ResetsAt is in unix seconds.
	RateWindow struct {
		UsedPercent int   `json:"usedPercent"`
		ResetsAt    int64 `json:"resetsAt"`
		WindowMins  int64 `json:"windowDurationMins"`
	}
	// SkillsChanged says that a skill list is no longer what was read.
	SkillsChanged struct{ Whole }
	// Warning is a sentence for people, about Thread if set.
	Warning struct {
		ThreadRef
		Message string `json:"message"`
	}
	// ConfigWarning is a problem of the server's configuration or system.
	ConfigWarning struct {
		Whole
		Summary string `json:"summary"`
		Details string `json:"details"`
		Path    string `json:"path"`
	}
	// DeprecationNotice says that something used will go away.
	DeprecationNotice struct {
		Whole
		Summary string `json:"summary"`
		Details string `json:"details"`
	}
	// Unknown is a notification this build does not know (trap 14).
	Unknown struct {
		Whole
		Method string
	}
)

// Whole marks a notification that is about no thread.
type Whole struct{}

// ThreadID is "".
func (Whole) ThreadID() string { return "" }

// ThreadID gives the new thread.
func (n ThreadStarted) ThreadID() string { return n.Of.ID }

// Settings are a thread's settings, as its next turn will use them.
type Settings struct {
	Cwd            string   `json:"cwd"`
	Model          string   `json:"model"`
	ModelProvider  string   `json:"modelProvider"`
	Effort         string   `json:"effort"`
	ServiceTier    string   `json:"serviceTier"`
	Personality    string   `json:"personality"`
	ApprovalPolicy Approval `json:"approvalPolicy"`
	SandboxPolicy  Sandbox  `json:"sandboxPolicy"`
}

// TokenUsage is how much of the context is used. Window is 0 if unknown.
type TokenUsage struct {
	Total  TokenCount `json:"total"`
	Last   TokenCount `json:"last"`
	Window int64      `json:"modelContextWindow"`
}

// TokenCount counts tokens.
type TokenCount struct {
	Total     int64 `json:"totalTokens"`
	Input     int64 `json:"inputTokens"`
	Cached    int64 `json:"cachedInputTokens"`
	Output    int64 `json:"outputTokens"`
	Reasoning int64 `json:"reasoningOutputTokens"`
}

func (ThreadStarted) notification()       {}
func (ThreadStatusChanged) notification() {}
func (ThreadArchived) notification()      {}
func (ThreadUnarchived) notification()    {}
func (ThreadDeleted) notification()       {}
func (ThreadClosed) notification()        {}
func (ThreadReverted) notification()      {}
func (ThreadNameUpdated) notification()   {}
func (AttachmentUpdated) notification()   {}
func (QueueChanged) notification()        {}
func (SettingsUpdated) notification()     {}
func (TokenUsageUpdated) notification()   {}
func (Compacted) notification()           {}
func (ModelRerouted) notification()       {}
func (RequestResolved) notification()     {}
func (TurnStarted) notification()         {}
func (TurnCompleted) notification()       {}
func (TurnDiffUpdated) notification()     {}
func (TurnPlanUpdated) notification()     {}
func (TurnErrored) notification()         {}
func (ItemStarted) notification()         {}
func (ItemCompleted) notification()       {}
func (Delta) notification()               {}
func (ReasoningPartAdded) notification()  {}
func (PatchUpdated) notification()        {}
func (ToolProgress) notification()        {}
func (AccountUpdated) notification()      {}
func (LoginCompleted) notification()      {}
func (RateLimitsUpdated) notification()   {}
func (SkillsChanged) notification()       {}
func (Warning) notification()             {}
func (ConfigWarning) notification()       {}
func (DeprecationNotice) notification()   {}
func (Unknown) notification()             {}
