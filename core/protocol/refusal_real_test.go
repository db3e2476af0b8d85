package protocol_test

import (
	"errors"
	"slices"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/protocol"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// recognizers are all that can be told of a refusal.
var recognizers = map[string]func(method string, code int64, message string) bool{
	"not materialized":   protocol.IsNotMaterialized,
	"items unsupported":  protocol.IsItemsUnsupported,
	"active writer":      protocol.IsActiveWriter,
	"archived":           protocol.IsArchived,
	"no rollout":         protocol.IsNoRollout,
	"no active turn":     protocol.IsNoActiveTurn,
	"wrong turn":         protocol.IsWrongTurn,
	"not found":          protocol.IsNotFound,
	"needs experimental": protocol.NeedsExperimental,
	"unknown method":     protocol.IsUnknownMethod,
	"bad cursor":         protocol.IsBadCursor,
}

type object = map[string]any

// Nearly every refusal has one code; what it says is told by method and text.
// Every version's own words, as the server says them, are recognized as one
// thing and as nothing else (trap 3).
func TestRealRefusalsAreRecognized(t *testing.T) {
	for _, version := range append(realserver.Versions(), realserver.Newest) {
		t.Run(version, func(t *testing.T) {
			h := realserver.New(t, version, fakemodel.Config{})
			srv := h.ListenWS()
			m := srv.Maker()
			ids := refusing(t, h, m)
			other := h.ListenWS().Client(seed.Quiet)
			plain := srv.Client(seed.Plain)
			const unknown = "01a22ae8-8002-70f0-967c-7c08e110d42d"
			for _, tc := range []struct {
				by     *seed.Client
				method string
				params object
				want   string
			}{
				{m.Client, "thread/turns/list", object{"threadId": ids.empty}, "not materialized"},
				{m.Client, "thread/items/list", object{"threadId": ids.empty}, "items unsupported"},
				{m.Client, "thread/items/list", object{"threadId": ids.legacy}, "items unsupported"},
				{m.Client, "thread/items/list", object{"threadId": unknown}, "items unsupported"},
				{other, "thread/resume", object{"threadId": ids.running, "excludeTurns": true}, "active writer"},
				{m.Client, "thread/resume", object{"threadId": ids.archived, "excludeTurns": true}, "archived"},
				{m.Client, "thread/resume", object{"threadId": unknown, "excludeTurns": true}, "no rollout"},
				{m.Client, "thread/archive", object{"threadId": ids.archived}, "no rollout"},
				{m.Client, "turn/steer", object{"threadId": ids.legacy, "expectedTurnId": "x", "input": []object{{"type": "text", "text": "x", "text_elements": []any{}}}}, "no active turn"},
				{m.Client, "turn/interrupt", object{"threadId": ids.running, "turnId": "nope"}, "wrong turn"},
				{m.Client, "thread/read", object{"threadId": unknown}, "not found"},
				{other, "turn/start", object{"threadId": ids.running, "input": []any{}}, "not found"},
				{plain, "thread/queue/list", object{"threadId": ids.legacy}, "needs experimental"},
				{m.Client, "no/such", object{}, "unknown method"},
				{m.Client, "thread/items/list", object{"threadId": ids.running, "cursor": "zz"}, "bad cursor"},
				{m.Client, "thread/items/list", object{"threadId": ids.running, "limit": -1}, ""},
				{m.Client, "thread/read", object{"threadId": "not an id"}, ""},
			} {
				_, err := tc.by.Call(h.Context(), tc.method, tc.params)
				var refused *seed.Error
				if !errors.As(err, &refused) {
					t.Errorf("%s %v: got %v, want a refusal", tc.method, tc.params, err)
					continue
				}
				var got, want []string
				for name, is := range recognizers {
					if is(tc.method, refused.Code, refused.Message) {
						got = append(got, name)
					}
				}
				if tc.want != "" {
					want = []string{tc.want}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s: %v\nis recognized as %q, want %q", tc.method, refused, got, want)
				}
			}
			h.Model.Open("end")
		})
	}
}

// made are the conversations that refusals need.
type made struct{ empty, legacy, archived, running string }

func refusing(t *testing.T, h *realserver.Home, m *seed.Maker) made {
	t.Helper()
	turn := seed.Turn{Ask: "hello", Answers: []fakemodel.Script{fakemodel.Say("yes")}}
	var ids made
	for _, x := range []struct {
		id *string
		th seed.Thread
	}{
		{&ids.empty, seed.Thread{}},
		{&ids.legacy, seed.Thread{Legacy: true, Turns: []seed.Turn{turn}}},
		{&ids.archived, seed.Thread{Archived: true, Turns: []seed.Turn{turn}}},
		{&ids.running, seed.Thread{Turns: []seed.Turn{turn}}},
	} {
		id, err := m.Make(h.Context(), x.th)
		if err != nil {
			t.Fatal(err)
		}
		*x.id = id
	}
	h.Model.Enqueue(fakemodel.Answer(fakemodel.Gate{Name: "end"}))
	if _, err := m.Begin(h.Context(), ids.running, seed.Turn{Ask: "go on"}); err != nil {
		t.Fatal(err)
	}
	if err := h.Model.AwaitGate(h.Context(), "end"); err != nil {
		t.Fatal(err)
	}
	return ids
}
