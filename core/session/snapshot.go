package session

import (
	"time"

	"holdfast/core/history"
	"holdfast/core/stamp"
)

// A Snapshot is everything a surface shows. Nothing reachable from it is
// written after it was published; a section that did not change keeps its
// pointer, so a surface compares pointers and skips.
//
// Strings in it that came from the server are untrusted: the window shows them
// through safetext only.
type Snapshot struct {
	Seq uint64
	// At stamps the intents that are made from this snapshot.
	At          stamp.Stamp
	Generations Generations

	Status     *Status
	Server     *Server
	Account    *Account
	Threads    *Threads
	Thread     *Thread // nil when none is selected
	History    *history.View
	Composer   *Composer // nil when there is none
	Unsent     *Unsent
	Drafts     *Drafts
	Operations *Operations
	Requests   *Requests
	Queue      *Queue
	// Attachments is nil when no conversation is selected.
	Attachments *Attachments
	Notices     *Notices
	Catalog     *Catalog
}

// Generations are for display and for drive.
type Generations struct{ Owner, Connection, View uint64 }

// A State is one of the eight user-visible states (REC-10). Its String is the
// word DRIVE.md uses.
type State uint8

// The eight states.
const (
	Reconnecting State = iota
	Synchronizing
	AwaitingSelection
	Ready
	HistoryRefresh
	ManualReconnect
	SignInRequired
	Confirmation
)

// An Action is something a user can do now. Its value is the drive command.
type Action string

// The actions that Status.Actions may hold, the safe one first.
const (
	ActReconnect Action = "reconnect"
	ActCancel    Action = "cancel"
	ActConfirm   Action = "confirm"
	ActProfile   Action = "profile"
	ActSignIn    Action = "signIn"
	ActSignOut   Action = "signOut"
	ActSelect    Action = "select"
	ActNew       Action = "new"
	ActJoin      Action = "join"
	ActSend      Action = "send"
	ActSteer     Action = "steer"
	ActStop      Action = "stop"
	ActAnswer    Action = "answer"
	ActOlder     Action = "older"
	ActNewer     Action = "newer"
	ActRefresh   Action = "refresh"
	ActThreads   Action = "threads"
	ActFork      Action = "fork"
	ActRename    Action = "rename"
	ActArchive   Action = "archive"
	ActUnarchive Action = "unarchive"
	ActDelete    Action = "delete"
	ActCompact   Action = "compact"
	ActQueue     Action = "queue"
	ActExpand    Action = "expand"
	ActRestore   Action = "restore"
	ActDiscard   Action = "discard"
)

// Status is the banner: which state, why, and what may be done.
type Status struct {
	State State
	// Code is stable, for programs; Text is for people: first what is, then
	// what follows. It holds no secret.
	Code, Text string
	Attempt    int
	Actions    []Action
}

// Allows reports whether a is among the actions.
func (s *Status) Allows(a Action) bool {
	for _, x := range s.Actions {
		if x == a {
			return true
		}
	}
	return false
}

// Server is the app-server at the other end.
type Server struct {
	Version, Endpoint, Platform, CodexHome string
	// PID is the native process of a child of ours, else 0.
	PID       int
	Confirmed bool
	// Profile is the name of the applied profile, "" when flags alone decide.
	Profile string
	// Experimental says whether experimentalApi is on and was not refused.
	Experimental bool
	// SharedFiles says whether client and server see the same files (ruling 36).
	SharedFiles bool
}

// Account is what account/read said.
type Account struct {
	// Known is false until it was read.
	Known    bool
	SignedIn bool
	// Kind is apiKey, chatgpt and so on, "" when signed out.
	Kind string
	// Needed says that the server's provider wants a sign-in.
	Needed bool
	Email  string
}

// Threads is the conversation list, in the server's recency order.
type Threads struct {
	Rows []*ThreadRow
	// More says that the server has another page.
	More    bool
	Loading bool
	Search  string
	// Archived says that the rows are the archived conversations.
	Archived bool
	// Problem is why the list could not be read, "" when it was.
	Problem string
	// Unread is how many of its rows could not be read, and are not among Rows.
	Unread int
}

// A ThreadRow is one conversation of the list.
type ThreadRow struct {
	ID, Title, Cwd string
	Status         string // notLoaded, idle, active, systemError
	Mode           string // paginated, legacy
	RecencyAt      int64  // unix seconds
	Parent         string // of a sub-agent
	Branch         string
	Joined         bool
	// Asks says that the conversation has an unanswered request here; Ended
	// that a turn of it ended since it was last looked at.
	Asks, Ended bool
}

// Access is what the model may do by itself.
type Access string

// The three kinds of access; the zero value means nothing was chosen or said.
const (
	AccessUnknown   Access = ""
	AccessReadOnly  Access = "read-only"
	AccessWorkspace Access = "workspace"
	AccessFull      Access = "full"
)

// Thread is the selected conversation.
type Thread struct {
	ID, Title, Cwd string
	Joined, Live   bool
	Mode, Status   string
	// Turn is the newest turn, TurnStatus inProgress, completed, interrupted
	// or failed; both "" when there is none.
	Turn, TurnStatus string
	TurnStartedAt    int64 // unix seconds
	// ReadAt is when a reading was read, zero when live.
	ReadAt time.Time
	// Access is what the server said (after a join); Approval its policy word.
	Access    Access
	Approval  string
	Model     string
	Effort    string
	Tier      string
	Tokens    *Tokens
	Ephemeral bool
	Archived  bool
	// PossiblyInUse says that its status was active when it was selected and
	// it is not joined (JON-3); JoinProblem why the last join failed, JoinFix
	// what helps then, "" where only joining again may.
	PossiblyInUse bool
	JoinProblem   string
	JoinFix       Action
	// Stopping says that Stop was sent for the running turn.
	Stopping bool
	// Diff is what the newest turn that told it changed, nil where none did.
	Diff *TurnDiff
}

// A TurnDiff is all that one turn changed, as a patch. Bytes is its true length;
// what is longer than it was shortened.
type TurnDiff struct {
	Turn, Text string
	Bytes      int64
}

// An MCPServer is one MCP server of a conversation.
type MCPServer struct {
	Name string
	// Auth is the protocol's word: unknown, unsupported, notLoggedIn, bearerToken,
	// oAuth.
	Auth string
	// Tools are the first of its ToolCount tools; Problem is why there are none.
	Tools     []string
	ToolCount int
	Problem   string
}

// Tokens is the context use of a conversation.
type Tokens struct{ Total, Window int64 }

// Composer is the composer of the selected conversation, or the one that takes
// text while nothing is selected.
type Composer struct {
	Thread string // "" while nothing is selected
	// Rev changes whenever the core changed the text itself; a surface that is
	// being typed in keeps its own text unless Rev changed.
	Rev         uint64
	Text        string
	Blocks      []string
	Images      []string // local paths
	Skill       string
	Model       string
	Effort      string
	Tier        string
	Personality string
	Access      Access
	// Problem names the field that stopped the last Send, and why.
	Problem string
}

// Unsent are the composers that hold something, of every conversation, the
// shown one too.
type Unsent struct{ Composers []*Composer }

// Drafts are the recovery drafts, oldest first.
type Drafts struct{ Rows []*Draft }

// A Draft is a composer frozen at a loss.
type Draft struct {
	ID, Thread, Title string
	At                time.Time
	Text              string
	Blocks            []string
	Images            []string
	Skill             string
	Model             string
	Effort            string
	Tier              string
	Personality       string
}

// Operations is the ledger, oldest first.
type Operations struct{ Rows []*Operation }

// An Operation is one mutation and what is known about it.
type Operation struct {
	ID, Kind, Thread string
	State            string // NotSent, InFlight, Confirmed, Rejected, OutcomeUnknown
	Proof            string // how it was confirmed, in words; or why not
	Seen             bool   // its user message was seen
	Text             string
	At               time.Time
	// Gone says that it was accepted and that the server does not have it: not in
	// the history, or not taken by its turn. Its text is here alone, until it is
	// restored.
	Gone     Gone
	Restored bool
}

// Gone is how a message that was accepted is missing.
type Gone uint8

// The ways.
const (
	NotGone  Gone = iota
	NoTrace       // a history that was read over a later connection lacks it
	NotTaken      // the turn it was steered into ended without it
)

// Requests are the server's open requests, of every joined conversation.
type Requests struct{ Cards []*Request }

// A Request is a question of the server.
type Request struct {
	ID                 string // ours; never reused
	Thread, Turn, Item string
	// Kind is command, fileChange, permissions, userInput, elicitation,
	// toolCall, or unknown.
	Kind   string
	Method string
	// Text is what is asked: the exact command, the message, the method.
	Text string
	// Reason and Cwd say why and where; Diff is the patch of a file change.
	Reason, Cwd, Diff string
	Questions         []Question
	Decisions         []Decision
	// Live is false once it cannot be answered any more.
	Live bool
	// Answered says that an answer was given and its outcome is open.
	Answered bool
	// At is when it appeared; keys are ignored for 500 ms after (ruling 40).
	At time.Time
}

// A Decision is one possible answer, by its protocol name and in words.
type Decision struct{ Name, Text string }

// A Question is one field of a request for input.
type Question struct {
	ID, Header, Text string
	Options          []Option
	// Kind is text, choice, choices, number, integer or boolean.
	Kind string
	// Default is what a field begins with, as text.
	Default  string
	Other    bool // an answer of one's own is allowed
	Secret   bool // never shown or kept
	Required bool
}

// An Option is one offered answer: Value is sent, Label and Text are shown.
type Option struct{ Value, Label, Text string }

// Queue is the selected conversation's message queue.
type Queue struct {
	Entries []QueueEntry
	Paused  bool
	// Rule says in words whose rule holds, or why there is no queue.
	Rule  string
	whole bool // the server listed all of it
}

// A QueueEntry is one waiting message.
type QueueEntry struct {
	ID, Text string
	client   string // its message's client ID
	// TextOnly says that there is nothing but one text, so that an update loses
	// nothing.
	TextOnly bool
}

// Attachments is the list of the selected conversation's stored attachments.
type Attachments struct {
	Rows []*AttachmentRow // oldest first
	// Stale says why the list may not be complete, "" when it is. It reads after
	// "This list may not be complete:".
	Stale string
	// Loading says that the list is being read.
	Loading bool
}

// An AttachmentRow is one attachment: metadata only. There is nothing to open.
type AttachmentRow struct {
	// Type and Identity name it in its conversation; ID is this generation of it.
	Type, Identity, ID string
	CreatedAt          int64 // unix seconds, 0 if unknown
	Bytes              int64 // of its payload, which is not kept
	// Reason says why there is no more of it to see.
	Reason string
}

// Notices are things said once.
type Notices struct{ Rows []Notice }

// A Notice is one of them.
type Notice struct {
	ID, Code, Text string
	At             time.Time
}

// Catalog is what the composer's pickers offer.
type Catalog struct {
	Models []Model
	Skills []Skill
	// Problem is why it could not be read.
	Problem string
}

// A Model is one model of the server's catalogue.
type Model struct {
	ID, Name, Description string
	Default               bool
	Efforts               []string
	DefaultEffort         string
	Tiers                 []string
	Personality           bool
	Images                bool
}

// A Skill is one skill of the folder.
type Skill struct{ Name, Description, Path string }
