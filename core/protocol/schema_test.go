package protocol_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"holdfast/core/realserver"
)

// A schemaSet is what one pinned binary says of its protocol.
type schemaSet struct {
	version  string
	docs     map[string]map[string]any // by file name without extension
	compiler *jsonschema.Compiler
}

var (
	schemaLock sync.Mutex
	schemaSets = map[string]*schemaSet{}
)

// loadSchemas lets the binary write its schemas, once a run for each kind.
func loadSchemas(t *testing.T, version string, experimental bool) *schemaSet {
	t.Helper()
	schemaLock.Lock()
	defer schemaLock.Unlock()
	args := []string{"app-server", "generate-json-schema"}
	if experimental {
		args = append(args, "--experimental")
	}
	key := version + strings.Join(args, " ")
	if s := schemaSets[key]; s != nil {
		return s
	}
	codex, err := realserver.Find(version)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), codex, append(args, "--out", dir)...)
	cmd.Env = realserver.Env(filepath.Join(dir, "home"), dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("codex %s: %v\n%s", version, err, out)
	}
	s := &schemaSet{version: version, docs: map[string]map[string]any{}, compiler: jsonschema.NewCompiler()}
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	more, _ := filepath.Glob(filepath.Join(dir, "v?", "*.json"))
	for _, path := range append(files, more...) {
		s.add(t, path)
	}
	schemaSets[key] = s
	return s
}

func (s *schemaSet) add(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	name := strings.TrimSuffix(filepath.Base(path), ".json")
	s.docs[name], _ = doc.(map[string]any)
	if err := s.compiler.AddResource("mem:"+name, doc); err != nil {
		t.Fatal(err)
	}
}

// doc is one schema of the set.
func (s *schemaSet) doc(t *testing.T, name string) schema {
	t.Helper()
	d := s.docs[name]
	if d == nil {
		t.Fatalf("codex %s has no schema %s", s.version, name)
	}
	return schema{d, d}
}

// validate checks a value against a whole schema.
func (s *schemaSet) validate(t *testing.T, name string, value any) error {
	t.Helper()
	compiled, err := s.compiler.Compile("mem:" + name)
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(value)
}

// methods lists every method of either side.
func (s *schemaSet) methods() (list []string) {
	for _, name := range []string{"ClientRequest", "ClientNotification", "ServerRequest", "ServerNotification"} {
		for _, v := range (schema{s.docs[name], s.docs[name]}).variants() {
			list = append(list, v.words("method")...)
		}
	}
	return list
}

// envelope finds the variant for a method in one of the four unions.
func (s *schemaSet) envelope(union, method string) (schema, bool) {
	for _, v := range (schema{s.docs[union], s.docs[union]}).variants() {
		if slices.Contains(v.words("method"), method) {
			return v, true
		}
	}
	return schema{}, false
}

// A schema is one node of a document.
type schema struct{ root, node map[string]any }

// ref follows references.
func (s schema) ref() schema {
	for {
		r, ok := s.node["$ref"].(string)
		if !ok {
			return s
		}
		var at any = s.root
		for _, part := range strings.Split(strings.TrimPrefix(r, "#/"), "/") {
			m, _ := at.(map[string]any)
			at = m[part]
		}
		s.node, _ = at.(map[string]any)
	}
}

// of makes a node of the same document.
func (s schema) of(node any) schema {
	m, _ := node.(map[string]any)
	return schema{s.root, m}.ref()
}

// variants gives the alternatives of a node: itself, or each of its unions'
// members, together with the properties that stand beside them.
func (s schema) variants() []schema {
	s = s.ref()
	list := []schema{}
	for _, key := range []string{"oneOf", "anyOf", "allOf"} {
		members, _ := s.node[key].([]any)
		for _, m := range members {
			list = append(list, s.of(m).variants()...)
		}
	}
	if s.node["properties"] != nil || len(list) == 0 {
		list = append(list, s)
	}
	return list
}

// prop is a property of the node.
func (s schema) prop(name string) (schema, bool) {
	props, _ := s.ref().node["properties"].(map[string]any)
	p, ok := props[name]
	return s.of(p), ok
}

// find looks for a property in any variant.
func (s schema) find(name string) (schema, bool) {
	for _, v := range s.variants() {
		if p, ok := v.prop(name); ok {
			return p, true
		}
	}
	return schema{}, false
}

// words are the values a property may have, if they are counted.
func (s schema) words(name string) (list []string) {
	p, ok := s.prop(name)
	if !ok {
		return nil
	}
	enum, _ := p.node["enum"].([]any)
	for _, e := range enum {
		if w, ok := e.(string); ok {
			list = append(list, w)
		}
	}
	return list
}

// required reports whether the node demands a property.
func (s schema) required(name string) bool {
	list, _ := s.ref().node["required"].([]any)
	return slices.Contains(list, any(name))
}

// types are the JSON types a node allows, over all its variants.
func (s schema) types() (list []string) {
	for _, v := range s.variants() {
		switch t := v.node["type"].(type) {
		case string:
			list = append(list, t)
		case []any:
			for _, x := range t {
				list = append(list, x.(string))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// unknown lists the fields of value that the schema does not have.
func (s schema) unknown(path string, value any) (list []string) {
	switch v := value.(type) {
	case []any:
		for _, variant := range s.variants() {
			if items, ok := variant.node["items"]; ok {
				for _, x := range v {
					list = append(list, s.of(items).unknown(path+"[]", x)...)
				}
			}
		}
	case map[string]any:
		if s.open() {
			return nil
		}
		for name, x := range v {
			list = append(list, s.unknownField(path+"."+name, name, v, x)...)
		}
	}
	return list
}

// open reports whether the node says nothing of an object's fields.
func (s schema) open() bool {
	for _, v := range s.variants() {
		if v.node["properties"] != nil || v.node["additionalProperties"] != nil {
			return false
		}
	}
	return true
}

func (s schema) unknownField(path, name string, whole map[string]any, value any) []string {
	for _, variant := range s.variants() {
		if kind, ok := whole["type"].(string); ok {
			if words := variant.words("type"); len(words) > 0 && !slices.Contains(words, kind) {
				continue
			}
		}
		if p, ok := variant.prop(name); ok {
			return p.unknown(path, value)
		}
		if extra, ok := variant.node["additionalProperties"].(map[string]any); ok {
			return s.of(extra).unknown(path, value)
		}
		if variant.node["additionalProperties"] == true {
			return nil
		}
	}
	return []string{path}
}

// plainJSON gives JSON as the values the validator wants.
func plainJSON(t *testing.T, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
