package session

import (
	"slices"
	"testing"
	"testing/synctest"
)

// What waits in the mailbox is bounded by what it holds too: a reader waits and
// loses nothing, an answer never waits, and one that is heavier alone goes in.
func TestTheMailboxIsBoundedByWhatItHolds(t *testing.T) {
	const heavy, each = mailboxBytes + 1, mailboxBytes / 4
	synctest.Test(t, func(t *testing.T) {
		m := newMailbox()
		m.put(delivery{size: heavy}, true)
		put := 0
		go func() {
			for range 10 {
				m.put(delivery{size: each}, true)
				put++
			}
		}()
		m.put(delivery{size: heavy}, false)
		synctest.Wait()
		var got []int
		for range 4 {
			items := m.take()
			got = append(got, len(items))
			synctest.Wait()
		}
		if want := []int{2, 4, 4, 2}; put != 10 || !slices.Equal(got, want) {
			t.Errorf("%d of 10 were put, %v taken at once, want %v", put, got, want)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		m := newMailbox()
		m.put(delivery{size: heavy}, true)
		ended := false
		go func() { m.put(delivery{size: 1}, true); ended = true }()
		synctest.Wait()
		if ended {
			t.Error("it did not wait")
		}
		m.end()
		synctest.Wait()
		if !ended {
			t.Error("the end of the mailbox did not let it go")
		}
	})
}
