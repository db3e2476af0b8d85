package ledger

import (
	"fmt"

	"holdfast/core/words"
)

// A State is what is known about an operation (LED-1).
type State uint8

// The five states.
const (
	NotSent State = iota
	InFlight
	Confirmed
	Rejected
	OutcomeUnknown
)

// String is the state's name in the drive contract.
func (s State) String() string {
	switch s {
	case NotSent:
		return "NotSent"
	case InFlight:
		return "InFlight"
	case Confirmed:
		return "Confirmed"
	case Rejected:
		return "Rejected"
	case OutcomeUnknown:
		return "OutcomeUnknown"
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// An Event is something that became known.
type Event uint8

// The events.
const (
	Dispatched   Event = iota // handed to the connection
	NotBegun                  // the connection proves that no byte was written
	Accepted                  // a definitive success answer
	Refused                   // a definitive refusal
	Lost                      // the connection or the deadline ended first
	ItemObserved              // a server item correlated to it was seen
)

// A Proof says how a state is known. The zero Proof is none.
type Proof string

// The proofs.
const (
	ProofNone       Proof = ""
	ProofAnswer     Proof = Proof(words.Key("by answer"))
	ProofItem       Proof = Proof(words.Key("accepted, by item"))
	ProofClosed     Proof = Proof(words.Key("closed"))
	ProofEnded      Proof = Proof(words.Key("by the turn's end"))
	ProofUnreadable Proof = Proof(words.Key("answered, unreadable"))
	ProofAskedAgain Proof = Proof(words.Key("asked again"))
	ProofRefused    Proof = Proof(words.Key("refused"))
	ProofOverloaded Proof = Proof(words.Key("overloaded, not executed"))
	ProofNotBegun   Proof = Proof(words.Key("nothing was sent"))
	ProofSteered    Proof = Proof(words.Key("accepted as a steer"))
	ProofNotTaken   Proof = Proof(words.Key("accepted, not taken"))
	ProofNoTrace    Proof = Proof(words.Key("accepted, no trace in history"))
)

// An Outcome is an event with how it is known.
type Outcome struct {
	Event  Event
	Proof  Proof
	Detail string
	Turn   string
}

// The answer travels apart from the loss of its connection, so either may come
// second: a proof after the loss still counts, and a loss after a proof
// changes nothing (ruling 28).
var edges = map[State]map[Event]State{
	NotSent: {Dispatched: InFlight, NotBegun: NotSent},
	InFlight: {
		NotBegun: NotSent, Accepted: Confirmed, Refused: Rejected,
		ItemObserved: Confirmed, Lost: OutcomeUnknown,
	},
	OutcomeUnknown: {
		NotBegun: NotSent, Accepted: Confirmed, Refused: Rejected,
		ItemObserved: Confirmed, Lost: OutcomeUnknown,
	},
	Confirmed: {Accepted: Confirmed, ItemObserved: Confirmed, Lost: Confirmed},
	Rejected:  {Lost: Rejected},
}

// Next returns the state after e. An edge that is not in the table is an error,
// never a reason to guess an outcome.
func (s State) Next(e Event) (State, error) {
	if to, ok := edges[s][e]; ok {
		return to, nil
	}
	return s, fmt.Errorf("ledger: no edge from %v on event %d", s, e)
}
