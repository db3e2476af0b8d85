package protocol_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	p "holdfast/core/protocol"
	"holdfast/core/realserver"
)

// responses are the schemas of the results, by method.
var responses = []struct {
	method, schema string
	result         any
}{
	{"initialize", "InitializeResponse", p.InitializeResult{}},
	{"thread/read", "ThreadReadResponse", p.ThreadReadResult{}},
	{"thread/turns/list", "ThreadTurnsListResponse", p.ThreadTurnsListResult{}},
	{"thread/items/list", "ThreadItemsListResponse", p.ThreadItemsListResult{}},
	{"thread/list", "ThreadListResponse", p.ThreadListResult{}},
	{"thread/attachment/list", "ThreadAttachmentListResponse", p.ThreadAttachmentListResult{}},
	{"account/read", "GetAccountResponse", p.AccountReadResult{}},
	{"skills/list", "SkillsListResponse", p.SkillsListResult{}},
	{"model/list", "ModelListResponse", p.ModelListResult{}},
	{"thread/start", "ThreadStartResponse", p.ThreadStartResult{}},
	{"thread/resume", "ThreadResumeResponse", p.ThreadResumeResult{}},
	{"thread/fork", "ThreadForkResponse", p.ThreadForkResult{}},
	{"thread/archive", "ThreadArchiveResponse", p.Empty{}},
	{"thread/unarchive", "ThreadUnarchiveResponse", p.ThreadUnarchiveResult{}},
	{"thread/delete", "ThreadDeleteResponse", p.Empty{}},
	{"thread/name/set", "ThreadSetNameResponse", p.Empty{}},
	{"thread/compact/start", "ThreadCompactStartResponse", p.Empty{}},
	{"thread/unsubscribe", "ThreadUnsubscribeResponse", p.ThreadUnsubscribeResult{}},
	{"thread/revert", "ThreadRevertResponse", p.ThreadRevertResult{}},
	{"review/start", "ReviewStartResponse", p.ReviewStartResult{}},
	{"mcpServerStatus/list", "ListMcpServerStatusResponse", p.McpServerStatusListResult{}},
	{"turn/start", "TurnStartResponse", p.TurnStartResult{}},
	{"turn/steer", "TurnSteerResponse", p.TurnSteerResult{}},
	{"turn/interrupt", "TurnInterruptResponse", p.Empty{}},
	{"account/login/start", "LoginAccountResponse", p.AccountLoginStartResult{}},
	{"account/logout", "LogoutAccountResponse", p.Empty{}},
	{"fuzzyFileSearch", "FuzzyFileSearchResponse", p.FuzzyFileSearchResult{}},
	{"thread/queue/list", "ThreadQueueListResponse", p.QueueListResult{}},
	{"thread/queue/add", "ThreadQueueAddResponse", p.QueueAddResult{}},
	{"thread/queue/update", "ThreadQueueUpdateResponse", p.QueueUpdateResult{}},
	{"thread/queue/delete", "ThreadQueueDeleteResponse", p.QueueDeleteResult{}},
	{"thread/queue/reorder", "ThreadQueueReorderResponse", p.Empty{}},
	{"thread/queue/start", "ThreadQueueStartResponse", p.QueueStartResult{}},
}

// newer are fields that the pinned versions do not have yet.
var newer = []string{"account/read.userId"} // 0.171.0

// req: CON-3
func TestResultsHoldOnlyFieldsOfTheSchemas(t *testing.T) {
	c := contract(t)
	want := slices.Sorted(slices.Values(slices.Concat(c.Queries, c.Calls, c.Mutations)))
	var got []string
	for _, r := range responses {
		got = append(got, r.method)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("results of\n%q\nmethods are\n%q", got, want)
	}
	for _, version := range realserver.Versions() {
		s := loadSchemas(t, version, true)
		for _, r := range responses {
			for _, missing := range fieldsMissing(r.method, reflect.TypeOf(r.result), s.doc(t, r.schema)) {
				if !slices.Contains(newer, missing) {
					t.Errorf("%s does not know %s", version, missing)
				}
			}
		}
	}
}

// fieldsMissing lists the fields of a Go type, by their JSON names, that the
// schema does not have. Types that decode themselves are not looked into.
func fieldsMissing(path string, typ reflect.Type, s schema) (list []string) {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		if typ.Kind() == reflect.Slice {
			for _, v := range s.variants() {
				if items, ok := v.node["items"]; ok {
					s = s.of(items)
				}
			}
		}
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct {
		return nil
	}
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			list = append(list, fieldsMissing(path, f.Type, s)...)
		case name == "" || name == "-":
		default:
			at, ok := s.find(name)
			if !ok {
				list = append(list, path+"."+name)
				continue
			}
			list = append(list, fieldsMissing(path+"."+name, f.Type, at)...)
		}
	}
	return list
}

// req: CON-3
func TestTurnsAreLeftOutWhereAsked(t *testing.T) {
	forEachSchema(t, func(t *testing.T, s *schemaSet, _ bool) {
		for _, name := range []string{"ThreadResumeParams", "ThreadForkParams"} {
			at, ok := s.doc(t, name).prop("excludeTurns")
			if got := at.types(); !ok || !slices.Equal(got, []string{"boolean"}) {
				t.Errorf("%s.excludeTurns has types %q", name, got)
			}
		}
	})
}

// req: CON-3
func TestItemsCursorIsAUnionInTheTargetOnly(t *testing.T) {
	forEachSchema(t, func(t *testing.T, s *schemaSet, _ bool) {
		at, _ := s.doc(t, "ThreadItemsListParams").prop("cursor")
		want := []string{"null", "string"}
		if s.version == realserver.Target {
			want = []string{"null", "object", "string"}
		}
		if got := at.types(); !slices.Equal(got, want) {
			t.Errorf("an items cursor is %q, want %q", got, want)
		}
		turns, _ := s.doc(t, "ThreadTurnsListParams").prop("cursor")
		if got := turns.types(); !slices.Equal(got, []string{"null", "string"}) {
			t.Errorf("a turns cursor is %q", got)
		}
		checkAnchor(t, s)
	})
}

// checkAnchor sends an item anchor past the schema.
func checkAnchor(t *testing.T, s *schemaSet) {
	t.Helper()
	version, ok := p.ParseVersion(s.version)
	if !ok {
		t.Fatal(s.version)
	}
	cursor, ok := p.ItemAnchor(version, "i")
	if want := s.version == realserver.Target; ok != want {
		t.Errorf("an anchor for %s: %v", s.version, ok)
	}
	if ok {
		checkRequest(t, s, p.ThreadItemsList.Method, "anchor", p.ThreadItemsListParams{ThreadID: "t", TurnID: "u", Cursor: cursor})
	}
}

// req: CON-3
func TestAnswersHaveTheirCursors(t *testing.T) {
	forEachSchema(t, func(t *testing.T, s *schemaSet, _ bool) {
		for schema, names := range map[string][]string{
			"ThreadTurnsListResponse": {"nextCursor", "backwardsCursor"},
			"ThreadItemsListResponse": {"nextCursor", "backwardsCursor"},
			"ThreadListResponse":      {"nextCursor"},
			"ModelListResponse":       {"nextCursor"},
			"ThreadResumeResponse":    {"turnsBackwardsCursor", "itemsBackwardsCursor"},

			"ThreadAttachmentListResponse": {"nextCursor"},
		} {
			for _, name := range names {
				at, ok := s.doc(t, schema).prop(name)
				if got := at.types(); !ok || !slices.Equal(got, []string{"null", "string"}) {
					t.Errorf("%s.%s has types %q", schema, name, got)
				}
			}
		}
	})
}

// req: CON-3
func TestAttachmentsHaveNoMIMEField(t *testing.T) {
	forEachSchema(t, func(t *testing.T, s *schemaSet, _ bool) {
		list := s.doc(t, "ThreadAttachmentListResponse")
		data, _ := list.prop("data")
		row := data.of(data.node["items"])
		want := []string{"attachmentType", "createdAt", "id", "identityKey", "payload"}
		if got := names(row); !slices.Equal(got, want) {
			t.Errorf("an attachment has %q, want %q", got, want)
		}
		for _, name := range []string{"ThreadAttachmentAddParams", "ThreadAttachmentUpdatedNotification"} {
			for _, field := range names(s.doc(t, name)) {
				if strings.Contains(strings.ToLower(field), "mime") {
					t.Errorf("%s has %s", name, field)
				}
			}
		}
	})
}

func names(s schema) (list []string) {
	props, _ := s.ref().node["properties"].(map[string]any)
	for name := range props {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// identities are what each notification must be told apart by. The thread of a
// warning may be absent.
var identities = map[string][]string{
	"account/updated": nil, "account/login/completed": nil, "account/rateLimits/updated": nil,
	"skills/changed": nil, "configWarning": nil, "deprecationNotice": nil, "warning": nil,
	"thread/started":              {"thread.id"},
	"thread/status/changed":       {"threadId"},
	"thread/archived":             {"threadId"},
	"thread/unarchived":           {"threadId"},
	"thread/deleted":              {"threadId"},
	"thread/closed":               {"threadId"},
	"thread/reverted":             {"threadId"},
	"thread/name/updated":         {"threadId"},
	"thread/attachment/updated":   {"threadId", "attachmentId", "attachmentType", "identityKey", "operation"},
	"thread/queue/changed":        {"threadId"},
	"thread/settings/updated":     {"threadId"},
	"thread/tokenUsage/updated":   {"threadId", "turnId"},
	"thread/compacted":            {"threadId", "turnId"},
	"model/rerouted":              {"threadId", "turnId"},
	"serverRequest/resolved":      {"threadId", "requestId"},
	"error":                       {"threadId", "turnId"},
	"turn/started":                {"threadId", "turn.id"},
	"turn/completed":              {"threadId", "turn.id", "turn.status"},
	"turn/diff/updated":           {"threadId", "turnId", "diff"},
	"turn/plan/updated":           {"threadId", "turnId", "plan"},
	"item/started":                {"threadId", "turnId", "item.id", "item.type"},
	"item/completed":              {"threadId", "turnId", "item.id", "item.type"},
	"item/agentMessage/delta":     {"threadId", "turnId", "itemId", "delta"},
	"item/plan/delta":             {"threadId", "turnId", "itemId", "delta"},
	"item/mcpToolCall/progress":   {"threadId", "turnId", "itemId", "message"},
	"item/fileChange/outputDelta": {"threadId", "turnId", "itemId", "delta"},

	"item/fileChange/patchUpdated":      {"threadId", "turnId", "itemId", "changes"},
	"item/commandExecution/outputDelta": {"threadId", "turnId", "itemId", "delta"},
	"item/reasoning/summaryTextDelta":   {"threadId", "turnId", "itemId", "delta", "summaryIndex"},
	"item/reasoning/summaryPartAdded":   {"threadId", "turnId", "itemId", "summaryIndex"},
	"item/reasoning/textDelta":          {"threadId", "turnId", "itemId", "delta", "contentIndex"},
}

// req: CON-3
func TestNotificationsCarryTheirIdentity(t *testing.T) {
	forEachSchema(t, func(t *testing.T, s *schemaSet, _ bool) {
		for _, method := range contract(t).Notifications {
			paths, listed := identities[method]
			envelope, known := s.envelope("ServerNotification", method)
			if !listed || !known {
				t.Errorf("%s: identity listed %v, in the schema %v", method, listed, known)
				continue
			}
			params, _ := envelope.prop("params")
			for _, path := range paths {
				if !params.demands(strings.Split(path, ".")) {
					t.Errorf("%s need not have %s", method, path)
				}
			}
		}
	})
}

// demands reports whether every variant of the node requires the path.
func (s schema) demands(path []string) bool {
	if len(path) == 0 {
		return true
	}
	for _, v := range s.variants() {
		at, ok := v.prop(path[0])
		if !ok || !v.required(path[0]) || !at.demands(path[1:]) {
			return false
		}
	}
	return true
}

// req: CON-3
func TestServerRequestsAreInTheSchemas(t *testing.T) {
	for _, version := range realserver.Versions() {
		s := loadSchemas(t, version, true)
		for _, method := range contract(t).ServerRequests {
			if _, ok := s.envelope("ServerRequest", method); !ok {
				t.Errorf("%s does not ask %s", version, method)
			}
		}
		union := schema{s.docs["ServerRequest"], s.docs["ServerRequest"]}
		for _, v := range union.variants() {
			for _, method := range v.words("method") {
				if !slices.Contains(contract(t).ServerRequests, method) {
					t.Errorf("%s asks %s, which is not decoded", version, method)
				}
			}
		}
	}
}
