package seed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
)

// A Link carries frames to and from one app-server.
type Link interface {
	Next() (io.Reader, error)
	Write(ctx context.Context, frame []byte) error
	Close() error
}

// A Message is one frame from the server.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// Asks reports whether the message is a request of the server.
func (m Message) Asks() bool { return m.Method != "" && m.ID != nil }

// An Error is what the server refused a request with.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

func (e *Error) Error() string { return fmt.Sprintf("server error %d: %s", e.Code, e.Message) }

// A Client speaks to one app-server. It is safe for concurrent use.
type Client struct {
	link Link
	done chan struct{}

	mu      sync.Mutex
	nextID  int
	got     []Message
	ended   error
	changed chan struct{} // closed and replaced whenever got or ended changed
	decide  func(Message) any
}

// NewClient starts to read from the link. Requests of the server are answered
// under ctx.
func NewClient(ctx context.Context, link Link) *Client {
	c := &Client{link: link, done: make(chan struct{}), changed: make(chan struct{})}
	go c.read(ctx)
	return c
}

// Close ends the link and returns when nothing is read any more.
func (c *Client) Close() error {
	err := c.link.Close()
	<-c.done
	return err
}

// Decide answers requests of the server from now on with what decide returns;
// nil leaves a request open. It runs on the reading goroutine.
func (c *Client) Decide(decide func(Message) any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.decide = decide
}

func (c *Client) read(ctx context.Context) {
	defer close(c.done)
	for {
		m, err := c.next()
		c.mu.Lock()
		if err != nil {
			c.ended = err
		} else {
			c.got = append(c.got, m)
		}
		decide := c.decide
		close(c.changed)
		c.changed = make(chan struct{})
		c.mu.Unlock()
		if err != nil {
			return
		}
		if m.Asks() && decide != nil {
			if result := decide(m); result != nil {
				_ = c.Reply(ctx, m, result) // a link that ended shows itself to the reader
			}
		}
	}
}

func (c *Client) next() (Message, error) {
	r, err := c.link.Next()
	if err != nil {
		return Message{}, fmt.Errorf("read from the server: %w", err)
	}
	var m Message
	if err := json.NewDecoder(r).Decode(&m); err != nil {
		return Message{}, fmt.Errorf("decode a frame: %w", err)
	}
	return m, nil
}

// Reply answers one request of the server.
func (c *Client) Reply(ctx context.Context, m Message, result any) error {
	return c.send(ctx, map[string]any{"id": m.ID, "result": result})
}

func (c *Client) send(ctx context.Context, v any) error {
	frame, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode a frame: %w", err)
	}
	return c.link.Write(ctx, frame)
}

// An Ear says what a client asks for in its handshake.
type Ear uint8

// The kinds of client.
const (
	// Quiet gets no deltas and counters: to make conversations.
	Quiet Ear = iota
	// All gets every notification.
	All
	// Plain gets every notification and has no experimentalApi.
	Plain
)

// Init does the handshake.
func (c *Client) Init(ctx context.Context, ear Ear) error {
	caps := map[string]any{"experimentalApi": ear != Plain}
	if ear == Quiet {
		caps["optOutNotificationMethods"] = []string{
			"item/agentMessage/delta", "item/reasoning/summaryTextDelta", "item/commandExecution/outputDelta",
			"thread/tokenUsage/updated", "account/rateLimits/updated",
		}
	}
	_, err := c.Call(ctx, "initialize", map[string]any{
		"clientInfo":   map[string]any{"name": "holdfast-seed", "version": "1"},
		"capabilities": caps,
	})
	if err != nil {
		return err
	}
	return c.send(ctx, map[string]any{"method": "initialized", "params": map[string]any{}})
}

// Call asks and waits for the answer. A refusal is an *Error.
func (c *Client) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	c.mu.Lock()
	c.nextID++
	id, from := strconv.Itoa(c.nextID), len(c.got)
	c.mu.Unlock()
	if err := c.send(ctx, map[string]any{"id": json.RawMessage(id), "method": method, "params": params}); err != nil {
		return nil, fmt.Errorf("send %s: %w", method, err)
	}
	m, err := c.Until(ctx, from, func(m Message) bool { return m.Method == "" && string(m.ID) == id })
	if err != nil {
		return nil, fmt.Errorf("wait for %s: %w", method, err)
	}
	if m.Error != nil {
		return nil, fmt.Errorf("%s: %w", method, m.Error)
	}
	return m.Result, nil
}

// CallInto asks and decodes the answer into result.
func (c *Client) CallInto(ctx context.Context, method string, params, result any) error {
	raw, err := c.Call(ctx, method, params)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, result); err != nil {
		return fmt.Errorf("decode the answer to %s: %w", method, err)
	}
	return nil
}

// Mark is the position after the newest message.
func (c *Client) Mark() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.got)
}

// Forget lets go of what the messages so far said; marks stay what they are. A
// walk through a giant conversation would not fit into memory otherwise.
func (c *Client) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.got)
}

// Since returns the messages that came after a mark.
func (c *Client) Since(mark int) []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Message(nil), c.got[mark:]...)
}

// ErrEnded says that the link ended while something was waited for.
var ErrEnded = errors.New("link ended")

// Until returns the first message at or after the mark for which want holds.
func (c *Client) Until(ctx context.Context, mark int, want func(Message) bool) (Message, error) {
	for {
		c.mu.Lock()
		fresh, ended, changed := c.got[mark:], c.ended, c.changed
		c.mu.Unlock()
		for _, m := range fresh {
			if want(m) {
				return m, nil
			}
		}
		mark += len(fresh)
		if ended != nil {
			return Message{}, fmt.Errorf("%w: %w", ErrEnded, ended)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Message{}, ctx.Err()
		}
	}
}
