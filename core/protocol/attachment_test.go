package protocol_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	p "holdfast/core/protocol"
	"holdfast/core/realserver"
)

// readPage decodes a page as it comes from a server.
func readPage(text string) (p.ThreadAttachmentListResult, error) {
	var r p.ThreadAttachmentListResult
	err := json.UnmarshalDecode(p.NewDecoder(strings.NewReader(text)), &r)
	return r, err
}

// record is one attachment on the wire; payload is JSON.
func record(kind, key, payload string) string {
	return fmt.Sprintf(`{"id":"a1","attachmentType":%s,"identityKey":%s,"payload":%s,"createdAt":1796016687}`, kind, key, payload)
}

func quoted(s string) string { return `"` + s + `"` }

// payloadOf is a payload of n bytes without spaces.
func payloadOf(n int) string { return quoted(strings.Repeat("x", n-2)) }

// req: ATT-2
// req: ATT-4, FLD-11
func TestAttachmentBounds(t *testing.T) {
	whole := p.Attachment{ID: "a1", Type: "note", Identity: "k", CreatedAt: 1796016687, Bytes: 1}
	with := func(edit func(*p.Attachment)) p.Attachment {
		a := whole
		edit(&a)
		return a
	}
	long, longer := strings.Repeat("é", 128), strings.Repeat("é", 128)+"x"
	mark := "\n… shortened here: 257 bytes in all …\n"
	cut := strings.Repeat("é", 96) + mark + longer[len(longer)-(64-len(mark)-1):]
	for _, c := range []struct {
		name, record string
		want         p.Attachment
	}{
		{"plain", record(`"note"`, `"k"`, "5"), whole},
		{"any payload", record(`"note"`, `"k"`, "null"), with(func(a *p.Attachment) { a.Bytes = 4 })},
		{"spaces do not count", record(`"note"`, `"k"`, `{ "a" : [ 1 , 2 ] }`), with(func(a *p.Attachment) { a.Bytes = 11 })},
		{"escapes do not count", record(`"note"`, `"k"`, `"A\/"`), with(func(a *p.Attachment) { a.Bytes = 4 })},
		{"65,536 bytes", record(`"note"`, `"k"`, payloadOf(65_536)), with(func(a *p.Attachment) { a.Bytes = 65_536 })},
		{"65,537 bytes", record(`"note"`, `"k"`, payloadOf(65_537)), with(func(a *p.Attachment) {
			a.Bytes, a.Problem = 65_537, "the payload is 65537 bytes long, at most 65536 are allowed"
		})},
		{"bytes, not characters", record(`"note"`, `"k"`, quoted(strings.Repeat("é", 32_768))), with(func(a *p.Attachment) {
			a.Bytes, a.Problem = 65_538, "the payload is 65538 bytes long, at most 65536 are allowed"
		})},
		{"no payload", `{"id":"a1","attachmentType":"note","identityKey":"k","createdAt":1796016687}`, with(func(a *p.Attachment) {
			a.Bytes, a.Problem = 0, "the payload is missing"
		})},
		{"a key of 256 bytes", record(`"note"`, quoted(long), "5"), with(func(a *p.Attachment) { a.Identity = long })},
		{"a key of 257 bytes", record(`"note"`, quoted(longer), "5"), with(func(a *p.Attachment) {
			a.Identity, a.Unkeyed, a.Problem = cut, true, "the key is 257 bytes long, at most 256 are allowed"
		})},
		{"a type of 257 bytes", record(quoted(longer), `"k"`, "5"), with(func(a *p.Attachment) {
			a.Type, a.Unkeyed, a.Problem = cut, true, "the type is 257 bytes long, at most 256 are allowed"
		})},
		{"an empty type", record(`""`, `"k"`, "5"), with(func(a *p.Attachment) { a.Type, a.Unkeyed, a.Problem = "", true, "the type is empty" })},
		{"a blank key", record(`"note"`, `" "`, "5"), with(func(a *p.Attachment) { a.Identity, a.Unkeyed, a.Problem = " ", true, "the key is empty" })},
		{"NUL in a key", record(`"note"`, `"a\u0000b"`, "5"), with(func(a *p.Attachment) { a.Identity = "a\x00b" })},
		{"half a pair", record(`"note"`, `"\ud800"`, "5"), with(func(a *p.Attachment) { a.Identity, a.Unkeyed, a.Problem = "\uFFFD", true, "the key is not UTF-8" })},
		{"bytes that are no UTF-8", record("\"\xff\"", `"k"`, "5"), with(func(a *p.Attachment) { a.Type, a.Unkeyed, a.Problem = "\uFFFD", true, "the type is not UTF-8" })},
		{"a number for a key", record(`"note"`, "7", "5"), with(func(a *p.Attachment) { a.Identity, a.Unkeyed, a.Problem = "", true, "the key is not a text" })},
		{"no type, no key", `{"id":"a1","payload":1}`, p.Attachment{ID: "a1", Bytes: 1, Unkeyed: true, Problem: "the type is missing; the key is missing"}},
		{"a text for a time", `{"id":"a1","attachmentType":"note","identityKey":"k","payload":5,"createdAt":"now"}`, with(func(a *p.Attachment) {
			a.CreatedAt, a.Problem = 0, `"createdAt" is a string`
		})},
		{"two payloads", `{"id":"a1","attachmentType":"note","identityKey":"k","createdAt":1796016687,"payload":` + payloadOf(65_537) + `,"payload":5}`, with(func(a *p.Attachment) {
			a.Bytes, a.Problem = 65_537, "the payload is 65537 bytes long, at most 65536 are allowed"
		})},
		{"a field of a later version", `{"id":"a1","mime":"text/html","attachmentType":"note","identityKey":"k","createdAt":1796016687,"payload":5}`, whole},
	} {
		got, err := readPage(`{"data":[` + c.record + `],"nextCursor":null}`)
		want := p.ThreadAttachmentListResult{Data: []p.Attachment{c.want}}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", c.name, got, err, want)
		}
	}
}

// An attachment that cannot be told apart is left out, and counted.
func TestAttachmentsThatCannotBeToldApart(t *testing.T) {
	for _, record := range []string{
		`{"attachmentType":"note","identityKey":"k","payload":1}`,
		`{"id":"","attachmentType":"note","identityKey":"k","payload":1}`,
		`{"id":` + quoted(strings.Repeat("x", 257)) + `,"attachmentType":"note","identityKey":"k","payload":1}`,
		`{"id":7,"attachmentType":"note","identityKey":"k","payload":1}`, `"a1"`,
	} {
		got, err := readPage(`{"data":[` + record + `]}`)
		if want := (p.ThreadAttachmentListResult{Unread: 1}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %+v, %v", record, got, err)
		}
	}
}

// A page that is none is not believed at all.
func TestPagesThatAreNone(t *testing.T) {
	for _, text := range []string{
		`{"data":{}}`, `{"nextCursor":null}`, `{}`, `[]`, `{"data":[],"nextCursor":7}`,
	} {
		if got, err := readPage(text); err == nil {
			t.Errorf("%s is read as %+v", text, got)
		}
	}
}

func TestAPageKeepsNoMoreThanAThreadMayHave(t *testing.T) {
	for _, c := range []struct {
		records int
		kept    int
		more    bool
	}{{100, 100, false}, {101, 100, true}, {20_000, 100, true}} {
		list := slices.Repeat([]string{record(`"note"`, `"k"`, "5")}, c.records)
		got, err := readPage(`{"data":[` + strings.Join(list, ",") + `],"nextCursor":"c"}`)
		if err != nil || len(got.Data) != c.kept || got.More != c.more || got.NextCursor == nil || *got.NextCursor != "c" {
			t.Errorf("of %d records %d are kept, more %v, cursor %v, %v", c.records, len(got.Data), got.More, got.NextCursor, err)
		}
	}
}

// A payload of any length is measured as it passes by.
//
// req: ATT-3
func TestAPayloadIsMeasuredAndNotKept(t *testing.T) {
	for _, n := range []int{1 << 20, 9 << 20} {
		text := `{"data":[` + record(`"note"`, `"k"`, payloadOf(n)) + `],"nextCursor":null}`
		got, err := readPage(text)
		if err != nil || len(got.Data) != 1 {
			t.Fatalf("%v, %v", got, err)
		}
		if a := got.Data[0]; a.Bytes != int64(n) || a.Problem == "" {
			t.Errorf("%d bytes of payload read as %+v", n, a)
		}
		for _, s := range held(reflect.ValueOf(got), nil) {
			if strings.Contains(s, "xxxx") {
				t.Errorf("%d bytes of the payload are kept", len(s))
			}
		}
	}
}

// req: CON-3
func TestRecordedAttachmentsAreWhole(t *testing.T) {
	for _, version := range realserver.Versions() {
		n := 0
		for _, r := range frames(t, version, "answers") {
			if r.Method != p.ThreadAttachmentList.Method || r.Frame.Error != nil {
				continue
			}
			var page p.ThreadAttachmentListResult
			if err := json.UnmarshalDecode(p.NewDecoder(bytes.NewReader(r.Frame.Result)), &page); err != nil {
				t.Fatal(err)
			}
			for _, a := range page.Data {
				n++
				if a.ID == "" || a.Type == "" || a.Identity == "" || a.CreatedAt < 1_700_000_000 || a.Bytes == 0 || a.Problem != "" || a.Unkeyed {
					t.Errorf("%s: %+v", version, a)
				}
			}
		}
		if n < 3 {
			t.Errorf("%s: only %d attachments", version, n)
		}
	}
}
