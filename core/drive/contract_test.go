package drive_test

import (
	"context"
	"maps"
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
