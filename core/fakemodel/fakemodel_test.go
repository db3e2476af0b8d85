package fakemodel_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"holdfast/core/fakemodel"
)

func start(t *testing.T) *fakemodel.Server {
	t.Helper()
	s, err := fakemodel.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

const asking = `{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}]}`

// A reply is an HTTP answer whose body is closed when the test ends.
type reply struct {
	status int
	body   io.ReadCloser
}

func post(t *testing.T, s *fakemodel.Server, body string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/responses", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return reply{resp.StatusCode, resp.Body}
}

// events reads a stream to its end: "type" or "type:delta" for each event.
func events(t *testing.T, r io.Reader) []string {
	t.Helper()
	var out []string
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		var ev struct{ Type, Delta string }
		if err := json.Unmarshal([]byte(data), &ev); err != nil {
			t.Fatalf("event %q: %v", data, err)
		}
		name := strings.TrimPrefix(ev.Type, "response.")
		if ev.Delta != "" {
			name += ":" + ev.Delta
		}
		out = append(out, name)
	}
	return out
}

func TestStepsBecomeEvents(t *testing.T) {
	msg := func(deltas ...string) []string {
		out := []string{"output_item.added"}
		for _, d := range deltas {
			out = append(out, "output_text.delta:"+d)
		}
		return append(out, "output_item.done")
	}
	item := []string{"output_item.added", "output_item.done"}
	for _, tc := range []struct {
		name string
		step fakemodel.Step
		want []string
		last string
	}{
		{"words", fakemodel.Text{Text: "one two\nthree"}, msg("one ", "two\n", "three"), "completed"},
		{"bytes", fakemodel.Text{Text: "abcde", Chunk: 2}, msg("ab", "cd", "e"), "completed"},
		{"never inside a rune", fakemodel.Text{Text: "日本", Chunk: 1}, msg("日", "本"), "completed"},
		{"empty text", fakemodel.Text{}, msg(), "completed"},
		{"reasoning", fakemodel.Reasoning{Text: "hm"}, []string{"output_item.added", "reasoning_summary_part.added", "reasoning_summary_text.delta:hm", "output_item.done"}, "completed"},
		{"call", fakemodel.Call{Name: "x", Arguments: map[string]int{"a": 1}}, item, "completed"},
		{"custom call", fakemodel.CustomCall{Name: "x", Input: "y"}, item, "completed"},
		{"raw item", fakemodel.RawItem{JSON: json.RawMessage(`{"type":"message"}`)}, item, "completed"},
		{"raw event", fakemodel.RawEvent{JSON: json.RawMessage(`{"type":"response.x"}`)}, []string{"x"}, "completed"},
		{"failed", fakemodel.Failed{Code: "c"}, nil, "failed"},
		{"incomplete", fakemodel.Incomplete{Reason: "r"}, nil, "incomplete"},
		{"cut", fakemodel.Cut{}, nil, "created"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t)
			s.Enqueue(fakemodel.Answer(tc.step))
			got := events(t, post(t, s, asking).body)
			want := append([]string{"created"}, tc.want...)
			if tc.last != "created" {
				want = append(want, tc.last)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestCallArgumentsAreTextInsideJSON(t *testing.T) {
	s := start(t)
	s.Enqueue(fakemodel.Answer(fakemodel.Call{Name: "run", ID: "call_1", Arguments: map[string]string{"cmd": "a"}}))
	raw, err := io.ReadAll(post(t, s, asking).body)
	if err != nil {
		t.Fatal(err)
	}
	if want := `"arguments":"{\"cmd\":\"a\"}","call_id":"call_1"`; !strings.Contains(string(raw), want) {
		t.Errorf("got  %s\nwant it to contain %s", raw, want)
	}
}

func TestStatusNeverOpensAStream(t *testing.T) {
	s := start(t)
	s.Enqueue(fakemodel.Answer(fakemodel.Status{Code: 429, Body: `{"error":{}}`}))
	resp := post(t, s, asking)
	body, err := io.ReadAll(resp.body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.status != 429 || string(body) != `{"error":{}}` {
		t.Errorf("got %d %s, want 429 {\"error\":{}}", resp.status, body)
	}
}

func TestScriptsAreChosenInOrder(t *testing.T) {
	s := start(t)
	other := `{"input":[{"role":"user","content":[{"text":"other"}]}]}`
	s.SetAnswer(func(r fakemodel.Request) fakemodel.Script { return fakemodel.Say("fallback-" + r.Asked()) })
	matched, kept := fakemodel.Say("matched"), fakemodel.Say("kept")
	matched.Match = "other"
	kept.Match, kept.Keep = "keep", true
	s.Enqueue(matched, fakemodel.Say("first"), kept)
	var got []string
	for _, body := range []string{asking, asking, other, other, `{"keep":1}`, `{"keep":2}`} {
		for _, ev := range events(t, post(t, s, body).body) {
			if text, ok := strings.CutPrefix(ev, "output_text.delta:"); ok {
				got = append(got, text)
			}
		}
	}
	want := []string{"first", "fallback-hello", "matched", "fallback-other", "kept", "kept"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestGateHoldsUntilOpened(t *testing.T) {
	s := start(t)
	s.Enqueue(fakemodel.Answer(fakemodel.Text{Text: "before"}, fakemodel.Gate{Name: "g"}, fakemodel.Text{Text: "after"}))
	resp := post(t, s, asking)
	if err := s.AwaitGate(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	if r := s.Requests()[0]; r.Done {
		t.Errorf("request is done while it waits at the gate: %+v", r)
	}
	s.Open("g")
	s.Open("g") // twice is once
	got := events(t, resp.body)
	if want := "output_text.delta:after"; !slices.Contains(got, want) {
		t.Errorf("got %q, want it to contain %q", got, want)
	}
}

func TestAGateNobodyReachesSaysWhich(t *testing.T) {
	s := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.AwaitGate(ctx, "never")
	if err == nil || !strings.Contains(err.Error(), `"never"`) {
		t.Errorf("got %v, want an error that names the gate", err)
	}
}

func TestCloseEndsAHangingAnswer(t *testing.T) {
	s := start(t)
	s.Enqueue(fakemodel.Answer(fakemodel.Hang{}))
	stream := bufio.NewReader(post(t, s, asking).body)
	// The answer is under way before it is cut: its first event is here.
	line, err := "", error(nil)
	for err == nil && !strings.HasPrefix(line, "data: ") {
		line, err = stream.ReadString('\n')
	}
	if err != nil || !strings.Contains(line, "response.created") {
		t.Fatalf("got %q, %v, want the event created first", line, err)
	}
	s.Close()
	if got := events(t, stream); len(got) != 0 {
		t.Errorf("got %q after the end, want nothing", got)
	}
}

func TestAClientThatLeavesIsRecorded(t *testing.T) {
	s := start(t)
	s.Enqueue(fakemodel.Answer(fakemodel.Hang{}))
	_ = post(t, s, asking).body.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := s.Await(ctx, func(r fakemodel.Request) bool { return r.Gone && !r.Done }); err != nil {
		t.Error(err)
	}
}

func TestTwoClientsNeverShareAnItemID(t *testing.T) {
	s := start(t)
	var wg sync.WaitGroup
	bodies := make([]string, 16)
	for i := range bodies {
		resp := post(t, s, asking)
		wg.Go(func() {
			raw, _ := io.ReadAll(resp.body)
			bodies[i] = string(raw)
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, b := range bodies {
		_, rest, _ := strings.Cut(b, `"item_id":"`)
		id, _, ok := strings.Cut(rest, `"`)
		if !ok || seen[id] {
			t.Fatalf("item id %q is missing or came twice", id)
		}
		seen[id] = true
	}
}

func TestRequestSaysWhatWasAsked(t *testing.T) {
	for _, tc := range []struct{ name, body, asked, call, output string }{
		{"user", asking, "hello", "", ""},
		{"follow-up", `{"input":[{"role":"user","content":[{"text":"x"}]},{"type":"function_call_output","call_id":"c","output":"done"}]}`, "", "c", "done"},
		{"structured output", `{"input":[{"type":"custom_tool_call_output","call_id":"c","output":{"a":1}}]}`, "", "c", `{"a":1}`},
		{"plain content", `{"input":[{"role":"user","content":"hi"}]}`, `"hi"`, "", ""},
		{"nothing", `{}`, "", "", ""},
		{"not JSON", `nope`, "", "", ""},
	} {
		r := fakemodel.Request{Body: json.RawMessage(tc.body)}
		call, output := r.Answered()
		if got := r.Asked(); got != tc.asked || call != tc.call || output != tc.output {
			t.Errorf("%s: asked %q, answered %q %q, want %q, %q %q", tc.name, got, call, output, tc.asked, tc.call, tc.output)
		}
	}
}

func TestConfigHasNoNetworkFeature(t *testing.T) {
	got := fakemodel.Config{}.TOML("http://127.0.0.1:1/v1")
	for _, line := range []string{
		"check_for_update_on_startup = false", "plugins = false", "apps = false", "enabled = false",
		`base_url = "http://127.0.0.1:1/v1"`, `approval_policy = "on-request"`, `sandbox_mode = "read-only"`,
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("no line %q in\n%s", line, got)
		}
	}
}

func TestRequestSaysWhichToolsItOffers(t *testing.T) {
	r := fakemodel.Request{Body: json.RawMessage(`{"tools":[{"type":"function","name":"a"},{"type":"namespace","name":"n","tools":[{"name":"b"}]}]}`)}
	for _, tc := range []struct {
		tool, namespace string
		ok              bool
	}{{"a", "", true}, {"b", "n", true}, {"c", "", false}} {
		if ns, ok := r.Offers(tc.tool); ns != tc.namespace || ok != tc.ok {
			t.Errorf("%s: got %q %v, want %q %v", tc.tool, ns, ok, tc.namespace, tc.ok)
		}
	}
}
