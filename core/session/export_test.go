package session

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"holdfast/core/internal/fakeserver"
)

// An export goes to the oldest message, page by page, in order.
func TestExport(t *testing.T) {
	bubble(t, func(r *rig) {
		var out bytes.Buffer
		r.refused(Export{To: &out}, "no-selection")
		r.must(Select{Thread: "t1"})
		r.srv.Handle("thread/items/list", func(q fakeserver.Request) (any, error) {
			if !strings.Contains(string(q.Params), `"sortDirection":"asc"`) {
				t.Errorf("asked %s", q.Params)
			}
			p := page(entry("u2", "i2", "answer"))
			if !strings.Contains(string(q.Params), `"cursor":"c"`) {
				p = page(asked("u1", "m1", spoken("question")))
				p["nextCursor"] = "c"
			}
			return p, nil
		})
		r.must(Export{To: &out})
		if got := out.String(); !strings.Contains(got, "# about t1\n") || !strings.Contains(got, "## You\n\nquestion\n\n---\n\n## Codex\n\nanswer\n") {
			t.Errorf("written:\n%s", got)
		}
	})
}

// What could not be read or written is said, in the file too.
func TestExportThatIsNotWhole(t *testing.T) {
	for name, tc := range map[string]struct {
		code, note string
		happens    func(r *rig)
	}{
		"a page fails": {"incomplete", "Not all could be read.", func(r *rig) {
			first := true
			r.srv.Handle("thread/items/list", func(fakeserver.Request) (any, error) {
				if !first {
					return nil, &fakeserver.Failure{Code: -32603, Message: "no"}
				}
				first = false
				p := page(entry("u1", "i1", "one"))
				p["nextCursor"] = "c"
				return p, nil
			})
		}},
		"a cursor leads back": {"incomplete", "could not be read", func(r *rig) {
			p := page(entry("u1", "i1", "one"))
			p["nextCursor"] = "c"
			r.srv.Answer("thread/items/list", p)
		}},
		"a turn runs": {"incomplete", "A turn is running", func(r *rig) {
			r.must(Join{})
			r.started("u2")
			r.settle()
		}},
		"a long text": {"incomplete", "1 long texts are shortened", func(r *rig) {
			r.srv.Answer("thread/items/list", page(entry("u1", "i1", strings.Repeat("x", 1<<20+1))))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.must(Select{Thread: "t1"})
				tc.happens(r)
				var out bytes.Buffer
				r.refused(Export{To: &out}, tc.code)
				if got := out.String(); !strings.Contains(got, "> This is not all of the conversation.") || !strings.Contains(got, tc.note) {
					t.Errorf("written:\n%.600s", got[max(len(got)-600, 0):])
				}
			})
		})
	}
	bubble(t, func(r *rig) {
		r.must(Select{Thread: "t1"})
		r.refused(Export{To: brokenSink{}}, "not-written")
	})
}

type brokenSink struct{}

func (brokenSink) Write([]byte) (int, error) { return 0, errors.New("full") }
