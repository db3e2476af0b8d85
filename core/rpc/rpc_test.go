package rpc_test

import (
	"testing"
	"testing/synctest"

	"holdfast/core/protocol"
	"holdfast/core/rpc"
)

// Small stand-ins for params and results.
type (
	ask struct {
		S string `json:"s"`
	}
	got struct {
		N int64 `json:"n"`
	}
)

var (
	query        = protocol.Query[ask, got]{Method: "thread/read"}
	look         = protocol.Call[ask, got]{Method: "initialize"}
	chanMutation = protocol.Mutation[chan int, got]{Method: "turn/start"}
	mutation     = protocol.Mutation[ask, got]{Method: "turn/start"}
	blocker      = protocol.Call[ask, got]{Method: "block"}
	stop         = protocol.Mutation[ask, got]{Method: "turn/interrupt"}
)

func TestAnswersAndNotificationsComeInWireOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := serve(t, rpc.Options{})
		b.srv.Mute(true)
		rpc.Ask(t.Context(), b.c, query, ask{}, hear[got](b, "read"))
		rpc.Look(t.Context(), b.c, look, ask{}, hear[got](b, "look"))
		rpc.Send(t.Context(), b.c, mutation, ask{}, hear[got](b, "send"))
		b.want()
		b.raw(`{"method":"thread/archived","params":{"threadId":"t1"}}`,
			`{"id":2,"result":{"n":2}}`,
			`{"method":"thread/unarchived","params":{"threadId":"t1"},"emittedAtMs":5}`,
			`{"error":{"code":-32600,"message":"no"},"id":3}`,
			`{"id":1,"result":{"n":1}}`)
		b.want("note protocol.ThreadArchived t1", "look: {N:2}", "note protocol.ThreadUnarchived t1",
			"send: server error -32600", "read: {N:1}")
	})
}
