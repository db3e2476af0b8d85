package protocol

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// quoted is text as a JSON string.
func quoted(text string) string {
	b, _ := jsontext.AppendQuote(nil, text)
	return string(b)
}

func TestTextIsKeptWholeToItsBound(t *testing.T) {
	for _, c := range []struct {
		name, in string
		limit    int
	}{
		{"message", `{"type":"agentMessage","id":"i","text":%s}`, maxMessage},
		{"user text", `{"type":"userMessage","id":"i","content":[{"type":"text","text":%s}]}`, maxMessage},
		{"plan", `{"type":"plan","id":"i","text":%s}`, maxField},
		{"reasoning", `{"type":"reasoning","id":"i","summary":[%s]}`, maxField},
		{"diff", `{"type":"fileChange","id":"i","changes":[{"diff":%s}]}`, maxField},
		{"prompt", `{"type":"collabAgentToolCall","id":"i","prompt":%s}`, maxField},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole := strings.Repeat("é", c.limit/2)
			it := decode[Item](t, fmt.Sprintf(c.in, quoted(whole)))
			if got := PlainText(it); got != whole || it.Cuts != nil || it.Bytes != int64(c.limit) {
				t.Errorf("%d of %d bytes, cuts %v", len(got), it.Bytes, it.Cuts)
			}
			more := whole + "x"
			it = decode[Item](t, fmt.Sprintf(c.in, quoted(more)))
			got := PlainText(it)
			if len(it.Cuts) != 1 || it.Cuts[0].Server || it.Cuts[0].Bytes != int64(len(more)) || it.Bytes != int64(len(more)) {
				t.Errorf("one byte more: %d bytes, cuts %+v", it.Bytes, it.Cuts)
			}
			head, rest, ok := strings.Cut(got, "\n… shortened here: ")
			_, tail, ok2 := strings.Cut(rest, " bytes in all …\n")
			if !ok || !ok2 || len(got) > c.limit || len(got) < c.limit-8 || len(head) < c.limit*3/4-2 {
				t.Errorf("kept %d bytes, %d before the mark", len(got), len(head))
			}
			if !strings.HasPrefix(more, head) || !strings.HasSuffix(more, tail) || !utf8.ValidString(got) {
				t.Error("what is kept is not the text's beginning and end")
			}
		})
	}
}

func TestOneItemKeepsABoundedAmountInAll(t *testing.T) {
	part := quoted(strings.Repeat("x", maxField))
	it := decode[Item](t, `{"type":"reasoning","id":"i","summary":[`+strings.Repeat(part+",", 99)+part+`]}`)
	if n := PlainLen(it); n > maxItem+200 {
		t.Errorf("%d bytes kept", n)
	}
	if want := int64(100*maxField + 99); it.Bytes != want {
		t.Errorf("%d bytes in all, want %d", it.Bytes, want)
	}
	it = decode[Item](t, `{"type":"reasoning","id":"i","summary":[`+strings.Repeat(`"",`, maxParts)+`""]}`)
	if n := len(it.Body.(Reasoning).Summary); n != maxParts || len(it.Cuts) != 1 {
		t.Errorf("%d parts, cuts %v", n, it.Cuts)
	}
}

func TestImagesAreNotKept(t *testing.T) {
	data := strings.Repeat("A", 3<<20)
	it := decode[Item](t, `{"type":"userMessage","id":"i","content":[{"type":"image","url":"data:image/png;base64,`+data+`"}]}`)
	want := UserInput{Type: "image", Media: "image/png", Bytes: int64(len(data) + len("data:image/png;base64,"))}
	if got := it.Body.(UserMessage).Content[0]; got != want || it.Cuts != nil {
		t.Errorf("got %+v, want %+v", got, want)
	}
	huge := strings.Repeat("A", clipHead+clipTail*5)
	it = decode[Item](t, `{"type":"imageGeneration","id":"i","status":"completed","result":"`+huge+`"}`)
	if got := it.Body.(ImageGeneration); got.Bytes != int64(len(huge)) {
		t.Errorf("got %+v, want %d bytes", got, len(huge))
	}
}

func TestServerCutsAreRecognized(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("0123456789\n", n/11+1)[:n] }
	const omitted = "\n... 1214870 bytes omitted ...\n"
	half := lines(omittedAt / 2)
	short := truncatedAt - len(truncatedMark)
	for _, c := range []struct {
		name, output string
		want         []Cut
	}{
		{"0.159.1", half + omitted + half, []Cut{{Field: "aggregatedOutput", Server: true, Bytes: omittedAt + 1214870}, {Field: "aggregatedOutput", Bytes: int64(omittedAt + len(omitted))}}},
		{"0.171.0", lines(short/2) + string(truncatedMark) + lines(short/2), []Cut{{Field: "aggregatedOutput", Server: true}}},
		{"a command that prints the mark", lines(500) + omitted + lines(500), nil},
		{"a long output that prints it at its start", lines(100) + omitted + lines(100_000), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			it := decode[Item](t, `{"type":"commandExecution","id":"i","command":"c","aggregatedOutput":`+quoted(c.output)+`}`)
			if fmt.Sprint(it.Cuts) != fmt.Sprint(c.want) {
				t.Errorf("cuts %+v, want %+v", it.Cuts, c.want)
			}
			if want := int64(len("c\n") + len(c.output)); it.Bytes != want {
				t.Errorf("%d bytes, want %d", it.Bytes, want)
			}
		})
	}
}

func TestBrokenTextDoesNotBreakDecoding(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"lone high surrogate", `a\ud800b`, "a\uFFFDb"},
		{"lone low surrogate", `a\udc00b`, "a\uFFFDb"},
		{"pair", `\ud83d\ude00`, "😀"},
		{"two high ones", `\ud83d\ud83d\ude00`, "\uFFFD😀"},
		{"NUL", `a\u0000b`, "a\x00b"},
		{"not UTF-8", "a\xff\xfeb", "a\uFFFDb"},
		{"cut rune", "a\xe2\x82", "a\uFFFD"},
		{"bidi override", `\u202e`, "\u202e"},
	} {
		t.Run(c.name, func(t *testing.T) {
			it := decode[Item](t, `{"type":"agentMessage","id":"i","text":"`+c.in+`"}`)
			if got := it.Body.(AgentMessage).Text; strings.ReplaceAll(got, "\uFFFD\uFFFD", "\uFFFD") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			th := decode[Thread](t, `{"id":"i","name":"`+c.in+`"}`)
			if strings.ReplaceAll(th.Name, "\uFFFD\uFFFD", "\uFFFD") != c.want {
				t.Errorf("name %q, want %q", th.Name, c.want)
			}
		})
	}
}

// One row that cannot be read hides no other, and is counted.
func TestOneBadRowHidesNoOther(t *testing.T) {
	const thread, turn, item = `{"id":"t1"}`, `{"id":"u1"}`, `{"turnId":"u","item":{"type":"plan","id":"i1","text":"x"}}`
	check := func(what string, good, unread int, err error) {
		t.Helper()
		if err != nil || good != 2 || unread != 1 {
			t.Errorf("%s: %d good ones, %d unread, %v", what, good, unread, err)
		}
	}
	page := func(good, bad string) string {
		return `{"data":[` + good + `,` + bad + `,` + good + `],"nextCursor":null}`
	}
	read := func(v any, doc string) error {
		return json.UnmarshalDecode(NewDecoder(strings.NewReader(doc)), v, DecodeOptions())
	}
	long := strings.Repeat("x", maxIdentity+1)
	for _, bad := range []string{
		`{"id":"","recencyAt":1}`, `{"id":"t2","recencyAt":1e300}`, `{"id":"t2","status":{"type":[{}]},"name":"x"}`, `null`, `7`, `[[{}]]`, `"t"`,
		`{"id":"t2","gitInfo":["main"]}`, `{"id":"` + long + `"}`, `{"id":"t2","cwd":{"a":[1,{"b":2}]},"name":"y"}`,
	} {
		var r ThreadListResult
		err := read(&r, page(thread, bad))
		check("threads with "+bad[:min(len(bad), 60)], len(r.Data), r.Unread, err)
		var u ThreadTurnsListResult
		err = read(&u, page(turn, strings.ReplaceAll(bad, "recencyAt", "startedAt")))
		if bad[0] != '{' || strings.Contains(bad, "xx") || strings.Contains(bad, `At"`) {
			check("turns with "+bad[:min(len(bad), 60)], len(u.Data), u.Unread, err)
		}
	}
	for _, bad := range []string{
		`{"item":{"type":"plan","id":"i","text":""}}`, `{"turnId":"t","item":{"type":"plan","text":""}}`, `{"turnId":"t","item":{"id":"i","text":""}}`,
		`{"turnId":"t"}`, `{"turnId":"t","item":null}`, `{"turnId":"t","item":7}`, `{"turnId":5,"item":{"type":"plan","id":"i"}}`, `[{"turnId":"t"}]`,
		`{"turnId":"` + long + `","item":{"type":"plan","id":"i"}}`, `{"turnId":"t","item":{"type":"plan","id":"` + long + `"}}`,
	} {
		var r ThreadItemsListResult
		err := read(&r, page(item, bad))
		check("items with "+bad[:min(len(bad), 60)], len(r.Data), r.Unread, err)
	}
	var m ModelListResult
	err := read(&m, page(`{"id":"m"}`, `{"id":5}`))
	check("models", len(m.Data), m.Unread, err)
	var s SkillsListResult
	err = read(&s, `{"data":[{"cwd":"/","skills":[{"name":"a"},{"name":{}},{"name":"b"}]}]}`)
	check("skills", len(s.Data[0].Skills), s.Unread, err)
	var q QueueListResult
	err = read(&q, page(`{"id":"q"}`, `{"id":[]}`))
	check("queue", len(q.Data), q.Unread, err)
	var a ThreadAttachmentListResult
	const kept = `{"id":"a1","attachmentType":"note","identityKey":"k","payload":1}`
	err = read(&a, page(kept, `{"id":7,"attachmentType":"note"}`))
	check("attachments", len(a.Data), a.Unread, err)
}

// An item of a turn that cannot be read keeps its place.
func TestAnUnreadableItemOfATurnKeepsItsPlace(t *testing.T) {
	r := decode[ThreadTurnsListResult](t, `{"data":[{"id":"u","items":[{"type":"plan","id":"a","text":"x"},{"type":"plan"},{"type":"plan","id":"c","text":"y"}]}]}`)
	var got []string
	for _, it := range r.Data[0].Items {
		got = append(got, it.ID+" "+it.Type+" "+PlainText(it))
	}
	want := []string{"a plan x", "unreadable-2 unreadable cannot be read", "c plan y"}
	if !slices.Equal(got, want) || r.Unread != 1 {
		t.Errorf("got %q, %d unread, want %q", got, r.Unread, want)
	}
}

func TestWhatCannotBeToldApartIsAnError(t *testing.T) {
	for _, in := range []string{
		`{"data":{}}`, `{"data":[{"turnId":"t","item":{"type":"plan","id":"i"}}],"nextCursor":5}`,
		`{"data":[{"turnId":"t","item":{"type":"plan","id":"i","text":"unfini`, `nonsense`, ``,
	} {
		var r ThreadItemsListResult
		if err := r.UnmarshalJSONFrom(NewDecoder(strings.NewReader(in))); err == nil {
			t.Errorf("%s gives %+v", in, r)
		}
	}
	for method, in := range map[string]string{
		"turn/started":            `{"turn":{"id":"u"}}`,
		"turn/completed":          `{"threadId":"t","turn":{}}`,
		"item/started":            `{"threadId":"t","item":{"type":"plan","id":"i"}}`,
		"item/completed":          `{"threadId":"t","turnId":"u"}`,
		"item/agentMessage/delta": `{"threadId":"t","turnId":"u","delta":"x"}`,
		"item/plan/delta":         `{"threadId":"t","turnId":"u","itemId":"i","delta":7}`,
		"serverRequest/resolved":  `{"threadId":"t"}`,
		"thread/started":          `{"thread":{}}`,
		"thread/closed":           `null`,
		"error":                   `{"threadId":"t","turnId":"u","willRetry":"yes"}`,
		"thread/status/changed":   `{"threadId":"t","status":"idle"}`,
	} {
		if n, err := DecodeNotification(method, jsontext.Value(in), 0); err == nil {
			t.Errorf("%s %s gives %+v", method, in, n)
		}
	}
}

func TestEmptyCursorIsNotNone(t *testing.T) {
	r := decode[ThreadItemsListResult](t, `{"data":[],"nextCursor":"","backwardsCursor":null}`)
	if r.NextCursor == nil || *r.NextCursor != "" || r.BackwardsCursor != nil || r.Bytes == 0 {
		t.Errorf("got %+v", r)
	}
}

func TestThreadFields(t *testing.T) {
	th := decode[Thread](t, `{"id":"t","name":null,"preview":"\n  first line \nsecond","status":{"type":"active","activeFlags":["waitingOnApproval"]},"source":{"subAgent":{"thread_spawn":{"depth":1}}},"gitInfo":{"branch":"main"},"turns":[{"id":"u","status":"failed","error":{"message":"m","codexErrorInfo":{"httpConnectionFailed":{"httpStatusCode":401}}},"items":[]}]}`)
	if th.Title() != "first line" || th.Source != "subAgent" || th.GitInfo.Branch != "main" || th.Status.ActiveFlags[0] != "waitingOnApproval" {
		t.Errorf("got %+v, title %q", th, th.Title())
	}
	if got, want := th.Turns[0].Error.Info, (ErrorInfo{"httpConnectionFailed", 401}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for in, want := range map[string]string{
		`{"id":"t","name":"n","preview":"p"}`: "n", `{"id":"t","name":"  ","preview":"p"}`: "p", `{"id":"t","preview":" \n "}`: "Untitled",
	} {
		th := decode[Thread](t, in)
		if got := th.Title(); got != want {
			t.Errorf("%s is titled %q, want %q", in, got, want)
		}
	}
}

func TestPlainTextOfEachKind(t *testing.T) {
	for _, c := range []struct {
		body ItemBody
		want string
	}{
		{UserMessage{Content: []UserInput{{Type: "text", Text: "a"}, {Type: "image", Media: "image/png", Bytes: 9}, {Type: "image", URL: "https://x/y.png"}, {Type: "localImage", Path: "/p"}, {Type: "skill", Name: "s"}, {Type: "mention", Name: "m"}}}, "a\n[image image/png, 9 bytes]\n[image: https://x/y.png]\n[localImage: /p]\n$s\n@m"},
		{AgentMessage{Text: "t"}, "t"},
		{Reasoning{[]string{"a", "b"}, []string{"c"}}, "a\nb\nc"},
		{CommandExecution{Command: "ls", Output: "x\n"}, "ls\nx\n"},
		{FileChange{Changes: []FileUpdate{{"a", "add", "new", ""}, {"b", "update", "@@", "c"}}}, "add a\nnew\nupdate b\nc\n@@"},
		{ToolCall{Server: "s", Tool: "t", Arguments: "{}", Error: "e"}, "s.t\n{}\ne"},
		{CollabCall{Tool: "spawnAgent", Prompt: "p", Receivers: []string{"x"}}, "spawnAgent\nx\np"},
		{SubAgent{Kind: "started", Path: "/r"}, "started\n/r"},
		{WebSearch{"q", "search q"}, "q\nsearch q"},
		{ImageView{"/p"}, "/p"},
		{ImageGeneration{"completed", "p", "/s", 4}, "p\n/s\n[image, 4 bytes]"},
		{Review{true, "r"}, "r"},
		{Compaction{}, "The history before this was summarized."},
		{Sleep{5}, "Waited 5 ms."},
		{HookPrompt{[]string{"a", "b"}}, "a\nb"},
		{FunctionOutput{"n", "o"}, "n\no"},
		{UnknownItem{"s"}, "s"},
		{nil, ""},
	} {
		if got := PlainText(Item{Body: c.body}); got != c.want || PlainLen(Item{Body: c.body}) != len(c.want) {
			t.Errorf("%T is %q, want %q", c.body, got, c.want)
		}
	}
}

func TestAccessWords(t *testing.T) {
	for _, word := range []string{ReadOnly, Workspace, Full} {
		g, ok := GrantFor(word)
		if !ok || g.Sandbox.Access() != word {
			t.Errorf("%s becomes %+v, which is %q", word, g, g.Sandbox.Access())
		}
		if asks := g.Approval != "never"; asks != (word != Full) {
			t.Errorf("%s has approval policy %s", word, g.Approval)
		}
	}
	if g, ok := GrantFor("everything"); ok {
		t.Errorf("an unknown word becomes %+v", g)
	}
	for _, kind := range []string{"externalSandbox", "", "newKind"} {
		if w := (Sandbox{Type: kind}).Access(); w != "" {
			t.Errorf("%q is taken for %q", kind, w)
		}
	}
	opened := decode[ThreadStartResult](t, `{"thread":{"id":"t"},"approvalPolicy":{"granular":{"rules":true}},"sandbox":{"type":"workspaceWrite","networkAccess":false},"model":"m"}`)
	if opened.ApprovalPolicy != "granular" || opened.Sandbox.Access() != Workspace {
		t.Errorf("got %+v", opened)
	}
}

func TestDeadlines(t *testing.T) {
	for method, want := range map[string]time.Duration{
		"thread/read": 30 * time.Second, "thread/items/list": 30 * time.Second, "initialize": 30 * time.Second,
		"thread/resume": 120 * time.Second, "thread/fork": 120 * time.Second, "thread/compact/start": 120 * time.Second,
		"turn/start": 60 * time.Second, "thread/delete": 60 * time.Second, "no/such": 60 * time.Second,
		"turn/interrupt": 10 * time.Second, "account/login/start": 60 * time.Second,
	} {
		if got := Deadline(method); got != want {
			t.Errorf("%s has %v, want %v", method, got, want)
		}
	}
}

func TestServerVersion(t *testing.T) {
	for in, want := range map[string]string{
		"holdfast/0.159.1 (Debian 12; x86_64) xterm (holdfast; 0.0.1)": "0.159.1",
		"my app/2/0.171.0-alpha.3 (x)":                                 "0.171.0-alpha.3",
		"a/0.155.1":                                                    "0.155.1",
		"a/1.2 (x)":                                                    "",
		"0.159.1":                                                      "",
		"a/99999999999.0.0":                                            "",
		"":                                                             "",
	} {
		if got, ok := ServerVersion(in); got != want || ok != (want != "") {
			t.Errorf("%q gives %q %v, want %q", in, got, ok, want)
		}
	}
	a, _ := ParseVersion("0.159.1-beta")
	b, _ := ParseVersion("0.171.0")
	if a.Compare(Target) != 0 || !a.Less(b) || b.Less(a) || a.String() != "0.159.1-beta" {
		t.Errorf("%v against %v and %v", a, Target, b)
	}
}

func TestDeltaKinds(t *testing.T) {
	for method, want := range map[string]Delta{
		"item/agentMessage/delta":           {Kind: DeltaMessage, Text: "x", Bytes: 1},
		"item/plan/delta":                   {Kind: DeltaPlan, Text: "x", Bytes: 1},
		"item/reasoning/summaryTextDelta":   {Kind: DeltaSummary, Part: 2, Text: "x", Bytes: 1},
		"item/reasoning/textDelta":          {Kind: DeltaReasoning, Part: 2, Text: "x", Bytes: 1},
		"item/commandExecution/outputDelta": {Kind: DeltaOutput, Text: "x", Bytes: 1},
		"item/fileChange/outputDelta":       {Kind: DeltaPatch, Text: "x", Bytes: 1},
	} {
		part := map[DeltaKind]string{DeltaSummary: `,"summaryIndex":2`, DeltaReasoning: `,"contentIndex":2`}[want.Kind]
		want.ItemRef = ItemRef{TurnRef{ThreadRef{"t"}, "u"}, "i"}
		got, err := DecodeNotification(method, jsontext.Value(`{"threadId":"t","turnId":"u","itemId":"i","delta":"x"`+part+`}`), 9)
		if err != nil || got != want {
			t.Errorf("%s gives %+v (%v), want %+v", method, got, err, want)
		}
	}
}

func TestTimesOfLiveItems(t *testing.T) {
	for in, want := range map[string]Item{
		`{"threadId":"t","turnId":"u","completedAtMs":5,"item":{"type":"contextCompaction","id":"i"}}`:                                   {CompletedAtMs: 5},
		`{"threadId":"t","turnId":"u","item":{"type":"contextCompaction","id":"i"}}`:                                                     {CompletedAtMs: 9},
		`{"threadId":"t","turnId":"u","completedAtMs":5,"item":{"type":"contextCompaction","id":"i","startedAtMs":3,"completedAtMs":4}}`: {StartedAtMs: 3, CompletedAtMs: 4},
	} {
		n, err := DecodeNotification("item/completed", jsontext.Value(in), 9)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.(ItemCompleted).Item; got.StartedAtMs != want.StartedAtMs || got.CompletedAtMs != want.CompletedAtMs {
			t.Errorf("%s gives %d and %d", in, got.StartedAtMs, got.CompletedAtMs)
		}
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	key := AccountLoginStartParams{APIKey: "sk-very-secret"}
	answer := UserInputAnswer{Answers: map[string]AnswerList{"q": {[]string{"sk-very-secret"}}}}
	if s := fmt.Sprintf("%v %+v %#v %v %+v %#v", key, key, key, answer, answer, answer); strings.Contains(s, "secret-") || strings.Contains(s, "very") {
		t.Errorf("printed: %s", s)
	}
}

func TestRawValuesAreBounded(t *testing.T) {
	list := func(n int) string { return "[" + strings.Repeat(`"0123456",`, n) + `1]` }
	for _, c := range []struct{ n int }{{100}, {maxField/10 - 1}, {maxField / 10}, {200_000}} {
		text := list(c.n)
		it := decode[Item](t, `{"type":"mcpToolCall","id":"i","tool":"t","arguments":`+strings.ReplaceAll(text, ",", " ,\n ")+`}`)
		got := it.Body.(ToolCall).Arguments
		if len(text) <= maxField && got != text {
			t.Errorf("%d bytes become %d", len(text), len(got))
		}
		if len(text) > maxField && (len(got) > maxField || !strings.HasPrefix(text, got[:90_000]) || !strings.HasSuffix(text, got[len(got)-30_000:])) {
			t.Errorf("%d bytes become %d", len(text), len(got))
		}
		if want := int64(len("t\n") + len(text)); it.Bytes != want {
			t.Errorf("%d bytes, want %d", it.Bytes, want)
		}
	}
}

func TestTheTypeMustComeInTime(t *testing.T) {
	part := quoted(strings.Repeat("x", 1<<20))
	in := `{"id":"i",` + strings.Repeat(`"a":`+part+`,`, 20) + `"type":"plan"}`
	var it Item
	if err := it.UnmarshalJSONFrom(NewDecoder(strings.NewReader(in))); err == nil {
		t.Error("20 MiB before the type are held")
	}
}

// A page that lacks its list, or an answer that names no thread or turn, says
// nothing; it does not say that there is nothing.
func TestMissing(t *testing.T) {
	type check struct {
		empty, null error
		whole       error
	}
	for _, in := range []any{
		&ThreadListResult{}, &ThreadTurnsListResult{}, &ThreadItemsListResult{}, &ModelListResult{}, &SkillsListResult{}, &QueueListResult{}, &FuzzyFileSearchResult{}, &McpServerStatusListResult{},
		&ThreadReadResult{}, &ThreadStartResult{}, &ThreadForkResult{}, &ThreadResumeResult{}, &ThreadUnarchiveResult{}, &TurnStartResult{}, &ThreadRevertResult{}, &ReviewStartResult{},
	} {
		kind := reflect.TypeOf(in).Elem()
		read := func(doc string) error {
			v := reflect.New(kind).Interface()
			if err := json.Unmarshal([]byte(doc), v, DecodeOptions()); err != nil {
				return err
			}
			return Missing(v)
		}
		got := check{empty: read(`{}`), null: read(`null`), whole: read(`{"data":[],"files":[],"thread":{"id":"t"},"turn":{"id":"u"}}`)}
		if got.empty == nil || got.null == nil || got.whole != nil {
			t.Errorf("%s: {} gives %v, null gives %v, a whole one %v", kind, got.empty, got.null, got.whole)
		}
	}
}

// A list has a bound: what is beyond it is left out, and the page says so.
func TestListsAreBounded(t *testing.T) {
	threads := func(n int) string {
		return `{"data":[` + strings.TrimSuffix(strings.Repeat(`{"id":"t"},`, n), ",") + `]}`
	}
	var r ThreadListResult
	for n, unread := range map[int]int{maxPage: 0, maxPage + 1: 1} {
		if err := json.Unmarshal([]byte(threads(n)), &r, DecodeOptions()); err != nil || len(r.Data) != maxPage || r.Unread != unread {
			t.Errorf("%d threads: %d, %d unread, %v", n, len(r.Data), r.Unread, err)
		}
	}
	const word = `"xxxxxxxxx",`
	many := func(n int, of string) string {
		return `{"type":"active","activeFlags":[` + strings.TrimSuffix(strings.Repeat(of, n), ",") + `]}`
	}
	big := `"` + strings.Repeat("x", maxField) + `",`
	for _, c := range []struct {
		n    int
		of   string
		want error
	}{{maxList, word, nil}, {maxList + 1, word, errLongList}, {maxPageBytes/maxField - 1, big, nil}, {maxPageBytes/maxField + 2, big, errLongList}} {
		var s Status
		if err := json.Unmarshal([]byte(many(c.n, c.of)), &s, DecodeOptions()); !errors.Is(err, c.want) {
			t.Errorf("%d words of %d bytes: %v, want %v", c.n, len(c.of), err, c.want)
		}
	}
	items := func(n int) string {
		return `{"data":[` + strings.TrimSuffix(strings.Repeat(`{"turnId":"u","item":{"type":"plan","id":"i","text":"x"}},`, n), ",") + `],"nextCursor":"c"}`
	}
	for n, over := range map[int]bool{maxPage: false, maxPage + 1: true, 5 * maxPage: true} {
		p := decode[ThreadItemsListResult](t, items(n))
		kept := maxPage
		if over {
			kept = 0 // it is asked for again, in a smaller page
		}
		if len(p.Data) != kept || p.Over != over || p.NextCursor == nil {
			t.Errorf("%d items: %d kept, over %v, cursor %v", n, len(p.Data), p.Over, p.NextCursor)
		}
	}
	turns := func(n, items int, text string) string {
		list := strings.TrimSuffix(strings.Repeat(`{"type":"plan","id":"i","text":"`+text+`"},`, items), ",")
		return `{"data":[` + strings.TrimSuffix(strings.Repeat(`{"id":"u","items":[`+list+`]},`, n), ",") + `]}`
	}
	for _, c := range []struct {
		n, items int
		text     string
		want     [3]int // over, over in the first turn, unread
	}{
		{maxPage, 1, "x", [3]int{0, 0, 0}},
		{maxPage + 1, 1, "x", [3]int{1, 0, 0}},
		{1, maxPage, "x", [3]int{0, 0, 0}},
		{1, maxPage + 1, "x", [3]int{0, 1, 0}},
		{maxPageBytes/(100<<10) - 1, 1, strings.Repeat("x", 100<<10), [3]int{0, 0, 0}},
		{maxPageBytes/(100<<10) + 2, 1, strings.Repeat("x", 100<<10), [3]int{1, 0, 0}},
	} {
		p := decode[ThreadTurnsListResult](t, turns(c.n, c.items, c.text))
		got := [3]int{0, p.Data[0].Over, p.Unread}
		if p.Over {
			got[0] = 1
		}
		if got != c.want {
			t.Errorf("%d turns of %d items of %d bytes: got %v, want %v", c.n, c.items, len(c.text), got, c.want)
		}
	}
}

// A version's tail has a bound: it is shown in many places.
func TestAVersionHasABound(t *testing.T) {
	for n, want := range map[int]bool{maxTail: true, maxTail + 1: false} {
		if _, ok := ParseVersion("0.159.1-" + strings.Repeat("x", n-1)); ok != want {
			t.Errorf("a tail of %d is a version: %v", n, ok)
		}
	}
}

// The true length of an item counts what is not kept of it too: parts beyond
// the bound, and the end of a field's name, which is marked as cut.
func TestTheTrueLengthCountsWhatIsNotKept(t *testing.T) {
	list := func(n int, of string) string { return strings.TrimSuffix(strings.Repeat(of+",", n), ",") }
	fields := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"k%05d":"some words"`, i)
		}
		return b.String()
	}
	changes := func(n int) string {
		return `{"type":"fileChange","id":"i","changes":[` + list(n, `{"path":"/p","kind":{"type":"add"},"diff":"+x\n"}`) + `]}`
	}
	kept := decode[Item](t, changes(maxParts)).Bytes
	for name, c := range map[string]struct {
		item  string
		bytes int64
		cut   bool
	}{
		"as many texts as are kept": {`{"type":"userMessage","id":"i","content":[` + list(maxParts, `{"type":"text","text":"é\nz"}`) + `]}`, 5*maxParts - 1, false},
		"more texts":                {`{"type":"userMessage","id":"i","content":[` + list(maxParts+50, `{"type":"text","text":"é\nz"}`) + `]}`, 5*(maxParts+50) - 1, true},
		"more summaries":            {`{"type":"reasoning","id":"i","summary":[` + list(maxParts+50, `"é\nz"`) + `],"content":[]}`, 5*(maxParts+50) - 1, true},
		"more changes":              {changes(maxParts + 50), kept + 50*(kept-decode[Item](t, changes(maxParts-1)).Bytes), true},
		"more fields":               {`{"type":"weird","id":"i"` + fields(9000) + `}`, 9000*19 - 1, true},
		"a name that is kept":       {`{"type":"weird","id":"i","` + strings.Repeat("k", maxUnknown/4) + `":1}`, maxUnknown/4 + 3, false},
		"a longer name":             {`{"type":"weird","id":"i","` + strings.Repeat("k", maxUnknown/4+1) + `":1}`, maxUnknown/4 + 4, true},
	} {
		it := decode[Item](t, c.item)
		if it.Bytes != c.bytes || (len(it.Cuts) > 0) != c.cut {
			t.Errorf("%s: %d bytes, cuts %v, want %d, cut %v", name, it.Bytes, it.Cuts, c.bytes, c.cut)
		}
	}
}
