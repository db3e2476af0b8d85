//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

type (
	object = map[string]any
	array  = []any
)

// A scripted server is an app-server that a test has in its hands: it holds
// answers back, fails, and says what a real one says too rarely to wait for.
type scripted struct {
	t   *testing.T
	URL string

	mu       sync.Mutex
	conns    []*websocket.Conn
	turns    []object // of the archive, oldest first
	items    []object // entries, oldest first
	attached func(cursor string) (object, error)
	held     map[string]chan struct{} // by method: answers wait until it closes
	broken   map[string]string        // by method: why it is refused
}

const (
	archive = "00000000-0000-7000-8000-00000000000a"
	older   = "00000000-0000-7000-8000-00000000000b"
	lost    = "00000000-0000-7000-8000-00000000000c" // nothing of it is listed
	began   = 1796016000                             // unix seconds
)

func startScripted(t *testing.T) *scripted {
	s := &scripted{
		t: t, held: map[string]chan struct{}{}, broken: map[string]string{},
		attached: func(string) (object, error) { return pageOf(nil), nil },
	}
	upgrade := websocket.Upgrader{}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := upgrade.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns = append(s.conns, c)
		s.mu.Unlock()
		for {
			_, frame, err := c.ReadMessage()
			if err != nil {
				return
			}
			go s.got(c, frame) // an answer that is held keeps no other back
		}
	}))
	t.Cleanup(h.Close)
	s.URL = "ws" + strings.TrimPrefix(h.URL, "http")
	return s
}

// an asked request, as far as it is looked at.
type asked struct {
	ID     json.RawMessage
	Method string
	Params struct {
		ThreadID, TurnID, Cursor, SortDirection, ItemsView, SearchTerm string
		Limit                                                          int
	}
}

func (s *scripted) got(c *websocket.Conn, frame []byte) {
	var q asked
	if err := json.Unmarshal(frame, &q); err != nil || q.ID == nil {
		return
	}
	s.mu.Lock()
	held := s.held[q.Method]
	s.mu.Unlock()
	if held != nil {
		<-held
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := object{"id": q.ID}
	result, err := s.answer(q)
	switch why := s.broken[q.Method]; {
	case why != "":
		out["error"] = object{"code": -32603, "message": why}
	case err != nil:
		out["error"] = object{"code": -32600, "message": err.Error()}
	default:
		out["result"] = result
	}
	_ = c.WriteJSON(out) // a window that is gone hears nothing
}

// says sends a notification to every connection.
func (s *scripted) says(method string, params object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		_ = c.WriteJSON(object{"method": method, "params": params})
	}
}

// holds keeps the answers to a method back until what it gives is called.
func (s *scripted) holds(method string) (release func()) {
	ch := make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[method] = ch
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.held, method)
		close(ch)
	}
}

// breaks refuses a method for a reason, "" for none any more.
func (s *scripted) breaks(method, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken[method] = why
}

// attaches sets what thread/attachment/list answers.
func (s *scripted) attaches(page func(cursor string) (object, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attached = page
}

// add adds a completed turn to the archive.
func (s *scripted) add(items ...object) {
	n := len(s.turns)
	id := fmt.Sprint("turn-", n)
	at := began + int64(n)*60
	s.turns = append(s.turns, object{
		"id": id, "status": "completed", "startedAt": at, "completedAt": at + 30, "durationMs": 30_000, "items": array{}, "error": nil,
	})
	for i, it := range items {
		it["id"] = fmt.Sprintf("item-%d-%d", n, i)
		s.items = append(s.items, object{"turnId": id, "item": it, "startedAtMs": at * 1000, "completedAtMs": at*1000 + 900})
	}
}

func asks(text string) object {
	return object{"type": "userMessage", "content": array{object{"type": "text", "text": text, "text_elements": array{}}}}
}

func answers(text string) object { return object{"type": "agentMessage", "text": text, "phase": nil} }

func runs(command, output string) object {
	return object{
		"type": "commandExecution", "command": command, "cwd": "/src/harbour", "status": "completed", "source": "agent",
		"commandActions": array{}, "aggregatedOutput": output, "exitCode": 0, "durationMs": 1200,
	}
}

func pageOf(next any, data ...any) object {
	return object{"data": append(array{}, data...), "nextCursor": next, "backwardsCursor": nil}
}

func thread(id, name, mode string, at int64) object {
	return object{
		"id": id, "name": name, "preview": name, "cwd": "/src/harbour", "status": object{"type": "idle"}, "historyMode": mode,
		"createdAt": began, "updatedAt": at, "recencyAt": at, "source": "vscode", "model": "model-one", "modelProvider": "p",
		"ephemeral": false, "path": "/x", "turns": array{}, "gitInfo": object{"branch": "main"},
	}
}

func (s *scripted) threads() []object {
	out := []object{
		thread(archive, "The archive", "paginated", began+9000), thread(older, "An older one", "legacy", began+8000),
		thread(lost, "A lost one", "paginated", began+7500),
	}
	for i := range 120 {
		out = append(out, thread(fmt.Sprint("more-", i), fmt.Sprintf("Watch %d of the night", i+1), "paginated", began+7000-int64(i)))
	}
	return out
}

func (s *scripted) named(id string) object {
	for _, x := range s.threads() {
		if x["id"] == id {
			return x
		}
	}
	return nil
}

func (s *scripted) answer(q asked) (any, error) {
	p := q.Params
	if p.ThreadID == lost && (q.Method == "thread/turns/list" || q.Method == "thread/items/list") {
		return pageOf(nil), nil
	}
	switch q.Method {
	case "initialize":
		return object{"userAgent": "holdfast/0.159.1 (scripted)", "codexHome": "/home/x/.codex", "platformFamily": "unix", "platformOs": "linux"}, nil
	case "account/read":
		return object{"account": object{"type": "apiKey"}, "requiresOpenaiAuth": true}, nil
	case "thread/list":
		return paged(s.threads(), p.Cursor, p.Limit, false), nil
	case "thread/read":
		return object{"thread": s.named(p.ThreadID)}, nil
	case "thread/resume":
		return object{
			"thread": s.named(p.ThreadID), "model": "model-one", "modelProvider": "p", "cwd": "/src/harbour", "approvalPolicy": "on-request",
			"sandbox": object{"type": "readOnly"}, "itemsBackwardsCursor": nil, "turnsBackwardsCursor": nil,
		}, nil
	case "thread/turns/list":
		return s.listTurns(q)
	case "thread/items/list":
		list := s.items
		if p.TurnID != "" {
			list = slices.DeleteFunc(slices.Clone(list), func(e object) bool { return e["turnId"] != p.TurnID })
		}
		return paged(list, p.Cursor, p.Limit, p.SortDirection != "asc"), nil
	case "thread/attachment/list":
		return s.attached(p.Cursor)
	case "thread/queue/list", "model/list", "skills/list":
		return pageOf(nil), nil
	}
	return nil, fmt.Errorf("unknown method %s", q.Method)
}

func (s *scripted) listTurns(q asked) (any, error) {
	p := q.Params
	if p.ThreadID != older {
		return paged(s.turns, p.Cursor, p.Limit, p.SortDirection != "asc"), nil
	}
	full := array{
		asks("Which buoys are lit?"),
		object{"type": "reasoning", "summary": array{"**Looking at the chart**"}, "content": array{}},
		answers("I look at the chart first."), runs("grep -c lit buoys.txt", "14\n"), answers("Fourteen of them, the outer ones."),
	}
	items := array{}
	switch p.ItemsView {
	case "full":
		items = full
	case "summary":
		items = array{full[0], full[4]}
	}
	for i, it := range items {
		it.(object)["id"] = fmt.Sprint("item-", i+1)
	}
	var list []object
	for i := range 3 {
		list = append(list, object{
			"id": fmt.Sprint("old-", i), "status": "completed", "startedAt": began, "completedAt": began + 30, "durationMs": 30_000,
			"items": items, "error": nil,
		})
	}
	return paged(list, p.Cursor, p.Limit, p.SortDirection != "asc"), nil
}

// paged gives a page of a list that is written oldest first, or newest first as
// that of the conversations. A cursor is the place where a page begins.
func paged(list []object, cursor string, limit int, newestFirst bool) object {
	list = slices.Clone(list)
	if newestFirst {
		slices.Reverse(list)
	}
	from := 0
	if at, err := strconv.Atoi(strings.TrimLeft(cursor, "ad")); err == nil {
		if from = at; newestFirst != strings.HasPrefix(cursor, "d") && cursor != "" {
			from = len(list) - at
		}
	}
	from = min(max(from, 0), len(list))
	to := min(from+limit, len(list))
	sign, other := "a", "d"
	if newestFirst {
		sign, other = "d", "a"
	}
	var next any
	if to < len(list) {
		next = fmt.Sprint(sign, to)
	}
	data := array{}
	for _, x := range list[from:to] {
		data = append(data, x)
	}
	return object{"data": data, "nextCursor": next, "backwardsCursor": fmt.Sprint(other, len(list)-from)}
}
