package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"holdfast/core/history"
	"holdfast/core/internal/fakeserver"
)

// A sink takes text until it is told to fail.
type sink struct {
	mu   sync.Mutex
	got  strings.Builder
	fail bool
}

func (s *sink) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail {
		return 0, errors.New("no room")
	}
	return s.got.Write(b)
}

// paged answers thread/items/list with the entries in pages of two, newest first.
func (r *rig) paged(entries ...map[string]any) {
	r.srv.Handle("thread/items/list", func(q fakeserver.Request) (any, error) {
		var p struct{ Cursor, TurnID string }
		if err := json.Unmarshal(q.Params, &p); err != nil {
			return nil, err
		}
		from := 0
		if p.Cursor != "" {
			if _, err := fmt.Sscanf(p.Cursor, "at%d", &from); err != nil {
				return nil, err
			}
		}
		to, next := min(from+2, len(entries)), any(nil)
		if to < len(entries) {
			next = fmt.Sprint("at", to)
		}
		var data []any
		for _, e := range entries[from:to] {
			data = append(data, e)
		}
		x := page(data...)
		x["nextCursor"] = next
		return x, nil
	})
}

// A row that was shortened can be had whole (ruling 9): its text goes straight
// to where it is wanted, and the window keeps what it kept.
//
// req: HIS-6
func TestARowIsReadWhole(t *testing.T) {
	long := strings.Repeat("0123456789abcde\n", 9<<16) // 9 MiB
	bubble(t, func(r *rig) {
		r.paged(entry("u1", "i3", "three"), entry("u1", "i2", long), entry("u1", "i1", long[:16]))
		r.must(Select{Thread: "t1"})
		r.must(Older{})
		rows := r.now().History.Rows
		if len(rows) != 3 || rows[1].Cut != history.CutLocal || rows[1].Bytes != int64(len(long)) || rows[1].Kept > 2<<20 {
			t.Fatalf("%d rows, the second is cut %v, %d of %d bytes", len(rows), rows[1].Cut, rows[1].Kept, rows[1].Bytes)
		}
		for i, want := range []string{long[:16], long, "three"} {
			var s sink
			r.must(Whole{Row: rows[i].Key, To: &s})
			if got := s.got.String(); got != want {
				t.Errorf("row %d: %d bytes came, want %d", i, len(got), len(want))
			}
		}
		if now := r.now().History; now.Rows[1] != rows[1] {
			t.Errorf("the window's row changed: %+v", now.Rows[1].Key)
		}
	})
}

func TestARowThatCannotBeReadWhole(t *testing.T) {
	key := history.Key{Turn: "u1", Item: "i1"}
	bubble(t, func(r *rig) {
		var s sink
		r.refused(Whole{Row: key, To: &s}, "no-selection")
		r.live()
		r.refused(Whole{Row: key}, "nowhere")
		r.refused(Whole{Row: history.Key{Turn: "u1", Item: "i9"}, To: &s}, "no-row")
		r.refused(Whole{Row: key, To: &sink{fail: true}}, "not-written")
		r.started("u2")
		r.srv.Notify("item/agentMessage/delta", map[string]any{"threadId": "t1", "turnId": "u2", "itemId": "i2", "delta": "x"})
		r.settle()
		r.refused(Whole{Row: history.Key{Turn: "u2", Item: "i2"}, To: &s}, "no-row")
		r.completed("u2", message("i2", "x")) // the server lists it when the turn ends
		r.settle()
		r.refused(Whole{Row: history.Key{Turn: "u2", Item: "i2"}, To: &s}, "not-listed")
		r.srv.Fail("thread/items/list", -32603, "broken")
		r.refused(Whole{Row: key, To: &s}, "read-failed")

		h := r.hold("thread/items/list", page())
		first := r.begin(r.now().At, Whole{Row: key, To: &s})
		r.settle()
		r.must(Select{Thread: "t2"})
		if got := first(); got == nil || got.Code != "replaced" {
			t.Errorf("after another selection: %+v", got)
		}
		h.link.Say(map[string]any{"id": h.id, "result": page(entry("u1", "i9", "late"))})
		r.settle()
		if s.got.Len() > 0 {
			t.Errorf("%q was written", s.got.String())
		}
	})
}

// A server that sorts its names writes an output before the ID of its item: the
// page is read once more, to learn the place.
func TestARowWhoseTextComesFirst(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	run := func(id, output string) map[string]any {
		return map[string]any{"turnId": "u1", "item": map[string]any{
			"type": "commandExecution", "id": id, "command": "cat", "cwd": "/", "status": "completed", "aggregatedOutput": output,
		}}
	}
	bubble(t, func(r *rig) {
		r.paged(run("i4", "y"), run("i3", "y"), run("i2", long), run("i1", "y"))
		r.must(Select{Thread: "t1"})
		r.must(Older{})
		rows := r.now().History.Rows
		if len(rows) != 4 || rows[1].Cut != history.CutLocal {
			t.Fatalf("%d rows, %q", len(rows), r.said())
		}
		var s sink
		r.must(Whole{Row: rows[1].Key, To: &s})
		if got := s.got.String(); got != long+"\ncat" {
			t.Errorf("%d bytes came, want %d", len(got), len(long)+4)
		}
	})
}

// A link that breaks while the text comes says that it is not complete.
func TestAWholeRowThatBreaksOff(t *testing.T) {
	bubble(t, func(r *rig) {
		r.must(Select{Thread: "t1"})
		h := r.hold("thread/items/list", page())
		var s sink
		end := r.begin(r.now().At, Whole{Row: r.now().History.Rows[0].Key, To: &s})
		r.settle()
		h.link.Torn(fmt.Appendf(nil, `{"id":%s,"result":{"data":[{"turnId":"u1","item":{"type":"agentMessage","id":"i1","text":"half`, h.id))
		h.link.Drop()
		r.settle()
		if got := end(); got == nil || got.OK || got.Code != "lost" {
			t.Errorf("it ends as %+v", got)
		}
		if s.got.String() != "half" {
			t.Errorf("%q came", s.got.String())
		}
	})
}

// A row of a legacy conversation is found by its place in its turn (ruling 6).
func TestALegacyRowIsReadWhole(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	bubble(t, func(r *rig) {
		legacy := row("t1", "idle")
		legacy["historyMode"] = "legacy"
		r.srv.Answer("thread/list", page(legacy))
		r.srv.Answer("thread/read", map[string]any{"thread": legacy})
		r.srv.Handle("thread/turns/list", func(q fakeserver.Request) (any, error) {
			x := turn("u1", "completed")
			if !strings.Contains(string(q.Params), "notLoaded") {
				x["items"] = []any{message("m", "short"), message("m", long)}
			}
			return page(x), nil
		})
		r.must(ListThreads{})
		r.must(Select{Thread: "t1"})
		rows := r.now().History.Rows
		if len(rows) != 2 || rows[1].Cut != history.CutLocal {
			t.Fatalf("%d rows, %q", len(rows), r.said())
		}
		var s sink
		r.must(Whole{Row: rows[1].Key, To: &s})
		if s.got.String() != long {
			t.Errorf("%d bytes came", s.got.Len())
		}
	})
}
