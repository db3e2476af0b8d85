package protocol

import "time"

// A Query may be asked again: asking twice changes nothing. The Query values
// of this package are the whole overload-retry allowlist (REC-13).
type Query[P, R any] struct{ Method string }

// A Call is a read outside the allowlist: it is asked once.
type Call[P, R any] struct{ Method string }

// A Mutation may have acted even if no answer came. It is sent once, and
// nothing that retries accepts one (LED-3).
type Mutation[P, R any] struct{ Method string }

// Deadlines by kind of request (ruling 14). A deadline ends that request only.
const (
	ReadDeadline      = 30 * time.Second
	LongDeadline      = 120 * time.Second // resume, fork, revert, compact
	MutationDeadline  = 60 * time.Second
	InterruptDeadline = 10 * time.Second
)

// Deadline returns how long to wait for the answer to method. One it does not
// know gets the deadline of a mutation.
func Deadline(method string) time.Duration {
	switch method {
	case TurnInterrupt.Method:
		return InterruptDeadline
	case ThreadResume.Method, ThreadFork.Method, ThreadCompactStart.Method, ThreadRevert.Method:
		return LongDeadline
	case ThreadRead.Method, ThreadTurnsList.Method, ThreadItemsList.Method, ThreadList.Method,
		ThreadAttachmentList.Method, AccountRead.Method, SkillsList.Method, ModelList.Method, Initialize.Method, QueueList.Method,
		FuzzyFileSearch.Method, McpServerStatusList.Method:
		return ReadDeadline
	}
	return MutationDeadline
}
