package ledger

import (
	"fmt"
	"slices"
	"time"

	"holdfast/core/stamp"
)

// MaxRecords bounds the ledger (LED-1). Certain records go first, oldest
// first; uncertain ones are never dropped silently.
const MaxRecords = 1000

// A Record is one mutation. It is immutable once handed out: a change makes a
// new Record with the same ID.
type Record struct {
	ID     string
	At     stamp.Stamp // the connection it was dispatched on
	Kind   string      // the protocol method, or the request's method for an answer
	Thread string
	State  State
	Proof  Proof
	// Detail is why it was refused, in the server's words, or why nothing was
	// sent.
	Detail string
	// Seen says that the user message with ClientID was seen in its thread.
	Seen     bool
	ClientID string
	// Turn is the turn the answer named, "" if none.
	Turn string
	// After is the newest turn that its message can only come after, "" if none
	// was known.
	After string
	// Text is what the user typed, kept for review; never an answer's secret.
	Text string
	Made time.Time
	// Restored says that its text was put into a composer again.
	Restored bool
	// Dismissed hides it from the list.
	dismissed bool
}

// An Entry is what a new record begins with.
type Entry struct {
	Kind, Thread, ClientID, Text string
	// Turn is the turn it is about, "" if none.
	Turn string
	// After is the newest turn that its message can only come after.
	After string
	Made  time.Time
}

// A Ledger holds the records, oldest first. One goroutine owns it.
type Ledger struct {
	records []*Record
	next    int
	changed bool
}

// Begin adds a record in state NotSent and returns its ID, which is never
// used again and never goes on the wire.
func (l *Ledger) Begin(e Entry) string {
	l.next++
	id := fmt.Sprintf("op%d", l.next)
	l.records = append(l.records, &Record{
		ID: id, Kind: e.Kind, Thread: e.Thread, ClientID: e.ClientID, Text: e.Text, Turn: e.Turn, After: e.After, Made: e.Made,
	})
	l.trim()
	l.changed = true
	return id
}

// Dispatch sets InFlight, before the connection may be touched (LED-2).
func (l *Ledger) Dispatch(id string, at stamp.Stamp) error {
	return l.apply(id, Dispatched, func(r *Record) { r.At = at })
}

// Resolve applies what became known of an operation. An edge that the table
// lacks is an error and changes nothing.
func (l *Ledger) Resolve(id string, o Outcome) error {
	return l.apply(id, o.Event, func(r *Record) {
		if o.Proof != "" {
			r.Proof = o.Proof
		}
		if o.Detail != "" {
			r.Detail = o.Detail
		}
		if o.Turn != "" {
			r.Turn = o.Turn
		}
	})
}

// Lose marks every operation in flight on the connection at as OutcomeUnknown
// and returns their IDs.
func (l *Ledger) Lose(at stamp.Stamp) []string {
	var ids []string
	for _, r := range l.records {
		if r.State == InFlight && r.At == at.ConnOnly() {
			ids = append(ids, r.ID)
		}
	}
	for _, id := range ids {
		_ = l.Resolve(id, Outcome{Event: Lost, Proof: ProofNone})
	}
	return ids
}

// SawClientID notes that a user message with this client ID was seen in
// thread: it confirms acceptance only (ruling 1). Messages of other threads
// never count: forks repeat items.
func (l *Ledger) SawClientID(thread, clientID string) {
	for _, r := range l.records {
		if clientID == "" || r.ClientID != clientID || r.Thread != thread || r.Seen {
			continue
		}
		proof := r.Proof
		if r.State != Confirmed || proof == ProofNotTaken || proof == ProofNoTrace {
			proof = ProofItem
		}
		_ = l.apply(r.ID, ItemObserved, func(r *Record) { r.Seen, r.Proof = true, proof })
	}
}

// Missing says that nothing was seen of a message that was accepted, and what
// that means: no trace in the history, or not taken (ruling 2). It changes no
// state, and nothing that is certain in another way.
func (l *Ledger) Missing(id string, why Proof) {
	r, found := l.Get(id)
	if !found || r.State != Confirmed || r.Seen || r.Proof == why || r.Proof == ProofNotTaken {
		return
	}
	_ = l.Resolve(id, Outcome{Event: Accepted, Proof: why})
}

// Restored notes that a record's text was put into a composer again.
func (l *Ledger) Restored(id string) {
	if i := l.index(id); i >= 0 && !l.records[i].Restored {
		c := *l.records[i]
		c.Restored = true
		l.records[i], l.changed = &c, true
	}
}

// Get returns a record.
func (l *Ledger) Get(id string) (*Record, bool) {
	i := l.index(id)
	if i < 0 {
		return nil, false
	}
	return l.records[i], true
}

// Find returns the newest record that match accepts.
func (l *Ledger) Find(match func(*Record) bool) (*Record, bool) {
	for _, r := range slices.Backward(l.records) {
		if match(r) {
			return r, true
		}
	}
	return nil, false
}

// Dismiss hides a record that is no longer in flight.
func (l *Ledger) Dismiss(id string) bool {
	i := l.index(id)
	if i < 0 || l.records[i].State == InFlight {
		return false
	}
	c := *l.records[i]
	c.dismissed = true
	l.records[i], l.changed = &c, true
	return true
}

// Records returns the records that were not dismissed, oldest first.
func (l *Ledger) Records() []*Record {
	out := make([]*Record, 0, len(l.records))
	for _, r := range l.records {
		if !r.dismissed {
			out = append(out, r)
		}
	}
	return out
}

// TakeChanged reports whether a record changed since the last call.
func (l *Ledger) TakeChanged() bool {
	c := l.changed
	l.changed = false
	return c
}

func (l *Ledger) index(id string) int {
	return slices.IndexFunc(l.records, func(r *Record) bool { return r.ID == id })
}

func (l *Ledger) apply(id string, e Event, edit func(*Record)) error {
	i := l.index(id)
	if i < 0 {
		return fmt.Errorf("ledger: no record %q", id)
	}
	c := *l.records[i]
	to, err := c.State.Next(e)
	if err != nil {
		return fmt.Errorf("record %s: %w", id, err)
	}
	if c.State == Confirmed && e == Lost || c.State == Rejected && e == Lost {
		return nil // a loss after a proof changes nothing
	}
	c.State = to
	edit(&c)
	l.records[i], l.changed = &c, true
	return nil
}

// trim drops the oldest certain record while there are too many.
func (l *Ledger) trim() {
	for len(l.records) > MaxRecords {
		i := slices.IndexFunc(l.records, func(r *Record) bool {
			return r.dismissed || r.State == Confirmed || r.State == Rejected
		})
		if i < 0 {
			return // all uncertain: better too many than a lost one
		}
		l.records = slices.Delete(l.records, i, i+1)
	}
}
