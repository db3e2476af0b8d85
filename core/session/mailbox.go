package session

import (
	"sync"

	"holdfast/core/ledger"
	"holdfast/core/stamp"
)

// An event runs on the loop, if the fence accepts its stamp.
type event func(*loop)

// A proof is what became known of an operation. It reaches the ledger whatever
// the fence says (ruling 28).
type proof struct {
	op      string
	outcome ledger.Outcome
}

// A delivery is everything that comes into the loop from the network, files
// and timers.
type delivery struct {
	proof *proof
	event stamp.Stamped[event]
}

// A mailbox is the queue of deliveries. Putting never fails; a putter that may
// wait (a connection's reader) waits while it is long, so that a flood fills
// the peer's buffers and not our memory.
type mailbox struct {
	mu    sync.Mutex
	room  *sync.Cond
	items []delivery
	wake  chan struct{} // holds one token while items is not empty
	ended bool
}

// mailboxRoom is how many deliveries may wait before a reader does.
const mailboxRoom = 4096

func newMailbox() *mailbox {
	m := &mailbox{wake: make(chan struct{}, 1)}
	m.room = sync.NewCond(&m.mu)
	return m
}

func (m *mailbox) put(d delivery, wait bool) {
	m.mu.Lock()
	for wait && len(m.items) >= mailboxRoom && !m.ended {
		m.room.Wait()
	}
	if !m.ended {
		m.items = append(m.items, d)
	}
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take returns everything that waits, oldest first.
func (m *mailbox) take() []delivery {
	m.mu.Lock()
	defer m.mu.Unlock()
	items := m.items
	m.items = nil
	m.room.Broadcast()
	return items
}

// end lets every putter go; what is put later is dropped.
func (m *mailbox) end() {
	m.mu.Lock()
	m.ended, m.items = true, nil
	m.room.Broadcast()
	m.mu.Unlock()
}

// A lane carries intents from the surfaces. It is bounded: a surface that
// outruns the loop is told so.
type lane struct{ ch chan request }

func newLane() lane { return lane{make(chan request, 1024)} }

func (q lane) put(r request) bool {
	select {
	case q.ch <- r:
		return true
	default:
		return false
	}
}
