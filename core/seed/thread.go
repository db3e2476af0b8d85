package seed

import (
	"context"
	"encoding/json"
	"fmt"

	"holdfast/core/fakemodel"
)

// A Thread is a conversation to make.
type Thread struct {
	// Name is set after the first turn, unless it is "".
	Name string
	// Legacy makes a thread of the older history mode.
	Legacy bool
	// Archived archives it at the end.
	Archived bool
	Turns    []Turn
}

// A Turn is one question and the model's answers: one script for each request
// to the model, so one more than there are tool calls.
type Turn struct {
	Ask string
	// Images are local paths, sent beside the text.
	Images []string
	// Mode is the collaboration mode from this turn on, "plan" or "default";
	// "" leaves it.
	Mode string
	// ClientID is the clientUserMessageId, unless it is "".
	ClientID string
	Answers  []fakemodel.Script
}

// A Maker makes conversations. Its server must use its model.
type Maker struct {
	Client *Client
	Model  *fakemodel.Server
	// Cwd is the folder of the conversations.
	Cwd string
}

// NewMaker takes over a client that did its handshake: requests of the server
// are accepted from now on.
func NewMaker(c *Client, m *fakemodel.Server, cwd string) *Maker {
	c.Decide(Accept)
	return &Maker{Client: c, Model: m, Cwd: cwd}
}

// Accept says yes to approvals and leaves everything else open.
func Accept(m Message) any {
	switch m.Method {
	case "item/commandExecution/requestApproval", "item/fileChange/requestApproval":
		return map[string]string{"decision": "accept"}
	}
	return nil
}

// Make makes one conversation and returns its id.
func (m *Maker) Make(ctx context.Context, th Thread) (string, error) {
	params := map[string]any{"cwd": m.Cwd}
	if th.Legacy {
		params["historyMode"] = "legacy"
	}
	id, err := m.started(ctx, "thread/start", params)
	if err != nil {
		return "", err
	}
	for i, turn := range th.Turns {
		if err := m.Take(ctx, id, turn); err != nil {
			return "", fmt.Errorf("turn %d of %q: %w", i+1, th.Name, err)
		}
	}
	if th.Name != "" {
		if _, err := m.Client.Call(ctx, "thread/name/set", map[string]any{"threadId": id, "name": th.Name}); err != nil {
			return "", err
		}
	}
	if th.Archived {
		if _, err := m.Client.Call(ctx, "thread/archive", map[string]any{"threadId": id}); err != nil {
			return "", err
		}
	}
	return id, nil
}

// Fork makes a fork of a conversation and takes the turns in it. A fork is
// listed after its first turn (0.155.1, 0.159.1).
func (m *Maker) Fork(ctx context.Context, thread string, turns ...Turn) (string, error) {
	id, err := m.started(ctx, "thread/fork", map[string]any{"threadId": thread})
	if err != nil {
		return "", err
	}
	for i, turn := range turns {
		if err := m.Take(ctx, id, turn); err != nil {
			return "", fmt.Errorf("turn %d of a fork: %w", i+1, err)
		}
	}
	return id, nil
}

func (m *Maker) started(ctx context.Context, method string, params any) (string, error) {
	var r struct {
		Thread struct {
			ID string `json:"id"`
		} `json:"thread"`
	}
	if err := m.Client.CallInto(ctx, method, params, &r); err != nil {
		return "", err
	}
	return r.Thread.ID, nil
}

// Take takes one turn and waits for its end, whatever that is.
func (m *Maker) Take(ctx context.Context, thread string, turn Turn) error {
	m.Model.Enqueue(turn.Answers...)
	mark := m.Client.Mark()
	id, err := m.Begin(ctx, thread, turn)
	if err != nil {
		return err
	}
	_, err = m.Client.Until(ctx, mark, Completed(id))
	return err
}

// Begin starts a turn, without a script and without waiting, and returns its id.
func (m *Maker) Begin(ctx context.Context, thread string, turn Turn) (string, error) {
	input := []map[string]any{{"type": "text", "text": turn.Ask, "text_elements": []any{}}}
	for _, path := range turn.Images {
		input = append(input, map[string]any{"type": "localImage", "path": path})
	}
	params := map[string]any{"threadId": thread, "input": input}
	if turn.Mode != "" {
		params["collaborationMode"] = map[string]any{
			"mode": turn.Mode, "settings": map[string]any{"model": fakemodel.Model},
		}
	}
	if turn.ClientID != "" {
		params["clientUserMessageId"] = turn.ClientID
	}
	var r struct {
		Turn struct {
			ID string `json:"id"`
		} `json:"turn"`
	}
	if err := m.Client.CallInto(ctx, "turn/start", params, &r); err != nil {
		return "", err
	}
	return r.Turn.ID, nil
}

// Completed holds for the message that ends the turn.
func Completed(turn string) func(Message) bool {
	return func(m Message) bool {
		if m.Method != "turn/completed" {
			return false
		}
		var p struct {
			Turn struct {
				ID string `json:"id"`
			} `json:"turn"`
		}
		return json.Unmarshal(m.Params, &p) == nil && p.Turn.ID == turn
	}
}
