package realserver_test

import (
	"os"
	"strings"
	"testing"

	"holdfast/core/realserver"
	"holdfast/core/seed"
)

func TestMain(m *testing.M) {
	if realserver.MaybeMCP() {
		return
	}
	os.Exit(m.Run())
}

// The demo MCP server's question reaches the client, and the answer reaches
// the model.
func TestAnMCPServerAsks(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, realserver.AskingConfig(t))
		h.Model.SetAnswer(realserver.AskByMCP)
		m := h.ListenWS().Maker()
		m.Client.Decide(func(q seed.Message) any {
			if q.Method != "mcpServer/elicitation/request" {
				t.Errorf("asked by %s: %s", q.Method, q.Params)
			}
			return map[string]any{"action": "accept", "content": map[string]string{"colour": "red"}}
		})
		if _, err := m.Make(h.Context(), seed.Thread{Turns: []seed.Turn{{Ask: "ask me"}}}); err != nil {
			t.Fatal(err)
		}
		rs := h.Model.Requests()
		if _, output := rs[len(rs)-1].Answered(); !strings.Contains(output, "red") {
			t.Errorf("the model got %q, want the colour in it", output)
		}
	})
}
