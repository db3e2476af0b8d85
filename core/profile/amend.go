package profile

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// amend changes the text of a file that says was so that it says f, key by key:
// everything else of the text stays, comments too. ok is false where the text is
// written in a way that this cannot follow.
func amend(data []byte, was, f File) (out []byte, ok bool) {
	a := &amender{text: data, parts: partsOf(data)}
	before, after := plainValues(was), plainValues(f)
	if before == nil || after == nil {
		return nil, false
	}
	olds, news := tablesOf(before), tablesOf(after)
	if len(olds) != a.count() {
		return nil, false // profiles in a line: they have no table of their own
	}
	a.set(a.top(), before, after)
	for i, pair := range pairs(olds, news) {
		switch {
		case pair < 0:
			a.remove(i)
		default:
			a.set(a.profile(i), olds[i], news[pair])
		}
	}
	for _, n := range added(olds, news) {
		a.add(news[n])
	}
	return a.done(), !a.lost
}

// plainValues is what a file says, as plain TOML values.
func plainValues(f File) map[string]any {
	data, err := encode(f)
	if err != nil {
		return nil
	}
	var out map[string]any
	if toml.Unmarshal(data, &out) != nil {
		return nil
	}
	return out
}

// tablesOf takes the profiles out of a file's values.
func tablesOf(values map[string]any) []map[string]any {
	list, _ := values["profiles"].([]any)
	delete(values, "profiles")
	var out []map[string]any
	for _, v := range list {
		t, _ := v.(map[string]any)
		out = append(out, t)
	}
	return out
}

// pairs finds each old profile among the new ones, -1 where it is gone. One that
// has another name now is found by its place among those that were not found.
func pairs(olds, news []map[string]any) []int {
	out := make([]int, len(olds))
	var left []int
	for i, o := range olds {
		out[i] = slices.IndexFunc(news, func(n map[string]any) bool { return n["name"] == o["name"] })
		if out[i] < 0 {
			left = append(left, i)
		}
	}
	free := freeOf(out, news)
	if len(olds) == len(news) {
		for k, i := range left {
			out[i] = free[k]
		}
	}
	return out
}

func added(olds, news []map[string]any) []int { return freeOf(pairs(olds, news), news) }

func freeOf(taken []int, news []map[string]any) []int {
	var out []int
	for n := range news {
		if !slices.Contains(taken, n) {
			out = append(out, n)
		}
	}
	return out
}

// A part is one expression of the text.
type part struct {
	kind unstable.Kind
	name string // dotted
	// from and to are the expression's own bytes, start and end those of its lines.
	from, to, start, end int
}

func partsOf(data []byte) []part {
	var out []part
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue && e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		x := part{kind: e.Kind}
		var keys []string
		at := -1
		for it := e.Key(); it.Next(); {
			keys = append(keys, string(it.Node().Data))
			if at < 0 {
				at = int(it.Node().Raw.Offset)
			}
		}
		x.name = strings.Join(keys, ".")
		x.from, x.to = at, at
		if e.Kind == unstable.KeyValue {
			x.from = int(e.Raw.Offset)
			x.to = x.from + int(e.Raw.Length)
		}
		x.start = bytes.LastIndexByte(data[:x.from], '\n') + 1
		x.end = lineEnd(data, x.to)
		out = append(out, x)
	}
	return out
}

// lineEnd is where the line that holds at ends, its newline included.
func lineEnd(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(data)
}

// An amender collects changes of a text.
type amender struct {
	text  []byte
	parts []part
	edits []edit
	lost  bool
}

type edit struct {
	from, to int
	text     string
}

// count is how many profiles have a table.
func (a *amender) count() int {
	n := 0
	for _, p := range a.parts {
		if p.kind == unstable.ArrayTable && p.name == "profiles" {
			n++
		}
	}
	return n
}

// top are the parts before the first table.
func (a *amender) top() []part {
	for i, p := range a.parts {
		if p.kind != unstable.KeyValue {
			return a.parts[:i]
		}
	}
	return a.parts
}

// profile are the parts of the i-th profile: its header, its keys, and the
// tables inside it.
func (a *amender) profile(i int) []part {
	from := -1
	for k, p := range a.parts {
		header := p.kind != unstable.KeyValue && !strings.HasPrefix(p.name, "profiles.")
		switch {
		case from >= 0 && header:
			return a.parts[from:k]
		case header && p.name == "profiles":
			if i == 0 {
				from = k
			}
			i--
		}
	}
	return a.parts[max(from, 0):]
}

// set makes a table say after instead of before.
func (a *amender) set(parts []part, before, after map[string]any) {
	var keys []string
	for k := range after {
		keys = append(keys, k)
	}
	for k := range before {
		if _, stays := after[k]; !stays {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		if !reflect.DeepEqual(before[k], after[k]) {
			a.setKey(parts, k, after[k])
		}
	}
}

func (a *amender) setKey(parts []part, key string, v any) {
	var text string
	if v != nil {
		text = a.literal(key, v)
	}
	at := 0 // where a new key goes: after the last one, or the header
	for i, p := range parts {
		switch {
		case p.kind != unstable.KeyValue && i > 0: // a table inside
			if strings.HasPrefix(p.name+".", "profiles."+key+".") {
				a.lost = true
			}
			a.insert(at, text)
			return
		case p.kind == unstable.KeyValue && p.name == key && v == nil:
			a.edits = append(a.edits, edit{p.start, p.end, ""})
			return
		case p.kind == unstable.KeyValue && p.name == key:
			a.edits = append(a.edits, edit{p.from, p.to, text})
			return
		case p.kind == unstable.KeyValue && strings.HasPrefix(p.name, key+"."):
			a.lost = true
			return
		}
		at = p.end
	}
	a.insert(at, text)
}

func (a *amender) insert(at int, line string) {
	if line == "" {
		return
	}
	if at > 0 && a.text[at-1] != '\n' {
		line = "\n" + line
	}
	a.edits = append(a.edits, edit{at, at, line + "\n"})
}

// literal is a key with its value, in one line.
func (a *amender) literal(key string, v any) string {
	var b bytes.Buffer
	enc := toml.NewEncoder(&b)
	enc.SetTablesInline(true)
	if enc.Encode(map[string]any{key: v}) != nil {
		a.lost = true
	}
	return strings.TrimSpace(b.String())
}

// remove takes a profile away, with the comment right above it and the empty
// lines below.
func (a *amender) remove(i int) {
	parts := a.profile(i)
	from, to := parts[0].start, parts[len(parts)-1].end
	for from > 0 {
		above := bytes.LastIndexByte(a.text[:from-1], '\n') + 1
		if !bytes.HasPrefix(bytes.TrimSpace(a.text[above:from]), []byte("#")) {
			break
		}
		from = above
	}
	for to < len(a.text) {
		end := lineEnd(a.text, to)
		if len(bytes.TrimSpace(a.text[to:end])) > 0 {
			break
		}
		to = end
	}
	a.edits = append(a.edits, edit{from, to, ""})
}

// fieldOrder is how a new profile is written.
var fieldOrder = []string{"name", "connect", "files", "roots", "token_file", "experimental_api", "codex", "codex_home"}

func (a *amender) add(values map[string]any) {
	text := "\n[[profiles]]\n"
	if n := len(a.text); n > 0 && a.text[n-1] != '\n' {
		text = "\n" + text
	}
	for _, k := range fieldOrder {
		if v, there := values[k]; there {
			text += a.literal(k, v) + "\n"
		}
	}
	a.edits = append(a.edits, edit{len(a.text), len(a.text), text})
}

// done is the changed text.
func (a *amender) done() []byte {
	slices.SortStableFunc(a.edits, func(x, y edit) int { return cmp.Compare(x.from, y.from) })
	var b bytes.Buffer
	at := 0
	for _, e := range a.edits {
		if e.from < at {
			a.lost = true
			return nil
		}
		b.Write(a.text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(a.text[at:])
	return b.Bytes()
}
