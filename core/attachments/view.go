package attachments

import (
	"holdfast/core/protocol"
	"holdfast/core/words"
)

// A State says what is known of a list.
type State uint8

// The states of a list.
const (
	Idle     State = iota // nothing was asked for
	Scanning              // a pass is under way
	Current               // read to its end, and nothing was created since
	Stale                 // it may not be complete; only a refresh helps
)

// A View is an immutable picture of a [List].
type View struct {
	State State
	Rows  []*Row // oldest first, as the server lists them
	// Stale says why the list may not be complete, "" when it is; it lasts until
	// a refresh has ended well.
	Stale string
}

// A Row is one attachment: metadata only.
type Row struct {
	// Type and Identity name it within its thread; ID is this generation of it.
	Type, Identity, ID string
	CreatedAt          int64 // unix seconds, 0 if unknown
	// Bytes is the length of the payload, which was not kept.
	Bytes int64
	// Reason says why there is no more of it to see. It is never "".
	Reason string
}

// notKnown is the reason of a row with nothing wrong: no type is recognized, for
// no public client's payload can be cited (ATT-4).
const notKnown = string(words.Key("type not known"))

func rowOf(a protocol.Attachment) *Row {
	r := &Row{Type: a.Type, Identity: a.Identity, ID: a.ID, CreatedAt: a.CreatedAt, Bytes: a.Bytes, Reason: notKnown}
	if a.Problem != "" {
		r.Reason = a.Problem
	}
	return r
}

// A key is what rows are merged by: type and identity, or else the ID.
type key struct{ kind, identity, id string }

func keyOf(a protocol.Attachment) key {
	if a.Unkeyed {
		return key{id: a.ID}
	}
	return key{kind: a.Type, identity: a.Identity}
}
