package ledger

import (
	"fmt"
	"testing"

	"holdfast/core/stamp"
)

func conn() stamp.Stamp {
	var f stamp.Fence
	f.NextOwner()
	return f.NextConn()
}

// A proof and the loss of its connection race; whichever comes second, the
// proof counts.
//
// req: LED-2, LED-5, LED-6
func TestProofAndLossCommute(t *testing.T) {
	for _, tc := range []struct {
		name  string
		proof Event
		want  State
	}{
		{"accepted", Accepted, Confirmed},
		{"refused", Refused, Rejected},
		{"item", ItemObserved, Confirmed},
	} {
		for _, order := range [][]Event{{tc.proof, Lost}, {Lost, tc.proof}} {
			var l Ledger
			at := conn()
			id := l.Begin(Entry{Kind: "turn/start"})
			if err := l.Dispatch(id, at); err != nil {
				t.Fatal(err)
			}
			for _, e := range order {
				if err := l.Resolve(id, Outcome{Event: e}); err != nil {
					t.Errorf("%s %v: %v", tc.name, order, err)
				}
			}
			if r, _ := l.Get(id); r.State != tc.want {
				t.Errorf("%s %v: state = %v, want %v", tc.name, order, r.State, tc.want)
			}
		}
	}
}

// A loss touches only what is in flight on the connection that was lost.
//
// req: LED-2
func TestLoseOnlyItsOwnConnection(t *testing.T) {
	var f stamp.Fence
	f.NextOwner()
	first := f.NextConn()
	second := f.NextConn()
	var l Ledger
	a, b, c := l.Begin(Entry{}), l.Begin(Entry{}), l.Begin(Entry{})
	for id, at := range map[string]stamp.Stamp{a: first, b: second} {
		if err := l.Dispatch(id, at); err != nil {
			t.Fatal(err)
		}
	}
	l.Lose(first)
	got := fmt.Sprint(state(&l, a), state(&l, b), state(&l, c))
	if want := "OutcomeUnknown InFlight NotSent"; got != want {
		t.Errorf("states = %s, want %s", got, want)
	}
}

func state(l *Ledger, id string) State { r, _ := l.Get(id); return r.State }

// The same client ID in a fork proves nothing about the record's own thread.
//
// req: LED-4, LED-5
func TestClientIDCountsInItsOwnThreadOnly(t *testing.T) {
	var l Ledger
	id := l.Begin(Entry{Thread: "t1", ClientID: "c1"})
	if err := l.Dispatch(id, conn()); err != nil {
		t.Fatal(err)
	}
	l.SawClientID("t2", "c1")
	l.SawClientID("t1", "")
	if r, _ := l.Get(id); r.State != InFlight || r.Seen {
		t.Errorf("after a fork's item: %v seen=%v, want InFlight unseen", r.State, r.Seen)
	}
	l.SawClientID("t1", "c1")
	if r, _ := l.Get(id); r.State != Confirmed || !r.Seen || r.Proof != ProofItem {
		t.Errorf("after its own item: %v seen=%v proof=%q", r.State, r.Seen, r.Proof)
	}
}

// A message that was thought not to be taken, and is seen after all, was taken.
func TestSeenAfterNotTaken(t *testing.T) {
	var l Ledger
	id := l.Begin(Entry{Thread: "t1", ClientID: "c1"})
	if err := l.Dispatch(id, conn()); err != nil {
		t.Fatal(err)
	}
	if err := l.Resolve(id, Outcome{Event: Accepted, Proof: ProofNotTaken}); err != nil {
		t.Fatal(err)
	}
	l.SawClientID("t1", "c1")
	if r, _ := l.Get(id); r.State != Confirmed || !r.Seen || r.Proof != ProofItem {
		t.Errorf("%v seen=%v proof=%q", r.State, r.Seen, r.Proof)
	}
}

func TestNoEdgeIsAnErrorAndChangesNothing(t *testing.T) {
	var l Ledger
	id := l.Begin(Entry{})
	if err := l.Resolve(id, Outcome{Event: Accepted}); err == nil {
		t.Error("an answer to what was never sent was taken")
	}
	if got := state(&l, id); got != NotSent {
		t.Errorf("state = %v, want NotSent", got)
	}
}

// At the bound the oldest certain record goes; uncertain ones stay, however
// many there are.
func TestBoundKeepsUncertainRecords(t *testing.T) {
	var l Ledger
	at := conn()
	unknown := l.Begin(Entry{})
	if err := l.Dispatch(unknown, at); err != nil {
		t.Fatal(err)
	}
	l.Lose(at)
	var certain []string
	for range MaxRecords {
		id := l.Begin(Entry{})
		certain = append(certain, id)
		if err := l.Dispatch(id, at); err != nil {
			t.Fatal(err)
		}
		if err := l.Resolve(id, Outcome{Event: Accepted}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(l.Records()); n != MaxRecords {
		t.Errorf("%d records, want %d", n, MaxRecords)
	}
	if _, ok := l.Get(unknown); !ok {
		t.Error("the uncertain record was dropped")
	}
	if _, ok := l.Get(certain[0]); ok {
		t.Error("the oldest certain record is still there")
	}
}
