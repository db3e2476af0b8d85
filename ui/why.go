package ui

import (
	"strings"

	"holdfast/core/safetext"
	"holdfast/core/session"
)

// whyNot says why a command is not possible now (UI-4).
func (w *Window) whyNot(c command) safetext.Line {
	what := safetext.MakeLine(strings.TrimSuffix(c.label, "…") + " is not possible now.")
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
	if l, ok := always[a]; ok {
		return l
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
	if l, ok := ofSelected[a]; ok {
		return l
	}
	return safetext.MakeLine(s.Status.Text)
}

// always are the reasons that hold whatever is selected.
var always = map[session.Action]safetext.Line{
	session.ActReconnect: safetext.Trusted("The connection is up."),
	session.ActCancel:    safetext.Trusted("Nothing is under way."),
	session.ActConfirm:   safetext.Trusted("There is nothing to confirm."),
	session.ActSignIn:    safetext.Trusted("No sign-in is needed."),
	session.ActSignOut:   safetext.Trusted("No account is signed in."),
	session.ActAnswer:    safetext.Trusted("Nothing is asked here."),
	session.ActRestore:   safetext.Trusted("No draft waits."),
	session.ActDiscard:   safetext.Trusted("No draft waits."),
}

// ofJoined needs a conversation that is joined.
var ofJoined = map[session.Action]bool{
	session.ActStop: true, session.ActCompact: true, session.ActQueue: true,
	session.ActSend: true, session.ActSteer: true,
}

// ofSelected are the reasons in a conversation that is selected, and joined
// where that is needed.
var ofSelected = map[session.Action]safetext.Line{
	session.ActStop:    safetext.Trusted("No turn is running, or it is being stopped."),
	session.ActCompact: safetext.Trusted("A turn is running."),
	session.ActQueue:   safetext.Trusted("This server has no message queue."),
	session.ActOlder:   safetext.Trusted("There is nothing older."),
	session.ActNewer:   safetext.Trusted("There is nothing newer."),
	session.ActExpand:  safetext.Trusted("There is nothing to load."),

	session.ActUnarchive: safetext.Trusted("It is not archived."),
}
