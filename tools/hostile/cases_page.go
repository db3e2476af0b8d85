package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// changing changes the answers of one method.
func changing(name, method string, change func(l *link, r request, v obj) any) *testCase {
	return &testCase{name: name, change: func(l *link, r request, v any) any {
		if r.Method != method {
			return v
		}
		return change(l, r, v.(obj))
	}}
}

var pageMethods = []string{"thread/list", "thread/turns/list", "thread/items/list", "model/list", "thread/queue/list"}

// browse pages as far as it is offered.
func browse(t *trial) {
	t.settled()
	t.do(`{"do":"select","thread":"` + threadIDs[0] + `"}`)
	t.do(`{"do":"draft","text":"` + typed + `"}`)
	t.do(`{"do":"join"}`)
	for range 8 {
		t.do(`{"do":"threads","more":true}`)
		t.do(`{"do":"older"}`)
	}
	t.do(`{"do":"refresh"}`)
	t.do(`{"do":"send"}`)
	t.do(`{"do":"full"}`)
	for _, m := range pageMethods {
		if n, _ := t.s.count(m); n > 250 {
			t.wrong("%s was asked %d times", m, n)
		}
	}
}

// pageCases are about pages and their cursors.
func pageCases() []*testCase {
	var all []*testCase
	for _, m := range pageMethods {
		cursor := func(name string, next func(n int) any, empty bool) {
			n := 0
			c := changing("cursor "+m+": "+name, m, func(_ *link, _ request, v obj) any {
				n++
				v["nextCursor"] = next(n)
				if empty {
					v["data"] = list{}
				}
				return v
			})
			c.tour = browse
			all = append(all, c)
		}
		cursor("repeats", func(int) any { return "same" }, false)
		cursor("alternates", func(n int) any { return []string{"a", "b"}[n%2] }, false)
		cursor("empty text", func(int) any { return "" }, false)
		cursor("never ends, empty pages", func(n int) any { return fmt.Sprint("c", n) }, true)
		cursor("never ends, same rows", func(n int) any { return fmt.Sprint("c", n) }, false)
		cursor("of 10 MB", func(n int) any { return strings.Repeat("c", 10<<20) + fmt.Sprint(n) }, false)
		cursor("of a number", func(int) any { return 7 }, false)
	}
	return append(all,
		flood("page: 100,000 items", "thread/items/list", 100_000, func(i int) any {
			return obj{"turnId": "t", "item": obj{"type": "agentMessage", "id": fmt.Sprint("m", i), "text": "x"}}
		}),
		flood("page: 100,000 items of as many turns", "thread/items/list", 100_000, func(i int) any {
			return obj{"turnId": fmt.Sprint("t", i), "item": obj{"type": "agentMessage", "id": "m", "text": "x"}}
		}),
		flood("page: 2,000,000 items", "thread/items/list", 2_000_000, func(i int) any {
			return obj{"turnId": "t", "item": obj{"type": "x", "id": fmt.Sprint(i)}}
		}),
		flood("page: 100,000 turns", "thread/turns/list", 100_000, func(i int) any {
			return obj{"id": fmt.Sprint("t", i), "status": "completed", "items": list{}}
		}),
		flood("page: 1,000,000 turns", "thread/turns/list", 1_000_000, func(i int) any {
			return obj{"id": fmt.Sprint("t", i), "status": "completed", "items": list{}}
		}),
		flood("page: 100,000 threads", "thread/list", 100_000, func(i int) any { return obj{"id": fmt.Sprint("t", i)} }),
		flood("page: 1,000,000 threads", "thread/list", 1_000_000, func(i int) any { return obj{"id": fmt.Sprint("t", i)} }),
		flood("page: 100,000 models", "model/list", 100_000, func(i int) any { return obj{"id": fmt.Sprint("m", i), "model": fmt.Sprint("m", i)} }),
		flood("page: 100,000 skills", "skills/list", 100_000, func(i int) any {
			return obj{"cwd": "/x", "skills": list{obj{"name": fmt.Sprint("s", i), "enabled": true}}}
		}),
		flood("page: 100,000 queued", "thread/queue/list", 100_000, func(i int) any {
			return obj{"id": fmt.Sprint("q", i), "input": list{obj{"type": "text", "text": "x"}}}
		}),
		flood("page: one thread 1,000 times", "thread/list", 1000, func(int) any { return obj{"id": "t"} }),
		flood("page: items without ids", "thread/items/list", 100, func(int) any { return obj{"item": obj{"type": "agentMessage", "text": "x"}} }),
		flood("page: previews of 1 MB", "thread/list", 50, func(i int) any {
			return obj{"id": fmt.Sprint("t", i), "preview": strings.Repeat("long ", 200_000), "name": strings.Repeat("n", 1<<20)}
		}),
		flood("page: an item of 200 MB", "thread/items/list", 1, func(int) any {
			return obj{"turnId": "t", "item": obj{"type": "commandExecution", "id": "c", "command": "x", "aggregatedOutput": strings.Repeat("y", 200<<20)}}
		}),
		flood("page: a list of 10,000,000 in an item", "thread/items/list", 1, func(int) any {
			return obj{"turnId": "t", "item": obj{"type": "reasoning", "id": "c", "summary": many(10_000_000)}}
		}),
		flood("page: an unknown item of 50 MB", "thread/items/list", 3, func(i int) any {
			return obj{"turnId": "t", "item": obj{"type": "new", "id": fmt.Sprint(i), "x": many(25 << 20)}}
		}),
		changing("answer: another thread is read", "thread/read", func(l *link, _ request, _ obj) any {
			return obj{"thread": l.s.thread("somebody-else")}
		}),
		changing("answer: another thread is resumed", "thread/resume", func(l *link, _ request, _ obj) any {
			return l.s.opened(threadIDs[2])
		}),
		changing("answer: huge thread ids", "thread/list", func(l *link, _ request, _ obj) any {
			return obj{"data": list{l.s.thread(strings.Repeat("i", 1<<20)), l.s.thread("a\x00b\u202e\n")}, "nextCursor": nil}
		}),
	)
}

// flood answers one method with a page of n rows, made once.
func flood(name, method string, n int, row func(i int) any) *testCase {
	page := sync.OnceValue(func() string {
		var b strings.Builder
		e := json.NewEncoder(&b)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			_ = e.Encode(row(i))
		}
		return b.String()
	})
	return &testCase{name: name, timing: 2, before: func() { page() }, on: func(l *link, r request) bool {
		if r.Method == method {
			l.raw(fmt.Sprintf(`{"id":%s,"result":{"data":[%s],"nextCursor":null}}`, r.ID, page()))
		}
		return r.Method == method
	}}
}

func many(n int) []int { return make([]int, n) }
