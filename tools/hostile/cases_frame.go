package main

import (
	"fmt"
	"strings"
)

// spoken says frames once the client has selected a conversation, joined it,
// and in a turn.
func spoken(name string, frames func(l *link)) *testCase {
	return &testCase{
		name: "frame: " + name,
		after: func(l *link, r request) {
			switch r.Method {
			case "initialize", "thread/read", "thread/resume":
				frames(l)
			}
		},
		during: func(l *link, _, _ string) { frames(l) },
	}
}

func rawly(name string, frames ...string) *testCase {
	return spoken(name, func(l *link) {
		for _, f := range frames {
			l.raw(f)
		}
	})
}

// frameCases are about frames that are no messages.
func frameCases() []*testCase {
	deep := strings.Repeat("[", 100_000)
	return []*testCase{
		spoken("binary", func(l *link) { l.binary(`{"method":"warning","params":{"message":"x"}}`) }),
		rawly("not JSON", "hello", "{", "}", `{"id":`, "\x00", "\xff\xfe", "", " ", "\n"),
		rawly("not an object", "[]", "1", `"x"`, "null", "true", `[{"id":1,"result":{}}]`),
		rawly("no known form", "{}", `{"id":null}`, `{"result":{}}`, `{"error":{}}`, `{"params":{}}`, `{"id":1,"method":7}`),
		rawly("unknown ids", `{"id":99999,"result":{}}`, `{"id":"x","result":{}}`, `{"id":-1,"result":{}}`, `{"id":1.5,"result":{}}`, `{"id":null,"result":{}}`, `{"id":{},"error":{}}`, `{"id":1e400,"result":1}`),
		rawly("both result and error", `{"id":3,"result":{},"error":{"code":1,"message":"x"}}`),
		rawly("two values", `{"method":"warning","params":{"message":"x"}} {"method":"warning"}`),
		rawly("members twice", `{"id":1,"id":2,"result":{}}`, `{"method":"a","method":"warning","params":{}}`),
		rawly("nested 100,000 deep", deep, `{"method":"warning","params":`+deep, `{"id":1,"result":`+deep, `{"x":`+strings.Repeat(`{"a":`, 100_000)),
		rawly("nested and closed", `{"method":"item/completed","params":{"threadId":"t","item":`+strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+`}}`),
		rawly("unicode", "{\"method\":\"warning\",\"params\":{\"message\":\"a\x00\\ud800 \u202e \\u0000\x1b[2J\xff\"}}"),
		rawly("20 MB", `{"method":"warning","params":{"message":"`+strings.Repeat("x", 20<<20)+`"}}`),
		rawly("20 MB of escapes", `{"method":"warning","params":{"message":"`+strings.Repeat(`\u00e4`, 4<<20)+`"}}`),
		rawly("200 MB of nothing", `{"x":[`+strings.Repeat("0,", 100<<20)+`0]}`),
		rawly("200 MB notification", `{"method":"warning","params":{"x":[`+strings.Repeat("0,", 100<<20)+`0]}}`),
		rawly("200 MB number", `{"method":"warning","params":`+strings.Repeat("1", 200<<20)+`}`),
		rawly("200 MB of spaces", `{"method":"warning",`+strings.Repeat(" ", 200<<20)+`"params":{"message":"x"}}`),
		rawly("200 MB name", `{"`+strings.Repeat("n", 200<<20)+`":1}`),
		rawly("a million names", `{"method":"warning","params":{`+names(1_000_000)+`"message":"x"}}`),
		rawly("unknown error shapes", `{"id":2,"error":7}`, `{"id":3,"error":"no"}`, `{"id":4,"error":[]}`, `{"id":5,"error":null}`),
		{name: "frame: every answer twice", after: func(l *link, r request) { l.result(r, l.s.answer(r)) }},
		{name: "frame: answer before and after", on: func(l *link, r request) bool {
			l.refuse(r, 1, "no")
			return false
		}},
		{name: "frame: error message of 20 MB", on: func(l *link, r request) bool {
			if r.Method != "thread/resume" && r.Method != "model/list" && r.Method != "thread/turns/list" {
				return false
			}
			l.refuse(r, -32600, strings.Repeat("no ", 7<<20))
			return true
		}},
		{name: "frame: result and error in every answer", on: func(l *link, r request) bool {
			l.raw(fmt.Sprintf(`{"id":%s,"error":{"code":1,"message":"no"},"result":{}}`, r.ID))
			return true
		}, tour: offlineOK, noDraft: true},
		{name: "frame: id as a string", on: func(l *link, r request) bool {
			l.raw(fmt.Sprintf(`{"id":"%s","result":{}}`, r.ID))
			return true
		}, tour: offlineOK, noDraft: true},
		{name: "frame: results null", change: func(_ *link, r request, v any) any {
			if r.Method == "initialize" {
				return v
			}
			var null *int
			return null
		}},
	}
}

// offlineOK tours without a claim of how it ends.
func offlineOK(t *trial) {
	t.settled()
	t.do(`{"do":"draft","text":"` + typed + `"}`)
	t.do(`{"do":"select","thread":"` + threadIDs[0] + `"}`)
}

func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"n%d":0,`, i)
	}
	return b.String()
}
