package protocol_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	p "holdfast/core/protocol"
	"holdfast/core/realserver"
)

// maxNesting ends examples of types that hold themselves.
const maxNesting = 24

// maxVariety is how deep an object is varied. Below, a full one must do.
const maxVariety = 2

// examples makes values that fit the node: for each of its unions' members at
// least one, the fullest first.
func (s schema) examples(depth int) []any {
	s = s.ref()
	n := s.node
	switch {
	case depth > maxNesting:
		return []any{nil}
	case n["const"] != nil:
		return []any{n["const"]}
	case n["enum"] != nil:
		return n["enum"].([]any)
	}
	own := s.plainExamples(depth)
	var list []any
	for _, key := range []string{"oneOf", "anyOf", "allOf"} {
		members, _ := n[key].([]any)
		for _, m := range members {
			for _, x := range s.of(m).examples(depth + 1) {
				list = append(list, merge(own, x))
			}
		}
	}
	if len(list) > 0 {
		return list
	}
	return own
}

// merge adds the properties that stand beside a union.
func merge(own []any, x any) any {
	object, ok := x.(map[string]any)
	if !ok || len(own) == 0 {
		return x
	}
	if base, ok := own[0].(map[string]any); ok {
		object = maps.Clone(object)
		maps.Copy(object, base)
		return object
	}
	return x
}

// plainExamples makes values of the node's own type.
func (s schema) plainExamples(depth int) (list []any) {
	for _, typ := range s.ownTypes() {
		switch typ {
		case "string":
			list = append(list, "some text")
		case "integer", "number":
			list = append(list, 7)
		case "boolean":
			list = append(list, true)
		case "null":
			list = append(list, nil)
		case "array":
			list = append(list, s.of(s.node["items"]).examples(depth+1), []any{})
		case "object":
			list = append(list, s.objects(depth)...)
		}
	}
	return list
}

func (s schema) ownTypes() []string {
	only := schema{s.root, map[string]any{"type": s.node["type"]}}
	switch {
	case s.node["properties"] != nil && s.node["type"] == nil:
		return []string{"object"}
	case s.node["type"] == nil && len(s.node) == 0:
		return []string{"object", "string"} // anything
	}
	types := only.types()
	slices.Reverse(types) // null last
	slices.SortStableFunc(types, func(a, b string) int { return boolInt(a == "null") - boolInt(b == "null") })
	return types
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// objects makes a full object, one for each further value of each property, and
// one with the required properties only.
func (s schema) objects(depth int) []any {
	full := map[string]any{}
	other := map[string][]any{}
	props, _ := s.node["properties"].(map[string]any)
	for name := range props {
		at, _ := s.prop(name)
		values := at.examples(depth + 1)
		if len(values) == 0 {
			values = []any{map[string]any{}}
		}
		full[name], other[name] = values[0], values[1:]
	}
	if extra, ok := s.node["additionalProperties"].(map[string]any); ok {
		full["some key"] = s.of(extra).examples(depth + 1)[0]
	}
	list := []any{full}
	if depth > maxVariety {
		return list
	}
	for _, name := range slices.Sorted(maps.Keys(other)) {
		for _, v := range other[name] {
			variant := maps.Clone(full)
			variant[name] = v
			list = append(list, variant)
		}
	}
	least := map[string]any{}
	for name := range full {
		if s.required(name) {
			least[name] = full[name]
		}
	}
	return append(list, least)
}

// validExamples are the examples that the schema itself takes.
func validExamples(t *testing.T, s *schemaSet, union, method string) (list []jsontext.Value) {
	t.Helper()
	envelope, ok := s.envelope(union, method)
	if !ok {
		t.Fatalf("%s: no %s", s.version, method)
	}
	at, ok := envelope.prop("params")
	if !ok {
		return []jsontext.Value{jsontext.Value("{}")}
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(envelope.node["properties"].(map[string]any)["params"].(map[string]any)["$ref"].(string), "#/definitions/"), "/")
	for _, params := range at.examples(0) {
		text := compact(params)
		if s.validate(t, name, plainJSON(t, []byte(text))) == nil {
			list = append(list, jsontext.Value(text))
		}
	}
	if len(list) == 0 {
		t.Fatalf("%s: no example of %s fits its schema", s.version, method)
	}
	return list
}

// req: CON-3
func TestExamplesOfEveryNotificationDecode(t *testing.T) {
	for _, version := range realserver.Versions() {
		s := loadSchemas(t, version, true)
		items := map[string]int{}
		for _, method := range contract(t).Notifications {
			for _, params := range validExamples(t, s, "ServerNotification", method) {
				n, err := p.DecodeNotification(method, params, 1)
				if err != nil {
					t.Errorf("%s: %v\n%s", version, err, params)
					continue
				}
				if _, unknown := n.(p.Unknown); unknown {
					t.Errorf("%s: %s is unknown", version, method)
				}
				if done, ok := n.(p.ItemCompleted); ok {
					checkItem(t, done.Item, params)
					items[done.Item.Type]++
				}
				if size := p.Size(n); size < len(params)/8 || size > 4096+8*len(params) {
					t.Errorf("%s of %d bytes has size %d", method, len(params), size)
				}
			}
		}
		if want := itemTypes(t, s); !slices.Equal(slices.Sorted(maps.Keys(items)), want) {
			t.Errorf("%s: items of types %v, want %q", version, items, want)
		}
	}
}

// itemTypes are the types of item that the schema knows.
func itemTypes(t *testing.T, s *schemaSet) (list []string) {
	t.Helper()
	at, _ := s.doc(t, "ItemCompletedNotification").prop("item")
	for _, v := range at.variants() {
		list = append(list, v.words("type")...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// checkItem looks for what was not read of an item.
func checkItem(t *testing.T, it p.Item, params jsontext.Value) {
	t.Helper()
	if u, ok := it.Body.(p.UnknownItem); ok {
		t.Errorf("%s: %s\n%s", it.Type, u.Summary, params)
	}
	if len(it.Cuts) > 0 {
		t.Errorf("%s is cut: %v", it.Type, it.Cuts)
	}
}

// elsewhere are fields that only some of an item's types fill in.
var elsewhere = map[string][]string{
	"mcpToolCall":       nil,
	"dynamicToolCall":   {"Server", "Error"},
	"userMessage":       nil,
	"contextCompaction": nil,
	"exitedReviewMode":  {"Entered"},
}

// req: CON-3
func TestNothingOfAFullItemIsLost(t *testing.T) {
	for _, version := range realserver.Versions() {
		s := loadSchemas(t, version, true)
		seen := map[string]bool{}
		for _, params := range validExamples(t, s, "ServerNotification", "item/completed") {
			n, err := p.DecodeNotification("item/completed", params, 1)
			if err != nil {
				t.Fatal(err)
			}
			it := n.(p.ItemCompleted).Item
			if seen[it.Type] {
				continue // the fullest is the first
			}
			seen[it.Type] = true
			body := reflect.ValueOf(it.Body)
			for i := range body.NumField() {
				name := body.Type().Field(i).Name
				if body.Field(i).IsZero() && !slices.Contains(elsewhere[it.Type], name) {
					t.Errorf("%s: %s has no %s\n%s", version, it.Type, name, params)
				}
			}
			if p.PlainText(it) == "" {
				t.Errorf("%s: %s has no plain text", version, it.Type)
			}
		}
	}
}

// req: CON-3
func TestExamplesOfEveryServerRequestDecode(t *testing.T) {
	for _, version := range realserver.Versions() {
		s := loadSchemas(t, version, true)
		for _, method := range contract(t).ServerRequests {
			for _, params := range validExamples(t, s, "ServerRequest", method) {
				q, err := p.DecodeRequest(p.NumberID(0), method, params)
				if err != nil {
					t.Errorf("%s: %v\n%s", version, err, params)
				} else if _, ok := q.Params.(p.UnknownRequest); ok {
					t.Errorf("%s: %s is unknown", version, method)
				}
			}
		}
	}
}

// req: CON-3
func TestExamplesOfEveryResultDecode(t *testing.T) {
	for _, version := range realserver.Versions() {
		s := loadSchemas(t, version, true)
		for _, r := range responses {
			tried, invalid := 0, error(nil)
			for _, example := range s.doc(t, r.schema).examples(0) {
				text := compact(example)
				if invalid = s.validate(t, r.schema, plainJSON(t, []byte(text))); invalid != nil {
					continue
				}
				tried++
				into := reflect.New(reflect.TypeOf(r.result)).Interface()
				if err := json.Unmarshal([]byte(text), into, p.DecodeOptions()); err != nil {
					t.Errorf("%s: %s: %v\n%s", version, r.method, err, text)
				}
			}
			if tried == 0 {
				t.Errorf("%s: no example of %s fits its schema: %v", version, r.schema, invalid)
			}
		}
	}
}
