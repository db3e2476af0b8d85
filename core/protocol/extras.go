package protocol

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A ReviewTarget says what is reviewed. Type is uncommittedChanges, baseBranch,
// commit or custom; Value is the branch, the commit or the instructions.
type ReviewTarget struct{ Type, Value string }

// MarshalJSONTo writes the value under the name that its type has for it.
func (t ReviewTarget) MarshalJSONTo(e *jsontext.Encoder) error {
	out := map[string]string{"type": t.Type}
	switch t.Type {
	case "baseBranch":
		out["branch"] = t.Value
	case "commit":
		out["sha"] = t.Value
	case "custom":
		out["instructions"] = t.Value
	}
	return json.MarshalEncode(e, out, json.Deterministic(true))
}

// maxTools is how many names of tools are kept of one MCP server.
const maxTools = 200

// UnmarshalJSONFrom keeps the names of the tools, and passes over what describes
// them.
func (m *McpServer) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	r := newReader(d)
	defer r.release()
	r.object("server", func(name string) {
		switch name {
		case "name":
			m.Name = r.text(name, maxIdentity)
		case "authStatus":
			m.Auth = r.text(name, maxIdentity)
		case "toolsError":
			if s := r.optional(name); s != nil {
				m.ToolsError = *s
			}
		case "tools":
			r.object(name, func(tool string) {
				if m.ToolCount++; len(m.Tools) < maxTools && len(tool) <= maxIdentity {
					m.Tools = append(m.Tools, tool)
				}
				r.skip()
			})
		default:
			r.skip()
		}
	})
	if err := r.fail(); err != nil {
		return err
	}
	if m.Name == "" {
		return errNoID
	}
	return nil
}

// UnmarshalJSONFrom reads the page row by row.
func (r *McpServerStatusListResult) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var p page[McpServer]
	err := json.UnmarshalDecode(d, &p)
	*r = McpServerStatusListResult{p.Data.list, p.NextCursor, p.Data.unread}
	return err
}
