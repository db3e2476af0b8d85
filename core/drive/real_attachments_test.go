package drive_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// A shelf adds attachments to conversations by a client of its own.
type shelf struct {
	t *testing.T
	h *realserver.Home
	c *seed.Client
}

func (s shelf) call(method string, params object, result any) {
	s.t.Helper()
	if err := s.c.CallInto(s.h.Context(), method, params, result); err != nil {
		s.t.Fatal(err)
	}
}

// add stores one attachment and returns its ID.
func (s shelf) add(thread, key string, payload any) string {
	s.t.Helper()
	var r struct {
		Outcome    string
		Attachment struct{ ID string }
	}
	s.call("thread/attachment/add", object{"threadId": thread, "attachmentType": "note", "identityKey": key, "payload": payload}, &r)
	if r.Outcome != "created" {
		s.t.Fatalf("%q was not created: %+v", key, r)
	}
	return r.Attachment.ID
}

func (s shelf) remove(thread, key string) {
	s.t.Helper()
	s.call("thread/attachment/remove", object{"threadId": thread, "attachmentType": "note", "identityKey": key}, &struct{}{})
}

// stored is what the server has, in its order, asked for in one page.
func (s shelf) stored(thread string) (list []string) {
	s.t.Helper()
	var r struct {
		Data []struct{ ID, IdentityKey string }
	}
	s.call("thread/attachment/list", object{"threadId": thread, "limit": 100}, &r)
	for _, a := range r.Data {
		list = append(list, a.ID+" "+a.IdentityKey)
	}
	return list
}

// attached lists the rows as "ID key".
func (s *surface) attached() (list []string) {
	rows, _ := s.section("attachments")["rows"].([]any)
	for _, x := range rows {
		r := x.(map[string]any)
		list = append(list, r["id"].(string)+" "+r["identity"].(string))
	}
	return list
}

// whole waits until the list is read to its end.
func (s *surface) whole() {
	s.t.Helper()
	s.until("a whole list", func() bool { return s.section("attachments")["stale"] == "" })
}

// Conversations with no attachment and with one, and on both sides of a page
// and of what a server keeps.
//
// req: ATT-1
func TestAttachmentsOfARealServer(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		srv := h.ListenWS()
		shelf := shelf{t, h, srv.Client(seed.Quiet)}
		threads := map[int]string{}
		for _, n := range []int{0, 1, 50, 51, 100} {
			thread, err := srv.Maker().Make(h.Context(), seed.Thread{Turns: []seed.Turn{said(fmt.Sprint(n), "yes")}})
			if err != nil {
				t.Fatal(err)
			}
			threads[n] = thread
			for i := range n {
				shelf.add(thread, fmt.Sprintf("k%d", i), object{"n": i})
			}
		}
		s := begin(t, remote(h, srv))
		s.untilState("awaiting-selection")
		s.refused(`{"do":"attachments"}`, "no-selection")
		for n, thread := range threads {
			s.run(object{"do": "select", "thread": thread})
			s.whole()
			if got, want := s.attached(), shelf.stored(thread); len(got) != n || !slices.Equal(got, want) {
				t.Errorf("%d attachments are listed as\n%q, want\n%q", n, got, want)
			}
			s.must(`{"do":"attachments"}`)
			if got, want := s.attached(), shelf.stored(thread); !slices.Equal(got, want) {
				t.Errorf("%d attachments are listed again as\n%q, want\n%q", n, got, want)
			}
		}
		s.quit()
	})
}

// What a server takes at its limits is listed, with its size and why there is no
// more of it to see.
//
// req: ATT-4, FLD-11
func TestAttachmentsAtTheServersLimits(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		srv := h.ListenWS()
		shelf := shelf{t, h, srv.Client(seed.Quiet)}
		thread, err := srv.Maker().Make(h.Context(), seed.Thread{Turns: []seed.Turn{said("what", "that")}})
		if err != nil {
			t.Fatal(err)
		}
		long := strings.Repeat("é", 128)
		for _, a := range []struct {
			key     string
			payload any
		}{{"nul\x00", nil}, {long, "é\"\\\n\x01</é>"}, {"big", strings.Repeat("x", 65_534)}} {
			shelf.add(thread, a.key, a.payload)
		}
		for key, payload := range map[string]string{"bigger": strings.Repeat("x", 65_535), long + "x": ""} {
			params := object{"threadId": thread, "attachmentType": "note", "identityKey": key, "payload": payload}
			if _, err := shelf.c.Call(h.Context(), "thread/attachment/add", params); err == nil {
				t.Errorf("the server takes more than its limits now: %d bytes under %d", len(payload), len(key))
			}
		}
		s := begin(t, remote(h, srv))
		s.untilState("awaiting-selection")
		s.run(object{"do": "select", "thread": thread})
		s.whole()
		var got []string
		for _, x := range s.section("attachments")["rows"].([]any) {
			r := x.(map[string]any)
			got = append(got, fmt.Sprintf("%s %q %v bytes: %s", r["type"], r["identity"], r["bytes"], r["reason"]))
			if at := r["createdAt"].(float64); at < 1_700_000_000 {
				t.Errorf("%v was created at %v", r["identity"], at)
			}
		}
		want := []string{
			`note "nul\x00" 4 bytes: type not known`,
			fmt.Sprintf(`note %q 21 bytes: type not known`, long),
			`note "big" 65536 bytes: type not known`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("listed are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		s.quit()
	})
}

// Attachments come and go while the list is shown; a key that is created anew is
// a row of its own.
//
// req: ATT-6
func TestAttachmentsComeAndGo(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		srv := h.ListenWS()
		shelf := shelf{t, h, srv.Client(seed.Quiet)}
		thread, err := srv.Maker().Make(h.Context(), seed.Thread{Turns: []seed.Turn{said("what", "that")}})
		if err != nil {
			t.Fatal(err)
		}
		s := begin(t, remote(h, srv))
		s.untilState("awaiting-selection")
		s.run(object{"do": "select", "thread": thread})
		s.whole()
		shows := func(what string, want ...string) {
			t.Helper()
			s.until(what, func() bool {
				return slices.Equal(s.attached(), want) && s.section("attachments")["stale"] == ""
			})
		}
		a := shelf.add(thread, "k1", 1)
		shows("the first", a+" k1")
		b := shelf.add(thread, "k2", 2)
		shows("the second", a+" k1", b+" k2")
		shelf.remove(thread, "k1")
		shows("the first is gone", b+" k2")
		c := shelf.add(thread, "k1", 3)
		shows("its key again", b+" k2", c+" k1")
		if a == c {
			t.Errorf("both are %s", a)
		}
		// Many at once may end as stale; then a refresh shows them all.
		for i := range 60 {
			shelf.add(thread, fmt.Sprintf("m%d", i), i)
		}
		want := shelf.stored(thread)
		for tries := 0; !slices.Equal(s.attached(), want); tries++ {
			if tries == 20 {
				t.Fatalf("listed are\n%q, want\n%q", s.attached(), want)
			}
			s.must(`{"do":"attachments"}`)
		}
		s.quit()
	})
}

// A fork's list is its own: the target copies attachments under new IDs, the
// regression version copies none.
//
// req: ATT-8, FLD-10
func TestAttachmentsOfAFork(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		srv := h.ListenWS()
		shelf := shelf{t, h, srv.Client(seed.Quiet)}
		thread, err := srv.Maker().Make(h.Context(), seed.Thread{Turns: []seed.Turn{said("what", "that")}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 51 {
			shelf.add(thread, fmt.Sprintf("k%d", i), i)
		}
		s := begin(t, remote(h, srv))
		s.untilState("awaiting-selection")
		s.run(object{"do": "select", "thread": thread})
		s.whole()
		source := s.attached()
		s.run(object{"do": "fork", "thread": thread})
		s.until("a fork", func() bool { return s.section("thread")["id"] != thread })
		fork := s.section("thread")["id"].(string)
		s.whole()
		want := shelf.stored(fork)
		if copies := map[string]int{realserver.Target: 51, realserver.Regression: 0}[version]; len(want) != copies {
			t.Errorf("the server copied %d, want %d", len(want), copies)
		}
		s.until("the fork's own list", func() bool { return slices.Equal(s.attached(), want) })
		for _, x := range s.attached() {
			if slices.Contains(source, x) {
				t.Errorf("%s is the source's", x)
			}
		}
		s.run(object{"do": "select", "thread": thread})
		s.whole()
		if got := s.attached(); !slices.Equal(got, source) {
			t.Errorf("the source lists\n%q, want\n%q", got, source)
		}
		s.quit()
	})
}
