package drive_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/session"
	"holdfast/core/transport"
)

// One contract, number 19: hello says so first, and the first snapshot carries
// every section and nothing else (DRIVE.md).
//
// req: CON-1
func TestTheContractIsNineteen(t *testing.T) {
	srv := fakeserver.New(t)
	srv.Answer("account/read", map[string]any{"account": nil, "requiresOpenaiAuth": false})
	srv.Answer("thread/list", map[string]any{"data": []any{}, "nextCursor": nil})
	s := begin(t, session.Config{Dial: func(context.Context, transport.Target) (transport.Conn, error) { return srv.Dial() }})
	hello := <-s.events
	want := map[string]any{"event": "hello", "contract": 19.0, "product": "Holdfast test", "timing": 1.0}
	if !reflect.DeepEqual(hello, want) {
		t.Errorf("hello is %v, want %v", hello, want)
	}
	first := <-s.events
	sections := []string{
		"account", "actions", "attachments", "attempt", "code", "composer", "event", "generations", "moreThreads", "newer",
		"notices", "older", "operations", "queue", "recoveryDrafts", "requests", "rows", "seq", "server", "stale", "state",
		"text", "thread", "threads",
	}
	if got := slices.Sorted(maps.Keys(first)); !slices.Equal(got, sections) {
		t.Errorf("the first snapshot carries %q, want %q", got, sections)
	}
	s.untilState("awaiting-selection")
	s.quit()
}

// A row goes to a file whole or not at all, and a file that exists is left alone.
func TestARowToAFile(t *testing.T) {
	srv := fakeserver.New(t)
	list := func(data ...any) map[string]any { return map[string]any{"data": data, "nextCursor": nil} }
	thread := map[string]any{"id": "t1", "preview": "p", "cwd": "/", "status": map[string]any{"type": "idle"}, "historyMode": "paginated"}
	srv.Answer("account/read", map[string]any{"account": nil, "requiresOpenaiAuth": false})
	srv.Answer("thread/list", list(thread))
	srv.Answer("thread/read", map[string]any{"thread": thread})
	srv.Answer("thread/turns/list", list(map[string]any{"id": "u1", "status": "completed", "items": []any{}}))
	srv.Answer("thread/items/list", list(map[string]any{"turnId": "u1", "item": map[string]any{"type": "agentMessage", "id": "i1", "text": "all of it"}}))
	s := begin(t, session.Config{Dial: func(context.Context, transport.Target) (transport.Conn, error) { return srv.Dial() }})
	s.untilState("awaiting-selection")
	s.must(`{"do":"select","thread":"t1"}`)
	file := filepath.Join(t.TempDir(), "row")
	row := func(item, path string) string {
		return fmt.Sprintf(`{"do":"row","turn":"u1","item":%q,"file":%q}`, item, path)
	}
	n := s.send(row("i1", file))
	s.done(n)
	want := map[string]any{"event": "row", "cmd": float64(n), "turn": "u1", "item": "i1", "file": file, "bytes": 9.0}
	if !reflect.DeepEqual(s.rows[n], want) {
		t.Errorf("the event is %v, want %v", s.rows[n], want)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "all of it" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	s.refused(row("i1", file), "not-written")
	s.refused(row("i1", filepath.Join(file, "below")), "not-written")
	s.refused(row("i9", file+"2"), "no-row")
	if _, err := os.Stat(file + "2"); !os.IsNotExist(err) {
		t.Errorf("a file of nothing stays: %v", err)
	}
	s.must(`{"do":"fold","turn":"u1"}`)
	s.refused(`{"do":"fold","turn":"u9"}`, "no-turn")
	s.quit()
}
