package session

import (
	"io"

	"holdfast/core/history"
	"holdfast/core/stamp"
)

// An Intent is what a user wants. The set is closed.
//
//sumtype:decl
type Intent interface{ intent() }

type (
	// Select reads a conversation without joining it.
	Select struct{ Thread string }
	// NewThread starts a conversation; the caller is subscribed, so it is joined.
	NewThread struct {
		Cwd, Model string
		Access     Access
	}
	// Join subscribes to the selected conversation (JON-1).
	Join struct{}
	// SetDraft changes fields of a composer; nil fields stay. Thread names the
	// conversation whose composer is meant, whatever is selected by now; nil is
	// the one that is shown.
	SetDraft struct {
		Thread *string
		// Rev is the Composer.Rev that the text was typed onto; nil is the newest.
		// Text typed onto a composer that was frozen since becomes a recovery
		// draft.
		Rev                                           *uint64
		Text, Skill, Model, Effort, Tier, Personality *string
		Access                                        *Access
		Blocks, Images                                *[]string
	}
	// Send starts a turn with the composer's content.
	Send struct{}
	// Steer adds the composer's content to the running turn.
	Steer struct{}
	// Enqueue puts the composer's content into the server's queue.
	Enqueue struct{}
	// Stop interrupts the running turn, once (ruling 13).
	Stop struct{}
	// Older loads the page before the oldest row. Anchor is the row that must
	// stay, without it the one that was first.
	Older struct{ Anchor history.Key }
	// Newer loads the page after the newest row. Anchor is the row that must
	// stay, without it the one that was last.
	Newer struct{ Anchor history.Key }
	// Expand fetches the missing items of a turn.
	Expand struct{ Turn string }
	// Fold hides what is between a turn's question and its answer, or with Open
	// shows it again. In a legacy thread it frees those rows: Expand reads them
	// again.
	Fold struct {
		Turn string
		Open bool
	}
	// Whole reads one row of the window whole, where it was shortened, and writes
	// its text to To as it comes: on the connection's reader, which waits for it,
	// and perhaps still after the intent has ended without success.
	Whole struct {
		Row history.Key
		To  io.Writer
	}
	// LookAt says which row is under the eye, so that what streams in pushes
	// out rows far from it; the zero Key follows the newest row.
	LookAt struct{ Row history.Key }
	// Refresh reads the selected conversation anew.
	Refresh struct{}
	// ListThreads reads the list anew, or its next page with More.
	ListThreads struct {
		More     bool
		Search   string
		Archived bool
	}
	// Fork copies a conversation, up to Turn if it is set. Here and below, no
	// Thread means the selected one.
	Fork struct{ Thread, Turn string }
	// Rename gives a conversation a name.
	Rename struct{ Thread, Name string }
	// Archive puts a conversation away.
	Archive struct{ Thread string }
	// Unarchive takes it back.
	Unarchive struct{ Thread string }
	// Delete removes a conversation for good.
	Delete struct{ Thread string }
	// Compact summarizes the selected conversation's history for the model.
	Compact struct{}
	// EditQueue changes the server's queue. Op is add, update, delete,
	// reorder or start.
	EditQueue struct{ Op, Entry, Text, Before string }
	// Answer answers a request: a decision's name, or values by field.
	Answer struct {
		Request, Decision string
		Answers           map[string][]string
	}
	// Reconnect makes one attempt.
	Reconnect struct{}
	// Cancel ends the running attempt or episode.
	Cancel struct{}
	// Confirm accepts the connected server after a change of target.
	Confirm struct{}
	// Restore copies a recovery draft into the composer. Mode says where when
	// that is not empty: before, after or replace.
	Restore struct{ Draft, Mode string }
	// Discard forgets a recovery draft.
	Discard struct{ Draft string }
	// Review acts on an operation: restore puts its text into the composer,
	// dismiss hides its record.
	Review struct{ Op, Action, Mode string }
	// FindFiles looks for files of the selected conversation's folder that match a
	// few letters, and hands them to To: before the intent ends, on a goroutine of
	// the session's, which it must not keep.
	FindFiles struct {
		Query string
		To    func([]File)
	}
	// Revert cuts off a turn of the selected conversation and all later ones. The
	// message that began it goes into the composer, in front of what is there.
	Revert struct{ Turn string }
	// Retry sends the message of the newest turn again, which failed.
	Retry struct{}
	// StartReview begins a review as a turn: of uncommittedChanges, or against a
	// baseBranch, of a commit, or as custom instructions say; Value names it.
	StartReview struct{ Kind, Value string }
	// ListServers reads the MCP servers of the selected conversation, and hands
	// them to To, as FindFiles does.
	ListServers struct{ To func([]MCPServer) }
	// Export writes the whole selected conversation to To as Markdown, from its
	// first message on, page by page, on goroutines of the session's. Not all may
	// have been written when it ends without success.
	Export struct{ To io.Writer }
	// ListAttachments reads the selected conversation's attachments anew.
	ListAttachments struct{}
	// ApplyProfile moves to another target.
	ApplyProfile struct{ Name string }
	// ProfileEdited says that the applied profile has unsaved edits.
	ProfileEdited struct{}
	// SignIn signs in with an API key, which is not kept.
	SignIn struct{ Key Secret }
	// SignOut signs out.
	SignOut struct{}
	// DismissNotice forgets a notice.
	DismissNotice struct{ ID string }
)

func (Select) intent()          {}
func (NewThread) intent()       {}
func (Join) intent()            {}
func (SetDraft) intent()        {}
func (Send) intent()            {}
func (Steer) intent()           {}
func (Enqueue) intent()         {}
func (Stop) intent()            {}
func (Older) intent()           {}
func (Newer) intent()           {}
func (Expand) intent()          {}
func (Fold) intent()            {}
func (Whole) intent()           {}
func (LookAt) intent()          {}
func (Refresh) intent()         {}
func (ListThreads) intent()     {}
func (Fork) intent()            {}
func (Rename) intent()          {}
func (Archive) intent()         {}
func (Unarchive) intent()       {}
func (Delete) intent()          {}
func (Compact) intent()         {}
func (EditQueue) intent()       {}
func (Answer) intent()          {}
func (Reconnect) intent()       {}
func (Cancel) intent()          {}
func (Confirm) intent()         {}
func (Restore) intent()         {}
func (Discard) intent()         {}
func (Review) intent()          {}
func (FindFiles) intent()       {}
func (Revert) intent()          {}
func (Retry) intent()           {}
func (StartReview) intent()     {}
func (ListServers) intent()     {}
func (Export) intent()          {}
func (ListAttachments) intent() {}
func (ApplyProfile) intent()    {}
func (ProfileEdited) intent()   {}
func (SignIn) intent()          {}
func (SignOut) intent()         {}
func (DismissNotice) intent()   {}

// A Secret is never printed.
type Secret string

// String hides the secret.
func (Secret) String() string { return "[secret]" }

// GoString hides the secret.
func (Secret) GoString() string { return "[secret]" }

// MarshalJSON hides the secret.
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"[secret]"`), nil }

// A Result is how an intent ended.
type Result struct {
	OK bool
	// Code is stable, Error is for people; both "" when OK.
	Code, Error string
	// Seq is the first snapshot that shows the effect.
	Seq uint64
}

// A request of a surface: the intent, the stamp of the snapshot it was made
// from, and who wants to know how it ended.
type request struct {
	at   stamp.Stamp
	in   Intent
	done func(Result)
}
