package demo_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"holdfast/core/demo"
	"holdfast/core/realserver"
	"holdfast/core/seed"
	"holdfast/core/transport"
)

// start starts a demo and a client on its target.
func start(t *testing.T, version string) (*demo.Demo, *seed.Client) {
	t.Helper()
	codex, err := realserver.Find(version)
	if err != nil {
		t.Fatal(err)
	}
	d, err := demo.Start(t.Context(), demo.Options{Codex: codex, Dir: t.TempDir(), Pace: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Stop(); err != nil {
			t.Error(err)
		}
	})
	return d, connect(t, d)
}

// connect connects a client of the kit's own.
func connect(t *testing.T, d *demo.Demo) *seed.Client {
	t.Helper()
	link, err := transport.Dial(t.Context(), d.Target, transport.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := seed.NewClient(t.Context(), link)
	t.Cleanup(func() { _ = c.Close() })
	if err := c.Init(t.Context(), seed.Quiet); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestADemo(t *testing.T) {
	for _, version := range realserver.Versions() {
		t.Run(version, func(t *testing.T) {
			d, c := start(t, version)
			t.Run("the list begins with what to try", func(t *testing.T) { theList(t, d, c) })
			t.Run("each example shows what it promises", func(t *testing.T) { theExamples(t, d, c) })
			t.Run("a second one says that one runs", func(t *testing.T) { aSecond(t, d) })
		})
	}
}

func theList(t *testing.T, d *demo.Demo, c *seed.Client) {
	t.Helper()
	var list struct{ Data []struct{ ID, Name string } }
	ctx := within(t)
	if err := c.CallInto(ctx, "thread/list", map[string]any{"sortKey": "recency_at"}, &list); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, th := range list.Data {
		got = append(got, th.Name)
	}
	want := []string{
		"Start here", "How the tide table works", "A plan for the tides", "Check the hour", "The drawing of the tides", "潮の満ち引き",
		"A turn that failed", "An older conversation", "Three hundred items",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if list.Data[0].ID != d.First {
		t.Errorf("First is %s, want %s", d.First, list.Data[0].ID)
	}
}

// Every example of the first conversation shows what it promises.
func theExamples(t *testing.T, d *demo.Demo, c *seed.Client) {
	t.Helper()
	for _, tc := range []struct {
		say, decision string
		want          []string
	}{
		{"Tell me a long story", "accept", []string{"item:reasoning", "item:agentMessage"}},
		{"Run a command", "accept", []string{"item:agentMessage", "asks:item/commandExecution/requestApproval", "item:commandExecution", "item:agentMessage"}},
		{"Please run it", "decline", []string{"item:agentMessage", "asks:item/commandExecution/requestApproval", "item:commandExecution", "item:agentMessage"}},
		{"Change a file", "accept", []string{"item:agentMessage", "asks:item/fileChange/requestApproval", "item:fileChange", "item:agentMessage"}},
		{"Edit it again", "accept", []string{"item:agentMessage", "asks:item/fileChange/requestApproval", "item:fileChange", "item:agentMessage"}},
		{"Make a plan", "accept", []string{"item:reasoning", "item:agentMessage"}},
		{"Look at the image", "accept", []string{"item:agentMessage", "item:imageView", "item:agentMessage"}},
		{"Ask me something", "accept", []string{"asks:item/tool/requestUserInput", "item:agentMessage"}},
		{"Fail on purpose", "accept", []string{"item:agentMessage", "failed"}},
		{"Good morning", "accept", []string{"item:agentMessage"}},
	} {
		if got := play(t, c, d, tc.say, tc.decision); !slices.Equal(got, tc.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", tc.say, got, tc.want)
		}
	}
	raw, err := os.ReadFile(filepath.Join(d.Cwd, "tides.go"))
	if err != nil || !slices.Equal(raw, []byte("package tides\n\n// High reports the height of the tide at hour h, in metres.\nfunc High(h int) float64 {\n\treturn heights[h]\n}\n")) {
		t.Errorf("tides.go after a change and back: %q, %v", raw, err)
	}
}

// play sends one message in a new conversation and says what it showed.
func play(t *testing.T, c *seed.Client, d *demo.Demo, say, decision string) []string {
	t.Helper()
	ctx := within(t)
	c.Decide(func(m seed.Message) any {
		if m.Method == "item/tool/requestUserInput" {
			return map[string]any{"answers": map[string]any{"harbour": map[string]any{"answers": []string{"Bristol"}}}}
		}
		return map[string]string{"decision": decision}
	})
	m := &seed.Maker{Client: c, Cwd: d.Cwd}
	thread, err := m.Make(ctx, seed.Thread{})
	if err != nil {
		t.Fatal(err)
	}
	mark := c.Mark()
	turn, err := m.Begin(ctx, thread, seed.Turn{Ask: say})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Until(ctx, mark, seed.Completed(turn)); err != nil {
		t.Fatalf("%s: %v", say, err)
	}
	var got []string
	for _, m := range c.Since(mark) {
		var p struct {
			Item struct{ Type string }
			Turn struct{ Status string }
		}
		_ = json.Unmarshal(m.Params, &p) // an answer has none
		switch {
		case m.Asks():
			got = append(got, "asks:"+m.Method)
		case m.Method == "item/completed" && p.Item.Type != "userMessage":
			got = append(got, "item:"+p.Item.Type)
		case m.Method == "turn/completed" && p.Turn.Status != "completed":
			got = append(got, p.Turn.Status)
		}
	}
	return got
}

func aSecond(t *testing.T, d *demo.Demo) {
	t.Helper()
	_, err := demo.Start(t.Context(), demo.Options{Codex: d.Target.Codex, Dir: filepath.Dir(d.Cwd)})
	if !errors.Is(err, demo.ErrRunning) {
		t.Errorf("got %v, want %v", err, demo.ErrRunning)
	}
	if _, err := os.Stat(d.Target.CodexHome); err != nil {
		t.Errorf("the running demo lost its home: %v", err)
	}
}

// A second start begins as the first one did, whatever was done in between,
// and nothing but what is kept stays after the stop.
func TestEachStartIsTheSame(t *testing.T) {
	codex, err := realserver.Find(realserver.Target)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var firsts, lists []string
	for range 2 {
		d, err := demo.Start(t.Context(), demo.Options{Codex: codex, Dir: dir, Pace: -1})
		if err != nil {
			t.Fatal(err)
		}
		c := connect(t, d)
		var list json.RawMessage
		if err := c.CallInto(within(t), "thread/list", map[string]any{"sortKey": "recency_at"}, &list); err != nil {
			t.Fatal(err)
		}
		play(t, c, d, "Tell me a long story", "accept")
		firsts, lists = append(firsts, d.First), append(lists, string(list))
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := d.Stop(); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 2 || !strings.HasPrefix(entries[0].Name(), "kept-") || entries[1].Name() != "lock" {
			t.Errorf("left in the folder: %v, %v, want what is kept and the lock", entries, err)
		}
	}
	if firsts[0] != firsts[1] || lists[0] != lists[1] {
		t.Errorf("the starts differ: %q\n%s\n%s", firsts, lists[0], lists[1])
	}
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), realserver.Deadline)
	t.Cleanup(cancel)
	return ctx
}
