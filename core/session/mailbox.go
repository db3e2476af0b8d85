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
	size  int // about how much memory it holds
}

// A mailbox is the queue of deliveries. Putting never fails; a putter that may
// wait (a connection's reader) waits while it is long or heavy, so that a flood
// fills the peer's buffers and not our memory. The loop itself waits for nothing
// but the mailbox, so whoever waits for room gets it.
type mailbox struct {
	mu    sync.Mutex
	room  *sync.Cond
	items []delivery
	size  int           // of the items
	wake  chan struct{} // holds one token while items is not empty
	ended bool
}

// How many deliveries may wait before a reader does, and how much they may hold.
// One that is heavier alone goes in when nothing else waits.
const (
	mailboxRoom  = 4096
	mailboxBytes = 8 << 20
)

func newMailbox() *mailbox {
	m := &mailbox{wake: make(chan struct{}, 1)}
	m.room = sync.NewCond(&m.mu)
	return m
}

func (m *mailbox) put(d delivery, wait bool) {
	m.mu.Lock()
	for wait && !m.ended && m.full(d.size) {
		m.room.Wait()
	}
	if !m.ended {
		m.items = append(m.items, d)
		m.size += d.size
	}
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// full reports whether that much more has to wait. m.mu is held.
func (m *mailbox) full(size int) bool {
	return len(m.items) >= mailboxRoom || len(m.items) > 0 && m.size+size > mailboxBytes
}

// take returns everything that waits, oldest first.
func (m *mailbox) take() []delivery {
	m.mu.Lock()
	defer m.mu.Unlock()
	items := m.items
	m.items, m.size = nil, 0
	m.room.Broadcast()
	return items
}

// end lets every putter go; what is put later is dropped.
func (m *mailbox) end() {
	m.mu.Lock()
	m.ended, m.items, m.size = true, nil, 0
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
