package ui

import (
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
	"holdfast/core/stamp"
	"holdfast/widgets"
	"holdfast/widgets/text"
)

// fakeCore records what the window asked, and answers by hand.
type fakeCore struct {
	asked []session.Intent
	at    []stamp.Stamp
	done  []func(session.Result)
}

func (f *fakeCore) Do(at stamp.Stamp, in session.Intent, done func(session.Result)) {
	f.asked, f.at, f.done = append(f.asked, in), append(f.at, at), append(f.done, done)
}

// names are the kinds of intents asked since the last call, without drafts.
func (f *fakeCore) names() []string {
	var out []string
	for _, in := range f.asked {
		if _, draft := in.(session.SetDraft); !draft {
			out = append(out, fmt.Sprintf("%T", in))
		}
	}
	f.asked, f.done, f.at = nil, nil, nil
	return out
}

func (f *fakeCore) drafts() []string {
	var out []string
	for _, in := range f.asked {
		if d, ok := in.(session.SetDraft); ok && d.Text != nil {
			out = append(out, *d.Text)
		}
	}
	return out
}

// desk is a window with a core, a clock and a queue of posts driven by hand.
type desk struct {
	t     testing.TB
	w     *Window
	c     fyne.Canvas
	core  *fakeCore
	now   time.Time
	queue []func()
	snap  *session.Snapshot
	saved Settings
	ended int
	opens []string
}

var noon = time.Date(2026, 11, 30, 14, 2, 0, 0, time.UTC)

// testFonts is parsed once: it takes longer than a test.
var testFonts = text.Bundled()

func newDesk(t testing.TB, width, height float32) *desk {
	t.Helper()
	d := &desk{t: t, core: &fakeCore{}, now: noon}
	app := test.NewTempApp(t)
	d.w = New(app, d.core, Options{
		Do: func(f func()) { d.queue = append(d.queue, f) }, Go: func(f func()) { f() },
		Now: func() time.Time { return d.now }, Fonts: testFonts, Product: "Holdfast", Version: "test",
		Settings: Settings{Theme: "light", TextSize: 100}, SaveSettings: func(s Settings) error { d.saved = s; return nil },
		OpenLink: func(s string) error { d.opens = append(d.opens, s); return nil }, Cwd: "/home/me/src/parser",
		Close: func() { d.ended++ },
	})
	t.Cleanup(func() { d.w.win.SetCloseIntercept(nil); d.w.win.Close() })
	d.w.win.Resize(fyne.NewSize(width, height))
	d.c = d.w.win.Canvas()
	d.snap = baseSnapshot()
	return d
}

// drain runs the posts that wait.
func (d *desk) drain() {
	for len(d.queue) > 0 {
		f := d.queue[0]
		d.queue = d.queue[1:]
		f()
	}
}

// show publishes a snapshot made from the last one.
func (d *desk) show(change func(*session.Snapshot)) {
	d.t.Helper()
	next := *d.snap
	next.Seq++
	change(&next)
	d.snap = &next
	d.w.Publish(&next)
	d.drain()
}

// press drives a key as the GLFW driver does.
func (d *desk) press(k fyne.KeyName, mod fyne.KeyModifier) {
	d.down(k, mod)
	d.typed(k, mod)
	d.up(k)
}

func (d *desk) down(k fyne.KeyName, mod fyne.KeyModifier) {
	if f, ok := d.c.Focused().(desktop.Keyable); ok {
		if mod&fyne.KeyModifierShift != 0 {
			f.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
		}
		f.KeyDown(&fyne.KeyEvent{Name: k})
	}
}

func (d *desk) up(k fyne.KeyName) {
	if f, ok := d.c.Focused().(desktop.Keyable); ok {
		f.KeyUp(&fyne.KeyEvent{Name: k})
		f.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	}
}

// typed is what follows a key-down, and what a held key repeats.
func (d *desk) typed(k fyne.KeyName, mod fyne.KeyModifier) {
	if k == fyne.KeyTab && mod&^fyne.KeyModifierShift == 0 {
		if tb, ok := d.c.Focused().(fyne.Tabbable); !ok || !tb.AcceptsTab() {
			if mod == 0 {
				d.c.FocusNext()
			} else {
				d.c.FocusPrevious()
			}
			return
		}
	}
	if mod&^fyne.KeyModifierShift != 0 {
		s := &desktop.CustomShortcut{KeyName: k, Modifier: mod}
		// The test canvas takes no shortcuts: what an entry forwards to it, and
		// what nobody took, goes to the window by hand.
		switch f := d.c.Focused().(type) {
		case *widgets.Composer:
			f.TypedShortcut(s)
			if k == fyne.KeyReturn && mod == ctrl || widgets.IsEditing(s) {
				return
			}
			d.w.typedShortcut(s)
		case *widgets.Field:
			f.TypedShortcut(s)
			if !widgets.IsEditing(s) {
				d.w.typedShortcut(s)
			}
		case fyne.Shortcutable:
			f.TypedShortcut(s)
		default:
			d.w.typedShortcut(s)
		}
		return
	}
	ev := &fyne.KeyEvent{Name: k}
	if f := d.c.Focused(); f != nil {
		f.TypedKey(ev)
	} else if f := d.c.OnTypedKey(); f != nil {
		f(ev)
	}
	if f := d.c.Focused(); f != nil && k == fyne.KeySpace {
		f.TypedRune(' ')
	}
}

func (d *desk) write(s string) {
	for _, r := range s {
		d.c.Focused().TypedRune(r)
	}
}

// focus is the name of what has the keyboard.
func (d *desk) focus() string { return d.w.focusName() }

// dialog is the name of the open dialog.
func (d *desk) dialog() string {
	if m := widgets.Top(d.c); m != nil {
		return m.Name
	}
	return ""
}

func wantEqual[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func wantList(t testing.TB, what string, got, want []string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s = %q, want %q", what, got, want)
	}
}

var fence stamp.Fence

func baseSnapshot() *session.Snapshot {
	s := emptySnapshot()
	fence.NextOwner()
	fence.NextConn()
	s.At = fence.NextView()
	s.Generations = session.Generations{Owner: 1, Connection: 1, View: 1}
	s.Status = &session.Status{
		State: session.AwaitingSelection, Text: "Connected. Choose a conversation, or start a new one.",
		Actions: []session.Action{session.ActSelect, session.ActNew, session.ActThreads, session.ActFork, session.ActRename, session.ActArchive, session.ActUnarchive, session.ActDelete, session.ActSignOut},
	}
	s.Server = &session.Server{Version: "0.159.1", Endpoint: "local", Platform: "linux", Confirmed: true}
	s.Account = &session.Account{Known: true, SignedIn: true, Kind: "chatgpt", Email: "you@example.com"}
	s.Threads = &session.Threads{Rows: threadRows(), More: true}
	s.Catalog = &session.Catalog{Models: []session.Model{
		{ID: "gpt-5.5", Name: "gpt-5.5", Description: "The usual one", Default: true, Efforts: []string{"low", "medium", "high"}, Tiers: []string{"standard", "fast"}, Images: true},
		{ID: "gpt-5.5-mini", Name: "gpt-5.5 mini", Description: "Small and quick", Efforts: []string{"low"}},
	}}
	s.Composer = &session.Composer{}
	return s
}

func threadRows() []*session.ThreadRow {
	at := func(d time.Duration) int64 { return noon.Add(-d).Unix() }
	return []*session.ThreadRow{
		{ID: "t1", Title: "Parser fails on CRLF", Cwd: "/home/me/src/holdfast", Branch: "main", Status: "idle", Mode: "paginated", RecencyAt: at(2 * time.Minute)},
		{ID: "t2", Title: "Trim the nightly report", Cwd: "/srv/reports", Status: "active", Mode: "paginated", RecencyAt: at(time.Hour)},
		{ID: "t3", Title: "日本語の要約を直す", Cwd: "/home/me/docs", Status: "idle", Mode: "legacy", RecencyAt: at(3 * time.Hour)},
		{ID: "t4", Title: "Flaky recovery test with a title that is longer than the list is wide", Cwd: "/home/me/src/holdfast", Branch: "fix-flaky", Status: "notLoaded", RecencyAt: at(30 * time.Hour)},
		{ID: "t5", Title: "", Cwd: "/home/me/src/holdfast", Status: "systemError", RecencyAt: at(90 * time.Hour), Parent: "t1"},
	}
}

// reading selects t1 without joining it.
func reading(s *session.Snapshot) {
	s.At = fence.NextView()
	s.Thread = &session.Thread{
		ID: "t1", Title: "Parser fails on CRLF", Cwd: "/home/me/src/holdfast", Mode: "paginated", Status: "idle",
		ReadAt: noon, Turn: "u1", TurnStatus: "completed",
	}
	s.History = sampleView()
	s.Composer = &session.Composer{Thread: "t1"}
	s.Status = &session.Status{
		State: session.Ready, Text: "Reading, not live. Join to send and to see what happens next.",
		Actions: []session.Action{session.ActJoin, session.ActSelect, session.ActNew, session.ActThreads, session.ActOlder, session.ActRefresh, session.ActRename, session.ActFork, session.ActArchive, session.ActDelete},
	}
}

// joined is a live conversation with no turn running.
func joined(s *session.Snapshot) {
	reading(s)
	s.Thread.Joined, s.Thread.Live, s.Thread.ReadAt = true, true, time.Time{}
	s.Thread.Access, s.Thread.Approval, s.Thread.Model, s.Thread.Effort = session.AccessWorkspace, "on-request", "gpt-5.5", "high"
	s.Thread.Tokens = &session.Tokens{Total: 41_000, Window: 100_000}
	s.Status = &session.Status{
		State: session.Ready, Text: "Live. What you see is what the server says.",
		Actions: []session.Action{session.ActSend, session.ActSelect, session.ActNew, session.ActThreads, session.ActOlder, session.ActRefresh, session.ActRename, session.ActFork, session.ActArchive, session.ActDelete, session.ActCompact},
	}
}

// running is a live conversation whose turn runs.
func running(s *session.Snapshot) {
	joined(s)
	s.Thread.TurnStatus, s.Thread.Status = "inProgress", "active"
	s.Status = &session.Status{
		State: session.Ready, Text: "Live. What you see is what the server says.",
		Actions: []session.Action{session.ActSteer, session.ActStop, session.ActSelect, session.ActNew, session.ActThreads, session.ActOlder, session.ActRefresh, session.ActAnswer},
	}
}

func asking(s *session.Snapshot) {
	running(s)
	s.Requests = &session.Requests{Cards: []*session.Request{commandRequest()}}
}

func commandRequest() *session.Request {
	return &session.Request{
		ID: "r1", Thread: "t1", Turn: "u1", Item: "i9", Kind: "command", Method: "item/commandExecution/requestApproval",
		Text: "git push origin fix-crlf", Reason: "publish the branch for review", Cwd: "~/src/parser", Live: true, At: noon,
		Decisions: []session.Decision{
			{Name: "cancel", Text: "Stop turn"},
			{Name: "accept", Text: "Allow once"},
			{Name: "acceptWithExecpolicyAmendment", Text: "Allow, and from now on all that begins with git push"},
			{Name: "acceptForSession", Text: "Allow for session"},
			{Name: "decline", Text: "Decline"},
		},
	}
}

func manual(s *session.Snapshot) {
	reading(s)
	s.Status = &session.Status{
		State: session.ManualReconnect, Text: "Not connected: connection refused at ws://127.0.0.1:4500. What you typed is kept. Reconnect tries once.",
		Actions: []session.Action{session.ActReconnect, session.ActProfile},
	}
	s.History.Stale = "the connection was lost"
}

func row(turn, id string, rev uint64, body protocol.ItemBody) *history.Row {
	return &history.Row{Key: history.Key{Turn: turn, Item: id}, Rev: rev, State: history.Final, Item: protocol.Item{Type: fmt.Sprintf("%T", body), ID: id, Body: body, StartedAtMs: noon.UnixMilli()}}
}

func number(n int64) *int64 { return &n }

func sampleView() *history.View {
	return &history.View{
		Older: true, Newest: "u1",
		Turns: map[string]history.TurnInfo{"u1": {ID: "u1", Status: "completed"}},
		Rows: []*history.Row{
			row("u1", "i1", 1, protocol.UserMessage{Content: []protocol.UserInput{{Type: "text", Text: "The parser fails on files with CRLF line ends. Find out why and fix it, with a test."}}}),
			row("u1", "i2", 1, protocol.AgentMessage{Text: "The line splitter keeps the carriage return, so `key=value\\r` never matches. I will trim it where lines are read:"}),
			row("u1", "i3", 1, protocol.CommandExecution{Command: "go test ./parser -run CRLF", Status: "completed", Output: "--- FAIL: TestCRLF", ExitCode: number(1), DurationMs: number(1400)}),
			row("u1", "i4", 1, protocol.FileChange{Status: "completed", Changes: []protocol.FileUpdate{{Path: "parser/lines.go", Kind: "update", Diff: "@@ -1,3 +1,4 @@\n func next(r *bufio.Reader) (string, error) {\n-\tline, err := r.ReadString('\\n')\n+\tline, err := r.ReadString('\\n')\n+\tline = strings.TrimSuffix(line, \"\\r\\n\")\n \treturn line, err\n"}}}),
		},
	}
}
