package ui

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"

	"holdfast/core/history"
	"holdfast/core/session"
	"holdfast/widgets"
)

// Every state has words, and a next step wherever one is needed.
// req: UI-4
func TestEveryStateSaysWhatToDo(t *testing.T) {
	steps := map[session.State][]session.Action{
		session.Reconnecting:      {session.ActCancel},
		session.Synchronizing:     nil, // it ends by itself
		session.AwaitingSelection: {session.ActSelect, session.ActNew},
		session.Ready:             nil, // the composer is the step
		session.HistoryRefresh:    {session.ActRefresh},
		session.ManualReconnect:   {session.ActReconnect, session.ActProfile},
		session.SignInRequired:    {session.ActSignIn, session.ActReconnect, session.ActProfile},
		session.Confirmation:      {session.ActConfirm, session.ActReconnect, session.ActProfile},
	}
	for _, state := range session.States() {
		d := newDesk(t, 1200, 800)
		d.show(func(s *session.Snapshot) {
			s.Status = &session.Status{State: state, Text: "What is. What follows.", Actions: steps[state]}
		})
		var got []session.Action
		for _, b := range d.w.banner.Buttons() {
			if b.Key() == "" || b.Label() == "" {
				t.Errorf("%v: the button %q has no key", state, b.Label())
			}
			got = append(got, session.Action(b.Name))
		}
		want := steps[state]
		if !slices.Equal(got, want) {
			t.Errorf("%v offers %q, want %q", state, got, want)
		}
		if look, ok := states[state]; !ok || look.lead == "" {
			t.Errorf("%v has no words", state)
		}
		if len(want) > 0 && (!d.w.banner.Visible() || !strings.Contains(d.w.banner.Words(), "What follows.")) {
			t.Errorf("%v: the banner says %q", state, d.w.banner.Words())
		}
		if state != session.Ready && !strings.Contains(d.w.title(), strings.TrimRight(states[state].lead.String(), ".")) {
			t.Errorf("%v: the window's title %q does not say it", state, d.w.title())
		}
	}
}

// What a banner offers is what the status offers at that moment.
// req: UI-4
func TestBannerActionsRunByButtonAndByKey(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(manual)
	d.focusOn("reconnect")
	d.press(fyne.KeyReturn, 0)
	d.press(fyne.KeyR, shiftCtrl)
	wantList(t, "asked", d.core.names(), []string{"session.Reconnect", "session.Reconnect"})
	d.show(joined)
	d.press(fyne.KeyR, shiftCtrl)
	wantList(t, "asked when it is not possible", d.core.names(), nil)
	if n := d.w.notices.local; len(n) != 1 || !strings.Contains(n[0].Text, "Reconnect is not possible now") {
		t.Errorf("the window says %+v, want why", n)
	}
}

// req: UI-4
func TestProblemsAreSaid(t *testing.T) {
	tests := map[string]struct {
		change func(*session.Snapshot)
		want   string
	}{
		"a failed join": {func(s *session.Snapshot) {
			s.Thread.JoinProblem = "It is in use by another server process. Reading works, joining does not."
		}, "Not joined. It is in use by another server process."},
		"stale rows": {func(s *session.Snapshot) { s.History = &history.View{Stale: "changed since read"} }, "Not up to date. It has changed since it was read. Refresh reads it again."},
		"signed out": {func(s *session.Snapshot) { s.Account = &session.Account{Known: true, Needed: true} }, "Signed out. Reading works."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 1200, 800)
			d.show(with(reading, tt.change))
			if got := d.w.banner.Words(); !d.w.banner.Visible() || !strings.HasPrefix(got, tt.want) {
				t.Errorf("the banner says %q, want %q", got, tt.want)
			}
		})
	}
	d := newDesk(t, 1200, 800)
	d.show(with(joined, func(s *session.Snapshot) {
		s.Composer = &session.Composer{Thread: "t1", Problem: "image: it is larger than 10 MB"}
		s.Threads = &session.Threads{Problem: "the server did not answer"}
	}))
	wantEqual(t, "problem", d.w.comp.problem.String(), "image: it is larger than 10 MB")
	wantEqual(t, "hint", d.w.side.hint.String(), "The list could not be read. the server did not answer")
}

// A refusal of the core is shown, in words, until it is dismissed.
// req: UI-4
func TestRefusalsAreShown(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(reading)
	d.press(fyne.KeyJ, ctrl)
	d.core.done[0](session.Result{Code: "stale", Error: "What you saw has been replaced meanwhile."})
	wantEqual(t, "notices before the post", len(d.w.notices.local), 0)
	d.drain()
	if n := d.w.notices.local; len(n) != 1 || n[0].Text != "Not joined: What you saw has been replaced meanwhile." {
		t.Errorf("the window says %+v", n)
	}
	d.focusOn("dismiss")
	d.press(fyne.KeySpace, 0)
	wantEqual(t, "notices", len(d.w.notices.local), 0)
}

// What may have been done is never said to be not done.
//
// req: UI-4
func TestAnUncertainOutcomeIsNotARefusal(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.press(fyne.KeyA, shiftCtrl)
	d.core.done[0](session.Result{Code: "outcome-unknown", Error: "No answer came. It may have been done."})
	d.drain()
	if n := d.w.notices.local; len(n) != 1 || n[0].Text != "Uncertain: No answer came. It may have been done." {
		t.Errorf("the window says %+v", n)
	}
}

// req: UI-3
func TestOlderSnapshotsAreDropped(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	newer := *d.snap
	newer.Seq += 2
	d.w.Publish(&newer)
	d.drain()
	older := *d.snap
	older.Seq++
	older.Thread = &session.Thread{ID: "old", Title: "Old"}
	d.w.Publish(&older)
	d.drain()
	wantEqual(t, "seq", d.w.snap.Seq, newer.Seq)
	wantEqual(t, "title", d.w.head.title.String(), "Parser fails on CRLF")
}

// A flood leaves at most one post, and the newest is shown.
// req: UI-3
func TestAFloodIsOnePost(t *testing.T) {
	const n = 10_000
	d := newDesk(t, 1200, 800)
	d.show(joined)
	first := d.snap.Seq
	most := 0
	for i := range n {
		next := *d.snap
		next.Seq = first + uint64(i) + 1
		d.w.Publish(&next)
		most = max(most, len(d.queue))
	}
	wantEqual(t, "posts waiting", most, 1)
	d.drain()
	wantEqual(t, "seq", d.w.snap.Seq, first+n)
}

// Published from many goroutines, the newest arrives and one post waits.
// req: UI-3
func TestPosterKeepsTheNewestFromManyGoroutines(t *testing.T) {
	var mu sync.Mutex
	var queue []func()
	most := 0
	var shown []*int
	p := NewPoster(func(f func()) {
		mu.Lock()
		defer mu.Unlock()
		queue = append(queue, f)
		most = max(most, len(queue))
	}, func(v *int) { shown = append(shown, v) })
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 1000 {
				p.Publish(&i)
			}
		})
	}
	all.Wait()
	last := 4711
	p.Publish(&last)
	for _, f := range queue {
		f()
	}
	wantEqual(t, "posts waiting", most, 1)
	if len(shown) != 1 || *shown[0] != last {
		t.Errorf("shown %d times, the last is not the newest", len(shown))
	}
}

// However long the window takes, one look at it waits.
func TestWatchStateLetsOneLookWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var posts []func()
		w := &Window{opts: Options{Do: func(f func()) { posts = append(posts, f) }}}
		ticks := time.NewTicker(30 * time.Millisecond)
		defer ticks.Stop()
		go w.WatchState(t.Context(), ticks.C)
		for n := 1; n <= 2; n++ {
			time.Sleep(10 * time.Second)
			synctest.Wait()
			if len(posts) != n {
				t.Fatalf("after %d times ten seconds there are %d looks, want one each time", n, len(posts))
			}
			posts[n-1]()
		}
	})
}

func TestPreparerSkipsWhatWasReplaced(t *testing.T) {
	var run []func()
	var worked []int
	p := &preparer[int]{run: func(f func()) { run = append(run, f) }}
	p.work = func(v *int) {
		worked = append(worked, *v)
		if *v == 3 {
			next := 4
			p.put(&next) // comes while it works
		}
	}
	for i := 1; i <= 3; i++ {
		p.put(&i)
	}
	wantEqual(t, "workers started", len(run), 1)
	run[0]()
	wantEqual(t, "worked on", fmt.Sprint(worked), "[3 4]")
	next := 5
	p.put(&next)
	wantEqual(t, "workers started after the end", len(run), 2)
}

func TestAccessIsAWordAndFullIsAWarning(t *testing.T) {
	for access, want := range map[session.Access]string{
		session.AccessReadOnly: "read-only · on-request", session.AccessWorkspace: "workspace · on-request",
		session.AccessFull: "full access · on-request", session.AccessUnknown: "access: server's default · on-request",
	} {
		d := newDesk(t, 1200, 800)
		d.show(with(joined, func(s *session.Snapshot) { s.Thread.Access = access }))
		wantEqual(t, "access", d.w.head.access.String(), want)
		wantEqual(t, "visible", d.w.head.access.Visible(), true)
	}
}

// req: JON-3
func TestPossiblyInUseIsSaidWithoutAnOwner(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(with(reading, func(s *session.Snapshot) { s.Thread.PossiblyInUse = true }))
	wantEqual(t, "shown", d.w.head.use.Visible(), true)
	wantEqual(t, "words", d.w.head.use.String(), "possibly in use")
	wantEqual(t, "badge of an active one", d.w.side.list.Rows()[1].Badge.String(), "in use?")
	d.show(reading)
	wantEqual(t, "shown otherwise", d.w.head.use.Visible(), false)
}

func TestFilterIsLocalUntilEnter(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(func(*session.Snapshot) {})
	d.press(fyne.KeyP, ctrl)
	wantEqual(t, "focus", d.focus(), "filter")
	d.write("report")
	var got []string
	for _, r := range d.w.side.list.Rows() {
		got = append(got, r.Title.String())
	}
	wantList(t, "rows", got, []string{"Trim the nightly report", "Load more"})
	wantEqual(t, "hint", d.w.side.hint.String(), "1 of the 5 loaded. Enter searches all of them.")
	wantList(t, "asked", d.core.names(), nil)
	d.press(fyne.KeyReturn, 0)
	if in, ok := d.core.asked[0].(session.ListThreads); !ok || in.Search != "report" {
		t.Errorf("asked %+v, want a search", d.core.asked)
	}
	d.show(func(s *session.Snapshot) { s.Threads = &session.Threads{Rows: threadRows()[1:2], Search: "report"} })
	wantEqual(t, "hint", d.w.side.hint.String(), "1 conversation found by the server for “report”.")
}

func TestMoreConversationsOnDemand(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(func(*session.Snapshot) {})
	d.focusOn("conversations")
	d.press(fyne.KeyEnd, 0)
	d.press(fyne.KeyReturn, 0)
	if in, ok := d.core.asked[0].(session.ListThreads); !ok || !in.More {
		t.Errorf("asked %+v, want the next page", d.core.asked)
	}
}

// A dialog acts on the conversation it named, with the stamp it was opened at.
func TestDeleteActsOnWhatItNamed(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.press(fyne.KeyD, shiftCtrl)
	if m := widgets.Top(d.c); m == nil || m.Title() != "Delete “Parser fails on CRLF”?" {
		t.Fatalf("the dialog is %q", d.dialog())
	}
	at := d.snap.At.ConnOnly()
	d.show(with(joined, func(s *session.Snapshot) { s.Thread.ID, s.Thread.Title = "t9", "Another one" }))
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	if in, ok := d.core.asked[0].(session.Delete); !ok || in.Thread != "t1" || d.core.at[0] != at {
		t.Errorf("asked %+v at %v, want t1 at %v", d.core.asked, d.core.at, at)
	}
}

func TestSecretKeyIsNotKept(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(with(joined, func(s *session.Snapshot) {
		s.Status.Actions = append(s.Status.Actions, session.ActSignIn)
	}))
	d.press(fyne.KeyI, shiftCtrl)
	field, ok := d.c.Focused().(*widgets.Field)
	if !ok || !field.Password {
		t.Fatalf("the keyboard is at %q, want a password field", d.focus())
	}
	d.write("sk-123")
	d.press(fyne.KeyReturn, 0)
	wantEqual(t, "dialog", d.dialog(), "")
	wantEqual(t, "field", field.Text, "")
	if in, ok := d.core.asked[0].(session.SignIn); !ok || string(in.Key) != "sk-123" {
		t.Errorf("asked %T, want the sign-in", d.core.asked[0])
	}
}

// Links are opened on an explicit answer only, and only allowed ones.
func TestLinksAskFirst(t *testing.T) {
	d := newDesk(t, 1200, 800)
	d.show(joined)
	d.w.openLink("https://example.com/x", "docs")
	wantEqual(t, "dialog", d.dialog(), "link")
	wantEqual(t, "the safe choice has the keyboard", d.focus(), "cancel")
	wantList(t, "opened before the answer", d.opens, nil)
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyTab, 0)
	d.press(fyne.KeyReturn, 0)
	wantList(t, "opened", d.opens, []string{"https://example.com/x"})
	for _, bad := range []string{"javascript:alert(1)", "file:///etc/passwd", "ftp://example.com"} {
		d.w.openLink(bad, "docs")
		wantEqual(t, "dialog for "+bad, d.dialog(), "")
	}
	wantList(t, "opened", d.opens, []string{"https://example.com/x"})
}
