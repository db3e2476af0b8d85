package ui

import (
	"strings"

	"holdfast/core/safetext"
	"holdfast/core/session"
)

// emptyText is what stands where no row is. Before a conversation is chosen it
// says what this window is connected to, and what there is to do.
func (w *Window) emptyText(s *session.Snapshot) []safetext.Line {
	h := s.History
	one := func(l safetext.Line) []safetext.Line { return []safetext.Line{l} }
	switch {
	case s.Thread == nil && h == nil && connected(s):
		return w.welcome(s)
	case s.Thread == nil:
		return one(safetext.Trusted("No conversation is selected."))
	case h == nil, s.Status.State == session.Synchronizing:
		return one(safetext.Trusted("Reading…"))
	case h.Empty:
		return one(safetext.Trusted("Nothing yet."))
	case h.Stale != "": // the banner says why
		return one(safetext.Trusted("Nothing of it is here."))
	}
	return one(safetext.Trusted("Nothing to show."))
}

// welcome explains a window in which nothing is chosen yet.
func (w *Window) welcome(s *session.Snapshot) []safetext.Line {
	server := strings.TrimSpace("Codex " + s.Server.Version)
	if s.Server.Endpoint != "" {
		server += " · " + s.Server.Endpoint
	}
	out := []safetext.Line{line("Connected to %s.", server)}
	if s.Account.Needed && !s.Account.SignedIn {
		return append(out,
			line("No account is signed in, and no other provider is configured. Sign in with %s, or choose another profile with %s.", w.keyOf(session.ActSignIn), w.keyTo("profiles")),
			safetext.Trusted("To look around without an account, start the demonstration: holdfast demo"))
	}
	choose := line("Choose a conversation to read it (%s). Reading changes nothing on the server.", w.keyOf(session.ActSelect))
	if len(s.Threads.Rows) == 0 {
		choose = safetext.Trusted("There is no conversation yet.")
	}
	return append(out, choose,
		line("Start a new one with %s.", w.keyOf(session.ActNew)),
		line("Join (%s) makes what you read live: only then you can send to it, and see what happens as it does.", w.keyOf(session.ActJoin)),
		line("%s lists all keys, %s all commands.", w.keyTo("keys"), w.keyTo("commands")))
}
