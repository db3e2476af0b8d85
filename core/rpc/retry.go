package rpc

import "time"

// The overload retry of queries (ruling 3): at most three, with these waits, all
// sends and waits within the budget.
var overloadWaits = [...]time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second}

const (
	overloadBudget = 10 * time.Second
	overloadJitter = 0.2
)

// A retry is what a query remembers between its tries.
type retry struct {
	since time.Time
	tries int
	first error // the first overload answer
}

// next says how long to wait before the next try, or that there is none.
func (r *retry) next(c *Conn, now time.Time) (time.Duration, bool) {
	if r.tries == len(overloadWaits) {
		return 0, false
	}
	wait := overloadWaits[r.tries]
	if c.o.Jitter != nil {
		wait += time.Duration((2*c.o.Jitter() - 1) * overloadJitter * float64(wait))
	}
	wait = c.scaled(wait)
	// "A wait that would pass the budget returns the first error at once."
	if now.Sub(r.since)+wait > c.scaled(overloadBudget) {
		return 0, false
	}
	r.tries++
	return wait, true
}

// rest puts a query that was refused for load aside and reports whether it did.
// c.mu is held.
func (c *Conn) rest(k *call, err error) bool {
	if k.retry == nil || !IsOverload(err) || c.ended != nil {
		return false
	}
	if k.retry.first == nil {
		k.retry.first = err
	}
	wait, ok := k.retry.next(c, time.Now())
	if !ok {
		return false
	}
	k.stage = resting
	c.resting[k] = struct{}{}
	k.timer = time.AfterFunc(wait, func() { c.again(k) })
	return true
}

// again asks a rested query once more, under a new ID.
func (c *Conn) again(k *call) {
	c.mu.Lock()
	if k.stage != resting {
		c.mu.Unlock()
		return
	}
	delete(c.resting, k)
	err := c.enqueue(k)
	if err != nil {
		k.stage = settled
	}
	c.mu.Unlock()
	if err != nil {
		k.release()
		k.w.done(failure(ErrNotBegun, k.method, err))
	}
}
