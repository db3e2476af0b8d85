package attachments

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/core/protocol"
)

// req: ATT-1
func TestPagesToTheEnd(t *testing.T) {
	for _, n := range []int{0, 1, 49, 50, 51, 99, 100} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			all := some(0, n)
			l := New(thread)
			shows(t, l, View{State: Idle})
			fs, cursor := l.Refresh(), ""
			for at := 0; ; at += 50 {
				f := one(t, fs, cursor)
				end := min(at+50, n)
				shows(t, l, View{State: Scanning, Rows: rowsOf(all[:at])})
				if end == n {
					none(t, l.Got(f, page("-", all[at:end]...)))
					break
				}
				cursor = fmt.Sprintf("c%d", end)
				fs = l.Got(f, page(cursor, all[at:end]...))
			}
			shows(t, l, View{State: Current, Rows: rowsOf(all)})
		})
	}
}

// A cursor is followed even after a full hundred: only null is the end.
//
// req: ATT-1
func TestAHundredFirstIsNotKept(t *testing.T) {
	for _, c := range []struct {
		name string
		last protocol.ThreadAttachmentListResult
		want View
	}{
		{"nothing more", page("-"), View{State: Current, Rows: rowsOf(some(0, 100))}},
		{"the same again", page("-", some(99, 100)...), View{State: Current, Rows: rowsOf(some(0, 100))}},
		{"one more", page("-", some(100, 101)...), View{State: Stale, Rows: rowsOf(some(0, 100)), Stale: whyOver}},
		{"one more and a cursor", page("c3", some(100, 101)...), View{State: Stale, Rows: rowsOf(some(0, 100)), Stale: whyOver}},
		{"a page too long", protocol.ThreadAttachmentListResult{More: true}, View{State: Stale, Rows: rowsOf(some(0, 100)), Stale: whyOver}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := New(thread)
			f := one(t, l.Got(one(t, l.Refresh(), ""), page("c1", some(0, 50)...)), "c1")
			f = one(t, l.Got(f, page("c2", some(50, 100)...)), "c2")
			none(t, l.Got(f, c.last))
			shows(t, l, c.want)
		})
	}
}

// req: ATT-1, FLD-11
func TestACursorThatLeadsNowhereIsCutOff(t *testing.T) {
	for _, c := range []struct {
		name    string
		cursors []string
		why     string
	}{
		{"empty at once", []string{""}, whyEmpty},
		{"its own", []string{"c1", "c1"}, whyRepeated},
		{"an earlier one", []string{"c1", "c2", "c1"}, whyRepeated},
		{"empty later", []string{"c1", ""}, whyEmpty},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := New(thread)
			fs, at := l.Refresh(), ""
			for i, next := range c.cursors {
				fs = l.Got(one(t, fs, at), page(next, some(i, i+1)...))
				at = next
			}
			none(t, fs)
			shows(t, l, View{State: Stale, Rows: rowsOf(some(0, len(c.cursors))), Stale: c.why})
		})
	}
}

func TestPagesThatNeverEndAreCutOff(t *testing.T) {
	l := New(thread)
	fs, at := l.Refresh(), ""
	for i := range maxPages {
		next := fmt.Sprint(i)
		fs = l.Got(one(t, fs, at), page(next))
		at = next
	}
	none(t, fs)
	shows(t, l, View{State: Stale, Stale: whyEndless})
}

// req: ATT-4, FLD-11
func TestEveryRowSaysWhyThereIsNoMoreToSee(t *testing.T) {
	big := protocol.Attachment{ID: "a1", Type: "note", Identity: "k1", Bytes: 65_537, Problem: "the payload is 65537 bytes long, at most 65536 are allowed"}
	long := protocol.Attachment{ID: "a2", Type: "note", Identity: strings.Repeat("x", 256), Unkeyed: true, Problem: "the key is 257 bytes long, at most 256 are allowed"}
	same := long
	same.ID = "a3"
	plain := att("a4", "k4")
	plain.Type = "image/png"
	l := New(thread)
	none(t, l.Got(one(t, l.Refresh(), ""), page("-", big, long, same, plain)))
	want := rowsOf([]protocol.Attachment{big, long, same, plain})
	shows(t, l, View{State: Current, Rows: want})
	reasons := []string{big.Problem, long.Problem, same.Problem, "type not known"}
	for i, r := range l.View().Rows {
		if r.Reason != reasons[i] {
			t.Errorf("%s is unavailable because %q, want %q", r.ID, r.Reason, reasons[i])
		}
	}
}

// Page 1 lists a1 and a2. While page 2 is open a2 is deleted and its key created
// anew; page 2 lists a2 once more.
//
// req: ATT-5, FLD-10
func TestAPageUnderWayBringsNothingBack(t *testing.T) {
	for _, c := range []struct {
		name string
		news []protocol.AttachmentUpdated
		page []protocol.Attachment
	}{
		{"deleted, created", []protocol.AttachmentUpdated{deleted("a2", "k2"), created("a9", "k2")}, []protocol.Attachment{att("a2", "k2")}},
		{"created, deleted", []protocol.AttachmentUpdated{created("a9", "k2"), deleted("a2", "k2")}, []protocol.Attachment{att("a2", "k2")}},
		{"the page has both", []protocol.AttachmentUpdated{deleted("a2", "k2"), created("a9", "k2")}, []protocol.Attachment{att("a2", "k2"), att("a9", "k2")}},
		{"the page has both, the old one last", []protocol.AttachmentUpdated{deleted("a2", "k2"), created("a9", "k2")}, []protocol.Attachment{att("a9", "k2"), att("a2", "k2")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := New(thread)
			f := one(t, l.Got(one(t, l.Refresh(), ""), page("c1", att("a1", "k1"), att("a2", "k2"))), "c1")
			for _, n := range c.news {
				none(t, l.Apply(n))
			}
			shows(t, l, View{State: Scanning, Rows: []*Row{row("a1", "k1")}})
			again := one(t, l.Got(f, page("-", c.page...)), "")
			for _, r := range l.View().Rows {
				if r.ID == "a2" {
					t.Errorf("a2 is back: %s", describe(*l.View()))
				}
			}
			none(t, l.Got(again, page("-", att("a1", "k1"), att("a9", "k2"))))
			shows(t, l, View{State: Current, Rows: []*Row{row("a1", "k1"), row("a9", "k2")}})
		})
	}
}

// A deletion that was heard before anything was asked for counts as well.
//
// req: ATT-5
func TestTheListListensBeforeItAsks(t *testing.T) {
	l := New(thread)
	none(t, l.Apply(deleted("a1", "k1")))
	none(t, l.Apply(created("a2", "k2")))
	none(t, l.Got(one(t, l.Refresh(), ""), page("-", att("a1", "k1"), att("a2", "k2"))))
	shows(t, l, View{State: Current, Rows: []*Row{row("a2", "k2")}})
	none(t, l.Apply(deleted("a2", "k2")))
	shows(t, l, View{State: Current})
}

// Of two generations of one identity the later counts, wherever both are listed.
func TestOneRowForAnIdentity(t *testing.T) {
	l := New(thread)
	f := one(t, l.Got(one(t, l.Refresh(), ""), page("c1", att("a1", "k"), att("a2", "other"))), "c1")
	none(t, l.Got(f, page("-", att("a3", "k"))))
	shows(t, l, View{State: Current, Rows: []*Row{row("a2", "other"), row("a3", "k")}})
}

// req: ATT-6
func TestACreationIsReadAndNotMadeUp(t *testing.T) {
	l := New(thread)
	none(t, l.Got(one(t, l.Refresh(), ""), page("-", att("a1", "k1"))))
	f := one(t, l.Apply(created("a2", "k2")), "")
	shows(t, l, View{State: Scanning, Rows: []*Row{row("a1", "k1")}})
	// Whatever is created meanwhile costs one more listing in all.
	for i := range 10 {
		none(t, l.Apply(created(fmt.Sprintf("b%d", i), "k")))
	}
	f = one(t, l.Got(f, page("-", att("a1", "k1"), att("a2", "k2"))), "")
	shows(t, l, View{State: Scanning, Rows: []*Row{row("a1", "k1"), row("a2", "k2")}})
	none(t, l.Got(f, page("-", att("a1", "k1"))))
	shows(t, l, View{State: Current, Rows: []*Row{row("a1", "k1")}})
}

// req: ATT-6
func TestAListThatKeepsChangingIsStale(t *testing.T) {
	l := New(thread)
	fs := l.Refresh()
	for range MaxPasses {
		f := one(t, fs, "")
		none(t, l.Apply(created("a2", "k2")))
		fs = l.Got(f, page("-", att("a1", "k1")))
	}
	none(t, fs)
	shows(t, l, View{State: Stale, Rows: []*Row{row("a1", "k1")}, Stale: whyChanging})
	none(t, l.Apply(created("a3", "k3"))) // only the user's refresh helps
	f := one(t, l.Refresh(), "")
	shows(t, l, View{State: Scanning, Rows: []*Row{row("a1", "k1")}, Stale: whyChanging})
	none(t, l.Got(f, page("-", att("a3", "k3"))))
	shows(t, l, View{State: Current, Rows: []*Row{row("a3", "k3")}})
}

// What is not known to be a deletion may be anything: the list is read again.
func TestAnUnknownOperationInvalidates(t *testing.T) {
	l := New(thread)
	none(t, l.Got(one(t, l.Refresh(), ""), page("-")))
	one(t, l.Apply(updated("renamed", "a1", "k1")), "")
}

func TestARefreshDuringAPassIsNotLost(t *testing.T) {
	l := New(thread)
	f := one(t, l.Refresh(), "")
	for range 5 {
		none(t, l.Refresh())
		f = one(t, l.Got(f, page("-")), "")
	}
	none(t, l.Got(f, page("-", att("a1", "k1"))))
	shows(t, l, View{State: Current, Rows: []*Row{row("a1", "k1")}})
}

func TestAnotherThreadChangesNothing(t *testing.T) {
	l := New(thread)
	none(t, l.Got(one(t, l.Refresh(), ""), page("-", att("a1", "k1"))))
	for _, n := range []protocol.AttachmentUpdated{created("a2", "k2"), deleted("a1", "k1")} {
		n.Thread = "t2"
		none(t, l.Apply(n))
	}
	shows(t, l, View{State: Current, Rows: []*Row{row("a1", "k1")}})
}

func TestAFailureKeepsWhatWasThere(t *testing.T) {
	l := New(thread)
	f := one(t, l.Got(one(t, l.Refresh(), ""), page("c1", att("a1", "k1"))), "c1")
	l.Failed(f, "it could not be read")
	shows(t, l, View{State: Stale, Rows: []*Row{row("a1", "k1")}, Stale: "it could not be read"})
	none(t, l.Got(f, page("-", att("a2", "k2")))) // too late
	shows(t, l, View{State: Stale, Rows: []*Row{row("a1", "k1")}, Stale: "it could not be read"})
	none(t, l.Got(one(t, l.Refresh(), ""), page("-", att("a1", "k1"), att("a2", "k2"))))
	f = one(t, l.Apply(created("a3", "k3")), "")
	l.Failed(f, "no answer")
	shows(t, l, View{State: Stale, Rows: []*Row{row("a1", "k1"), row("a2", "k2")}, Stale: "no answer"})
}

func TestALossEndsThePass(t *testing.T) {
	l := New(thread)
	f := one(t, l.Got(one(t, l.Refresh(), ""), page("c1", att("a1", "k1"))), "c1")
	l.MarkStale("the connection was lost")
	want := View{State: Stale, Rows: []*Row{row("a1", "k1")}, Stale: "the connection was lost"}
	shows(t, l, want)
	none(t, l.Got(f, page("-", att("a2", "k2"))))
	l.Failed(f, "late")
	shows(t, l, want)
}

// More deletions than are kept give up the page that might hold one of them.
//
// req: ATT-5
func TestTombstonesAreBounded(t *testing.T) {
	l := New(thread)
	first := one(t, l.Refresh(), "")
	var second []Fetch
	for i := range maxTombstones + 1 {
		second = append(second, l.Apply(deleted(fmt.Sprintf("a%d", i), "k"))...)
	}
	f := one(t, second, "")
	none(t, l.Got(first, page("-", att("a0", "k0"))))
	shows(t, l, View{State: Scanning})
	if n := len(l.dead); n != 1 {
		t.Errorf("%d tombstones, want the newest only", n)
	}
	none(t, l.Got(f, page("-", att("b", "k"), att(fmt.Sprintf("a%d", maxTombstones), "x"))))
	shows(t, l, View{State: Current, Rows: []*Row{row("b", "k")}})
	for i := range MaxPasses * maxTombstones {
		l.Apply(deleted(strings.Repeat("x", 257)+fmt.Sprint(i), "k"))
	}
	if n := len(l.dead); n != 1 {
		t.Errorf("%d tombstones for IDs that no row can have", n)
	}
}

func TestEndlessDeletionsEndAsStale(t *testing.T) {
	l := New(thread)
	l.maxDead = 1
	asked := len(l.Refresh())
	for i := range 10 {
		asked += len(l.Apply(deleted(fmt.Sprintf("x%d", i), "k")))
	}
	shows(t, l, View{State: Stale, Stale: whyChanging})
	if asked != MaxPasses {
		t.Errorf("asked %d times, want %d", asked, MaxPasses)
	}
}

// A view never changes after it was given away.
func TestAViewIsImmutable(t *testing.T) {
	l := New(thread)
	f := one(t, l.Got(one(t, l.Refresh(), ""), page("c1", some(0, 3)...)), "c1")
	v := l.View()
	want := slices.Clone(v.Rows)
	l.Apply(deleted("a1", "k1"))
	none(t, l.Got(f, page("-", some(3, 6)...)))
	l.Apply(deleted("a0", "k0"))
	if !slices.Equal(v.Rows, want) || v.State != Scanning {
		t.Errorf("a view became %s", describe(*v))
	}
	if a, b := l.View(), l.View(); a != b {
		t.Error("two views of one state")
	}
}
