package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/stamp"
	"holdfast/core/transport"
)

// A rig is a session on a fake server, inside a bubble: after settle, all that
// could happen without time passing has happened.
type rig struct {
	t    *testing.T
	srv  *fakeserver.Server
	s    *Session
	mu   sync.Mutex // time.Sleep in a bubble orders no memory
	last *Snapshot
	ids  int
	// breaks says that the test breaks the loop on purpose.
	breaks bool
	stop   context.CancelFunc
	over   chan struct{}
}

// bubble runs a test inside one, with a server that knows two conversations.
func bubble(t *testing.T, run func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		run(r)
		r.end()
	})
}

func newRig(t *testing.T, edit func(*Config)) *rig {
	r := &rig{t: t, srv: fakeserver.New(t), over: make(chan struct{})}
	r.srv.Answer("account/read", map[string]any{"account": nil, "requiresOpenaiAuth": false})
	r.srv.Answer("thread/list", page(row("t1", "idle"), row("t2", "idle")))
	r.srv.Answer("model/list", map[string]any{"data": []any{map[string]any{"id": "m1", "model": "m1", "displayName": "M1", "supportedReasoningEfforts": []any{map[string]any{"reasoningEffort": "low"}}}}})
	r.srv.Answer("skills/list", map[string]any{"data": []any{}})
	r.srv.Handle("thread/read", func(q fakeserver.Request) (any, error) {
		return map[string]any{"thread": row(threadOf(q), "idle")}, nil
	})
	r.srv.Answer("thread/turns/list", page(turn("u1", "completed")))
	r.srv.Answer("thread/items/list", page(entry("u1", "i1", "one")))
	r.srv.Handle("thread/resume", func(q fakeserver.Request) (any, error) { return opened(threadOf(q)), nil })
	r.srv.Answer("thread/start", opened("t9"))
	r.srv.Answer("thread/queue/list", page())
	r.srv.Answer("thread/attachment/list", page())
	cfg := Config{
		Product: "Holdfast", Version: "test", Scale: 1,
		Dial:  func(context.Context, transport.Target) (transport.Conn, error) { return r.srv.Dial() },
		NewID: func() string { r.ids++; return fmt.Sprintf("client-%d", r.ids) },
		Publish: func(s *Snapshot) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.last = s
		},
	}
	if edit != nil {
		edit(&cfg)
	}
	r.s = New(cfg)
	ctx, cancel := context.WithCancel(t.Context())
	r.stop = cancel
	go func() {
		defer close(r.over)
		if err := r.s.Run(ctx); err != nil && !r.breaks {
			t.Error(err)
		}
	}()
	r.settle()
	return r
}

// threadOf is the conversation a request is about.
func threadOf(q fakeserver.Request) string {
	var p struct {
		ThreadID string `json:"threadId"`
	}
	_ = json.Unmarshal(q.Params, &p)
	return p.ThreadID
}

// configure changes the configuration on the loop, which reads it.
func (r *rig) configure(edit func(*Config)) {
	done := make(chan struct{})
	r.s.box.put(delivery{event: stamp.At[event](r.now().At.OwnerOnly(), func(l *loop) {
		edit(l.cfg)
		close(done)
	})}, false)
	<-done
}

func (r *rig) end() {
	r.stop()
	<-r.over
}

// settle lets everything happen that can, and the pace of snapshots pass.
func (r *rig) settle() {
	synctest.Wait()
	time.Sleep(publishEvery)
	synctest.Wait()
}

// do carries out an intent and gives its end, or nil while it is open.
func (r *rig) do(in Intent) *Result { return r.doAt(stamp.Stamp{}, in) }

func (r *rig) doAt(at stamp.Stamp, in Intent) *Result {
	end := r.begin(at, in)
	r.settle()
	return end()
}

// begin starts an intent; what it gives tells its end, or nil while it is open.
func (r *rig) begin(at stamp.Stamp, in Intent) func() *Result {
	var got *Result
	r.s.Do(at, in, func(x Result) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if got != nil {
			r.t.Errorf("%T was answered twice", in)
		}
		got = &x
	})
	return func() *Result {
		r.mu.Lock()
		defer r.mu.Unlock()
		return got
	}
}

// now is the newest snapshot.
func (r *rig) now() *Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

func (r *rig) must(in Intent) {
	r.t.Helper()
	if got := r.do(in); got == nil || !got.OK {
		r.t.Fatalf("%T = %+v", in, got)
	}
}

func (r *rig) refused(in Intent, code string) {
	r.t.Helper()
	if got := r.do(in); got == nil || got.OK || got.Code != code {
		r.t.Fatalf("%T = %+v, want a refusal with code %q", in, got, code)
	}
}

func (r *rig) state(want State) {
	r.t.Helper()
	if got := r.now().Status.State; got != want {
		r.t.Fatalf("state = %v (%s), want %v", got, r.now().Status.Text, want)
	}
}

// said lists the rows as text.
func (r *rig) said() string {
	var out []string
	if r.now().History != nil {
		for _, x := range r.now().History.Rows {
			out = append(out, rowText(x))
		}
	}
	return strings.Join(out, "|")
}

// op gives the newest operation of a kind.
func (r *rig) op(kind string) *Operation {
	r.t.Helper()
	for i := len(r.now().Operations.Rows) - 1; i >= 0; i-- {
		if o := r.now().Operations.Rows[i]; o.Kind == kind {
			return o
		}
	}
	r.t.Fatalf("no operation %s", kind)
	return nil
}

// count is how many requests of a method came.
func (r *rig) count(method string) int { return len(r.srv.Requests(method)) }

// live selects and joins t1.
func (r *rig) live() {
	r.t.Helper()
	r.must(Select{Thread: "t1"})
	r.must(Join{})
	r.state(Ready)
}

func text(s string) *string { return &s }

// Wire values.

func page(data ...any) map[string]any {
	if data == nil {
		data = []any{}
	}
	return map[string]any{"data": data, "nextCursor": nil, "backwardsCursor": nil}
}

func row(id, status string) map[string]any {
	return map[string]any{"id": id, "preview": "about " + id, "cwd": "/w", "status": map[string]any{"type": status}, "historyMode": "paginated", "recencyAt": 1, "createdAt": 1, "updatedAt": 1}
}

func turn(id, status string) map[string]any {
	return map[string]any{"id": id, "status": status, "items": []any{}, "itemsView": "summary"}
}

func entry(turn, id, text string) map[string]any {
	return map[string]any{"turnId": turn, "item": message(id, text)}
}

func message(id, text string) map[string]any {
	return map[string]any{"type": "agentMessage", "id": id, "text": text}
}

func opened(id string) map[string]any {
	return map[string]any{
		"thread": row(id, "idle"), "cwd": "/w", "model": "m1", "modelProvider": "p", "approvalPolicy": "on-request",
		"sandbox": map[string]any{"type": "readOnly"}, "turnsBackwardsCursor": "tc", "itemsBackwardsCursor": "ic",
	}
}

func (r *rig) started(turnID string) {
	r.srv.Notify("turn/started", map[string]any{"threadId": "t1", "turn": turn(turnID, "inProgress")})
}

func (r *rig) ended(turnID, status string) {
	r.srv.Notify("turn/completed", map[string]any{"threadId": "t1", "turn": turn(turnID, status)})
}

func (r *rig) completed(turnID string, item map[string]any) {
	r.srv.Notify("item/completed", map[string]any{"threadId": "t1", "turnId": turnID, "item": item})
}

func (r *rig) command(id any) {
	r.srv.Ask(id, "item/commandExecution/requestApproval", map[string]any{
		"threadId": "t1", "turnId": "u2", "itemId": "c1", "command": "ls", "cwd": "/w", "startedAtMs": 1,
		"availableDecisions": []any{"accept", map[string]any{"acceptWithExecpolicyAmendment": map[string]any{"execpolicy_amendment": []string{"ls"}}}, "cancel"},
	})
}

// countingDial calls count before each dial.
func countingDial(dial func(context.Context, transport.Target) (transport.Conn, error), count func()) func(context.Context, transport.Target) (transport.Conn, error) {
	return func(ctx context.Context, t transport.Target) (transport.Conn, error) {
		count()
		return dial(ctx, t)
	}
}

// stampedPanic is an event that panics, as a defect would.
func stampedPanic(r *rig) stamp.Stamped[event] {
	return stamp.At(r.now().At, event(func(*loop) { panic("defect") }))
}
