package session

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/protocol"
	"holdfast/core/stamp"
	"holdfast/core/transport"
)

const listMethod = "thread/attachment/list"

// record is an attachment on the wire.
func record(id, key string) map[string]any {
	return map[string]any{"id": id, "attachmentType": "note", "identityKey": key, "payload": 5, "createdAt": 7}
}

// records are attachments n to m-1.
func records(n, m int) (list []any) {
	for i := n; i < m; i++ {
		list = append(list, record(fmt.Sprintf("a%d", i), fmt.Sprintf("k%d", i)))
	}
	return list
}

func pageTo(next any, data ...any) map[string]any {
	return map[string]any{"data": append([]any{}, data...), "nextCursor": next}
}

// pages answers the first request with the first page, and so on.
func (r *rig) pages(list ...map[string]any) {
	n := 0
	r.srv.Handle(listMethod, func(fakeserver.Request) (any, error) {
		if n == len(list) {
			return nil, &fakeserver.Failure{Code: -32600, Message: "no further page"}
		}
		n++
		return list[n-1], nil
	})
}

// changed says that an attachment was created or deleted.
func (r *rig) changed(op, id, key string) {
	r.srv.Notify("thread/attachment/updated", map[string]any{
		"threadId": "t1", "attachmentType": "note", "identityKey": key, "attachmentId": id, "operation": op,
	})
}

func (r *rig) forked(id, from string) {
	x := row(id, "idle")
	x["forkedFromId"] = from
	r.srv.Notify("thread/started", map[string]any{"thread": x})
}

// attached gives the IDs that are listed, and what is said of the list.
func (r *rig) attached() (ids []string, stale string) {
	r.t.Helper()
	a := r.now().Attachments
	if a == nil {
		return nil, "no list"
	}
	for _, x := range a.Rows {
		ids = append(ids, x.ID)
	}
	return ids, a.Stale
}

func (r *rig) lists(stale string, ids ...string) {
	r.t.Helper()
	if got, said := r.attached(); !slices.Equal(got, ids) || said != stale {
		r.t.Fatalf("listed are %q, stale %q, want %q, stale %q", got, said, ids, stale)
	}
}

// The list is read after the conversation's own first requests, page by page,
// and only of what is selected.
//
// req: ATT-1
func TestASelectionListsTheAttachments(t *testing.T) {
	bubble(t, func(r *rig) {
		if r.now().Attachments != nil || r.count(listMethod) != 0 {
			t.Errorf("listed before a selection: %+v", r.now().Attachments)
		}
		r.pages(pageTo("c1", records(0, 50)...), pageTo(nil, records(50, 51)...))
		r.must(Select{Thread: "t1"})
		var got []string
		for _, q := range r.srv.Requests(listMethod) {
			got = append(got, string(q.Params))
		}
		want := []string{`{"threadId":"t1","limit":50}`, `{"threadId":"t1","cursor":"c1","limit":50}`}
		if !slices.Equal(got, want) {
			t.Errorf("asked with %q, want %q", got, want)
		}
		methods := r.srv.Methods()
		for _, before := range []string{"thread/read", "thread/turns/list", "thread/items/list"} {
			if slices.Index(methods, before) > slices.Index(methods, listMethod) {
				t.Errorf("%s was sent after the attachments were asked for: %q", before, methods)
			}
		}
		if ids, stale := r.attached(); len(ids) != 51 || stale != "" || r.now().Attachments.Loading {
			t.Errorf("%d are listed, stale %q", len(ids), stale)
		}
		first := &AttachmentRow{Type: "note", Identity: "k0", ID: "a0", CreatedAt: 7, Bytes: 1, Reason: "type not known"}
		if got := r.now().Attachments.Rows[0]; !reflect.DeepEqual(got, first) {
			t.Errorf("the first is %+v, want %+v", got, first)
		}
		r.pages(pageTo(nil))
		r.must(Select{Thread: "t2"})
		r.lists("")
	})
}

// A conversation that is not in the list is read first: its mode is not known.
func TestTheAttachmentsOfAConversationThatIsNotListed(t *testing.T) {
	bubble(t, func(r *rig) {
		r.srv.Answer("thread/read", map[string]any{"thread": row("t7", "idle")})
		r.pages(pageTo(nil, records(0, 1)...))
		r.must(Select{Thread: "t7"})
		r.lists("", "a0")
		methods := r.srv.Methods()
		if slices.Index(methods, "thread/items/list") > slices.Index(methods, listMethod) {
			t.Errorf("the attachments were asked for before the items: %q", methods)
		}
		r.srv.Fail("thread/read", -32600, "no such thread")
		if got := r.do(Select{Thread: "t8"}); got == nil || got.OK {
			t.Errorf("a conversation that cannot be read was selected: %+v", got)
		}
		r.lists("the conversation could not be read")
		r.srv.Answer("thread/read", map[string]any{"thread": row("t8", "idle")})
		r.pages(pageTo(nil, records(0, 1)...))
		r.must(Refresh{})
		r.lists("", "a0")
	})
}

// What is said while the first page is open counts (ATT-5): nothing that was
// deleted comes back, and what was created is listed by the server only.
//
// req: ATT-5, FLD-10
func TestAnAttachmentRace(t *testing.T) {
	bubble(t, func(r *rig) {
		page2 := pageTo(nil, record("a2", "k2"))
		n := 0
		r.srv.Handle(listMethod, func(fakeserver.Request) (any, error) {
			n++
			switch n {
			case 1:
				return pageTo("c1", record("a1", "k1"), record("a2", "k2")), nil
			case 2:
				r.changed("deleted", "a2", "k2")
				r.changed("created", "a9", "k2")
				return page2, nil
			}
			return pageTo(nil, record("a1", "k1"), record("a9", "k2")), nil
		})
		r.must(Select{Thread: "t1"})
		r.lists("", "a1", "a9")
		if n != 3 {
			t.Errorf("%d pages were asked for, want 3", n)
		}
		r.changed("deleted", "a1", "k1")
		r.settle()
		r.lists("", "a9")
	})
}

// req: ATT-6
func TestACreationListsAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		r.must(Select{Thread: "t1"})
		r.lists("")
		r.pages(pageTo(nil, records(0, 1)...))
		r.changed("created", "a0", "k0")
		r.settle()
		r.lists("", "a0")
		r.srv.Notify("thread/attachment/updated", map[string]any{
			"threadId": "t2", "attachmentType": "note", "identityKey": "k", "attachmentId": "a0", "operation": "deleted",
		})
		r.settle()
		r.lists("", "a0")
		if n := r.count(listMethod); n != 2 {
			t.Errorf("%d listings, want 2", n)
		}
	})
}

// req: ATT-6
func TestEndlessChangesEndAsStale(t *testing.T) {
	bubble(t, func(r *rig) {
		change := true
		r.srv.Handle(listMethod, func(fakeserver.Request) (any, error) {
			if change {
				r.changed("created", "a9", "k9")
			}
			return pageTo(nil, records(0, 2)...), nil
		})
		r.must(Select{Thread: "t1"})
		time.Sleep(time.Hour)
		r.settle()
		r.lists("it kept changing while it was read", "a0", "a1")
		if n := r.count(listMethod); n != 3 {
			t.Errorf("%d listings, want 3", n)
		}
		change = false
		r.must(ListAttachments{})
		r.lists("", "a0", "a1")
	})
}

// A hostile server's list ends, says that it does, and holds what it may.
//
// req: ATT-1, ATT-4, FLD-11
func TestAHostileList(t *testing.T) {
	long := strings.Repeat("x", 255) + "é"
	bad := func(id, kind, key string, payload any) map[string]any {
		x := record(id, key)
		x["attachmentType"], x["payload"] = kind, payload
		return x
	}
	for _, c := range []struct {
		name  string
		pages []map[string]any
		rows  int
		stale string
		check func(*testing.T, []*AttachmentRow)
	}{
		{name: "101 records", pages: []map[string]any{pageTo("c1", records(0, 50)...), pageTo("c2", records(50, 100)...), pageTo(nil, records(100, 101)...)}, rows: 100, stale: "it has more than 100 attachments, and only the first 100 are kept"},
		{name: "101 in a page", pages: []map[string]any{pageTo(nil, records(0, 101)...)}, rows: 100, stale: "it has more than 100 attachments, and only the first 100 are kept"},
		{name: "a cursor that repeats", pages: []map[string]any{pageTo("c1", records(0, 1)...), pageTo("c1", records(1, 2)...)}, rows: 2, stale: "the server repeated a page cursor, so paging ended there"},
		{name: "an empty cursor", pages: []map[string]any{pageTo("", records(0, 1)...)}, rows: 1, stale: "the server gave an empty page cursor, so paging ended there"},
		{name: "a page that cannot be read", pages: []map[string]any{pageTo("c1", records(0, 1)...), {"data": 5}}, rows: 1, stale: "it could not be read (The server's answer could not be read.)"},
		{name: "a record that cannot be read", pages: []map[string]any{pageTo("c1", records(0, 1)...), pageTo(nil, append(records(1, 2), 5)...)}, rows: 2, stale: "some of them could not be read"},
		{name: "bad records", rows: 4, check: checkBadRecords, pages: []map[string]any{pageTo(nil,
			bad("b1", "note", "k1", strings.Repeat("x", 65_535)), bad("b2", "note", long, 1), bad("b3", "text/html", "a\x00b", 1), bad("b4", "note", "k4", strings.Repeat("x", 65_534)))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.pages(c.pages...)
				r.must(Select{Thread: "t1"})
				if ids, stale := r.attached(); len(ids) != c.rows || stale != c.stale {
					t.Errorf("%d rows, stale %q, want %d, %q", len(ids), stale, c.rows, c.stale)
				}
				if n := r.count(listMethod); n != len(c.pages) {
					t.Errorf("%d pages were asked for, want %d", n, len(c.pages))
				}
				if c.check != nil {
					c.check(t, r.now().Attachments.Rows)
				}
			})
		})
	}
}

func checkBadRecords(t *testing.T, rows []*AttachmentRow) {
	t.Helper()
	var got []string
	for _, x := range rows {
		got = append(got, x.ID+": "+x.Reason)
	}
	want := []string{
		"b1: the payload is 65537 bytes long, at most 65536 are allowed",
		"b2: the key is 257 bytes long, at most 256 are allowed",
		"b3: type not known",
		"b4: type not known",
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if rows[2].Identity != "a\x00b" || rows[3].Bytes != 65_536 {
		t.Errorf("rows %+v, %+v", rows[2], rows[3])
	}
}

// What an earlier connection, owner or selection said reaches nothing.
//
// req: ATT-7
func TestAnEarlierGenerationSaysNothing(t *testing.T) {
	say := func(r *rig, at stamp.Stamp, op string) {
		n := protocol.AttachmentUpdated{ThreadRef: protocol.ThreadRef{Thread: "t1"}, Attachment: "a0", Type: "note", Identity: "k0", Operation: op}
		r.s.box.put(delivery{event: stamp.At(at, event(func(l *loop) { l.notified(n) }))}, false)
		r.settle()
	}
	for _, c := range []struct {
		name string
		next func(r *rig)
	}{
		{"another connection", func(r *rig) {
			r.srv.Link().Drop()
			time.Sleep(time.Minute)
			r.settle()
		}},
		{"another owner", func(r *rig) {
			r.srv.Answer("account/read", map[string]any{"account": map[string]any{"type": "chatgpt", "email": "b@c"}, "requiresOpenaiAuth": false})
			r.srv.Notify("account/updated", map[string]any{"authMode": "chatgpt"})
			r.settle()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.srv.Answer(listMethod, pageTo(nil, records(0, 1)...))
				r.must(Select{Thread: "t1"})
				old := r.now().At.ConnOnly()
				c.next(r)
				if r.now().Attachments != nil {
					t.Errorf("the list outlives its generation: %+v", r.now().Attachments)
				}
				r.must(Select{Thread: "t1"})
				n := r.count(listMethod)
				say(r, old, "deleted")
				say(r, old, "created")
				r.lists("", "a0")
				if got := r.count(listMethod); got != n {
					t.Errorf("%d more listings", got-n)
				}
				say(r, r.now().At.ConnOnly(), "deleted")
				r.lists("")
			})
		})
	}
}

// A page that was asked for before the selection changed is of nobody.
func TestAPageOfAnEarlierSelection(t *testing.T) {
	bubble(t, func(r *rig) {
		var id json.RawMessage
		r.srv.Handle(listMethod, func(q fakeserver.Request) (any, error) { id = q.ID; return nil, fakeserver.Silent })
		r.must(Select{Thread: "t1"})
		r.lists("it is being read")
		if !r.now().Attachments.Loading {
			t.Error("not loading")
		}
		late := id
		r.srv.Answer(listMethod, pageTo(nil))
		r.must(Select{Thread: "t2"})
		r.srv.Link().Say(map[string]any{"id": late, "result": pageTo(nil, records(0, 1)...)})
		r.settle()
		r.lists("")
	})
}

// The copy's list is read anew when the server says that it is a fork, whether
// it was selected before or after, and nothing of the source is taken over.
//
// req: ATT-8, FLD-10
func TestAForkListsItsOwnAttachments(t *testing.T) {
	for _, c := range []struct {
		name string
		fork []any // what the copy has by then
	}{{"copied", []any{record("f0", "k0")}}, {"copied none", nil}} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				var copied []any
				r.srv.Handle(listMethod, func(q fakeserver.Request) (any, error) {
					if strings.Contains(string(q.Params), `"t9"`) {
						return pageTo(nil, copied...), nil
					}
					return pageTo(nil, records(0, 1)...), nil
				})
				r.srv.Answer("thread/fork", opened("t9"))
				r.live()
				r.lists("", "a0")
				r.forked("t9", "t1") // not selected yet
				r.settle()
				r.lists("", "a0")
				r.must(Fork{Thread: "t1"})
				r.lists("")
				copied = c.fork
				n := r.count(listMethod)
				r.forked("t5", "t9") // somebody else's
				r.forked("t9", "t1")
				r.settle()
				var want []string
				if c.fork != nil {
					want = []string{"f0"}
				}
				r.lists("", want...)
				if got := r.count(listMethod); got != n+1 {
					t.Errorf("%d more listings, want 1", got-n)
				}
			})
		})
	}
}

// The command is done when the list was merged, or could not be read.
func TestTheCommandForAttachments(t *testing.T) {
	bubble(t, func(r *rig) {
		r.refused(ListAttachments{}, "no-selection")
		r.must(Select{Thread: "t1"})
		r.pages(pageTo("c1", records(0, 1)...), pageTo(nil, records(1, 2)...))
		r.must(ListAttachments{})
		r.lists("", "a0", "a1")
		r.srv.Fail(listMethod, -32602, "invalid pagination cursor")
		r.refused(ListAttachments{}, "list-failed")
		r.lists("it could not be read (The server refused: invalid pagination cursor)", "a0", "a1")
		r.srv.Answer(listMethod, pageTo(nil))
		r.must(ListAttachments{})
		r.lists("")
		r.srv.Handle(listMethod, func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
		end := r.begin(stamp.Stamp{}, ListAttachments{})
		r.settle()
		r.srv.Refuse(&transport.Error{Kind: transport.Auth, Text: "no"})
		r.srv.Link().Drop()
		r.settle()
		if got := end(); got == nil || got.OK {
			t.Errorf("a list that was lost ends as %+v", got)
		}
		r.lists("the connection was lost")
		r.refused(ListAttachments{}, "not-connected")
	})
}

// An overloaded server is asked again, as for every read of REC-13.
func TestAnOverloadedListIsAskedAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		n := 0
		r.srv.Handle(listMethod, func(fakeserver.Request) (any, error) {
			if n++; n == 1 {
				return nil, fakeserver.Overloaded()
			}
			return pageTo(nil, records(0, 1)...), nil
		})
		r.must(Select{Thread: "t1"})
		time.Sleep(time.Second)
		r.settle()
		r.lists("", "a0")
		if n != 2 {
			t.Errorf("asked %d times, want 2", n)
		}
	})
}
