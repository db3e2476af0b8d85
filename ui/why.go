package ui

import (
	"strings"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
)

// whyNot says why a command is not possible now (UI-4).
func (w *Window) whyNot(c command) safetext.Line {
	what := line("%s is not possible now.", strings.TrimSuffix(c.label.String(), "…"))
	if c.when != nil {
		_, why := c.when(w)
		return safetext.Join(" ", what, why)
	}
	return safetext.Join(" ", what, w.reason(c.action))
}

// reason is what stands against an action. While the state itself does, its own
// words say so.
func (w *Window) reason(a session.Action) safetext.Line {
	s := w.snap
	if missing := missingForRestore(s); a == session.ActRestore && len(s.Drafts.Rows) > 0 && connected(s) && missing != "" {
		return line("First %s.", missing)
	}
	switch s.Status.State {
	case session.Reconnecting, session.Synchronizing, session.ManualReconnect, session.SignInRequired, session.Confirmation:
		return safetext.MakeLine(s.Status.Text)
	case session.AwaitingSelection, session.Ready, session.HistoryRefresh:
	}
	if k, ok := always[a]; ok {
		return safetext.Own(k)
	}
	t := s.Thread
	switch {
	case t == nil:
		return safetext.Trusted("Choose a conversation first.")
	case a == session.ActJoin && t.Joined:
		return safetext.Trusted("This conversation is joined already.")
	case !t.Joined && ofJoined[a]:
		return line("Join first (%s).", w.keyOf(session.ActJoin))
	}
	if k, ok := ofSelected[a]; ok {
		return safetext.Own(k)
	}
	return safetext.MakeLine(s.Status.Text)
}

// always are the reasons that hold whatever is selected.
var always = map[session.Action]words.Key{
	session.ActReconnect: "The connection is up.",
	session.ActCancel:    "Nothing is under way.",
	session.ActConfirm:   "There is nothing to confirm.",
	session.ActSignIn:    "No sign-in is needed.",
	session.ActSignOut:   "No account is signed in.",
	session.ActAnswer:    "Nothing is asked here.",
	session.ActRestore:   "No draft waits.",
	session.ActDiscard:   "No draft waits.",
}

// ofJoined needs a conversation that is joined.
var ofJoined = map[session.Action]bool{
	session.ActStop: true, session.ActCompact: true, session.ActQueue: true,
	session.ActSend: true, session.ActSteer: true,
}

// ofSelected are the reasons in a conversation that is selected, and joined
// where that is needed.
var ofSelected = map[session.Action]words.Key{
	session.ActStop:    "No turn is running, or it is being stopped.",
	session.ActCompact: "A turn is running.",
	session.ActQueue:   "This server has no message queue.",
	session.ActOlder:   "There is nothing older.",
	session.ActNewer:   "There is nothing newer.",
	session.ActExpand:  "There is nothing to load.",

	session.ActUnarchive: "It is not archived.",
}
