package attachments

import (
	"fmt"
	"reflect"
	"testing"

	"holdfast/core/protocol"
)

const thread = "t1"

// att is an attachment of type note with an ID and a key.
func att(id, key string) protocol.Attachment {
	return protocol.Attachment{ID: id, Type: "note", Identity: key, CreatedAt: 7, Bytes: 1}
}

// row is the row that att becomes.
func row(id, key string) *Row {
	return &Row{ID: id, Type: "note", Identity: key, CreatedAt: 7, Bytes: 1, Reason: "type not known"}
}

// some gives attachments n to m-1.
func some(n, m int) (list []protocol.Attachment) {
	for i := n; i < m; i++ {
		list = append(list, att(fmt.Sprintf("a%d", i), fmt.Sprintf("k%d", i)))
	}
	return list
}

func rowsOf(list []protocol.Attachment) (rows []*Row) {
	for _, a := range list {
		rows = append(rows, rowOf(a))
	}
	return rows
}

// page is an answer; next "-" is the end.
func page(next string, list ...protocol.Attachment) protocol.ThreadAttachmentListResult {
	r := protocol.ThreadAttachmentListResult{Data: list}
	if next != "-" {
		r.NextCursor = &next
	}
	return r
}

func created(id, key string) protocol.AttachmentUpdated { return updated("created", id, key) }

func deleted(id, key string) protocol.AttachmentUpdated { return updated("deleted", id, key) }

func updated(op, id, key string) protocol.AttachmentUpdated {
	return protocol.AttachmentUpdated{
		ThreadRef: protocol.ThreadRef{Thread: thread}, Attachment: id, Type: "note", Identity: key, Operation: op,
	}
}

// one checks that a single page is wanted, and gives it.
func one(t *testing.T, fs []Fetch, cursor string) Fetch {
	t.Helper()
	if len(fs) != 1 {
		t.Fatalf("%d fetches, want one at %q", len(fs), cursor)
	}
	want := protocol.ThreadAttachmentListParams{ThreadID: thread, Cursor: cursor, Limit: 50}
	if fs[0].Params != want {
		t.Fatalf("asked with %+v, want %+v", fs[0].Params, want)
	}
	return fs[0]
}

// none checks that no page is wanted.
func none(t *testing.T, fs []Fetch) {
	t.Helper()
	if len(fs) != 0 {
		t.Fatalf("asked for %+v, want nothing", fs)
	}
}

func shows(t *testing.T, l *List, want View) {
	t.Helper()
	got := *l.View()
	if len(got.Rows) == 0 && len(want.Rows) == 0 {
		got.Rows, want.Rows = nil, nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("the view is\n%s, want\n%s", describe(got), describe(want))
	}
}

func describe(v View) string {
	s := fmt.Sprintf("state %d, stale %q", v.State, v.Stale)
	for _, r := range v.Rows {
		s += fmt.Sprintf("\n  %+v", *r)
	}
	return s
}
