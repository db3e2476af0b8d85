package session

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"holdfast/core/recovery"
	"holdfast/core/words"
)

// words names the states as DRIVE.md does.
var stateWords = [...]string{
	Reconnecting: "reconnecting", Synchronizing: "synchronizing", AwaitingSelection: "awaiting-selection",
	Ready: "ready", HistoryRefresh: "history-refresh", ManualReconnect: "manual-reconnect",
	SignInRequired: "sign-in", Confirmation: "confirmation",
}

// String is the state's word in the drive contract.
func (s State) String() string {
	if int(s) < len(stateWords) {
		return stateWords[s]
	}
	return "unknown"
}

// States lists all eight.
func States() []State {
	return []State{
		Reconnecting, Synchronizing, AwaitingSelection, Ready,
		HistoryRefresh, ManualReconnect, SignInRequired, Confirmation,
	}
}

// facts is all that a status is computed from. It is a plain value, so that
// the table can be tested without a loop.
type facts struct {
	rec       recovery.State
	endpoint  string
	tokenFile string
	signedOut bool // the provider wants a sign-in and there is none
	confirmed bool
	selected  bool
	deleted   bool // the selected conversation is gone
	busy      bool // a first read, join or refresh is open
	broken    string
	joined    bool
	running   bool
	stopping  bool
	asks      bool
	older     bool
	newer     bool
	empty     bool   // no rows
	queue     bool   // experimental
	changed   string // how the target changed while connected
	drafts    bool   // recovery drafts wait
	stale     string // why the rows may not be all
	evidence  string // what became of a turn that ran at the loss
	silent    bool   // a local server does not answer
	unlisted  string // why the conversation list could not be read
}

// state computes which of the eight states holds.
func (f facts) state() State {
	switch f.rec.Phase {
	case recovery.Waiting, recovery.Connecting:
		return Reconnecting
	case recovery.Listing:
		return Synchronizing
	case recovery.Offline:
		return offlineState(f.rec.Cause)
	case recovery.Online:
	}
	switch {
	case f.changed != "":
		return Confirmation
	case f.busy:
		return Synchronizing
	case f.signedOut:
		return SignInRequired
	case f.selected && f.broken != "":
		return HistoryRefresh
	case f.selected:
		return Ready
	}
	return AwaitingSelection
}

func offlineState(c recovery.Cause) State {
	switch c {
	case recovery.CauseAuth:
		return SignInRequired
	case recovery.CauseTarget:
		return Confirmation
	case recovery.CauseNone, recovery.CauseTemporary, recovery.CauseCancelled, recovery.CauseOther:
	}
	return ManualReconnect
}

// status gives a state its words and its allowed actions.
func (f facts) status() *Status {
	s := &Status{State: f.state(), Attempt: f.rec.Attempt}
	s.Code, s.Text = f.say(s.State)
	s.Actions = f.actions(s.State)
	return s
}

// say is the table of texts: first what is, then what follows (LOOK.md).
func (f facts) say(s State) (code, text string) {
	switch s {
	case Reconnecting:
		return f.sayReconnecting()
	case Synchronizing:
		if !f.selected {
			return "reading-list", words.T("Connected. Reading the conversation list.")
		}
		return "reading-history", words.T("Reading the conversation. Nothing is sent meanwhile.")
	case AwaitingSelection:
		if f.unlisted != "" {
			return listFailed, words.T("Connected. The conversation list could not be read. %s", f.unlisted)
		}
		return "select", words.T("Connected. Choose a conversation, or start a new one.")
	case Ready:
		if f.silent {
			return "not-answering", words.T("Codex is not answering. Wait, or restart it with Reconnect: that interrupts the running turn.")
		}
		if f.deleted {
			return "deleted", words.T("This conversation was deleted. What you see is what was read of it.")
		}
		if f.joined && f.stale != "" {
			return "joined", words.T("Joined, but this may not be all: %s.", clause(f.stale))
		}
		if f.joined {
			return "live", words.T("Live. What you see is what the server says.")
		}
		return "reading", words.T("Reading, not live. Join to send and to see what happens next.")
	case HistoryRefresh:
		return "refresh", words.T("This conversation may not be complete: %s. Refresh reads it again.", clause(f.broken))
	case ManualReconnect:
		return f.sayOffline()
	case SignInRequired:
		return f.saySignIn()
	case Confirmation:
		if f.rec.Connected() {
			return "target-changed", f.changed + words.T(" Confirm to go on with this connection, or apply the profile.")
		}
		return "confirm", sentence(or(f.rec.Why, words.T("the connection changed"))) + words.T(" Check the profile, then reconnect.") + f.kept()
	}
	return "unknown", ""
}

func (f facts) sayReconnecting() (code, text string) {
	to := or(f.endpoint, "Codex")
	if f.rec.Max <= 1 {
		return "connecting", words.T("Connecting to %s.", to) + f.kept()
	}
	text = words.T("The connection was lost: %s. ", or(f.rec.Why, words.T("it ended")))
	if f.rec.Phase == recovery.Waiting {
		text += words.T("Attempt %d of %d follows.", f.rec.Attempt+1, f.rec.Max)
	} else {
		text += words.T("Attempt %d of %d is under way.", f.rec.Attempt, f.rec.Max)
	}
	return "reconnecting", text + f.evidence + f.kept()
}

// failures are by how many attempts were made.
var failures = [...]words.Key{
	"Not connected: %s.", "Not connected: %s.", "Not connected. Two attempts failed: %s.", "Not connected. Three attempts failed: %s.",
	"Not connected. Four attempts failed: %s.", "Not connected. Five attempts failed: %s.",
}

func (f facts) sayOffline() (code, text string) {
	why := or(f.rec.Why, words.T("no connection was made"))
	switch {
	case f.rec.Cause == recovery.CauseCancelled:
		return "cancelled", words.T("Not connected: you cancelled the attempt. Reconnect tries once.") + f.kept()
	case f.rec.Attempt > 1 && f.rec.Attempt < len(failures):
		text = failures[f.rec.Attempt].With(why)
	default:
		text = failures[0].With(why)
	}
	return "not-connected", text + f.evidence + words.T(" Reconnect tries once.") + f.kept()
}

// kept says that nothing typed was lost.
func (f facts) kept() string {
	if f.drafts {
		return words.T(" What you typed is kept.")
	}
	return ""
}

// sentence makes a cause a sentence of its own. An address at its beginning
// stays as it is.
func sentence(s string) string {
	if first, _, _ := strings.Cut(s, " "); !strings.Contains(first, "://") {
		r, n := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(r)) + s[n:]
	}
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "。") {
		return s
	}
	return words.T("%s.", s)
}

// clause makes a sentence a part of another one. What begins like a name stays
// as it is.
func clause(s string) string {
	s = strings.TrimSuffix(strings.TrimSuffix(s, "."), "。")
	first, n := utf8.DecodeRuneInString(s)
	if second, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsLower(second) || second == ' ' {
		return string(unicode.ToLower(first)) + s[n:]
	}
	return s
}

func (f facts) saySignIn() (code, text string) {
	if f.rec.Connected() {
		return "signed-out", words.T("Codex is not signed in. Reading works; sign in to send.")
	}
	if f.tokenFile != "" {
		return "rejected", words.T("The server rejected the token in %s. Put a valid token there, then reconnect.", f.tokenFile) + f.kept()
	}
	return "rejected", words.T("The server asks for a token. Name a token file in the profile, then reconnect.") + f.kept()
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// actions is the table of allowed actions, the safe one first.
func (f facts) actions(s State) []Action {
	var a []Action
	switch s {
	case Reconnecting:
		a = append(a, ActCancel)
	case ManualReconnect:
		a = append(a, ActReconnect, ActProfile)
	case Confirmation:
		if f.rec.Connected() {
			a = append(a, ActConfirm, ActProfile, ActSelect, ActThreads)
			return append(a, f.paging()...)
		}
		a = append(a, ActReconnect, ActProfile)
	case SignInRequired:
		if !f.rec.Connected() {
			a = append(a, ActProfile, ActReconnect)
			break
		}
		a = append(a, ActSignIn, ActSelect, ActThreads)
		a = append(a, f.paging()...)
	case Synchronizing:
		if f.rec.Phase == recovery.Listing {
			return []Action{ActCancel}
		}
		a = append(a, ActSelect)
		a = append(a, f.always()...)
	case AwaitingSelection:
		a = append(a, ActSelect, ActNew, ActThreads, ActFork, ActRename, ActArchive, ActUnarchive, ActDelete, ActSignOut)
	case HistoryRefresh:
		a = append(a, ActRefresh)
		a = append(a, f.onSelected()...)
	case Ready:
		switch {
		case f.deleted:
		case !f.joined:
			a = append(a, ActJoin)
		case f.running:
			a = append(a, ActSteer)
		default:
			a = append(a, ActSend)
		}
		a = append(a, f.onSelected()...)
		a = append(a, ActRefresh)
	}
	if f.silent {
		a = append(a, ActReconnect)
	}
	if f.rec.Connected() && !f.confirmed {
		a = append(a, ActConfirm)
	}
	if f.drafts {
		if f.rec.Connected() && f.confirmed && f.selected {
			a = append(a, ActRestore)
		}
		a = append(a, ActDiscard)
	}
	return a
}

// always are the actions that even a synchronizing surface has.
func (f facts) always() []Action {
	var a []Action
	if f.joined && f.running && !f.stopping {
		a = append(a, ActStop)
	}
	if f.asks {
		a = append(a, ActAnswer)
	}
	return a
}

func (f facts) paging() []Action {
	var a []Action
	if f.older {
		a = append(a, ActOlder)
	}
	if f.newer {
		a = append(a, ActNewer)
	}
	if f.selected && !f.empty {
		a = append(a, ActExpand)
	}
	return a
}

func (f facts) onSelected() []Action {
	a := f.always()
	a = append(a, f.paging()...)
	a = append(a, ActSelect, ActNew, ActThreads, ActFork, ActRename, ActArchive, ActUnarchive, ActDelete)
	if f.joined && !f.running {
		a = append(a, ActCompact)
	}
	if f.joined && f.queue {
		a = append(a, ActQueue)
	}
	return append(a, ActSignOut)
}
