package realserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"

	"holdfast/core/fakemodel"
)

// An MCP server is started by the app-server as a program of its own. The test
// binary is that program, too: TestMain calls MaybeMCP first.
const mcpEnv = "HOLDFAST_TEST_MCP"

// MCPConfig is what a home's config.toml says so that its server starts the
// demo MCP server: one tool, "ask", which asks the user for a colour.
func MCPConfig() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the test binary: %w", err)
	}
	return fmt.Sprintf("[mcp_servers.demo]\ncommand = %q\nargs = [\"-test.run=^$\"]\nenv = { %s = \"1\" }\n", self, mcpEnv), nil
}

// MaybeMCP serves MCP on stdin and stdout when this process was started for
// that, and reports whether it was.
func MaybeMCP() bool {
	if os.Getenv(mcpEnv) == "" {
		return false
	}
	serveMCP(os.Stdin, os.Stdout)
	return true
}

type mcpMessage struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
}

// object is a JSON object.
type object = map[string]any

// serveMCP answers until in ends.
func serveMCP(in io.Reader, out io.Writer) {
	enc := json.NewEncoder(out)
	var call json.RawMessage // the tool call that waits for the user
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m mcpMessage
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			continue // not for us
		}
		reply := mcpMessage{Version: "2.0", ID: m.ID}
		switch {
		case m.Method == "initialize":
			reply.Result = greeting(m.Params)
		case m.Method == "tools/list":
			reply.Result = object{"tools": []object{{
				"name": "ask", "description": "asks the user for a colour",
				"inputSchema": object{"type": "object", "properties": object{}},
				"annotations": object{"readOnlyHint": true},
			}}}
		case m.Method == "tools/call":
			call = m.ID
			reply = question()
		case m.Method == "" && call != nil:
			reply.ID, call = call, nil
			reply.Result = object{"content": []object{{"type": "text", "text": "got " + fmt.Sprint(m.Result)}}}
		case m.Method != "" && m.ID != nil:
			reply.Result = object{}
		default:
			continue // a notification
		}
		if enc.Encode(reply) != nil {
			return
		}
	}
}

func greeting(params json.RawMessage) object {
	var p struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(params, &p) // an empty version is answered with itself
	return object{
		"protocolVersion": p.ProtocolVersion, "capabilities": object{"tools": object{}},
		"serverInfo": object{"name": "demo", "version": "1"},
	}
}

func question() mcpMessage {
	params, err := json.Marshal(object{
		"message": "Which colour?",
		"requestedSchema": object{
			"type": "object", "required": []string{"colour"},
			"properties": object{"colour": object{"type": "string", "title": "Colour"}},
		},
	})
	if err != nil {
		params = nil // cannot happen: only strings
	}
	return mcpMessage{Version: "2.0", ID: json.RawMessage(`"ask-1"`), Method: "elicitation/create", Params: params}
}

// AskingConfig is the config of a home whose model can ask the user by the
// demo MCP server and by request_user_input. Its model is one that no version
// knows, because a known one finds MCP tools by a search only.
func AskingConfig(t testing.TB) fakemodel.Config {
	t.Helper()
	extra, err := MCPConfig()
	if err != nil {
		t.Fatal(err)
	}
	return fakemodel.Config{Model: "scripted", Features: []string{"default_mode_request_user_input = true"}, Extra: extra}
}

// AskByMCP answers a request by a call of the demo MCP server's tool, and its
// follow-up with "thanks".
func AskByMCP(r fakemodel.Request) fakemodel.Script {
	if call, _ := r.Answered(); call != "" {
		return fakemodel.Say("thanks")
	}
	namespace, _ := r.Offers("ask")
	return fakemodel.Answer(fakemodel.Call{Name: "ask", Namespace: namespace, Arguments: map[string]any{}})
}
