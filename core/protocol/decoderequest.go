package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeRequest reads a request of the server. A method this build does not
// know is an [UnknownRequest] and no error, for the user sees it (ruling 33).
func DecodeRequest(id RequestID, method string, params jsontext.Value) (ServerRequest, error) {
	read, ok := requests[method]
	if !ok {
		read = readUnknown
	}
	p, err := read(orEmpty(params))
	if err != nil {
		return ServerRequest{ID: id, Method: method}, fmt.Errorf("decode %s: %w", method, err)
	}
	return ServerRequest{id, method, p}, nil
}

var requests = map[string]func(jsontext.Value) (ServerRequestParams, error){
	"item/commandExecution/requestApproval": ask[CommandApproval],
	"item/fileChange/requestApproval":       ask[FileChangeApproval],
	"item/permissions/requestApproval":      ask[PermissionsApproval],
	"item/tool/requestUserInput":            ask[UserInputRequest],
	"item/tool/call":                        ask[ToolCallRequest],
	"mcpServer/elicitation/request":         readElicitation,
	"execCommandApproval":                   ask[LegacyCommandApproval],
	"applyPatchApproval":                    readLegacyPatch,
	"currentTime/read":                      ask[CurrentTimeRead],
	"attestation/generate":                  ask[AttestationGenerate],
	"account/chatgptAuthTokens/refresh":     ask[TokensRefresh],
}

// ask reads a request by its struct tags.
func ask[P ServerRequestParams](params jsontext.Value) (ServerRequestParams, error) {
	var p P
	if err := json.Unmarshal(params, &p, DecodeOptions()); err != nil {
		return nil, err
	}
	if i, ok := any(p).(interface{ identified() bool }); ok && !i.identified() {
		return nil, errIdentity
	}
	return p, nil
}

// identified needs the thread alone: a tool call is no item.
func (p ToolCallRequest) identified() bool { return usable(p.Thread) }

func (p LegacyCommandApproval) identified() bool { return usable(p.Thread) }

func readUnknown(params jsontext.Value) (ServerRequestParams, error) {
	var p UnknownRequest
	// A thread is shown if there is one; nothing is expected.
	_ = json.Unmarshal(params, &p.ThreadRef, DecodeOptions())
	p.Raw, _ = shorten(validUTF8(params), maxField, int64(len(params)))
	return p, nil
}

// readLegacyPatch reads the older patch approval, whose files are in a map.
func readLegacyPatch(params jsontext.Value) (ServerRequestParams, error) {
	var w struct {
		Thread  string `json:"conversationId"`
		CallID  string `json:"callId"`
		Reason  string `json:"reason"`
		Changes map[string]struct {
			Type    string `json:"type"`
			Content string `json:"content"`
			Diff    string `json:"unified_diff"`
			MovedTo string `json:"move_path"`
		} `json:"fileChanges"`
	}
	if err := json.Unmarshal(params, &w, DecodeOptions()); err != nil {
		return nil, err
	}
	if !usable(w.Thread) {
		return nil, errIdentity
	}
	p := LegacyPatchApproval{Thread: w.Thread, CallID: w.CallID, Reason: w.Reason}
	for path, c := range w.Changes {
		p.Changes = append(p.Changes, FileUpdate{path, c.Type, c.Content + c.Diff, c.MovedTo})
	}
	slices.SortFunc(p.Changes, func(a, b FileUpdate) int { return strings.Compare(a.Path, b.Path) })
	return p, nil
}
