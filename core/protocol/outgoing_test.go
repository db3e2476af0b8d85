package protocol_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	p "holdfast/core/protocol"
	"holdfast/core/realserver"
)

// everyInput is one part of each type a message can have.
var everyInput = []p.UserInput{
	{Type: "text", Text: "hello"},
	{Type: "text"},
	{Type: "image", URL: "data:image/png;base64,AAAA", Media: "image/png", Bytes: 26},
	{Type: "localImage", Path: "/a.png"},
	{Type: "skill", Name: "s", Path: "/s/SKILL.md"},
	{Type: "mention", Name: "m", Path: "app://m"},
	{Type: "audio", URL: "data:audio/wav;base64,AAAA"},
	{Type: "localAudio", Path: "/a.wav"},
}

// A sample is one method with its params filled in fully and not at all.
type sample struct {
	method        string
	full, minimal any
}

// The three make a sample: a method takes its own type of params only.
func query[P, R any](m p.Query[P, R], full, minimal P) sample { return sample{m.Method, full, minimal} }

func call[P, R any](m p.Call[P, R], full, minimal P) sample { return sample{m.Method, full, minimal} }

func mutation[P, R any](m p.Mutation[P, R], full, minimal P) sample {
	return sample{m.Method, full, minimal}
}

func samples() []sample {
	grant, _ := p.GrantFor(p.Workspace)
	return []sample{
		query(p.ThreadRead, p.ThreadReadParams{ThreadID: "t"}, p.ThreadReadParams{}),
		query(p.ThreadTurnsList, p.ThreadTurnsListParams{ThreadID: "t", Cursor: "c", Limit: 50, SortDirection: "desc", ItemsView: "summary"}, p.ThreadTurnsListParams{}),
		query(p.ThreadItemsList, p.ThreadItemsListParams{ThreadID: "t", TurnID: "u", Cursor: p.PageCursor("c"), Limit: 100, SortDirection: "asc"}, p.ThreadItemsListParams{}),
		query(p.ThreadList, p.ThreadListParams{Cursor: "c", Limit: 100, Archived: true, SearchTerm: "s"}, p.ThreadListParams{}),
		query(p.ThreadAttachmentList, p.ThreadAttachmentListParams{ThreadID: "t", Cursor: "c", Limit: 50}, p.ThreadAttachmentListParams{}),
		query(p.AccountRead, p.AccountReadParams{}, p.AccountReadParams{}),
		query(p.SkillsList, p.SkillsListParams{Cwds: []string{"/a"}}, p.SkillsListParams{}),
		query(p.ModelList, p.ModelListParams{Cursor: "c", Limit: 10}, p.ModelListParams{}),
		call(p.Initialize, p.InitializeParams{ClientInfo: p.ClientInfo{Name: "n", Title: "t", Version: "1"}, Capabilities: p.Capabilities{ExperimentalAPI: true, OptOut: []string{"x"}}}, p.InitializeParams{}),
		call(p.QueueList, p.QueueListParams{ThreadID: "t", Cursor: "c", Limit: 10}, p.QueueListParams{}),
		call(p.McpServerStatusList, p.McpServerStatusListParams{ThreadID: "t", Cursor: "c", Limit: 10}, p.McpServerStatusListParams{}),
		call(p.FuzzyFileSearch, p.FuzzyFileSearchParams{Query: "q", Roots: []string{"/a"}, CancellationToken: "t"}, p.FuzzyFileSearchParams{Roots: []string{}}),
		mutation(p.ThreadStart, p.ThreadStartParams{Cwd: "/", Model: "m", ServiceTier: "s", Personality: "friendly", ApprovalPolicy: grant.Approval, Sandbox: grant.Mode, Ephemeral: true}, p.ThreadStartParams{}),
		mutation(p.ThreadResume, p.ThreadResumeParams{ThreadID: "t"}, p.ThreadResumeParams{}),
		mutation(p.ThreadFork, p.ThreadForkParams{ThreadID: "t", LastTurnID: "u", Ephemeral: true}, p.ThreadForkParams{}),
		mutation(p.ThreadArchive, p.ThreadArchiveParams{ThreadID: "t"}, p.ThreadArchiveParams{}),
		mutation(p.ThreadUnarchive, p.ThreadUnarchiveParams{ThreadID: "t"}, p.ThreadUnarchiveParams{}),
		mutation(p.ThreadDelete, p.ThreadDeleteParams{ThreadID: "t"}, p.ThreadDeleteParams{}),
		mutation(p.ThreadNameSet, p.ThreadNameSetParams{ThreadID: "t", Name: "n"}, p.ThreadNameSetParams{}),
		mutation(p.ThreadCompactStart, p.ThreadCompactStartParams{ThreadID: "t"}, p.ThreadCompactStartParams{}),
		mutation(p.ThreadRevert, p.ThreadRevertParams{ThreadID: "t", BeforeTurnID: "u"}, p.ThreadRevertParams{}),
		mutation(p.ReviewStart, p.ReviewStartParams{ThreadID: "t", Target: p.ReviewTarget{Type: "custom", Value: "look"}}, p.ReviewStartParams{Target: p.ReviewTarget{Type: "uncommittedChanges"}}),
		mutation(p.ThreadUnsubscribe, p.ThreadUnsubscribeParams{ThreadID: "t"}, p.ThreadUnsubscribeParams{}),
		mutation(p.TurnStart, p.TurnStartParams{
			ThreadID: "t", Input: everyInput, ClientUserMessageID: "id", Cwd: "/", Model: "m", Effort: "high",
			ServiceTier: "s", Personality: "none", ApprovalPolicy: "never", SandboxPolicy: grant.Sandbox,
		}, p.TurnStartParams{}),
		mutation(p.TurnSteer, p.TurnSteerParams{ThreadID: "t", ExpectedTurnID: "u", Input: everyInput, ClientUserMessageID: "id"}, p.TurnSteerParams{}),
		mutation(p.TurnInterrupt, p.TurnInterruptParams{ThreadID: "t", TurnID: "u"}, p.TurnInterruptParams{}),
		mutation(p.AccountLoginStart, p.AccountLoginStartParams{APIKey: "k"}, p.AccountLoginStartParams{}),
		mutation(p.AccountLogout, p.AccountLogoutParams{}, p.AccountLogoutParams{}),
		mutation(p.QueueAdd, p.QueueAddParams{ThreadID: "t", ClientUserMessageID: "id", Input: everyInput}, p.QueueAddParams{}),
		mutation(p.QueueUpdate, p.QueueUpdateParams{ThreadID: "t", EntryID: "e", Input: everyInput}, p.QueueUpdateParams{}),
		mutation(p.QueueDelete, p.QueueDeleteParams{ThreadID: "t", EntryID: "e"}, p.QueueDeleteParams{}),
		mutation(p.QueueReorder, p.QueueReorderParams{ThreadID: "t", EntryIDs: []string{"a", "b"}}, p.QueueReorderParams{}),
		mutation(p.QueueStart, p.QueueStartParams{ThreadID: "t", EntryID: "e"}, p.QueueStartParams{}),
	}
}

// encode gives a value as it goes on the wire.
func encode(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// forEachSchema runs f with the stable and the experimental schemas of both
// pinned versions.
func forEachSchema(t *testing.T, f func(t *testing.T, s *schemaSet, experimental bool)) {
	t.Helper()
	for _, version := range realserver.Versions() {
		for _, experimental := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s experimental=%v", version, experimental), func(t *testing.T) {
				f(t, loadSchemas(t, version, experimental), experimental)
			})
		}
	}
}

// experimentalMethods exist for connections with experimentalApi only.
var experimentalMethods = []string{
	"thread/queue/add", "thread/queue/delete", "thread/queue/list", "thread/queue/reorder", "thread/queue/start", "thread/queue/update",
}

// req: CON-4
func TestEveryRequestFitsTheSchemas(t *testing.T) {
	forEachSchema(t, func(t *testing.T, s *schemaSet, experimental bool) {
		for _, sm := range samples() {
			if !experimental && slices.Contains(experimentalMethods, sm.method) {
				if _, ok := s.envelope("ClientRequest", sm.method); ok {
					t.Errorf("%s is stable now", sm.method)
				}
				continue
			}
			for name, params := range map[string]any{"full": sm.full, "minimal": sm.minimal} {
				checkRequest(t, s, sm.method, name, params)
			}
		}
	})
}

func checkRequest(t *testing.T, s *schemaSet, method, name string, params any) {
	t.Helper()
	text := fmt.Sprintf(`{"id":0,"method":%q,"params":%s}`, method, encode(t, params))
	request := plainJSON(t, []byte(text))
	if err := s.validate(t, "ClientRequest", request); err != nil {
		t.Errorf("%s %s: %v\n%s", method, name, err, text)
	}
	envelope, ok := s.envelope("ClientRequest", method)
	if !ok {
		t.Errorf("no method %s", method)
		return
	}
	if unknown := envelope.unknown("", request); len(unknown) > 0 {
		t.Errorf("%s %s has fields the schema does not know: %q", method, name, unknown)
	}
}

// req: CON-4
func TestEveryMethodHasASample(t *testing.T) {
	c := contract(t)
	var got []string
	for _, sm := range samples() {
		got = append(got, sm.method)
	}
	want := slices.Concat(c.Queries, c.Calls, c.Mutations)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("samples for\n%q\nmethods are\n%q", got, want)
	}
}

// req: CON-4
func TestClientNotificationFitsTheSchemas(t *testing.T) {
	forEachSchema(t, func(t *testing.T, s *schemaSet, _ bool) {
		if err := s.validate(t, "ClientNotification", map[string]any{"method": p.Initialized}); err != nil {
			t.Error(err)
		}
	})
}

// req: CON-4
func TestEveryAnswerFitsTheSchemas(t *testing.T) {
	offered := p.Decision{Name: "acceptWithExpolicyAmendment", Raw: jsontext.Value(`{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["ls"]}}`)}
	forEachSchema(t, func(t *testing.T, s *schemaSet, experimental bool) {
		for _, c := range []struct {
			schema  string
			answers []any
		}{
			{"CommandExecutionRequestApprovalResponse", []any{
				p.DecisionAnswer{p.Accept}, p.DecisionAnswer{p.AcceptForSession}, p.DecisionAnswer{p.Decline}, p.DecisionAnswer{p.Cancel}, p.DecisionAnswer{offered},
			}},
			{"FileChangeRequestApprovalResponse", []any{
				p.DecisionAnswer{p.Accept}, p.DecisionAnswer{p.AcceptForSession}, p.DecisionAnswer{p.Decline}, p.DecisionAnswer{p.Cancel},
			}},
			{"ExecCommandApprovalResponse", []any{
				p.DecisionAnswer{p.LegacyApproved}, p.DecisionAnswer{p.LegacyApprovedForSession}, p.DecisionAnswer{p.LegacyDenied}, p.DecisionAnswer{p.LegacyAbort},
			}},
			{"ApplyPatchApprovalResponse", []any{p.DecisionAnswer{p.LegacyApproved}, p.DecisionAnswer{p.LegacyDenied}}},
			{"ToolRequestUserInputResponse", []any{
				p.UserInputAnswer{Answers: map[string]p.AnswerList{"q": {Answers: []string{"a", "b"}}, "r": {}}}, p.UserInputAnswer{},
			}},
			{"McpServerElicitationRequestResponse", []any{
				p.ElicitationAnswer{Action: "accept", Content: jsontext.Value(`{"colour":"red"}`)}, p.ElicitationAnswer{Action: "decline"}, p.ElicitationAnswer{Action: "cancel"},
			}},
			{"PermissionsRequestApprovalResponse", []any{
				p.PermissionsAnswer{Permissions: jsontext.Value(`{"network":{"enabled":true}}`), Scope: "session"}, p.PermissionsAnswer{Permissions: p.NoPermissions},
			}},
			{"CurrentTimeReadResponse", []any{p.CurrentTimeAnswer{CurrentTimeAt: 1796016104}}},
		} {
			if s.docs[c.schema] == nil && !experimental {
				continue // of an experimental question
			}
			for _, a := range c.answers {
				text := encode(t, a)
				if err := s.validate(t, c.schema, plainJSON(t, text)); err != nil {
					t.Errorf("%s: %v\n%s", c.schema, err, text)
				}
				if unknown := s.doc(t, c.schema).unknown("", plainJSON(t, text)); len(unknown) > 0 {
					t.Errorf("%s has fields the schema does not know: %q", text, unknown)
				}
			}
		}
	})
}

// req: CON-4
func TestWhatMustNeverBeForgottenIsAlwaysSent(t *testing.T) {
	for _, c := range []struct {
		params any
		want   string
	}{
		{p.ThreadReadParams{ThreadID: "t"}, `{"threadId":"t","includeTurns":false}`},
		{p.ThreadResumeParams{ThreadID: "t"}, `{"threadId":"t","excludeTurns":true}`},
		{p.ThreadForkParams{ThreadID: "t"}, `{"threadId":"t","excludeTurns":true}`},
		{p.ThreadListParams{}, `{"sortKey":"recency_at","sortDirection":"desc"}`},
		{p.AccountReadParams{}, `{"refreshToken":false}`},
		{p.SkillsListParams{}, `{"forceReload":false}`},
		{p.AccountLoginStartParams{APIKey: "k"}, `{"type":"apiKey","apiKey":"k"}`},
		{p.AccountLogoutParams{}, `null`},
		{p.TurnStartParams{ThreadID: "t"}, `{"threadId":"t","input":[]}`},
		{p.TurnStartParams{ThreadID: "t", Input: []p.UserInput{{Type: "text"}}}, `{"threadId":"t","input":[{"type":"text","text":""}]}`},
	} {
		if got := string(encode(t, c.params)); got != c.want {
			t.Errorf("%T is sent as\n%s, want\n%s", c.params, got, c.want)
		}
	}
}
