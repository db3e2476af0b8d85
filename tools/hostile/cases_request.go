package main

import (
	"fmt"
	"strings"
)

func approval(thread, turn string) obj {
	return obj{"threadId": thread, "turnId": turn, "itemId": "i", "command": "rm -rf /", "cwd": "/", "reason": "r", "availableDecisions": list{"accept", "cancel"}}
}

const commandApproval = "item/commandExecution/requestApproval"

// answering answers every card with its first decision, three times, and
// forgets none.
func answering(t *trial) {
	t.settled()
	t.do(`{"do":"select","thread":"` + threadIDs[0] + `"}`)
	t.do(`{"do":"draft","text":"` + typed + `"}`)
	t.do(`{"do":"join"}`)
	t.do(`{"do":"send"}`)
	t.until(limit/20, func() bool { return len(t.cards()) > 0 })
	for range 3 {
		for i, c := range t.cards() {
			if i == 20 {
				break
			}
			id, _ := c.(obj)["id"].(string)
			d, _ := c.(obj)["decisions"].([]any)
			name := "decline"
			if len(d) > 0 {
				name, _ = d[0].(obj)["name"].(string)
			}
			t.send(fmt.Sprintf(`{"do":"answer","request":%q,"decision":%q,"answers":{"q":"x"}}`, id, name))
		}
		t.do(`{"do":"full"}`)
	}
	if n := len(t.cards()); n > 1000 {
		t.wrong("it holds %d cards", n)
	}
	t.do(`{"do":"stop"}`)
}

func (t *trial) cards() list {
	c, _ := t.state["requests"].([]any)
	return c
}

func asking(name string, during func(l *link, thread, turn string)) *testCase {
	return &testCase{name: "request: " + name, during: during, tour: answering}
}

func requestCases() []*testCase {
	return []*testCase{
		asking("ids of every kind", func(l *link, thread, turn string) {
			for _, id := range []any{nil, 1.5, obj{}, list{}, true, "", "x", -1, 0, 1 << 40, strings.Repeat("i", 1<<20)} {
				l.ask(id, commandApproval, approval(thread, turn))
			}
		}),
		asking("the same id many times", func(l *link, thread, turn string) {
			for range 100 {
				l.ask(0, commandApproval, approval(thread, turn))
			}
			l.ask(0, "item/fileChange/requestApproval", approval(thread, turn))
			l.ask(0, commandApproval, approval("another", turn))
		}),
		asking("10,000 of them", func(l *link, thread, turn string) {
			for i := range 10_000 {
				l.ask(i, commandApproval, approval(thread, turn))
			}
		}),
		asking("1,000 of 1 MB", func(l *link, thread, turn string) {
			a := approval(thread, turn)
			a["command"], a["x"] = strings.Repeat("c", 1<<20), strings.Repeat("d", 1<<10)
			for i := range 1000 {
				l.ask(i, commandApproval, a)
			}
		}),
		asking("one of 5 MB", func(l *link, thread, turn string) {
			a := approval(thread, turn)
			a["reason"] = strings.Repeat("reason ", 700_000)
			l.ask(0, commandApproval, a)
			l.ask(1, "no/such", obj{"threadId": thread, "x": a["reason"]})
		}),
		asking("10,000 unknown ones", func(l *link, thread, _ string) {
			for i := range 10_000 {
				l.ask(i, fmt.Sprint("no/such/", i), obj{"threadId": thread})
			}
		}),
		asking("10,000 machine ones", func(l *link, _, _ string) {
			for i := range 10_000 {
				l.ask(i, "currentTime/read", obj{})
				l.ask(-i-1, "attestation/generate", obj{})
			}
		}),
		asking("for another thread", func(l *link, _, turn string) { l.ask(0, commandApproval, approval("another", turn)) }),
		asking("without params", func(l *link, _, _ string) {
			l.raw(`{"id":0,"method":"` + commandApproval + `"}`)
			l.raw(`{"id":1,"method":""}`)
			l.raw(`{"id":2,"method":"` + commandApproval + `","params":[]}`)
		}),
		asking("resolved before asked", func(l *link, thread, turn string) {
			l.note("serverRequest/resolved", obj{"threadId": thread, "requestId": 7})
			l.ask(7, commandApproval, approval(thread, turn))
			l.note("serverRequest/resolved", obj{"threadId": "another", "requestId": 7})
			l.note("serverRequest/resolved", obj{"threadId": thread, "requestId": "7"})
		}),
		asking("a recursive schema", func(l *link, thread, _ string) {
			for i, schema := range schemas() {
				l.ask(i, "mcpServer/elicitation/request", obj{"threadId": thread, "serverName": "s", "mode": "form", "message": "m", "requestedSchema": schema})
			}
		}),
		asking("10,000 questions", func(l *link, thread, turn string) {
			qs := list{}
			for i := range 10_000 {
				qs = append(qs, obj{"id": fmt.Sprint(i), "question": "q", "options": list{}})
			}
			l.ask(0, "item/tool/requestUserInput", obj{"threadId": thread, "turnId": turn, "itemId": "i", "questions": qs})
		}),
		asking("questions that are one", func(l *link, thread, turn string) {
			q := obj{"id": "q", "question": "q", "options": list{}}
			l.ask(0, "item/tool/requestUserInput", obj{"threadId": thread, "turnId": turn, "itemId": "i", "questions": list{q, q, q}})
		}),
		asking("never resolved", func(l *link, thread, turn string) { l.ask(0, commandApproval, approval(thread, turn)) }),
	}
}

func schemas() list {
	deep := any(obj{"type": "string"})
	for range 2000 {
		deep = obj{"type": "object", "properties": obj{"a": deep}}
	}
	wide := obj{}
	for i := range 5000 {
		wide[fmt.Sprint("f", i)] = obj{"type": "string", "enum": list{"a", "b"}}
	}
	return list{
		obj{"$ref": "#"},
		obj{"type": "object", "properties": obj{"a": obj{"$ref": "#"}}},
		obj{"allOf": list{obj{"$ref": "#"}}},
		deep,
		obj{"type": "object", "properties": wide},
		obj{"type": "object", "properties": obj{"a": obj{"type": "string", "pattern": "(a+)+$"}}},
		obj{"type": "object", "properties": obj{"a": obj{"type": list{"string", "null"}}}},
		obj{"$ref": "http://127.0.0.1:9/schema.json"},
		obj{"type": "string"},
		list{},
		nil, true, 7,
	}
}
