package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

func eventful(name string, during func(l *link, thread, turn string)) *testCase {
	return &testCase{name: "event: " + name, during: during}
}

// eventCases are notifications that make no sense, or too much of it.
func eventCases() []*testCase { return slices.Concat(oddEvents(), endlessEvents(), lostThreads()) }

// oddEvents make no sense.
func oddEvents() []*testCase {
	return []*testCase{
		eventful("threads never seen", func(l *link, _, _ string) {
			for i := range 1000 {
				id := fmt.Sprint("never-", i)
				l.note("turn/started", obj{"threadId": id, "turn": obj{"id": "x", "status": "inProgress"}})
				l.note("item/completed", obj{"threadId": id, "turnId": "x", "item": obj{"type": "agentMessage", "id": "m", "text": "x"}})
				l.note("thread/status/changed", obj{"threadId": id, "status": obj{"type": "active"}})
				l.note("thread/deleted", obj{"threadId": id})
			}
		}),
		eventful("100,000 threads start", func(l *link, _, _ string) {
			for i := range 100_000 {
				l.note("thread/started", obj{"thread": obj{"id": fmt.Sprint("new-", i), "preview": "p"}})
			}
		}),
		eventful("200,000 turns start", func(l *link, thread, _ string) {
			for i := range 200_000 {
				l.note("turn/started", obj{"threadId": thread, "turn": obj{"id": fmt.Sprint("s", i), "status": "inProgress"}})
			}
		}),
		eventful("turns end that never began", func(l *link, thread, _ string) {
			for i := range 2000 {
				l.note("turn/completed", obj{"threadId": thread, "turn": obj{"id": fmt.Sprint("e", i), "status": "interrupted"}})
			}
		}),
		eventful("200,000 items", func(l *link, thread, turn string) {
			for i := range 200_000 {
				l.note("item/started", obj{"threadId": thread, "turnId": turn, "item": obj{"type": "agentMessage", "id": fmt.Sprint("i", i), "text": "x"}})
			}
		}),
		eventful("completed twice, of another type", func(l *link, thread, turn string) {
			for _, kind := range []string{"agentMessage", "commandExecution", "new", "fileChange", "reasoning"} {
				it := obj{"type": kind, "id": "same", "text": kind, "command": kind, "summary": list{kind}}
				l.note("item/started", obj{"threadId": thread, "turnId": turn, "item": it})
				l.note("item/completed", obj{"threadId": thread, "turnId": turn, "item": it})
				l.note("item/agentMessage/delta", obj{"threadId": thread, "turnId": turn, "itemId": "same", "delta": "late"})
				l.note("item/commandExecution/outputDelta", obj{"threadId": thread, "turnId": turn, "itemId": "same", "delta": "late"})
			}
		}),
		eventful("deltas of the wrong kind", func(l *link, thread, turn string) {
			for _, m := range []string{"item/agentMessage/delta", "item/plan/delta", "item/reasoning/summaryTextDelta", "item/reasoning/textDelta", "item/commandExecution/outputDelta", "item/fileChange/outputDelta"} {
				for i := range 20 {
					l.note(m, obj{"threadId": thread, "turnId": turn, "itemId": "w", "delta": "x", "summaryIndex": i * 1_000_000_007, "contentIndex": -i})
				}
			}
		}),
	}
}

// endlessEvents are too many, or too large.
func endlessEvents() []*testCase {
	return []*testCase{
		eventful("100,000 parts", func(l *link, thread, turn string) {
			for i := range 100_000 {
				l.note("item/reasoning/summaryTextDelta", obj{"threadId": thread, "turnId": turn, "itemId": "parts", "delta": "x", "summaryIndex": i})
			}
		}),
		eventful("a delta of 50 MB", func(l *link, thread, turn string) {
			for range 5 {
				l.note("item/agentMessage/delta", obj{"threadId": thread, "turnId": turn, "itemId": "big", "delta": strings.Repeat("z", 50<<20)})
			}
		}),
		eventful("5,000 deltas of 1 MB", func(l *link, thread, turn string) {
			d := strings.Repeat("z", 1<<20)
			for i := range 5000 {
				l.note("item/agentMessage/delta", obj{"threadId": thread, "turnId": turn, "itemId": fmt.Sprint("big", i%50), "delta": d})
			}
		}),
		eventful("a million deltas", func(l *link, thread, turn string) {
			f := fmt.Sprintf(`{"method":"item/agentMessage/delta","params":{"threadId":%q,"turnId":%q,"itemId":"fast","delta":"x"},"emittedAtMs":1}`, thread, turn)
			for range 1_000_000 {
				l.raw(f)
			}
		}),
		eventful("signals without end", func(l *link, thread, _ string) {
			for range 20_000 {
				l.note("account/updated", obj{"authMode": "apikey"})
				l.note("skills/changed", obj{})
				l.note("thread/queue/changed", obj{"threadId": thread})
			}
			for _, m := range []string{"account/read", "skills/list", "thread/queue/list"} {
				if n, _ := l.s.count(m); n > 2000 {
					l.s.complain("%s was asked %d times", m, n)
				}
			}
		}),
		eventful("warnings without end", func(l *link, _, _ string) {
			for i := range 20_000 {
				l.note("warning", obj{"message": fmt.Sprint(i, strings.Repeat(" warning", 2000))})
			}
		}),
	}
}

// lostThreads are about what was known.
func lostThreads() []*testCase {
	return []*testCase{
		eventful("the account changes all the time", func(l *link, _, _ string) {
			for range 20 {
				l.note("account/updated", obj{"authMode": nil})
				time.Sleep(10 * time.Millisecond)
			}
		}),
		eventful("the thread is deleted", func(l *link, thread, _ string) { l.note("thread/deleted", obj{"threadId": thread}) }),
		eventful("the thread is archived, closed and reverted", func(l *link, thread, _ string) {
			for _, m := range []string{"thread/archived", "thread/closed", "thread/reverted", "thread/unarchived", "thread/reverted"} {
				l.note(m, obj{"threadId": thread})
			}
		}),
		eventful("wrong kinds everywhere", func(l *link, thread, turn string) {
			for _, v := range []any{nil, 7, "x", true, list{}, obj{}, list{list{}}, 1.5, -1, 1e300} {
				for _, m := range known {
					l.note(m, v)
					for _, f := range fields {
						l.note(m, obj{"threadId": thread, "turnId": turn, f: v})
					}
				}
			}
		}),
	}
}

var (
	known = []string{
		"thread/started", "thread/status/changed", "thread/archived", "thread/name/updated", "thread/settings/updated",
		"thread/tokenUsage/updated", "turn/started", "turn/completed", "turn/plan/updated", "turn/diff/updated", "item/started",
		"item/completed", "item/agentMessage/delta", "item/fileChange/patchUpdated", "serverRequest/resolved", "error", "warning",
		"configWarning", "deprecationNotice", "account/updated", "account/login/completed", "account/rateLimits/updated", "model/rerouted",
	}
	fields = []string{
		"thread", "threadId", "turn", "turnId", "item", "itemId", "delta", "status", "threadName", "threadSettings", "tokenUsage",
		"plan", "diff", "changes", "requestId", "error", "message", "summary", "authMode", "success", "rateLimits", "willRetry",
	}
)
