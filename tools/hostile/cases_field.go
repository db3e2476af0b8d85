package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// wrongs are values no field expects.
var wrongs = map[string]any{
	"null": nil, "number": 7, "fraction": -1.5e300, "text": "x", "list": list{}, "object": obj{}, "true": true, "long": strings.Repeat("l", 1<<20),
}

// fieldCases put each wrong value into each field of each answer, one at a time,
// and leave each field out.
func fieldCases() []*testCase {
	var all []*testCase
	s := newServer(&testCase{})
	for _, m := range []string{
		"initialize", "account/read", "thread/list", "thread/read", "thread/turns/list", "thread/items/list", "thread/resume", "turn/start",
		"model/list", "skills/list", "thread/queue/list",
	} {
		for _, path := range paths(s.answer(request{Method: m, Params: obj{"threadId": threadIDs[0]}}), nil) {
			all = append(all, wrongField(m, path))
		}
	}
	return all
}

// wrongField tries all wrong values of one field, another at each answer.
func wrongField(method string, path []string) *testCase {
	n, kinds := 0, slices.Sorted(maps.Keys(wrongs))
	return &testCase{
		name: "field: " + method + " " + strings.Join(path, "."),
		change: func(_ *link, r request, v any) any {
			if r.Method != method {
				return v
			}
			n++
			copied := clone(v)
			if i := n % (len(kinds) + 1); i < len(kinds) {
				put(copied, path, wrongs[kinds[i]], false)
			} else {
				put(copied, path, nil, true)
			}
			return copied
		},
		tour: func(t *trial) {
			for range len(kinds) + 1 {
				t.settled()
				t.do(`{"do":"threads"}`)
				t.do(`{"do":"select","thread":"` + threadIDs[0] + `"}`)
				t.do(`{"do":"draft","text":"` + typed + `"}`)
				t.do(`{"do":"join"}`)
				t.do(`{"do":"send"}`)
				t.do(`{"do":"reconnect"}`)
				t.do(`{"do":"signOut"}`)
			}
		},
	}
}

func clone(v any) (out any) {
	b, _ := json.Marshal(v)
	_ = json.Unmarshal(b, &out)
	return out
}

// paths lists the way to every value in v; of a list only its first element.
func paths(v any, to []string) [][]string {
	var all [][]string
	add := func(name string, x any) {
		at := append(slices.Clone(to), name)
		all = append(append(all, at), paths(x, at)...)
	}
	switch v := v.(type) {
	case obj:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			add(k, v[k])
		}
	case list:
		if len(v) > 0 {
			add("0", v[0])
		}
	}
	return all
}

// put sets or removes the value at path.
func put(v any, path []string, to any, remove bool) {
	switch v := v.(type) {
	case obj:
		switch {
		case len(path) > 1:
			put(v[path[0]], path[1:], to, remove)
		case remove:
			delete(v, path[0])
		default:
			v[path[0]] = to
		}
	case list:
		switch {
		case len(path) > 1:
			put(v[0], path[1:], to, remove)
		default:
			v[0] = to
		}
	}
}
