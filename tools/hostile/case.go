package main

import "net/http"

// A testCase is one way in which a server misbehaves. Every hook may be nil.
type testCase struct {
	name string
	// on takes a request instead of the server that behaves, if it says so.
	on func(l *link, r request) bool
	// change changes an answer; nil refuses.
	change func(l *link, r request, v any) any
	// after runs once a request was answered.
	after func(l *link, r request)
	// during runs in the middle of a turn.
	during func(l *link, thread, turn string)
	// connected runs as soon as a client is there.
	connected func(l *link)
	// http answers the handshake, if it says so.
	http func(s *server, w http.ResponseWriter, r *http.Request) bool
	// quiet plays no turns.
	quiet bool
	// tour replaces what the client is made to do.
	tour func(t *trial)
	// target, args and env are the client's.
	target    string
	args, env []string
	// timing divides the client's delays, 10 when 0; before prepares.
	timing int
	before func()
	// noDraft says that there is no text to lose.
	noDraft bool
	// peak is how many KiB the client may use, 200 MiB when 0.
	peak int64
}

// cases are all of them.
func cases() []*testCase {
	var all []*testCase
	for _, group := range [][]*testCase{
		{{name: "behaves"}},
		linkCases(), frameCases(), pageCases(), textCases(), eventCases(), requestCases(), fieldCases(), dropCases(),
	} {
		all = append(all, group...)
	}
	return all
}
