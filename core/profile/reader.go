package profile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"holdfast/core/words"
)

// A reader collects what is wrong, with its place.
type reader struct {
	path string
	// named makes a complaint carry the whole dotted key.
	named bool
	lines map[string]int // by dotted key, list elements by number
	found []*Error
}

func (r *reader) wrong(at, key, text string) {
	if r.named {
		key = at
	}
	r.found = append(r.found, &Error{Path: r.path, Line: r.line(at), Key: key, Text: text})
}

// line is that of a key, or of the table it would be in.
func (r *reader) line(at string) int {
	for {
		if n, ok := r.lines[at]; ok {
			return n
		}
		i := strings.LastIndexByte(at, '.')
		if i < 0 {
			return 0
		}
		at = at[:i]
	}
}

func (r *reader) err() error {
	slices.SortStableFunc(r.found, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	var out []error
	for _, e := range r.found {
		out = append(out, e)
	}
	return errors.Join(out...)
}

// A table reads the keys of one TOML table; each is taken once.
type table struct {
	r      *reader
	at     string
	values map[string]any
}

func (r *reader) table(at string, values map[string]any) *table {
	return &table{r: r, at: at, values: values}
}

func (t *table) wrong(key, text string) { t.r.wrong(t.place(key), key, text) }

func (t *table) place(key string) string {
	if t.at == "" {
		return key
	}
	return t.at + "." + key
}

func (t *table) take(key string) any {
	v := t.values[key]
	delete(t.values, key)
	return v
}

func (t *table) text(key, missing string) string {
	switch v := t.take(key).(type) {
	case nil:
		return missing
	case string:
		return v
	}
	t.wrong(key, words.T("must be a string, in quotes"))
	return missing
}

func (t *table) truth(key string, missing bool) bool {
	switch v := t.take(key).(type) {
	case nil:
		return missing
	case bool:
		return v
	}
	t.wrong(key, words.T("must be true or false"))
	return missing
}

func (t *table) number(key string, missing, least, most int) int {
	switch v := t.take(key).(type) {
	case nil:
		return missing
	case int64:
		if v >= int64(least) && v <= int64(most) {
			return int(v)
		}
	}
	t.wrong(key, words.T("must be a whole number from %d to %d", least, most))
	return missing
}

// tables reads a list of tables.
func (t *table) tables(key string) []*table {
	v := t.take(key)
	list, ok := v.([]any)
	if v != nil && !ok {
		t.wrong(key, words.T("must be a list of tables"))
	}
	var out []*table
	for i, e := range list {
		at := fmt.Sprintf("%s.%d", t.place(key), i)
		values, ok := e.(map[string]any)
		if !ok {
			t.r.wrong(at, key, words.T("must be a list of tables"))
			continue
		}
		out = append(out, t.r.table(at, values))
	}
	return out
}

// rest refuses the keys that nobody took.
func (t *table) rest() {
	for key := range t.values {
		t.wrong(key, words.T("is no setting that is known here"))
	}
}

// oneOf reads a word of a closed set; its first one is the default.
func oneOf[T ~string](t *table, key string, of ...T) T {
	s := t.text(key, string(of[0]))
	if slices.Contains(of, T(s)) {
		return T(s)
	}
	var names []string
	for _, w := range of {
		if w != "" {
			names = append(names, string(w))
		}
	}
	t.wrong(key, words.T("must be one of %s", strings.Join(names, ", ")))
	return of[0]
}

// keyLines finds the line of every key and table of a TOML text that was read.
func keyLines(data []byte) map[string]int {
	lines := map[string]int{}
	counts := map[string]int{}
	prefix := ""
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		name, line := dotted(&p, e)
		switch e.Kind {
		case unstable.Table:
			prefix = inLists(name, counts)
		case unstable.ArrayTable:
			name = inLists(name, counts)
			prefix = fmt.Sprintf("%s.%d", name, counts[name])
			counts[name]++
		case unstable.KeyValue:
			at := strings.TrimPrefix(prefix+"."+name, ".")
			lines[at] = line
			continue
		default: // a comment
			continue
		}
		lines[prefix] = line
	}
	return lines
}

// inLists adds to a table's name the numbers of the list elements it is in: the
// newest ones.
func inLists(name string, counts map[string]int) string {
	at := ""
	for i, part := range strings.Split(name, ".") {
		if n := counts[at]; i > 0 && n > 0 {
			at = fmt.Sprintf("%s.%d", at, n-1)
		}
		at = strings.TrimPrefix(at+"."+part, ".")
	}
	return at
}

// dotted is the key of an expression and its line.
func dotted(p *unstable.Parser, e *unstable.Node) (string, int) {
	var parts []string
	line := 0
	for it := e.Key(); it.Next(); {
		n := it.Node()
		parts = append(parts, string(n.Data))
		if line == 0 {
			line = p.Shape(n.Raw).Start.Line
		}
	}
	return strings.Join(parts, "."), line
}
