package fault

import (
	"io"
	"sync"
	"time"
)

// A Mode is what happens to the bytes of one direction.
type Mode uint8

// The modes.
const (
	Pass Mode = iota
	Hold      // nothing moves until the mode changes
	Slow      // one byte at a time
	Tear      // half of what comes next, then the connection is reset
)

// A gate is one direction of a link.
type gate struct {
	mu      sync.Mutex
	mode    Mode
	step    time.Duration // between two bytes in Slow
	changed chan struct{}
	done    <-chan struct{} // the link's end
}

func newGate(done <-chan struct{}) *gate {
	return &gate{changed: make(chan struct{}), done: done}
}

func (g *gate) set(m Mode, step time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mode, g.step = m, step
	close(g.changed)
	g.changed = make(chan struct{})
}

// pass waits while the gate holds; false when the link has ended.
func (g *gate) pass() (Mode, time.Duration, bool) {
	for {
		g.mu.Lock()
		m, step, changed := g.mode, g.step, g.changed
		g.mu.Unlock()
		if m != Hold {
			return m, step, true
		}
		select {
		case <-changed:
		case <-g.done:
			return m, 0, false
		}
	}
}

// copy moves bytes until one side ends. saw gets each chunk before it waits;
// torn is called after half a chunk.
func (g *gate) copy(dst io.Writer, src io.Reader, saw func([]byte), torn func()) {
	buf := make([]byte, 32<<10)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			saw(buf[:n])
			if !g.move(dst, buf[:n], torn) {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (g *gate) move(dst io.Writer, b []byte, torn func()) bool {
	for len(b) > 0 {
		m, step, ok := g.pass()
		if !ok {
			return false
		}
		n := len(b)
		switch m {
		case Tear:
			_, _ = dst.Write(b[:n/2])
			torn()
			return false
		case Slow:
			n = 1
			if !g.rest(step) {
				return false
			}
		case Pass, Hold:
		}
		if _, err := dst.Write(b[:n]); err != nil {
			return false
		}
		b = b[n:]
	}
	return true
}

// rest waits between two slow bytes; a change of the mode ends it early.
func (g *gate) rest(d time.Duration) bool {
	g.mu.Lock()
	changed := g.changed
	g.mu.Unlock()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-changed:
	case <-g.done:
		return false
	}
	return true
}
