package realserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"holdfast/core/seed"
)

// GiantName is the name of a giant's conversation.
const GiantName = "A giant conversation"

// rereads bounds how long the server reads a stretched rollout: a minute for
// 500 MB, on a machine with nothing else to do.
const rereads = 15 * time.Minute

// Giant holds one conversation of that many items or a few more, of 5 KB each.
// A model cannot say that much in a reasonable time: the conversation is begun
// on the real server, its rollout is stretched while no server runs, and the
// server reads it anew.
func Giant(items int) Seed {
	return Seed{
		Name: fmt.Sprint("giant", items), Revision: 2,
		Make: func(h *Home, m *seed.Maker) error {
			_, err := m.Make(h.Context(), seed.Long(GiantName, 10, 30))
			return err
		},
		After: func(h *Home) error { return h.grow(items) },
	}
}

// grow stretches the home's one rollout and has the server read it.
func (h *Home) grow(items int) error {
	rollouts, err := filepath.Glob(filepath.Join(h.Dir, "sessions", "*", "*", "*", "rollout-*.jsonl"))
	if err != nil {
		return fmt.Errorf("look for the rollout: %w", err)
	}
	if len(rollouts) != 1 {
		return fmt.Errorf("look for the rollout: there are %d", len(rollouts))
	}
	if err := stretch(rollouts[0], items); err != nil {
		return fmt.Errorf("stretch the rollout: %w", err)
	}
	// A lost history database is filled again by a resume.
	lost, err := filepath.Glob(filepath.Join(h.Dir, "thread_history_*"))
	if err != nil {
		return fmt.Errorf("look for the history database: %w", err)
	}
	for _, path := range lost {
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("lose the history database: %w", err)
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
}

// An event is a line of a rollout.
type event struct {
	Timestamp string         `json:"timestamp"`
	Ordinal   int            `json:"ordinal"`
	Type      string         `json:"type"`
	Payload   map[string]any `json:"payload"`
}

// stretch repeats the turns of a rollout, under new IDs and with longer
// answers, until it holds that many items.
func stretch(path string, items int) error {
	turns, last, have, err := readTurns(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	out := json.NewEncoder(w)
	for n := 0; have < items && err == nil; n++ {
		for _, e := range turns[n%len(turns)] {
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

// readTurns returns what can be repeated of each turn but the first, which
// holds what comes once; the last ordinal; and how many items there are.
func readTurns(path string) (turns [][]event, last, items int, err error) {
	all, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, 0, err
	}
	for line := range bytes.Lines(all) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, 0, 0, err
		}
		last = e.Ordinal
		switch e.Payload["type"] {
		case "task_started":
			turns = append(turns, nil)
		case "item_completed":
			items++
		}
		if n := len(turns); n > 1 && (e.Type == "event_msg" || e.Type == "token_usage_record") {
			turns[n-1] = append(turns[n-1], e)
		}
	}
	if len(turns) < 2 {
		return nil, 0, 0, fmt.Errorf("there are %d turns", len(turns))
	}
	return turns[1:], last, items, nil
}

// again makes the event one of the repeated turn n, and returns how many items
// it is.
func (e *event) again(n, ordinal int) (items int) {
	p := maps.Clone(e.Payload)
	e.Ordinal, e.Payload = ordinal, p
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
	again := maps.Clone(it)
	again["id"] = fmt.Sprintf("item_%d", ordinal)
	if content, ok := it["content"].([]any); ok && it["type"] == "AgentMessage" && len(content) > 0 {
		if part, ok := content[0].(map[string]any); ok {
			again["content"] = []any{map[string]any{"type": part["type"], "text": fmt.Sprint(part["text"], strings.Repeat(" and so on", 480))}}
		}
	}
	p["item"] = again
	return 1
}
