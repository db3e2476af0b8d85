package protocol_test

import (
	"bufio"
	"bytes"
	stdjson "encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	p "holdfast/core/protocol"
	"holdfast/core/realserver"
)

// A recorded frame is what a real server sent. Method is the one that an answer
// is for.
type recorded struct {
	Kind   string `json:"kind"`
	Method string `json:"method"`
	Frame  struct {
		ID     jsontext.Value `json:"id"`
		Method string         `json:"method"`
		Params jsontext.Value `json:"params"`
		Result jsontext.Value `json:"result"`
		Error  *struct {
			Code    int64  `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
		At int64 `json:"emittedAtMs"`
	} `json:"frame"`
}

func frames(t *testing.T, version, kind string) (list []recorded) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "wire", version, kind+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// unused are the fields, by name, that this build leaves on the wire, with all
// that is in them.
var unused = []string{
	"_meta", "activePermissionProfile", "additionalSpeedTiers", "agentNickname", "agentRole", "agentsStates",
	"appContext", "approvalsReviewer", "availabilityNux", "cliVersion", "collaborationMode", "commandActions",
	"credits", "environmentId", "environments", "extra", "individualLimit", "instructionSources", "interface",
	"limitId", "limitName", "mcpAppResourceUri", "memoryCitation", "multiAgentMode", "multiAgentVersion",
	"normalModelSlug", "originUrl", "originator", "payload", "pluginId", "processId", "proposedExecpolicyAmendment",
	"requestedSchema", "runtimeWorkspaceRoots", "scriptPath", "sessionId", "sha", "shortDescription", "structuredContent",
	"subAgent", "threadSource", "upgrade", "upgradeInfo",
}

// unusedOf are fields of one type of object.
var unusedOf = map[string][]string{
	"collabAgentToolCall": {"model", "reasoningEffort"},
	"imageGeneration":     {"result"},
	"text":                {"type"}, // of a tool's result, which becomes one text
}

// unusedIn are fields of one method.
var unusedIn = map[string][]string{
	"thread/list":             {"backwardsCursor"},
	"thread/settings/updated": {"summary"},
}

// leaves lists the strings under v that are used, as JSON strings.
func leaves(v any, without []string) (list []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, x := range v {
			list = append(list, leaves(x, without)...)
		}
	case map[string]any:
		kind, _ := v["type"].(string)
		for name, x := range v {
			if !slices.Contains(unused, name) && !slices.Contains(unusedOf[kind], name) && !slices.Contains(without, name) {
				list = append(list, leaves(x, without)...)
			}
		}
	}
	return list
}

// held lists the strings that a decoded value holds.
func held(v reflect.Value, list []string) []string {
	switch kind := v.Kind(); {
	case kind == reflect.String:
		return append(list, v.String())
	case (kind == reflect.Pointer || kind == reflect.Interface) && !v.IsNil():
		return held(v.Elem(), list)
	case kind == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		return append(list, string(v.Bytes()))
	case kind == reflect.Slice:
		for i := range v.Len() {
			list = held(v.Index(i), list)
		}
	case kind == reflect.Struct:
		for i := range v.NumField() {
			list = held(v.Field(i), list)
		}
	}
	return list
}

// checkNothingLost looks for each used string of text in value.
func checkNothingLost(t *testing.T, version, method string, text jsontext.Value, value any) {
	t.Helper()
	var all any
	if err := stdjson.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	have := strings.Join(held(reflect.ValueOf(value), nil), "\x00")
	for _, s := range leaves(all, unusedIn[method]) {
		if !strings.Contains(have, s) {
			t.Errorf("%s %s: %q is lost\n%s", version, method, s, text)
			return
		}
	}
}

// req: CON-3
func TestRecordedNotificationsDecode(t *testing.T) {
	for _, version := range realserver.Versions() {
		list := frames(t, version, "notifications")
		for _, r := range list {
			n, err := p.DecodeNotification(r.Frame.Method, r.Frame.Params, r.Frame.At)
			if err != nil {
				t.Errorf("%s: %v\n%s", version, err, r.Frame.Params)
				continue
			}
			if _, unknown := n.(p.Unknown); unknown {
				if slices.Contains(contract(t).Notifications, r.Frame.Method) {
					t.Errorf("%s: %s is unknown", version, r.Frame.Method)
				}
				continue
			}
			checkNothingLost(t, version, r.Frame.Method, r.Frame.Params, n)
		}
		if len(list) < 50 {
			t.Errorf("%s: only %d notifications", version, len(list))
		}
	}
}

// req: CON-3
func TestRecordedRequestsDecode(t *testing.T) {
	for _, version := range realserver.Versions() {
		list := frames(t, version, "requests")
		for _, r := range list {
			id, err := p.ParseID(r.Frame.ID)
			if err != nil {
				t.Fatal(err)
			}
			q, err := p.DecodeRequest(id, r.Frame.Method, r.Frame.Params)
			if err != nil {
				t.Errorf("%s: %v", version, err)
				continue
			}
			checkNothingLost(t, version, r.Frame.Method, r.Frame.Params, q.Params)
		}
		if len(list) < 3 {
			t.Errorf("%s: only %d requests", version, len(list))
		}
	}
}

// req: CON-3
func TestRecordedAnswersDecode(t *testing.T) {
	for _, version := range realserver.Versions() {
		decoded := map[string]bool{}
		for _, r := range frames(t, version, "answers") {
			if r.Frame.Error != nil {
				continue
			}
			i := slices.IndexFunc(responses, func(x struct {
				method, schema string
				result         any
			},
			) bool {
				return x.method == r.Method
			})
			if i < 0 {
				t.Errorf("no result for %s", r.Method)
				continue
			}
			into := reflect.New(reflect.TypeOf(responses[i].result))
			if err := json.UnmarshalDecode(p.NewDecoder(bytes.NewReader(r.Frame.Result)), into.Interface()); err != nil {
				t.Errorf("%s: %s: %v\n%s", version, r.Method, err, r.Frame.Result)
				continue
			}
			decoded[r.Method] = true
			checkNothingLost(t, version, r.Method, r.Frame.Result, into.Interface())
		}
		if len(decoded) < 20 {
			t.Errorf("%s: answers of %d methods only", version, len(decoded))
		}
	}
}
