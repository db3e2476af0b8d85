package history

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"holdfast/core/protocol"
)

const thread = "thread-1"

func TestMain(m *testing.M) {
	broken = func(s string) { panic("broken invariant: " + s) }
	os.Exit(m.Run())
}

func ptr(s string) *string { return &s }

func agent(id, text string) protocol.Item {
	return protocol.Item{Type: "agentMessage", ID: id, Body: protocol.AgentMessage{Text: text}}
}

func user(id, client, text string) protocol.Item {
	return protocol.Item{Type: "userMessage", ID: id, Body: protocol.UserMessage{
		ClientID: client, Content: []protocol.UserInput{{Type: "text", Text: text}},
	}}
}

func command(id, line, output string) protocol.Item {
	return protocol.Item{Type: "commandExecution", ID: id, Body: protocol.CommandExecution{
		Command: line, Output: output,
	}}
}

func of(turn string) protocol.TurnRef {
	return protocol.TurnRef{ThreadRef: protocol.ThreadRef{Thread: thread}, Turn: turn}
}

func started(turn string, it protocol.Item) protocol.Notification {
	return protocol.ItemStarted{TurnRef: of(turn), Item: it}
}

func completed(turn string, it protocol.Item) protocol.Notification {
	return protocol.ItemCompleted{TurnRef: of(turn), Item: it}
}

func piece(turn, item string, k protocol.DeltaKind, part int, text string) protocol.Notification {
	return protocol.Delta{
		ItemRef: protocol.ItemRef{TurnRef: of(turn), Item: item},
		Kind:    k, Part: part, Text: text, Bytes: int64(len(text)),
	}
}

func delta(turn, item, text string) protocol.Notification {
	return piece(turn, item, protocol.DeltaMessage, 0, text)
}

func turnOf(id, status string, items ...protocol.Item) protocol.Turn {
	return protocol.Turn{ID: id, Status: status, Items: items}
}

func begun(turn string) protocol.Notification {
	return protocol.TurnStarted{
		ThreadRef: protocol.ThreadRef{Thread: thread},
		Turn:      turnOf(turn, protocol.InProgress),
	}
}

func ended(turn, status string, items ...protocol.Item) protocol.Notification {
	return protocol.TurnCompleted{
		ThreadRef: protocol.ThreadRef{Thread: thread},
		Turn:      turnOf(turn, status, items...),
	}
}

func reverted() protocol.Notification {
	return protocol.ThreadReverted{ThreadRef: protocol.ThreadRef{Thread: thread}}
}

func entry(turn string, it protocol.Item) protocol.Entry {
	return protocol.Entry{TurnID: turn, Item: it}
}

// itemsOf is a page as the server gives it: entries are written oldest first.
func itemsOf(next *string, oldestFirst ...protocol.Entry) protocol.ThreadItemsListResult {
	r := protocol.ThreadItemsListResult{NextCursor: next}
	for i := len(oldestFirst) - 1; i >= 0; i-- {
		r.Data = append(r.Data, oldestFirst[i])
	}
	return r
}

// turnsOf is a page of turns, written oldest first.
func turnsOf(next *string, oldestFirst ...protocol.Turn) protocol.ThreadTurnsListResult {
	r := protocol.ThreadTurnsListResult{NextCursor: next}
	for i := len(oldestFirst) - 1; i >= 0; i-- {
		r.Data = append(r.Data, oldestFirst[i])
	}
	return r
}

// opened is a paginated window that has read these pages.
func opened(t *testing.T, l Limits, items protocol.ThreadItemsListResult, turns ...protocol.Turn) *Window {
	t.Helper()
	w := New(thread, "paginated", l)
	answer(t, w, w.Open(), items, turnsOf(nil, turns...))
	return w
}

// answer answers the two reads of a first read.
func answer(t *testing.T, w *Window, fetches []Fetch, items protocol.ThreadItemsListResult, turns protocol.ThreadTurnsListResult) {
	t.Helper()
	for _, f := range fetches {
		if f.Items != nil {
			w.GotItems(f, items)
		} else {
			w.GotTurns(f, turns)
		}
	}
}

func apply(w *Window, list ...protocol.Notification) {
	for _, n := range list {
		w.Apply(n)
	}
}

// lines writes the rows as turn/item, the text, and … for a partial one.
func lines(v *View) []string {
	out := []string{}
	for _, r := range v.Rows {
		s := fmt.Sprintf("%s/%s %s", r.Key.Turn, r.Key.Item, strings.TrimSpace(protocol.PlainText(r.Item)))
		if r.State == Partial {
			s += "…"
		}
		out = append(out, s)
	}
	return out
}

func wantLines(t *testing.T, w *Window, want ...string) {
	t.Helper()
	if want == nil {
		want = []string{}
	}
	if got := lines(w.View()); !reflect.DeepEqual(got, want) {
		t.Fatalf("rows\n got %q\nwant %q", got, want)
	}
}

func wantEqual[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s\n got %+v\nwant %+v", what, got, want)
	}
}

// one gives the only fetch.
func one(t *testing.T, fetches []Fetch, err error) Fetch {
	t.Helper()
	if err != nil || len(fetches) != 1 {
		t.Fatalf("got %d fetches and error %v, want one fetch", len(fetches), err)
	}
	return fetches[0]
}
