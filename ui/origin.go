package ui

import (
	"fmt"

	"holdfast/core/safetext"
	"holdfast/core/session"
)

// An origin says which conversation the rows on screen are of. After a loss
// they stay, also while nothing is selected, until the next selection.
type origin struct {
	thread *session.Thread // nil when there are no rows, or nothing is known of them
	// prefix makes keys that never meet those of another owner, connection or
	// conversation (ruling 7). A lost connection's rows keep theirs: they do not
	// move when an attempt begins.
	prefix string
}

// next is the origin of the rows of s, after those of the snapshot before.
func (o origin) next(s *session.Snapshot) origin {
	t := s.Thread
	switch {
	case t == nil && s.History == nil:
		return origin{}
	case t == nil:
		return o
	case o.thread != nil && o.thread.ID == t.ID && !connected(s):
		return origin{thread: t, prefix: o.prefix}
	}
	return origin{thread: t, prefix: fmt.Sprintf("%d.%d.%s\x00", s.Generations.Owner, s.Generations.Connection, t.ID)}
}

// connected says that there is a server to choose conversations from.
func connected(s *session.Snapshot) bool { return s.Status.Allows(session.ActSelect) }

// kept says that the rows on screen are of a connection that was lost.
func kept(s *session.Snapshot) bool { return s.Thread == nil && s.History != nil }

// title names the conversation on screen.
func (o origin) title() safetext.Line {
	if o.thread == nil {
		return safetext.Trusted("An earlier conversation")
	}
	return title(o.thread.Title)
}
