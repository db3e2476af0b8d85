package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
)

type (
	obj  = map[string]any
	list = []any
)

// A server behaves, but for its case.
type server struct {
	c *testCase

	mu    sync.Mutex
	links []*link
	seen  []request
	turns map[string][]string // of a thread, oldest first
	items map[string]list     // of a thread, oldest first
	next  int
	wrong []string
}

func newServer(c *testCase) *server {
	s := &server{c: c, turns: map[string][]string{}, items: map[string]list{}}
	for _, id := range threadIDs {
		s.exchange(id, "what is in "+id+"?", "", "This and that.")
	}
	return s
}

var threadIDs = []string{
	"00000000-0000-7000-8000-000000000001",
	"00000000-0000-7000-8000-000000000002",
	"00000000-0000-7000-8000-000000000003",
}

// exchange adds a completed turn.
func (s *server) exchange(thread, question, clientID, answer string) {
	turn := s.id("turn")
	s.turns[thread] = append(s.turns[thread], turn)
	s.items[thread] = append(s.items[thread],
		obj{"turnId": turn, "item": s.user(question, clientID)},
		obj{"turnId": turn, "item": obj{"type": "agentMessage", "id": s.id("msg"), "text": answer, "phase": nil}})
}

func (s *server) user(text, clientID string) obj {
	u := obj{"type": "userMessage", "id": s.id("user"), "content": list{obj{"type": "text", "text": text, "text_elements": list{}}}}
	if clientID != "" {
		u["clientId"] = clientID
	}
	return u
}

func (s *server) id(kind string) string {
	s.next++
	return kind + "-" + strconv.Itoa(s.next)
}

func (s *server) link(w wire) *link {
	s.mu.Lock()
	l := &link{s: s, w: w, n: len(s.links) + 1}
	s.links = append(s.links, l)
	s.mu.Unlock()
	if s.c.connected != nil {
		s.c.connected(l)
	}
	return l
}

// got answers one frame of a client.
func (s *server) got(l *link, r request) {
	s.mu.Lock()
	s.seen = append(s.seen, r)
	l.asks++
	s.mu.Unlock()
	if r.ID == nil || r.Method == "" {
		return
	}
	if s.c.on != nil && s.c.on(l, r) {
		return
	}
	v := s.answer(r)
	if s.c.change != nil {
		v = s.c.change(l, r, v)
	}
	if v == nil {
		l.refuse(r, -32600, fmt.Sprintf("Invalid request: unknown variant `%s`", r.Method))
		return
	}
	l.result(r, v)
	if r.Method == "turn/start" {
		s.play(l, r, v)
	}
	if s.c.after != nil {
		go s.c.after(l, r)
	}
}

// count says how often a method came, and with how many different client IDs.
func (s *server) count(method string) (times, ids int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := map[string]bool{}
	for _, r := range s.seen {
		if r.Method == method {
			times++
			known[r.str("clientUserMessageId")] = true
		}
	}
	return times, len(known)
}

func (s *server) thread(id string) obj {
	return obj{
		"id": id, "name": nil, "preview": "A conversation " + id, "cwd": "/src/project", "status": obj{"type": "idle"},
		"historyMode": "paginated", "createdAt": 1796016000, "updatedAt": 1796016001, "recencyAt": 1796016001,
		"source": "vscode", "model": "model-one", "reasoningEffort": "high", "modelProvider": "p", "ephemeral": false,
		"path": "/x", "turns": list{}, "gitInfo": obj{"branch": "main"},
	}
}

func (s *server) opened(id string) obj {
	return obj{
		"thread": s.thread(id), "model": "model-one", "modelProvider": "p", "cwd": "/src/project", "approvalPolicy": "on-request",
		"sandbox": obj{"type": "readOnly"}, "reasoningEffort": "high", "serviceTier": nil,
		"itemsBackwardsCursor": "items-now", "turnsBackwardsCursor": "turns-now",
	}
}

// answer is what a server that behaves says, nil for an unknown method.
func (s *server) answer(r request) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	thread := r.str("threadId")
	switch r.Method {
	case "initialize":
		return obj{"userAgent": "holdfast/0.159.1 (hostile)", "codexHome": "/home/x/.codex", "platformFamily": "unix", "platformOs": "linux"}
	case "account/read":
		return obj{"account": obj{"type": "apiKey"}, "requiresOpenaiAuth": true}
	case "thread/list":
		all := list{}
		for _, id := range threadIDs {
			all = append(all, s.thread(id))
		}
		return obj{"data": all, "nextCursor": nil, "backwardsCursor": "b"}
	case "thread/read":
		return obj{"thread": s.thread(thread)}
	case "thread/turns/list":
		return obj{"data": s.turnPage(thread), "nextCursor": nil, "backwardsCursor": "tb"}
	case "thread/items/list":
		page := slices.Clone(s.items[thread])
		slices.Reverse(page)
		return obj{"data": page, "nextCursor": nil, "backwardsCursor": "ib"}
	case "thread/resume", "thread/start", "thread/fork":
		if r.Method != "thread/resume" {
			thread = s.id("thread")
		}
		return s.opened(thread)
	case "turn/start":
		return obj{"turn": obj{"id": s.id("turn"), "status": "inProgress", "items": list{}, "startedAt": nil}}
	case "turn/steer":
		return obj{"turnId": r.str("expectedTurnId")}
	case "model/list":
		return obj{"data": list{s.model()}, "nextCursor": nil}
	case "skills/list":
		return obj{"data": list{obj{"cwd": "/src/project", "errors": list{}, "skills": list{
			obj{"name": "tidy", "description": "tidies", "path": "/s/tidy", "scope": "repo", "enabled": true},
		}}}}
	case "thread/queue/list":
		return obj{"data": list{}, "nextCursor": nil}
	case "thread/unsubscribe":
		return obj{"status": "unsubscribed"}
	case "account/login/start":
		return obj{"type": "apiKey"}
	case "turn/interrupt", "thread/archive", "thread/delete", "thread/name/set", "thread/compact/start", "account/logout":
		return obj{}
	case "thread/unarchive":
		return obj{"thread": s.thread(thread)}
	}
	return nil
}

func (s *server) model() obj {
	return obj{
		"id": "model-one", "model": "model-one", "displayName": "Model One", "description": "d", "hidden": false, "isDefault": true,
		"supportedReasoningEfforts": list{obj{"reasoningEffort": "high", "description": "h"}}, "defaultReasoningEffort": "high",
		"serviceTiers": list{obj{"id": "priority", "name": "p", "description": "d"}}, "defaultServiceTier": nil,
		"inputModalities": list{"text", "image"}, "supportsPersonality": false,
	}
}

func (s *server) turnPage(thread string) list {
	page := list{}
	for _, id := range slices.Backward(s.turns[thread]) {
		page = append(page, obj{"id": id, "status": "completed", "startedAt": 1796016000, "completedAt": 1796016001, "durationMs": 1000, "items": list{}, "error": nil})
	}
	return page
}

// play streams a turn.
func (s *server) play(l *link, r request, v any) {
	if s.c.quiet {
		return
	}
	b, _ := json.Marshal(v)
	var a struct{ Turn struct{ ID string } }
	if json.Unmarshal(b, &a) != nil || a.Turn.ID == "" {
		return
	}
	thread, turn := r.str("threadId"), a.Turn.ID
	s.mu.Lock()
	u := s.user("sent", r.str("clientUserMessageId"))
	m := obj{"type": "agentMessage", "id": s.id("msg"), "text": "An answer.", "phase": nil}
	s.turns[thread] = append(s.turns[thread], turn)
	s.items[thread] = append(s.items[thread], obj{"turnId": turn, "item": u}, obj{"turnId": turn, "item": m})
	s.mu.Unlock()
	of := func(more obj) obj {
		more["threadId"], more["turnId"] = thread, turn
		return more
	}
	now := time.Now().UnixMilli()
	l.note("thread/status/changed", obj{"threadId": thread, "status": obj{"type": "active", "activeFlags": list{}}})
	l.note("turn/started", obj{"threadId": thread, "turn": obj{"id": turn, "status": "inProgress", "items": list{}}})
	l.note("item/started", of(obj{"item": u, "startedAtMs": now}))
	l.note("item/completed", of(obj{"item": u, "completedAtMs": now}))
	l.note("item/started", of(obj{"item": obj{"type": "agentMessage", "id": m["id"], "text": ""}, "startedAtMs": now}))
	l.note("item/agentMessage/delta", of(obj{"itemId": m["id"], "delta": "An answer."}))
	if s.c.during != nil {
		s.c.during(l, thread, turn)
	}
	l.note("item/completed", of(obj{"item": m, "completedAtMs": now}))
	l.note("thread/status/changed", obj{"threadId": thread, "status": obj{"type": "idle"}})
	l.note("turn/completed", obj{"threadId": thread, "turn": obj{"id": turn, "status": "completed", "items": list{}}})
}

// complain notes what a case found wrong.
func (s *server) complain(format string, a ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = append(s.wrong, fmt.Sprintf(format, a...))
}
