package realserver_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

func each(t *testing.T, run func(t *testing.T, version string)) {
	for _, v := range append(realserver.Versions(), realserver.Newest) {
		t.Run(v, func(t *testing.T) { run(t, v) })
	}
}

// One turn on each kind of listener ends, and its items are listed.
func TestATurnOnEachListener(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		for _, s := range []*realserver.Server{h.ListenWS(), h.ListenToken("a-token-of-some-length"), h.ListenUnix()} {
			m := s.Maker()
			id, err := m.Make(h.Context(), seed.Thread{Turns: []seed.Turn{{
				Ask: "hello", ClientID: "c-1", Answers: []fakemodel.Script{fakemodel.Say("good day")},
			}}})
			if err != nil {
				t.Fatalf("%s: %v", s.URL, err)
			}
			if got, want := kinds(t, h, m, id), []string{"userMessage", "agentMessage"}; !slices.Equal(got, want) {
				t.Errorf("%s: items %q, want %q", s.URL, got, want)
			}
			s.Stop()
		}
	})
}

// A command is asked about, accepted and run; a patch changes the file.
func TestCommandsAndPatches(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		m := h.ListenWS().Maker()
		id, err := m.Make(h.Context(), seed.Thread{Turns: []seed.Turn{
			{Ask: "run", Answers: []fakemodel.Script{fakemodel.Answer(seed.Command("echo one > ran.txt", "to see")), fakemodel.Say("ran")}},
			{Ask: "patch", Answers: []fakemodel.Script{fakemodel.Answer(seed.Patch("*** Add File: new.txt\n+two\n")), fakemodel.Say("patched")}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"userMessage", "commandExecution", "agentMessage", "userMessage", "fileChange", "agentMessage"}
		if got := kinds(t, h, m, id); !slices.Equal(got, want) {
			t.Errorf("items %q, want %q", got, want)
		}
		for file, want := range map[string]string{"ran.txt": "one\n", "new.txt": "two\n"} {
			got, err := os.ReadFile(h.Work + "/" + file)
			if err != nil || string(got) != want {
				t.Errorf("%s is %q (%v), want %q", file, got, err, want)
			}
		}
	})
}

func TestLegacyForkAndArchive(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		m := h.ListenWS().Maker()
		turn := func(ask string) seed.Turn {
			return seed.Turn{Ask: ask, Answers: []fakemodel.Script{fakemodel.Say("said")}}
		}
		made := map[string]string{}
		for name, th := range map[string]seed.Thread{
			"paginated": {}, "legacy": {Legacy: true}, "archived": {Archived: true},
		} {
			th.Name, th.Turns = name, []seed.Turn{turn(name)}
			id, err := m.Make(h.Context(), th)
			if err != nil {
				t.Fatal(err)
			}
			made[name] = id
		}
		fork, err := m.Fork(h.Context(), made["paginated"], turn("on"))
		if err != nil {
			t.Fatal(err)
		}
		type row struct {
			ID, Name, HistoryMode string
		}
		list := func(archived bool) []row {
			var r struct{ Data []row }
			if err := m.Client.CallInto(h.Context(), "thread/list", map[string]any{"sortKey": "recency_at", "archived": archived}, &r); err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(r.Data, func(a, b row) int { return strings.Compare(a.Name, b.Name) })
			return r.Data
		}
		live := list(false)
		if len(live) != 3 || live[0].ID != fork && live[1].ID != fork && live[2].ID != fork {
			t.Errorf("listed %+v, want legacy, paginated and the fork %s", live, fork)
		}
		for _, r := range live {
			if want := map[bool]string{true: "legacy", false: "paginated"}[r.ID == made["legacy"]]; r.HistoryMode != want {
				t.Errorf("%+v has mode %s, want %s", r, r.HistoryMode, want)
			}
		}
		if got := list(true); len(got) != 1 || got[0].ID != made["archived"] {
			t.Errorf("archived %+v, want only %s", got, made["archived"])
		}
	})
}

func TestAServerIsGoneAfterStop(t *testing.T) {
	h := realserver.New(t, realserver.Target, fakemodel.Config{})
	for _, end := range []func(*realserver.Server){(*realserver.Server).Stop, (*realserver.Server).Kill} {
		s := h.ListenWS()
		pid := s.PID()
		end(s)
		if _, err := os.Stat("/proc/" + strconv.Itoa(pid)); err == nil {
			t.Errorf("process %d is still there", pid)
		}
	}
}

func kinds(t *testing.T, h *realserver.Home, m *seed.Maker, thread string) []string {
	t.Helper()
	raw, err := m.Client.Call(h.Context(), "thread/items/list", map[string]any{"threadId": thread, "limit": 100})
	if err != nil {
		t.Fatal(err)
	}
	var page struct {
		Data []struct{ Item struct{ Type string } }
	}
	if err := json.Unmarshal(raw, &page); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range page.Data {
		out = append(out, e.Item.Type)
	}
	return out
}
