package protocol

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// FuzzItem decodes anything as an item: it never panics, and what it keeps is
// bounded text.
func FuzzItem(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) {
		var it Item
		if err := json.UnmarshalDecode(NewDecoder(bytes.NewReader(text)), &it); err != nil {
			return
		}
		checkKept(t, it, len(text))
	})
}

// checkKept checks the bounds of an item that was n bytes long.
func checkKept(t *testing.T, it Item, n int) {
	t.Helper()
	if it.Type == "" || it.ID == "" || it.Body == nil {
		t.Errorf("an item without type, ID or body: %+v", it)
	}
	plain := PlainText(it)
	if len(plain) != PlainLen(it) {
		t.Errorf("plain text of %d bytes, %d said", len(plain), PlainLen(it))
	}
	if len(plain) > maxItem+64*maxParts {
		t.Errorf("%d bytes kept", len(plain))
	}
	if it.Bytes < int64(len(plain)) && it.Cuts == nil {
		t.Errorf("%d bytes kept of %d", len(plain), it.Bytes)
	}
	if !utf8.ValidString(plain) {
		t.Errorf("not UTF-8: %q", plain)
	}
	if len(plain) > 8*n+256 {
		t.Errorf("%d bytes of text from %d", len(plain), n)
	}
}

// FuzzAttachments decodes anything as a page of attachments: what is kept is
// bounded text, and each record says what is wrong with it.
func FuzzAttachments(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) {
		var r ThreadAttachmentListResult
		if err := json.UnmarshalDecode(NewDecoder(bytes.NewReader(text)), &r); err != nil {
			return
		}
		if len(r.Data) > MaxAttachments {
			t.Errorf("%d records", len(r.Data))
		}
		for _, a := range r.Data {
			for _, s := range []string{a.ID, a.Type, a.Identity} {
				if len(s) > MaxAttachmentKey || !utf8.ValidString(s) {
					t.Errorf("%q is kept", s)
				}
			}
			named := a.ID != "" && strings.TrimSpace(a.Type) != "" && strings.TrimSpace(a.Identity) != ""
			if a.Problem == "" && (!named || a.Unkeyed || a.Bytes == 0 || a.Bytes > MaxAttachmentPayload) || a.Unkeyed && a.Problem == "" {
				t.Errorf("nothing is wrong with %+v", a)
			}
			if a.Bytes > int64(3*len(text)) {
				t.Errorf("%d bytes of payload in %d", a.Bytes, len(text))
			}
		}
	})
}

// FuzzNotification decodes anything as any notification.
func FuzzNotification(f *testing.F) {
	f.Fuzz(func(t *testing.T, method string, params []byte) {
		if !jsontext.Value(params).IsValid(DecodeOptions()) {
			return // a frame is JSON
		}
		n, err := DecodeNotification(method, params, 1)
		if (n == nil) == (err == nil) {
			t.Fatalf("%v and %v", n, err)
		}
		if err != nil {
			return
		}
		if size := Size(n); size < overhead || size > 8*len(params)+8*overhead+64*maxParts {
			t.Errorf("%T from %d bytes has size %d", n, len(params), size)
		}
		if done, ok := n.(ItemCompleted); ok {
			checkKept(t, done.Item, len(params))
		}
		if d, ok := n.(Delta); ok && (!d.identified() || len(d.Text) > maxField) {
			t.Errorf("%+v", d)
		}
	})
}

// FuzzRequest decodes anything as any question of a server.
func FuzzRequest(f *testing.F) {
	f.Fuzz(func(t *testing.T, method string, params []byte) {
		if !jsontext.Value(params).IsValid(DecodeOptions()) {
			return
		}
		q, err := DecodeRequest(NumberID(0), method, params)
		if (q.Params == nil) == (err == nil) {
			t.Fatalf("%+v and %v", q, err)
		}
		if c, ok := q.Params.(CommandApproval); ok {
			for _, d := range c.Decisions {
				if out, err := json.Marshal(DecisionAnswer{d}); err != nil {
					t.Errorf("%s cannot be answered: %v", out, err)
				}
			}
		}
	})
}

// FuzzClip sends JSON through a clip with small bounds: it stays JSON, and what
// has no long string stays as it is, whichever way it is cut into reads.
func FuzzClip(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		whole := clipString(t, text, false)
		if piecewise := clipString(t, text, true); piecewise != whole {
			t.Fatalf("%q becomes %q or %q", text, whole, piecewise)
		}
		if !jsontext.Value(text).IsValid(DecodeOptions()) {
			return
		}
		if !jsontext.Value(whole).IsValid(DecodeOptions()) {
			t.Fatalf("%q becomes %q", text, whole)
		}
		wide, err := io.ReadAll(&clip{src: iotest.HalfReader(strings.NewReader(text)), head: len(text), tail: 1})
		if err != nil || string(wide) != text {
			t.Fatalf("%q becomes %q (%v) with room for all", text, wide, err)
		}
	})
}
