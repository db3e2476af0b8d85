package protocol

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.UnmarshalDecode(NewDecoder(strings.NewReader(text)), &v); err != nil {
		t.Fatalf("decode %s: %v", text, err)
	}
	return v
}

func ptr[T any](v T) *T { return &v }

func TestItemKinds(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     ItemBody
	}{
		{
			"user", `{"type":"userMessage","id":"i","clientId":"c","content":[{"type":"text","text":"hi","text_elements":[]},{"type":"image","url":"data:image/png;base64,AAAA","detail":null},{"type":"localImage","path":"/a.png"},{"type":"skill","name":"s","path":"/s"}]}`,
			UserMessage{"c", []UserInput{{Type: "text", Text: "hi"}, {Type: "image", Media: "image/png", Bytes: 26}, {Type: "localImage", Path: "/a.png"}, {Type: "skill", Name: "s", Path: "/s"}}},
		},
		{"agent", `{"type":"agentMessage","id":"i","text":"hello","phase":null,"memoryCitation":{"entries":[]}}`, AgentMessage{Text: "hello"}},
		{"type last", `{"text":"late","id":"i","type":"agentMessage"}`, AgentMessage{Text: "late"}},
		{"plan", `{"type":"plan","id":"i","text":"p"}`, Plan{"p"}},
		{"reasoning", `{"type":"reasoning","id":"i","summary":["a","b"],"content":["c"]}`, Reasoning{[]string{"a", "b"}, []string{"c"}}},
		{
			"command", `{"type":"commandExecution","id":"i","command":"ls","cwd":"/","processId":null,"source":"agent","status":"completed","commandActions":[{"type":"unknown","command":"ls"}],"aggregatedOutput":"x\n","exitCode":0,"durationMs":12}`,
			CommandExecution{Command: "ls", Cwd: "/", Source: "agent", Status: "completed", Output: "x\n", ExitCode: ptr(int64(0)), DurationMs: ptr(int64(12))},
		},
		{"file", `{"type":"fileChange","id":"i","status":"completed","changes":[{"path":"a","kind":{"type":"update","move_path":"b"},"diff":"@@"}]}`, FileChange{"completed", []FileUpdate{{"a", "update", "@@", "b"}}}},
		{
			"mcp", `{"type":"mcpToolCall","id":"i","server":"s","tool":"t","status":"completed","arguments":{"a":1},"result":{"content":[{"type":"text","text":"r"},{"type":"image","mimeType":"image/png","data":"AAAA"}],"structuredContent":null},"error":null,"durationMs":null}`,
			ToolCall{Server: "s", Tool: "t", Status: "completed", Arguments: `{"a":1}`, Result: "r\n[image image/png, 4 bytes]"},
		},
		{
			"mcp odd parts", `{"type":"mcpToolCall","id":"i","server":"s","tool":"t","status":"completed","arguments":null,"result":{"content":["x",{"y":1},{"type":"resource","resource":{"uri":"u","text":"inside"}},{"type":"resource_link","uri":"file:///a"}]}}`,
			ToolCall{Server: "s", Tool: "t", Status: "completed", Result: "x\n\ninside\n[resource_link file:///a]"},
		},
		{
			"mcp structured only", `{"type":"mcpToolCall","id":"i","server":"s","tool":"t","status":"completed","arguments":null,"result":{"content":[],"structuredContent":{"n":1}}}`,
			ToolCall{Server: "s", Tool: "t", Status: "completed", Result: `{"n":1}`},
		},
		{"dynamic", `{"type":"dynamicToolCall","id":"i","tool":"t","status":"failed","arguments":"x","contentItems":[{"type":"inputText","text":"r"}],"success":false}`, ToolCall{Tool: "t", Status: "failed", Arguments: "x", Result: "r"}},
		{"collab", `{"type":"collabAgentToolCall","id":"i","tool":"spawnAgent","status":"completed","senderThreadId":"a","receiverThreadIds":["b"],"prompt":"p","agentsStates":{"b":{"status":"running"}}}`, CollabCall{"spawnAgent", "completed", "p", "a", []string{"b"}}},
		{"subagent", `{"type":"subAgentActivity","id":"i","kind":"started","agentThreadId":"t","agentPath":"/root"}`, SubAgent{"started", "/root", "t"}},
		{"search", `{"type":"webSearch","id":"i","query":"q","action":{"type":"openPage","url":"u"}}`, WebSearch{"q", "openPage u"}},
		{"view", `{"type":"imageView","id":"i","path":"/x"}`, ImageView{"/x"}},
		{"image", `{"type":"imageGeneration","id":"i","status":"completed","revisedPrompt":"p","result":"AAAAAA","savedPath":"/x"}`, ImageGeneration{"completed", "p", "/x", 6}},
		{"review", `{"type":"enteredReviewMode","id":"i","review":"r"}`, Review{true, "r"}},
		{"review end", `{"type":"exitedReviewMode","id":"i","review":"r"}`, Review{false, "r"}},
		{"compaction", `{"type":"contextCompaction","id":"i"}`, Compaction{}},
		{"sleep", `{"type":"sleep","id":"i","durationMs":5}`, Sleep{5}},
		{"hook", `{"type":"hookPrompt","id":"i","fragments":[{"text":"a","hookRunId":"h"}]}`, HookPrompt{[]string{"a"}}},
		{"output", `{"type":"functionCallOutput","id":"i","name":"n","output":"o"}`, FunctionOutput{"n", "o"}},
		{"output parts", `{"type":"functionCallOutput","id":"i","name":"n","output":[{"type":"input_text","text":"o"}]}`, FunctionOutput{"n", "o"}},
		{"unknown", `{"type":"hologram","id":"i","x":{"y":[1]},"z":"w"}`, UnknownItem{"x: {\"y\":[1]}\nz: w"}},
		{"wrong kind", `{"type":"commandExecution","id":"i","command":"ls","exitCode":"0"}`, UnknownItem{`cannot be read: "exitCode" is a string`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := decode[Item](t, c.in)
			if got.ID != "i" || !reflect.DeepEqual(got.Body, c.want) {
				t.Errorf("got %q %#v, want %#v", got.ID, got.Body, c.want)
			}
		})
	}
}
