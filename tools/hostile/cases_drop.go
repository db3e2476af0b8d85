package main

import (
	"fmt"
	"time"
)

// lossy keeps at it through losses: it reconnects whenever it is offered.
func lossy(t *trial) {
	steps := []string{
		`{"do":"select","thread":"` + threadIDs[0] + `"}`, `{"do":"draft","text":"` + typed + `"}`, `{"do":"join"}`, `{"do":"send"}`, `{"do":"refresh"}`, `{"do":"stop"}`,
	}
	t.settled()
	for _, s := range steps {
		t.do(s)
		t.until(100*time.Millisecond, func() bool { return false })
		if t.word() == "manual-reconnect" || t.word() == "confirmation" {
			t.do(`{"do":"reconnect"}`)
		}
	}
	t.settled()
}

// dropCases lose the connection, each at another place.
func dropCases() []*testCase {
	var all []*testCase
	for n := 1; n <= 14; n++ {
		all = append(all,
			&testCase{name: fmt.Sprint("drop: at request ", n), tour: lossy, on: func(l *link, _ request) bool {
				if l.n == 1 && l.asks == n {
					l.w.close()
					return true
				}
				return false
			}},
			&testCase{name: fmt.Sprint("drop: after answer ", n), tour: lossy, after: func(l *link, _ request) {
				if l.n == 1 && l.asks == n {
					l.w.close()
				}
			}},
			&testCase{name: fmt.Sprint("drop: no answer to ", n), tour: lossy, on: func(l *link, _ request) bool { return l.asks == n && l.n == 1 }},
		)
	}
	for _, m := range []string{"thread/resume", "turn/start", "thread/items/list", "thread/list"} {
		all = append(all,
			&testCase{name: "late: " + m, tour: lossy, on: func(l *link, r request) bool {
				if r.Method == m {
					v := l.s.answer(r)
					go func() { // after the deadline, divided by the timing
						time.Sleep(14 * time.Second)
						l.result(r, v)
					}()
				}
				return r.Method == m
			}},
			&testCase{name: "slow: " + m, tour: lossy, on: func(_ *link, r request) bool {
				if r.Method == m {
					time.Sleep(2900 * time.Millisecond)
				}
				return false
			}},
			&testCase{name: "always drops at " + m, tour: lossy, on: func(l *link, r request) bool {
				if r.Method == m {
					l.w.close()
				}
				return r.Method == m
			}},
		)
	}
	return append(all,
		&testCase{name: "drop: flapping", tour: func(t *trial) {
			t.do(`{"do":"draft","text":"` + typed + `"}`)
			for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
				t.do(`{"do":"reconnect"}`)
				t.do(`{"do":"select","thread":"` + threadIDs[0] + `"}`)
				t.do(`{"do":"join"}`)
				t.do(`{"do":"send"}`)
			}
		}, connected: func(l *link) {
			go func() {
				time.Sleep(100 * time.Millisecond)
				l.w.close()
			}()
		}},
		&testCase{name: "drop: goes deaf after the join", tour: lossy, on: func(l *link, r request) bool {
			if l.n == 1 && r.Method == "turn/start" {
				l.s.deaf(l)
				return true
			}
			return false
		}},
	)
}

// deaf reads nothing more of a link and says nothing more.
func (s *server) deaf(*link) { select {} }
