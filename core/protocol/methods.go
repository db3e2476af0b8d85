package protocol

// The queries: asked again after an overload answer. They are the allowlist of
// REC-13.
var (
	ThreadRead      = Query[ThreadReadParams, ThreadReadResult]{Method: "thread/read"}
	ThreadTurnsList = Query[ThreadTurnsListParams, ThreadTurnsListResult]{Method: "thread/turns/list"}
	ThreadItemsList = Query[ThreadItemsListParams, ThreadItemsListResult]{Method: "thread/items/list"}
	ThreadList      = Query[ThreadListParams, ThreadListResult]{Method: "thread/list"}
	AccountRead     = Query[AccountReadParams, AccountReadResult]{Method: "account/read"}
	SkillsList      = Query[SkillsListParams, SkillsListResult]{Method: "skills/list"}
	ModelList       = Query[ModelListParams, ModelListResult]{Method: "model/list"}

	ThreadAttachmentList = Query[ThreadAttachmentListParams, ThreadAttachmentListResult]{Method: "thread/attachment/list"}
)

// The calls: reads that are asked once.
var (
	Initialize = Call[InitializeParams, InitializeResult]{Method: "initialize"}
	QueueList  = Call[QueueListParams, QueueListResult]{Method: "thread/queue/list"}

	McpServerStatusList = Call[McpServerStatusListParams, McpServerStatusListResult]{Method: "mcpServerStatus/list"}

	FuzzyFileSearch = Call[FuzzyFileSearchParams, FuzzyFileSearchResult]{Method: "fuzzyFileSearch"}
)

// The mutations: sent once (LED-3).
var (
	ThreadStart        = Mutation[ThreadStartParams, ThreadStartResult]{Method: "thread/start"}
	ThreadResume       = Mutation[ThreadResumeParams, ThreadResumeResult]{Method: "thread/resume"}
	ThreadFork         = Mutation[ThreadForkParams, ThreadForkResult]{Method: "thread/fork"}
	ThreadArchive      = Mutation[ThreadArchiveParams, Empty]{Method: "thread/archive"}
	ThreadUnarchive    = Mutation[ThreadUnarchiveParams, ThreadUnarchiveResult]{Method: "thread/unarchive"}
	ThreadDelete       = Mutation[ThreadDeleteParams, Empty]{Method: "thread/delete"}
	ThreadNameSet      = Mutation[ThreadNameSetParams, Empty]{Method: "thread/name/set"}
	ThreadCompactStart = Mutation[ThreadCompactStartParams, Empty]{Method: "thread/compact/start"}
	ThreadRevert       = Mutation[ThreadRevertParams, ThreadRevertResult]{Method: "thread/revert"}
	ReviewStart        = Mutation[ReviewStartParams, ReviewStartResult]{Method: "review/start"}
	ThreadUnsubscribe  = Mutation[ThreadUnsubscribeParams, ThreadUnsubscribeResult]{Method: "thread/unsubscribe"}
	TurnStart          = Mutation[TurnStartParams, TurnStartResult]{Method: "turn/start"}
	TurnSteer          = Mutation[TurnSteerParams, TurnSteerResult]{Method: "turn/steer"}
	TurnInterrupt      = Mutation[TurnInterruptParams, Empty]{Method: "turn/interrupt"}
	AccountLoginStart  = Mutation[AccountLoginStartParams, AccountLoginStartResult]{Method: "account/login/start"}
	AccountLogout      = Mutation[AccountLogoutParams, Empty]{Method: "account/logout"}
	QueueAdd           = Mutation[QueueAddParams, QueueAddResult]{Method: "thread/queue/add"}
	QueueUpdate        = Mutation[QueueUpdateParams, QueueUpdateResult]{Method: "thread/queue/update"}
	QueueDelete        = Mutation[QueueDeleteParams, QueueDeleteResult]{Method: "thread/queue/delete"}
	QueueReorder       = Mutation[QueueReorderParams, Empty]{Method: "thread/queue/reorder"}
	QueueStart         = Mutation[QueueStartParams, QueueStartResult]{Method: "thread/queue/start"}
)

// Initialized is the one notification a client sends, after the answer to
// [Initialize]. Nothing waits for it.
const Initialized = "initialized"
