package drive_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

func said(ask, answer string) seed.Turn {
	return seed.Turn{Ask: ask, Answers: []fakemodel.Script{fakemodel.Say(answer)}}
}

// Rename, fork, archive, unarchive, compact and delete, as the list shows them.
func TestWhatIsDoneToAConversation(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		s := begin(t, stdio(h))
		s.untilState("awaiting-selection")
		thread := s.fresh(h)
		s.tell(h, "first", fakemodel.Say("one"))
		s.turnEnds("completed", "agentMessage: one")

		s.run(object{"do": "rename", "thread": thread, "name": "A new name"})
		s.until("the new name", func() bool { return s.thread(thread) != nil && s.thread(thread)["title"] == "A new name" })

		s.run(object{"do": "fork", "thread": thread})
		fork := s.section("thread")["id"].(string)
		if fork == thread || s.section("thread")["joined"] != true || s.state["state"] != "ready" {
			t.Fatalf("after the fork: %s", s.brief())
		}
		if got, want := s.said(), []string{"userMessage: first", "agentMessage: one"}; !slices.Equal(got, want) {
			t.Errorf("the fork's rows %q, want %q", got, want)
		}
		s.tell(h, "second", fakemodel.Say("two"))
		s.turnEnds("completed", "agentMessage: two")
		s.until("the fork in the list", func() bool { return s.thread(fork) != nil })

		h.Model.Enqueue(fakemodel.Say("a summary"))
		s.must(`{"do":"compact"}`)
		s.until("the compaction", func() bool {
			return slices.ContainsFunc(s.list("rows"), func(r map[string]any) bool { return r["kind"] == "contextCompaction" })
		})

		s.run(object{"do": "archive", "thread": fork})
		s.until("the fork is gone from the list", func() bool { return s.thread(fork) == nil })
		s.run(object{"do": "threads", "archived": true})
		if s.thread(fork) == nil {
			t.Errorf("archived conversations %v, want the fork", s.list("threads"))
		}
		s.run(object{"do": "unarchive", "thread": fork})
		s.run(object{"do": "threads"})
		if s.thread(fork) == nil {
			t.Errorf("conversations %v, want the fork", s.list("threads"))
		}

		if d := s.do(line(t, object{"do": "delete", "thread": thread})); d["ok"] != false {
			t.Errorf("a conversation with a fork was deleted: %v", d)
		}
		s.run(object{"do": "delete", "thread": fork})
		s.run(object{"do": "delete", "thread": thread})
		s.until("an empty list", func() bool { return len(s.list("threads")) == 0 })
		s.quit()
	})
}

// A legacy conversation is read in summaries, opened turn by turn, joined and
// written in (ruling 6).
func TestALegacyConversation(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		srv := h.ListenWS()
		thinking := seed.Turn{Ask: "why", Answers: []fakemodel.Script{
			fakemodel.Answer(fakemodel.Text{Text: "first thought"}, fakemodel.Text{Text: "because"}),
		}}
		thread, err := srv.Maker().Make(h.Context(), seed.Thread{Legacy: true, Turns: []seed.Turn{said("what", "that"), thinking}})
		if err != nil {
			t.Fatal(err)
		}
		s := begin(t, remote(h, srv))
		s.untilState("awaiting-selection")
		s.run(object{"do": "select", "thread": thread})
		if th := s.section("thread"); th["mode"] != "legacy" || th["joined"] != false {
			t.Errorf("thread %v, want a legacy reading", th)
		}
		summary := []string{"userMessage: what", "agentMessage: that", "userMessage: why", "agentMessage: because"}
		if got := s.said(); !slices.Equal(got, summary) {
			t.Errorf("summaries %q, want %q", got, summary)
		}
		rows := s.list("rows")
		s.run(object{"do": "expand", "turn": rows[len(rows)-1]["turn"]})
		full := slices.Insert(slices.Clone(summary), 3, "agentMessage: first thought")
		if got := s.said(); !slices.Equal(got, full) {
			t.Errorf("after expand %q, want %q", got, full)
		}
		s.must(`{"do":"join"}`)
		s.tell(h, "and now", fakemodel.Say("now too"))
		s.turnEnds("completed", "agentMessage: now too")
		s.quit()
	})
}

// A long conversation is read from its end, and older pages come in above, in
// order and without a gap, until its beginning or the window's bound.
func TestOlder(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		srv := h.ListenWS()
		thread, err := srv.Maker().Make(h.Context(), seed.Long("Long", 10, 26))
		if err != nil {
			t.Fatal(err)
		}
		s := begin(t, remote(h, srv))
		s.untilState("awaiting-selection")
		s.run(object{"do": "select", "thread": thread})
		for s.state["older"] == true {
			before := s.said()
			s.must(`{"do":"older"}`)
			after := s.said()
			if len(after) <= len(before) || !slices.Equal(after[len(after)-len(before):], before) {
				t.Fatalf("a page above changed what was there: %d rows before, %d after", len(before), len(after))
			}
		}
		var questions []string
		for _, row := range s.said() {
			if text, ok := strings.CutPrefix(row, "userMessage: "); ok {
				questions = append(questions, text)
			}
		}
		var want []string
		for i := range 10 {
			want = append(want, fmt.Sprintf("Question %d", i+1))
		}
		if len(s.list("rows")) != 260 || !slices.Equal(questions, want) {
			t.Errorf("%d rows with %q, want 260 with %q", len(s.list("rows")), questions, want)
		}
		s.refused(`{"do":"older"}`, "end")
		s.quit()
	})
}

// The list pages on demand, by recency, and loses none (fact 16).
func TestTheListPagesOnDemand(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		srv := h.ListenWS()
		m := srv.Maker()
		var want []string
		for i := range 60 {
			id, err := m.Make(h.Context(), seed.Thread{Turns: []seed.Turn{said(fmt.Sprintf("thread %d", i), "yes")}})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, id)
		}
		slices.Sort(want)
		year := time.Now().Year()
		s := begin(t, remote(h, srv))
		s.untilState("awaiting-selection")
		for pages := 0; s.state["moreThreads"] == true; pages++ {
			if pages > 60 {
				t.Fatal("the list never ends")
			}
			s.run(object{"do": "threads", "more": true})
		}
		for _, row := range s.list("threads") {
			// Seconds, as the server's own times are (trap 16).
			if at := time.Unix(int64(row["recencyAt"].(float64)), 0).Year(); at != year && at != year+1 {
				t.Fatalf("%v is of the year %d", row, at)
			}
		}
		got := names(s.state["threads"], "id")
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%d conversations listed, want the %d made", len(got), len(want))
		}
		s.quit()
	})
}

// The window of a thousand: three thousand items, Load older 25
// times, and newer back to the live end; a message sent meanwhile is there.
//
// req: FLD-9
func TestWindowOfAThousand(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		realserver.Long3000.Into(h)
		s := begin(t, remote(h, h.ListenWS()))
		s.untilState("awaiting-selection")
		s.run(object{"do": "select", "thread": s.list("threads")[0]["id"]})
		s.must(`{"do":"join"}`)
		for range 25 {
			first := s.said()[0]
			s.must(`{"do":"older"}`)
			if got := s.said(); len(got) > 1000 || got[100] != first {
				t.Fatalf("%d rows; the row that was first is not where the page ended", len(got))
			}
		}
		if s.state["newer"] != true || s.section("thread")["live"] != true {
			t.Errorf("newer %v, live %v, want both", s.state["newer"], s.section("thread")["live"])
		}
		turn := s.section("thread")["turn"]
		s.tell(h, "from far above", fakemodel.Say("heard"))
		s.until("the turn ends", func() bool {
			th := s.section("thread")
			return th["turn"] != turn && th["turnStatus"] == "completed"
		})
		for n := 0; s.state["newer"] == true; n++ {
			last := s.said()[len(s.said())-1]
			s.must(`{"do":"newer"}`)
			if got := s.said(); len(got) > 1000 || n > 30 || !slices.Contains(got, last) {
				t.Fatalf("page %d: %d rows; the row that was last is gone", n, len(got))
			}
		}
		got := s.said()
		want := []string{"userMessage: from far above", "agentMessage: heard"}
		if !slices.Equal(got[len(got)-2:], want) {
			t.Errorf("the end is %q, want %q", got[len(got)-2:], want)
		}
		s.refused(`{"do":"newer"}`, "end")
		s.quit()
	})
}
