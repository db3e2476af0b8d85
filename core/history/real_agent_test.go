package history

import (
	"encoding/json"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// A sub-agent's events come on its parent's connection. None of them is in the
// parent's rows, which are those of its own full read; the child's window has
// what the server lists of the child.
func TestRealSubAgent(t *testing.T) {
	const task = "Count the boats"
	eachServer(t, func(t *testing.T, version string) {
		// One version offers it by the usual model only with this feature, which
		// wants a name for the task; the other by another model.
		c, args := fakemodel.Config{Model: "gpt-5.4"}, map[string]string{"message": task}
		if version == realserver.Regression {
			c, args["task_name"] = fakemodel.Config{Features: []string{"multi_agent_v2 = true"}}, "count"
		}
		h := realserver.New(t, version, c)
		server := h.ListenWS()
		m := seed.NewMaker(server.Client(seed.All), h.Model, h.Work)
		id, err := m.Make(h.Context(), seed.Thread{Turns: []seed.Turn{{Ask: "hello", Answers: []fakemodel.Script{fakemodel.Say("good day")}}}})
		if err != nil {
			t.Fatal(err)
		}
		asked := h.Model.Requests()
		namespace, ok := asked[len(asked)-1].Offers("spawn_agent")
		if !ok {
			t.Fatal("no tool spawn_agent is offered")
		}
		h.Model.SetAnswer(func(r fakemodel.Request) fakemodel.Script {
			if _, out := r.Answered(); out == "" && strings.Contains(r.Asked(), "send") {
				return fakemodel.Answer(fakemodel.Call{Name: "spawn_agent", Namespace: namespace, Arguments: args})
			}
			if strings.Contains(r.Asked(), task) {
				return fakemodel.Say("seven boats")
			}
			return fakemodel.Say("somebody counts")
		})
		r := &realThread{t: t, h: h, m: m, id: id}
		w := New(id, "paginated", Limits{})
		r.perform(w, w.Open())
		w.SetLive(true)
		mark := m.Client.Mark()
		if err := m.Take(h.Context(), id, seed.Turn{Ask: "send somebody"}); err != nil {
			t.Fatal(err)
		}
		// The child's turn may end after that of its parent.
		ended, err := m.Client.Until(h.Context(), mark, func(x seed.Message) bool {
			return x.Method == "turn/completed" && !strings.Contains(string(x.Params), id)
		})
		if err != nil {
			t.Fatal(err)
		}
		var child struct{ ThreadID string }
		if err := json.Unmarshal(ended.Params, &child); err != nil {
			t.Fatal(err)
		}
		if version == realserver.Regression { // it says in the parent that the child is done
			_, err := m.Client.Until(h.Context(), mark, func(x seed.Message) bool {
				return x.Method == "item/completed" && strings.Contains(string(x.Params), "subagent-completed-")
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		kid := &realThread{t: t, h: h, m: m, id: child.ThreadID}
		beside := New(child.ThreadID, "paginated", Limits{})
		beside.StartEmpty()
		r.live(w, mark)
		kid.live(beside, mark)
		wantEqual(t, "the parent's rows", lines(w.View()), r.whole())
		wantEqual(t, "the child's rows", lines(beside.View()), kid.whole())
	})
}
