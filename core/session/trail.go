package session

import (
	"holdfast/core/protocol"
	"holdfast/core/stamp"
)

// A trail is the cursors that one listing followed, and how many rows of its
// pages could not be read. The zero value begins one.
type trail struct {
	used   map[string]bool
	unread int
}

// next gives the cursor that continues after the page at from, nil at the end.
// One that is empty, too long, or was followed before leads nowhere.
func (t *trail) next(from string, c *string) (next *string, leads bool) {
	if c == nil {
		return nil, true
	}
	if t.used == nil {
		t.used = map[string]bool{}
	}
	t.used[from] = true
	if *c == "" || len(*c) > protocol.MaxCursor || t.used[*c] {
		return nil, false
	}
	return c, true
}

// pages is how many pages were followed.
func (t *trail) pages() int { return len(t.used) }

// A poll is a read that signals ask for. While one is open, any number of them
// asks for one more.
type poll struct {
	at          stamp.Stamp
	open, again bool
}

// begin reports whether to ask now.
func (p *poll) begin(at stamp.Stamp) bool {
	if p.open && p.at == at {
		p.again = true
		return false
	}
	*p = poll{at: at, open: true}
	return true
}

// end reports whether to ask once more.
func (p *poll) end() (again bool) {
	again = p.again
	*p = poll{}
	return again
}
