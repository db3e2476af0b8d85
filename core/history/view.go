package history

import "holdfast/core/protocol"

// A Key names a row: provider item IDs repeat across turns (ruling 7). The
// owner, connection and thread parts of the full key are those of the Window
// the row lives in. In a legacy thread Item is the position in the turn.
type Key struct{ Turn, Item string }

// A RowState says whether a row can still grow.
type RowState uint8

// The states of a row.
const (
	Partial RowState = iota // seen by start or deltas only
	Final                   // completed, live or in a page
)

// A CutBy says who shortened a row's text.
type CutBy uint8

// The sides that shorten text; where both did, ours is named.
const (
	CutNone CutBy = iota
	CutLocal
	CutServer
)

// A Row is one item of the transcript. It is immutable: a changed row is a new
// Row with the same Key and a higher Rev.
type Row struct {
	Key   Key
	Rev   uint64
	State RowState
	Cut   CutBy
	// Bytes is the true length of the text; Kept is what is held of it.
	Bytes, Kept int64
	Item        protocol.Item
}

// A TurnInfo is what is known of one turn.
type TurnInfo struct {
	ID, Status             string // inProgress, completed, interrupted, failed
	StartedAt, CompletedAt int64  // unix seconds, 0 if unknown
	DurationMs             int64
	Error                  *protocol.TurnError
	// Summary says that a legacy turn's rows are its summary only: Expand puts
	// the full turn in their place.
	Summary bool
	// Folded says that what is between question and answer is hidden; see Fold.
	Folded bool
}

// A View is an immutable picture of a Window. It shares rows by pointer with
// the views before and after it, and points at nothing that lives.
type View struct {
	Rows []*Row // in order, oldest first
	// Older and Newer say that more exists beyond that end.
	Older, Newer bool
	// LoadingOlder and LoadingNewer say that a page beyond that end is being read.
	LoadingOlder, LoadingNewer bool
	// Full says that a bound of the window (1,000 items, 16 MiB) stops Load older.
	Full bool
	// Stale says why the view may not be complete, "" when it is.
	Stale string
	// Turns are the turns known, by ID; Newest is the newest turn's, "" if none.
	Turns  map[string]TurnInfo
	Newest string
	// Empty says that the server has nothing for this thread yet (ruling 15).
	Empty bool
	// CommandsMayBeMissing is true for legacy threads (ruling 6).
	CommandsMayBeMissing bool
}
