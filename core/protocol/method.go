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
