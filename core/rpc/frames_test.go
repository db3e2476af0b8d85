package rpc_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"holdfast/core/protocol"
	"holdfast/core/rpc"
)

// Each case sends frames to a client that waits for a query (ID 1) and a
// mutation (ID 2), and ends the link afterwards.
func TestFrames(t *testing.T) {
	lost := "no answer: thread/read: the link has ended\nthe connection was closed by fake"
	lostSend := "no answer: turn/start: the link has ended\nthe connection was closed by fake"
	for _, tt := range []struct {
		name   string
		frames []string
		want   []string // before the link ends
		waits  []string // what is told when it ends
	}{
		{"id first", []string{`{"id":1,"result":{"n":7}}`, `{"id":2,"result":{"n":8}}`}, []string{"read: {N:7}", "send: {N:8}"}, nil},
		{"id last", []string{`{"result":{"n":7},"id":1}`, `{"error":{"code":1,"message":"m"},"id":2}`}, []string{"read: {N:7}", "send: server error 1"}, nil},
		{"extra members", []string{`{"jsonrpc":"2.0","id":1,"x":[{}],"result":{"n":7}}`}, []string{"read: {N:7}"}, []string{"send: " + lostSend}},
		{"white space", []string{" \t{\"id\" : 1 , \"result\" : {\"n\":7} } \r"}, []string{"read: {N:7}"}, []string{"send: " + lostSend}},
		{"null error beside a result", []string{`{"id":1,"error":null,"result":{"n":7}}`}, []string{"read: {N:7}"}, []string{"send: " + lostSend}},
		{"null result beside an error", []string{`{"id":1,"result":null,"error":{"code":3}}`}, []string{"read: server error 3"}, []string{"send: " + lostSend}},
		{"null result", []string{`{"id":1,"result":null}`}, []string{"read: {N:0}"}, []string{"send: " + lostSend}},
		{"error of no form", []string{`{"id":2,"error":"go away"}`}, []string{"send: server error 0"}, []string{"read: " + lost}},
		{"error with a string for its code", []string{`{"id":2,"error":{"code":"-32001","message":7}}`}, []string{"send: server error 0"}, []string{"read: " + lost}},

		// Ruling 35: an answer that does not decode fails its request.
		{"string for a number", []string{`{"id":1,"result":{"n":"7"}}`, `{"id":2,"result":{"n":8}}`}, []string{unreadable("read", "thread/read"), "send: {N:8}"}, nil},
		{"string for a number, id last", []string{`{"result":{"n":"7"},"id":2}`}, []string{unreadable("send", "turn/start")}, []string{"read: " + lost}},
		{"result that breaks off", []string{`{"id":2,"result":{"n":8`}, []string{unreadable("send", "turn/start")}, []string{"read: " + lost}},
		{"something after the answer", []string{`{"id":2,"result":{"n":8}}{}`}, []string{unreadable("send", "turn/start")}, []string{"read: " + lost}},
		{"no result", []string{`{"id":2}`}, []string{unreadable("send", "turn/start")}, []string{"read: " + lost}},

		// Ruling 35: dropped, counted, and the link goes on.
		{"not JSON", []string{`hello`, `{"id":1,"result":{"n":7}}`}, []string{`fault not an object "" ""`, "read: {N:7}"}, []string{"send: " + lostSend}},
		{"empty", []string{``}, []string{`fault not an object "" ""`}, []string{"read: " + lost, "send: " + lostSend}},
		{"array", []string{`[{"id":1,"result":{"n":7}}]`}, []string{`fault not an object "" ""`}, []string{"read: " + lost, "send: " + lostSend}},
		{"number", []string{`1`}, []string{`fault not an object "" ""`}, []string{"read: " + lost, "send: " + lostSend}},
		{"no form", []string{`{"result":{}}`}, []string{`fault not an object "" ""`}, []string{"read: " + lost, "send: " + lostSend}},
		{"id twice", []string{`{"id":1,"id":2,"result":{}}`}, []string{`fault not an object "" ""`}, []string{"read: " + lost, "send: " + lostSend}},
		{"result and error", []string{`{"id":1,"result":{"n":7},"error":{"code":1}}`}, []string{`fault not an object "" ""`}, []string{"read: " + lost, "send: " + lostSend}},
		{"refusal that breaks off", []string{`{"id":2,"error":{"code":1`}, []string{`fault not an object "" ""`}, []string{"read: " + lost, "send: " + lostSend}},
		{"refusal before a result that breaks off", []string{`{"id":2,"error":{"code":1},"result":{"n":8`}, []string{`fault not an object "" ""`}, []string{"read: " + lost, "send: " + lostSend}},
		{
			"unknown id",
			[]string{`{"id":3,"result":{"n":7}}`, `{"id":0,"result":{}}`, `{"id":-1,"result":{}}`, `{"id":"1","result":{}}`, `{"id":1.0,"result":{}}`, `{"id":null,"error":{}}`},
			[]string{`fault unknown id "" ""`, `fault unknown id "" ""`, `fault unknown id "" ""`, `fault unknown id "" ""`, `fault unknown id "" ""`, `fault unknown id "" ""`},
			[]string{"read: " + lost, "send: " + lostSend},
		},
		{"same answer twice", []string{`{"id":1,"result":{"n":7}}`, `{"id":1,"result":{"n":9}}`}, []string{"read: {N:7}", `fault second answer "" ""`}, []string{"send: " + lostSend}},
		{"refusal after the answer", []string{`{"id":1,"result":{"n":7}}`, `{"error":{"code":1},"id":1}`}, []string{"read: {N:7}", `fault second answer "" ""`}, []string{"send: " + lostSend}},
		{"notification that does not decode", []string{`{"method":"turn/started","params":{"threadId":"t1","turn":7}}`}, []string{`fault bad notification "turn/started" "t1"`}, []string{"read: " + lost, "send: " + lostSend}},
		{"notification without a thread", []string{`{"method":"thread/archived","params":{"threadId":7}}`}, []string{`fault bad notification "thread/archived" ""`}, []string{"read: " + lost, "send: " + lostSend}},
		{"method of the wrong type", []string{`{"method":7,"params":{}}`}, []string{`fault not an object "" ""`}, []string{"read: " + lost, "send: " + lostSend}},
		{"request without an id", []string{`{"method":"currentTime/read","id":null,"params":{}}`}, []string{`fault not an object "currentTime/read" ""`}, []string{"read: " + lost, "send: " + lostSend}},
		{
			"request that does not decode",
			[]string{`{"method":"item/fileChange/requestApproval","id":4,"params":{"threadId":"t1"}}`},
			[]string{`fault bad request "item/fileChange/requestApproval" "t1"`, "request 4 item/fileChange/requestApproval protocol.UnknownRequest"},
			[]string{"read: " + lost, "send: " + lostSend},
		},
		{
			"text that is not UTF-8",
			[]string{"{\"method\":\"thread/name/updated\",\"params\":{\"threadId\":\"t1\",\"threadName\":\"a\xffb\\ud800\"}}"},
			[]string{"note protocol.ThreadNameUpdated t1"},
			[]string{"read: " + lost, "send: " + lostSend},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := serve(t, rpc.Options{})
				b.srv.Mute(true)
				rpc.Ask(t.Context(), b.c, query, ask{}, hear[got](b, "read"))
				rpc.Send(t.Context(), b.c, mutation, ask{}, hear[got](b, "send"))
				b.want()
				b.raw(tt.frames...)
				b.want(tt.want...)
				b.link.Drop()
				b.want(tt.waits...)
			})
		})
	}
}

func unreadable(who, method string) string { return who + ": unreadable answer: " + method }

// An answer to a request that has not left is not its answer.
func TestAnAnswerBeforeItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		free := blockWriter(b)
		rpc.Send(t.Context(), b.c, mutation, ask{}, hear[got](b, "send"))
		b.raw(`{"id":2,"result":{"n":1}}`)
		b.want(`fault unknown id "" ""`)
		b.srv.Answer("turn/start", got{2})
		close(free)
		b.want("send: {N:2}")
	})
}

// A binary frame is dropped, and the link goes on.
func TestABinaryFrameIsAFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.link.Binary()
		b.raw(`{"method":"thread/archived","params":{"threadId":"t1"}}`)
		b.want(`fault not text "" ""`, "note protocol.ThreadArchived t1")
	})
}

// PROTOCOL.md trap 1: request ID 0 is real.
func TestTrap01RequestIDZeroIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.srv.Ask(0, "currentTime/read", map[string]any{"threadId": "t1"})
		b.want("request 0 currentTime/read protocol.CurrentTimeRead")
		if err := b.c.Reply(t.Context(), protocol.NumberID(0), map[string]any{"now": 1}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		wantSent(t, b, "id 0 result {\"now\":1}")
	})
}

// PROTOCOL.md trap 2: params are always there, and an answer carries the
// request's own ID of whatever JSON type.
func TestTrap02ParamsAreSentAndIDsComeBackAsTheyWere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.srv.Mute(true)
		rpc.Ask(t.Context(), b.c, protocol.Query[struct{}, got]{Method: "a"}, struct{}{}, nil)
		rpc.Look(t.Context(), b.c, protocol.Call[ask, got]{Method: "b"}, ask{}, nil)
		if err := b.c.Notify(t.Context(), protocol.Initialized, nil); err != nil {
			t.Fatal(err)
		}
		for _, id := range []any{"s\u00e9\"1", -7, int64(1) << 60} {
			b.srv.Ask(id, "no/such", map[string]any{})
		}
		b.want(`request "sé\"1" no/such protocol.UnknownRequest`, "request -7 no/such protocol.UnknownRequest",
			"request 1152921504606846976 no/such protocol.UnknownRequest")
		id, err := protocol.ParseID([]byte(`"sé\"1"`))
		if err != nil {
			t.Fatal(err)
		}
		if err := b.c.Refuse(t.Context(), id, -32601, "not supported"); err != nil {
			t.Fatal(err)
		}
		if err := b.c.Reply(t.Context(), protocol.NumberID(-7), nil); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		wantSent(t, b, "a id 1 params {}", `b id 2 params {"s":""}`, "initialized params {}",
			`id "sé\"1" error {"code":-32601,"message":"not supported"}`, "id -7 result null")
	})
}

// PROTOCOL.md trap 14: what we do not know is passed by.
func TestTrap14UnknownMethodsAreNoFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.raw(`{"method":"thread/goal/cleared","params":{"threadId":"t1"}}`, `{"method":"no/such"}`,
			`{"method":"no/such","params":[1]}`, `{"method":"skills/changed","params":null}`)
		b.want("note protocol.Unknown ", "note protocol.Unknown ", "note protocol.Unknown ", "note protocol.SkillsChanged ")
	})
}

// What has to be held whole has a bound. Beyond it a known notification and a
// request are faults, an answer is there and cannot be read; nothing of it is
// kept, and the link goes on. A notification nobody knows may be of any length.
func TestHeldValuesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.srv.Mute(true)
		rpc.Ask(t.Context(), b.c, query, ask{}, hear[got](b, "read"))
		b.want()
		list := `{"x":[` + strings.Repeat(`"`+strings.Repeat("x", 1<<20)+`",`, 33) + `0],"threadId":"t1"}`
		for _, frame := range []string{
			`{"method":"some/thing","params":` + list + `}`,
			`{"method":"thread/archived","params":` + list + `}`,
			`{"method":"currentTime/read","id":7,"params":` + list + `}`,
			`{"result":` + list + `,"id":1}`,
			`{"method":"thread/archived","params":{"x":[{"a":[]},{},"[",1],"threadId":"t1"}}`,
		} {
			b.link.Raw([]byte(frame))
			synctest.Wait()
		}
		b.want(
			"note protocol.Unknown ",
			`fault bad notification "thread/archived" ""`,
			`fault bad request "currentTime/read" ""`, "request 7 currentTime/read protocol.UnknownRequest",
			unreadable("read", "thread/read"),
			"note protocol.ThreadArchived t1",
		)
	})
}
