package protocol_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"holdfast/core/fakemodel"
	p "holdfast/core/protocol"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// The names of these tests say which of the traps for client developers they
// are about.

func TestTrap01RequestIDZeroIsReal(t *testing.T) {
	for _, raw := range []string{"0", "-5", "9007199254740993", `"req-1"`, `""`, `"0"`} {
		id, err := p.ParseID(jsontext.Value(raw))
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		out, err := json.Marshal(struct {
			ID p.RequestID `json:"id,omitzero"`
		}{id})
		if want := `{"id":` + raw + `}`; err != nil || string(out) != want {
			t.Errorf("%s leaves as %s (%v), want %s", raw, out, err, want)
		}
	}
	if p.NumberID(0) == (p.RequestID{}) || p.NumberID(0).IsZero() {
		t.Error("0 is taken for none")
	}
}

func TestTrap02IDsKeepTheirType(t *testing.T) {
	text, _ := p.ParseID(jsontext.Value(`"0"`))
	if text == p.NumberID(0) {
		t.Error(`"0" equals 0`)
	}
	for _, raw := range []string{"", "null", "true", "1.5", "1e3", "{}", "[1]", `"unfinished`, `1 2`} {
		if id, err := p.ParseID(jsontext.Value(raw)); err == nil {
			t.Errorf("%s is taken for the ID %s", raw, id)
		}
	}
	long := jsontext.Value(`"` + string(bytes.Repeat([]byte("x"), 4094)) + `"`)
	if _, err := p.ParseID(long); err != nil {
		t.Errorf("an ID of 4096 bytes: %v", err)
	}
	if _, err := p.ParseID(append(long[:4095:4095], 'x', '"')); err == nil {
		t.Error("an ID of 4097 bytes is kept")
	}
}

// A refusal of the table, by what it is.
var refusals = map[string]func(method string, code int64, message string) bool{
	"not materialized":  p.IsNotMaterialized,
	"items unsupported": p.IsItemsUnsupported,
	"active writer":     p.IsActiveWriter,
	"archived":          p.IsArchived,
	"no rollout":        p.IsNoRollout,
	"no active turn":    p.IsNoActiveTurn,
	"wrong turn":        p.IsWrongTurn,
	"not found":         p.IsNotFound,
	"experimental":      p.NeedsExperimental,
	"unknown method":    p.IsUnknownMethod,
	"bad cursor":        p.IsBadCursor,
	"overload":          func(_ string, code int64, message string) bool { return p.IsOverloadText(code, message) },
}

// classify gives every name that the table has for a refusal.
func classify(method string, code int64, message string) (list []string) {
	for name, is := range refusals {
		if is(method, code, message) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

func TestTrap03RefusalsAreToldApartByTheirText(t *testing.T) {
	const id = "01a22b7a-5be2-76a1-a008-d00181e6aa2f"
	for _, c := range []struct {
		method  string
		code    int64
		message string
		want    string
	}{
		{"thread/turns/list", -32600, "thread " + id + " is not materialized yet; thread/turns/list is unavailable before first user message", "not materialized"},
		{"thread/items/list", -32601, "thread/items/list is not supported yet", "items unsupported"},
		{"thread/resume", -32600, "thread " + id + " already has an active writer", "active writer"},
		{"thread/resume", -32600, "session " + id + " is archived. Run `codex unarchive " + id + "` to unarchive it first.", "archived"},
		{"thread/resume", -32600, "no rollout found for thread id " + id, "no rollout"},
		{"thread/unarchive", -32600, "no archived rollout found for thread id " + id, "no rollout"},
		{"turn/steer", -32600, "no active turn to steer", "no active turn"},
		{"turn/interrupt", -32600, "no active turn to interrupt", "no active turn"},
		{"turn/steer", -32600, "expected active turn id `nope` but found `" + id + "`", "wrong turn"},
		{"turn/interrupt", -32600, "expected active turn id nope but found " + id, "wrong turn"},
		{"turn/start", -32600, "thread not found: " + id, "not found"},
		{"thread/read", -32600, "thread not loaded: " + id, "not found"},
		{"thread/queue/list", -32600, "thread/queue/list requires experimentalApi capability", "experimental"},
		{"thread/start", -32600, "thread/start.historyMode requires experimentalApi capability", "experimental"},
		{"no/such", -32600, "Invalid request: unknown variant `no/such`, expected one of `initialize`, `thread/start`", "unknown method"},
		{"thread/list", -32600, "invalid cursor: zz", "bad cursor"},
		{"thread/read", -32001, "Server overloaded; retry later.", "overload"},
		// Near misses are plain failures.
		{"thread/items/list", -32600, "thread/items/list is not supported yet", ""},
		{"thread/turns/list", -32601, "thread/items/list is not supported yet", ""},
		{"thread/turns/list", -32600, "ephemeral threads do not support thread/turns/list", ""},
		{"thread/list", -32600, "Invalid request: unknown variant `bogus`, expected one of `created_at`, `updated_at`", ""},
		{"turn/steer", -32600, "no active turn to steer!", ""},
		{"turn/start", -32600, "no active turn to steer", ""},
		{"thread/read", -32001, "the executor is gone", ""},
		{"thread/resume", -32600, "x\nthread " + id + " already has an active writer", ""},
		{"turn/start", -32602, "Input exceeds the maximum length of 1048576 characters.", ""},
	} {
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if got := classify(c.method, c.code, c.message); !slices.Equal(got, want) {
			t.Errorf("%s %d %q is %q, want %q", c.method, c.code, c.message, got, want)
		}
	}
}

func TestTrap03RealServersUseTheseTexts(t *testing.T) {
	for _, version := range append(realserver.Versions(), realserver.Newest) {
		t.Run(version, func(t *testing.T) {
			h := realserver.New(t, version, fakemodel.Config{})
			c := h.ListenWS().Client(seed.Plain)
			started, err := c.Call(h.Context(), "thread/start", map[string]any{"cwd": h.Work})
			if err != nil {
				t.Fatal(err)
			}
			var opened p.ThreadStartResult
			if err := json.Unmarshal(started, &opened, p.DecodeOptions()); err != nil {
				t.Fatal(err)
			}
			mine := map[string]any{"threadId": opened.Thread.ID}
			const other = "01a22b7a-5be2-76a1-a008-d00181e6aa2f"
			for _, c2 := range []struct {
				method string
				params map[string]any
				want   string
			}{
				{"thread/turns/list", mine, "not materialized"},
				{"thread/items/list", mine, "items unsupported"},
				{"thread/resume", map[string]any{"threadId": other}, "no rollout"},
				{"thread/read", map[string]any{"threadId": other}, "not found"},
				{"turn/start", map[string]any{"threadId": other, "input": []any{}}, "not found"},
				{"turn/steer", map[string]any{"threadId": opened.Thread.ID, "expectedTurnId": "x", "input": []any{}}, "no active turn"},
				{"turn/interrupt", map[string]any{"threadId": opened.Thread.ID, "turnId": "x"}, "no active turn"},
				{"thread/queue/list", mine, "experimental"},
				{"thread/list", map[string]any{"cursor": "zz"}, "bad cursor"},
				{"no/such", map[string]any{}, "unknown method"},
			} {
				_, err := c.Call(h.Context(), c2.method, c2.params)
				var refused *seed.Error
				if !errors.As(err, &refused) {
					t.Errorf("%s: %v, want a refusal", c2.method, err)
					continue
				}
				if got := classify(c2.method, refused.Code, refused.Message); !slices.Equal(got, []string{c2.want}) {
					t.Errorf("%s is refused with %d %.200q, which is %q, want %q", c2.method, refused.Code, refused.Message, got, c2.want)
				}
			}
		})
	}
}

func TestTrap14UnknownNotificationsAreNoErrors(t *testing.T) {
	for _, params := range []string{``, `null`, `{}`, `{"threadId":5}`, `[1]`} {
		n, err := p.DecodeNotification("thread/goal/cleared", jsontext.Value(params), 0)
		if want := (p.Unknown{Method: "thread/goal/cleared"}); err != nil || n != want {
			t.Errorf("%s: %v %v", params, n, err)
		}
	}
}

func TestTrap16SecondsAndMilliseconds(t *testing.T) {
	for _, version := range realserver.Versions() {
		threads, items := 0, 0
		for _, r := range frames(t, version, "answers") {
			switch r.Method {
			case "thread/read":
				var got p.ThreadReadResult
				if r.Frame.Error != nil || json.Unmarshal(r.Frame.Result, &got, p.DecodeOptions()) != nil {
					continue
				}
				threads++
				if at := got.Thread.UpdatedAt; at < 1e9 || at > 1e10 {
					t.Errorf("%s: updatedAt %d is not in seconds", version, at)
				}
			case "thread/items/list":
				var got p.ThreadItemsListResult
				if r.Frame.Error != nil || json.Unmarshal(r.Frame.Result, &got, p.DecodeOptions()) != nil {
					continue
				}
				for _, e := range got.Data {
					items++
					if at := e.Item.CompletedAtMs; at != 0 && at < 1e12 {
						t.Errorf("%s: completedAtMs %d is not in milliseconds", version, at)
					} else if at == 0 && version == realserver.Target {
						t.Errorf("%s: no time beside %s", version, e.Item.ID)
					}
				}
			}
		}
		if threads == 0 || items == 0 {
			t.Errorf("%s: %d threads and %d items looked at", version, threads, items)
		}
	}
}

func TestDecisionsGoBackAsTheyCame(t *testing.T) {
	const params = `{"threadId":"t","turnId":"u","itemId":"i","command":"ls","availableDecisions":["accept",{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["ls", "-l"]}},"cancel"]}`
	q, err := p.DecodeRequest(p.NumberID(0), "item/commandExecution/requestApproval", jsontext.Value(params))
	if err != nil {
		t.Fatal(err)
	}
	var names, sent []string
	for _, d := range q.Params.(p.CommandApproval).Decisions {
		names = append(names, d.Name)
		sent = append(sent, string(encode(t, p.DecisionAnswer{Decision: d})))
	}
	if want := []string{"accept", "acceptWithExecpolicyAmendment", "cancel"}; !slices.Equal(names, want) {
		t.Errorf("decisions %q, want %q", names, want)
	}
	want := []string{`{"decision":"accept"}`, `{"decision":{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["ls","-l"]}}}`, `{"decision":"cancel"}`}
	if !slices.Equal(sent, want) {
		t.Errorf("sent %s, want %s", sent, want)
	}
}

func TestElicitationFormBecomesFields(t *testing.T) {
	const params = `{"threadId":"t","turnId":null,"serverName":"s","mode":"form","message":"m","requestedSchema":{"type":"object","required":["colour"],"properties":{
		"colour":{"type":"string","title":"Colour","description":"which","enum":["r","g"],"enumNames":["red","green"],"default":"r"},
		"size":{"type":"string","oneOf":[{"const":"s","title":"small"}]},
		"tags":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}},
		"many":{"type":"array","items":{"type":"string","enum":["x"]}},
		"count":{"type":"integer","default":3},"ratio":{"type":"number"},"ok":{"type":"boolean","default":true},"name":{"type":"string"}}}}`
	q, err := p.DecodeRequest(p.NumberID(1), "mcpServer/elicitation/request", jsontext.Value(params))
	if err != nil {
		t.Fatal(err)
	}
	got := q.Params.(p.Elicitation)
	want := []p.Field{
		{Name: "colour", Title: "Colour", Description: "which", Kind: "choice", Required: true, Options: []p.Choice{{Value: "r", Label: "red"}, {Value: "g", Label: "green"}}, Default: "r"},
		{Name: "size", Kind: "choice", Options: []p.Choice{{Value: "s", Label: "small"}}},
		{Name: "tags", Kind: "choices", Options: []p.Choice{{Value: "a", Label: "A"}}},
		{Name: "many", Kind: "choices", Options: []p.Choice{{Value: "x", Label: "x"}}},
		{Name: "count", Kind: "integer", Default: "3"},
		{Name: "ratio", Kind: "number"},
		{Name: "ok", Kind: "boolean", Default: "true"},
		{Name: "name", Kind: "text"},
	}
	if !reflect.DeepEqual(got.Fields, want) || got.ThreadID() != "t" || got.Message != "m" {
		t.Errorf("got %+v, want the fields %+v", got, want)
	}
}
