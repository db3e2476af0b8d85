package history

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"holdfast/core/fakemodel"
	"holdfast/core/protocol"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// A realThread is a conversation on a real server, seen by windows.
type realThread struct {
	t  *testing.T
	h  *realserver.Home
	m  *seed.Maker
	id string

	slowest time.Duration // of the pages of a walk
}

// makeReal makes a conversation of three turns; the second runs a command.
func makeReal(t *testing.T, version string, legacy bool) *realThread {
	h := realserver.New(t, version, fakemodel.Config{})
	m := h.ListenWS().Maker()
	id, err := m.Make(h.Context(), seed.Thread{Legacy: legacy, Turns: []seed.Turn{
		{Ask: "one", ClientID: "c1", Answers: []fakemodel.Script{fakemodel.Say("first")}},
		{Ask: "two", ClientID: "c2", Answers: []fakemodel.Script{
			fakemodel.Answer(seed.Said("msg_before", "I look"), seed.Command("echo out", "to see")), fakemodel.Say("second"),
		}},
		{Ask: "three", ClientID: "c3", Answers: []fakemodel.Script{fakemodel.Say("third")}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return &realThread{t: t, h: h, m: m, id: id}
}

// call asks the server, and decodes as the product does.
func (r *realThread) call(method string, params, result any) error {
	p, err := jsonv2.Marshal(params)
	if err != nil {
		r.t.Fatal(err)
	}
	raw, err := r.m.Client.Call(r.h.Context(), method, json.RawMessage(p))
	if err != nil {
		return err
	}
	if err := jsonv2.Unmarshal(raw, result, protocol.DecodeOptions()); err != nil {
		r.t.Fatal(err)
	}
	return nil
}

// perform answers every read a window asks for, and what follows from them.
func (r *realThread) perform(w *Window, fetches []Fetch) (requests int) {
	r.t.Helper()
	for len(fetches) > 0 {
		f := fetches[0]
		requests++
		var next []Fetch
		if f.Items != nil {
			var page protocol.ThreadItemsListResult
			if err := r.call("thread/items/list", *f.Items, &page); err != nil {
				next = w.Failed(f, r.failure(err))
			} else {
				next = w.GotItems(f, page)
			}
		} else {
			var page protocol.ThreadTurnsListResult
			if err := r.call("thread/turns/list", *f.Turns, &page); err != nil {
				next = w.Failed(f, r.failure(err))
			} else {
				next = w.GotTurns(f, page)
			}
		}
		fetches = append(next, fetches[1:]...)
	}
	return requests
}

func (r *realThread) failure(err error) Failure {
	var e *seed.Error
	if !errors.As(err, &e) {
		r.t.Fatal(err)
	}
	switch {
	case protocol.IsNotMaterialized("thread/turns/list", e.Code, e.Message):
		return Failure{Kind: NotMaterialized}
	case protocol.IsItemsUnsupported("thread/items/list", e.Code, e.Message):
		return Failure{Kind: Unsupported}
	}
	return Failure{Reason: e.Message}
}

// live feeds a window everything the server said since a mark.
func (r *realThread) live(w *Window, mark int) {
	r.t.Helper()
	for _, m := range r.m.Client.Since(mark) {
		if m.Method == "" || m.Asks() {
			continue
		}
		n, err := protocol.DecodeNotification(m.Method, []byte(m.Params), 0)
		if err != nil {
			r.t.Fatal(err)
		}
		w.Apply(n)
	}
}

// texts gives what the rows say, without their keys.
func texts(v *View) (out []string) {
	for _, r := range v.Rows {
		out = append(out, r.Item.Type+": "+strings.TrimSpace(protocol.PlainText(r.Item)))
	}
	return out
}

func eachServer(t *testing.T, run func(t *testing.T, version string)) {
	for _, v := range realserver.Versions() {
		t.Run(v, func(t *testing.T) { run(t, v) })
	}
}

// What streamed live, and what is read, are the same rows: keys, order, text.
func TestRealLiveEqualsRead(t *testing.T) {
	eachServer(t, func(t *testing.T, version string) {
		r := makeReal(t, version, false)
		streamed := New(r.id, "paginated", Limits{})
		streamed.StartEmpty()
		r.live(streamed, 0)

		read := New(r.id, "paginated", Limits{})
		if n := r.perform(read, read.Open()); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
		wantEqual(t, "rows", lines(read.View()), lines(streamed.View()))
		wantEqual(t, "statuses", statuses(read), statuses(streamed))
		wantEqual(t, "newest", read.View().Newest, streamed.View().Newest)
		wantEqual(t, "client IDs read", read.TakeClientIDs(), []string{"c1", "c2", "c3"})
		wantEqual(t, "client IDs live", streamed.TakeClientIDs(), []string{"c1", "c2", "c3"})

		before := streamed.View()
		r.perform(streamed, streamed.Refresh())
		if got := lines(streamed.View()); !slices.Equal(got, lines(before)) {
			t.Errorf("after a refresh %q, want %q", got, lines(before))
		}
	})
}

func statuses(w *Window) map[string]string {
	m := map[string]string{}
	for id, info := range w.View().Turns {
		m[id] = info.Status
	}
	return m
}

// A legacy thread: summaries, then a full turn in its place, found behind the
// newer ones; a turn that streamed is replaced as a whole when it is read.
func TestRealLegacy(t *testing.T) {
	eachServer(t, func(t *testing.T, version string) {
		r := makeReal(t, version, true)
		summaries := []string{
			"userMessage: one", "agentMessage: first", "userMessage: two", "agentMessage: second",
			"userMessage: three", "agentMessage: third",
		}
		w := New(r.id, Legacy, Limits{})
		r.perform(w, w.Open())
		wantEqual(t, "summaries", texts(w.View()), summaries)
		fetches, err := w.Expand(w.View().Rows[2].Key.Turn)
		if err != nil {
			t.Fatal(err)
		}
		if n := r.perform(w, fetches); n != 2 {
			t.Errorf("%d requests to expand, want 2", n)
		}
		wantEqual(t, "notices", w.TakeNotices(), nil)
		got := texts(w.View())
		if len(got) <= len(summaries) || !slices.Contains(got, "agentMessage: I look") || got[2] != "userMessage: two" {
			t.Errorf("expanded to %q", got)
		}

		streamed := New(r.id, Legacy, Limits{})
		streamed.StartEmpty()
		r.live(streamed, 0)
		r.perform(streamed, streamed.Refresh())
		wantEqual(t, "streamed, then read", texts(streamed.View()), summaries)
	})
}

// A thread before its first message is empty, and asked again after it.
//
// req: FLD-6
func TestRealEmptyThread(t *testing.T) {
	eachServer(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		m := h.ListenWS().Maker()
		id, err := m.Make(h.Context(), seed.Thread{})
		if err != nil {
			t.Fatal(err)
		}
		r := &realThread{t: t, h: h, m: m, id: id}
		w := New(id, "paginated", Limits{})
		r.perform(w, w.Open())
		v := w.View()
		wantEqual(t, "view", [3]any{v.Empty, v.Stale, len(v.Rows)}, [3]any{true, "", 0})
		if err := m.Take(h.Context(), id, seed.Turn{Ask: "hi", Answers: []fakemodel.Script{fakemodel.Say("ho")}}); err != nil {
			t.Fatal(err)
		}
		r.perform(w, w.Refresh())
		wantEqual(t, "after the first message", texts(w.View()), []string{"userMessage: hi", "agentMessage: ho"})
	})
}
