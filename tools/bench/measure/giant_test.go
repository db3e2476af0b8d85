package measure

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// giantItems is how many items the giant holds at least, of 5 KB each.
const giantItems = 100_000

// rereads bounds how long the server reads the stretched rollout: a minute, on a machine with nothing else to do.
const rereads = 15 * time.Minute

// giant holds "A hundred thousand items", 500 MB of them. A model cannot say that much in a reasonable time: the
// conversation is begun on the real server, its rollout is stretched while no server runs, and the server reads it anew.
var giant = realserver.Seed{
	Name: "giant100000", Revision: 1,
	Make: func(h *realserver.Home, m *seed.Maker) error {
		_, err := m.Make(h.Context(), seed.Long("A hundred thousand items", 10, 30))
		return err
	},
	After: func(h *realserver.Home) error {
		rollouts, err := filepath.Glob(filepath.Join(h.Dir, "sessions", "*", "*", "*", "rollout-*.jsonl"))
		if err != nil || len(rollouts) != 1 {
			return fmt.Errorf("%d rollouts, %w", len(rollouts), err)
		}
		if err := stretch(rollouts[0], giantItems); err != nil {
			return fmt.Errorf("stretch the rollout: %w", err)
		}
		// A lost history database is filled again by a resume.
		lost, err := filepath.Glob(filepath.Join(h.Dir, "thread_history_*"))
		if err != nil {
			return err
		}
		for _, path := range lost {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		server := h.ListenWS()
		defer server.Stop()
		id := strings.TrimSuffix(filepath.Base(rollouts[0]), ".jsonl")
		id = id[len(id)-len("00000000-0000-0000-0000-000000000000"):]
		ctx, cancel := context.WithTimeout(context.WithoutCancel(h.Context()), rereads)
		defer cancel()
		_, err = server.Client(seed.Quiet).Call(ctx, "thread/resume", map[string]any{"threadId": id, "excludeTurns": true})
		return err
	},
}

// An event is a line of a rollout.
type event struct {
	Timestamp string         `json:"timestamp"`
	Ordinal   int            `json:"ordinal"`
	Type      string         `json:"type"`
	Payload   map[string]any `json:"payload"`
}

// stretch repeats the turns of a rollout, under new IDs and with longer answers, until it holds that many items.
func stretch(path string, items int) error {
	all, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var turns [][]event // but for the first, which holds what comes once
	last, have := 0, 0
	for line := range bytes.Lines(all) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		last = e.Ordinal
		switch e.Payload["type"] {
		case "task_started":
			turns = append(turns, nil)
		case "item_completed":
			have++
		}
		if n := len(turns); n > 1 && (e.Type == "event_msg" || e.Type == "token_usage_record") {
			turns[n-1] = append(turns[n-1], e)
		}
	}
	if len(turns) < 2 {
		return fmt.Errorf("%d turns", len(turns))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	out := json.NewEncoder(w)
	for n := 0; have < items && err == nil; n++ {
		for _, e := range turns[1+n%(len(turns)-1)] {
			last++
			have += e.again(n, last)
			if err = out.Encode(e); err != nil {
				break
			}
		}
	}
	if err == nil {
		err = w.Flush()
	}
	if bad := f.Close(); err == nil {
		err = bad
	}
	return err
}

// again makes the event one of the repeated turn n, and returns how many items it is.
func (e *event) again(n, ordinal int) (items int) {
	e.Ordinal = ordinal
	p := make(map[string]any, len(e.Payload))
	for k, v := range e.Payload {
		p[k] = v
	}
	e.Payload = p
	turn := fmt.Sprintf("00000000-0000-7000-8000-%012x", n)
	for _, name := range []string{"turn_id", "root_turn_id"} {
		if p[name] != nil {
			p[name] = turn
		}
	}
	it, ok := p["item"].(map[string]any)
	if !ok {
		return 0
	}
	again := map[string]any{"id": fmt.Sprintf("item_%d", ordinal)}
	for k, v := range it {
		if k != "id" {
			again[k] = v
		}
	}
	if content, ok := it["content"].([]any); ok && it["type"] == "AgentMessage" && len(content) > 0 {
		if part, ok := content[0].(map[string]any); ok {
			again["content"] = []any{map[string]any{"type": part["type"], "text": fmt.Sprint(part["text"], strings.Repeat(" and so on", 480))}}
		}
	}
	p["item"] = again
	return 1
}
