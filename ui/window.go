package ui

import (
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"holdfast/core/history"
	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/stamp"
	"holdfast/core/words"
	"holdfast/widgets"
	"holdfast/widgets/theme"
	"holdfast/widgets/transcript"
)

// Window is the one window of the program. Publish may be called from any
// goroutine; everything else belongs to the window's.
type Window struct {
	app  fyne.App
	win  fyne.Window
	core Core
	opts Options

	poster  *Poster[frame]
	prepare *preparer[session.Snapshot]
	rows    *rowMaker // belongs to whoever prepares

	snap     *session.Snapshot
	from     origin      // of the rows on screen
	eye      history.Key // what the core was told of the reader's place
	commands []command
	settings Settings

	root    *fyne.Container
	shell   *shell
	banner  *widgets.Banner
	offered string // what the banner's buttons were made for
	drafts  *draftBar
	notices *noticeArea
	side    *sidebar
	head    *header
	older   *widgets.Button
	newer   *widgets.Button
	find    *finder
	trans   *transcript.Transcript
	news    *widgets.Button
	cards   *cardArea
	comp    *composer
	near    nearEnds
	attach  *attachPanel // nil while it is closed
	queue   *queuePanel  // the same
	mention *mention
	viewer  *viewer // the row that is shown whole, the last one when none is
	// imageDir is the folder of the last image that was chosen.
	imageDir string

	region    int
	were      [][]fyne.Focusable // the regions at the last repair
	moved     fyne.Focusable
	movedAt   time.Time
	lastState string
}

// A frame is a snapshot with what was prepared for it off the window's
// goroutine.
type frame struct {
	snap *session.Snapshot
	rows []*transcript.Row
	from origin
}

// New makes the window. It shows nothing before ShowAndRun or Show.
func New(app fyne.App, core Core, opts Options) *Window {
	w := &Window{app: app, core: core, opts: opts, settings: opts.Settings, commands: commands()}
	w.opts.Do = w.guarded(opts.Do)
	w.rows = newRowMaker()
	w.snap = emptySnapshot()
	w.applySettings()
	w.win = app.NewWindow(opts.Product)
	w.win.SetPadded(false)
	w.build()
	w.win.SetContent(w.root)
	w.win.Resize(fyne.NewSize(1200, 800))
	w.installKeys()
	w.win.SetCloseIntercept(w.closing)
	w.win.SetOnDropped(w.dropped)
	w.poster = NewPoster(w.opts.Do, w.apply)
	w.prepare = &preparer[session.Snapshot]{run: opts.Go, work: func(s *session.Snapshot) {
		w.poster.Publish(w.frameOf(s))
	}}
	w.show(nil, w.snap)
	w.focusList()
	return w
}

// emptySnapshot is what is shown before the core said anything.
func emptySnapshot() *session.Snapshot {
	return &session.Snapshot{
		Status: &session.Status{State: session.Reconnecting, Text: words.T("Starting.")},
		Server: &session.Server{}, Account: &session.Account{}, Threads: &session.Threads{},
		Operations: &session.Operations{}, Requests: &session.Requests{}, Queue: &session.Queue{},
		Notices: &session.Notices{}, Catalog: &session.Catalog{}, Drafts: &session.Drafts{},
	}
}

// Publish shows a snapshot, unless a newer one was shown before (UI-3).
func (w *Window) Publish(s *session.Snapshot) { w.prepare.put(s) }

// Show shows the window.
func (w *Window) Show() { w.win.Show() }

// Raise brings the window to the front.
func (w *Window) Raise() {
	w.win.Show()
	w.win.RequestFocus()
}

// Fyne is the toolkit's window, for who starts and captures it.
func (w *Window) Fyne() fyne.Window { return w.win }

func (w *Window) build() {
	w.shell = &shell{w: w}
	w.banner = widgets.NewBanner()
	w.drafts = newDraftBar(w)
	w.notices = newNoticeArea(w)
	w.side = newSidebar(w)
	w.head = newHeader(w)
	w.find = newFinder(w)
	w.older = w.actionButton(session.ActOlder, "", widgets.Quiet)
	w.newer = w.actionButton(session.ActNewer, "", widgets.Quiet)
	w.trans = transcript.New(w.opts.Fonts, theme.Current)
	w.trans.OnOpenLink = w.openLink
	w.trans.OnAction = w.rowAction
	w.trans.OnNearTop = func(near bool) { w.near.top = near; w.opts.Do(w.autoLoad) } // a frame may be under way
	w.trans.OnNearBottom = func(near bool) { w.near.bottom = near; w.opts.Do(w.autoLoad) }
	w.trans.OnMoved = func() { w.opts.Do(w.tellEye) }
	w.trans.OnMenu = func() { w.run("row") }
	w.trans.OnShortcut = w.typedShortcut
	w.news = newNews(w)
	w.cards = newCardArea(w)
	w.comp = newComposer(w)
	w.mention = newMention(w)
	w.comp.entry.OnKey = w.mention.key
	w.comp.entry.OnCursorChanged = w.mention.look
	w.comp.entry.Also = w.mention.says
	// The order of the objects is the Tab order (UI-2).
	w.root = container.New(w.shell, w.shell.objects()...)
}

// actionButton is a button for an action of the table, with its key.
func (w *Window) actionButton(a session.Action, label string, kind widgets.Kind) *widgets.Button {
	c, _ := w.commandOf(a)
	return w.keyButton(c, label, kind)
}

// commandButton is actionButton by a command's name.
func (w *Window) commandButton(id, label string, kind widgets.Kind) *widgets.Button {
	for _, c := range w.commands {
		if c.id == id {
			return w.keyButton(c, label, kind)
		}
	}
	return w.keyButton(command{id: id}, label, kind)
}

func (w *Window) keyButton(c command, label string, kind widgets.Kind) *widgets.Button {
	if label == "" {
		label = c.label.String()
	}
	b := widgets.NewKeyButton(safetext.MakeLine(label), c.keyText(), kind, nil)
	b.OnTapped = func() {
		if !w.justMoved(b) {
			w.runCommand(c)
		}
	}
	b.Name = c.id
	return b
}

// apply shows a frame. An older one is dropped (UI-3).
func (w *Window) apply(f *frame) {
	old := w.snap
	if f.snap.Seq <= old.Seq {
		return
	}
	w.snap, w.from = f.snap, f.from
	w.trans.MarkNew = continues(old, f.snap)
	w.trans.SetRows(f.rows)
	w.show(old, f.snap)
	w.find.show(f.rows)
	if old.Generations.View != w.snap.Generations.View {
		w.eye = history.Key{} // another window, which follows its newest row
	}
	w.tellEye()
	w.showNews() // more may be below by now
	w.autoLoad()
}

// show updates what changed. Sections are compared by pointer.
func (w *Window) show(old, s *session.Snapshot) {
	if old == nil {
		old = &session.Snapshot{}
	}
	w.showBanner()
	w.notices.show()
	w.side.show(old, s)
	w.head.show(s)
	w.showHistory(s)
	w.cards.show(s)
	w.comp.show(old, s)
	if w.attach != nil {
		w.attach.show(s)
	}
	if w.queue != nil {
		w.queue.show(s)
	}
	w.drafts.show(s)
	w.win.SetTitle(w.title())
	w.settle()
}

// settle lays out, and repairs the focus, after any change.
func (w *Window) settle() {
	w.root.Refresh()
	w.repairFocus()
	w.WriteState()
}

func (w *Window) showBanner() {
	s := w.snap
	v := bannerOf(s)
	setVisible(w.banner, v.show)
	w.banner.Set(v.tone, v.lead, v.text)
	offered := fmt.Sprint(s.Status.State, s.Status.Code, v.actions)
	if offered == w.offered {
		return
	}
	w.offered = offered
	var buttons []*widgets.Button
	for i, a := range v.actions {
		kind := widgets.Plain
		if i == 0 {
			kind = widgets.Primary
		}
		label := ""
		if a == session.ActReconnect && s.Status.Code == "not-answering" {
			label = words.T("Restart…")
		}
		buttons = append(buttons, w.actionButton(a, label, kind))
	}
	w.banner.SetActions(buttons...)
}

func (w *Window) showHistory(s *session.Snapshot) {
	h := s.History
	setVisible(w.older, h != nil && h.Older)
	setVisible(w.newer, h != nil && h.Newer)
	w.older.SetLabel(pageLabel(safetext.Trusted("Load older"), h != nil && h.LoadingOlder))
	w.newer.SetLabel(pageLabel(safetext.Trusted("Load newer"), h != nil && h.LoadingNewer))
	w.older.SetEnabled(s.Status.Allows(session.ActOlder))
	w.newer.SetEnabled(s.Status.Allows(session.ActNewer))
	w.trans.SetStale(h != nil && h.Stale != "" || s.Status.State == session.ManualReconnect)
	w.trans.SetEmpty(w.emptyText(s)...)
}

// title says the state as text, for those who see no colours (UI-2).
func (w *Window) title() string {
	s := w.snap
	parts := []string{}
	if s.History != nil || s.Thread != nil {
		parts = append(parts, w.from.title().String(), liveWord(s).String())
	}
	if s.Status.State != session.Ready {
		parts = append(parts, strings.TrimRight(states[s.Status.State].lead.String(), ".。"))
	}
	return strings.Join(append(parts, w.opts.Product), " – ")
}

// ask wants something of the core, from the snapshot that is shown.
func (w *Window) ask(in session.Intent) { w.askAt(w.snap.At, in) }

// askAt wants something from the snapshot that at stamps. A refusal is shown.
func (w *Window) askAt(at stamp.Stamp, in session.Intent) {
	w.core.Do(at, in, func(r session.Result) {
		if r.OK || r.Code == "read-failed" { // the banner says it, as long as it holds
			return
		}
		w.opts.Do(func() { w.say(refusal(in, r)) })
	})
}

// toWrite asks for a conversation to write in. When there is one the keyboard
// goes to the message, unless it was moved meanwhile.
func (w *Window) toWrite(at stamp.Stamp, in session.Intent) {
	c := w.win.Canvas()
	before := c.Focused()
	w.core.Do(at, in, func(r session.Result) {
		w.opts.Do(func() {
			switch {
			case !r.OK:
				w.say(refusal(in, r))
			case widgets.Top(c) == nil && (c.Focused() == before || c.Focused() == w.moved):
				w.focusComposer()
			}
		})
	})
}

func (w *Window) join() { w.toWrite(w.snap.At, session.Join{}) }

// refusal says what was not done, and why.
func refusal(in session.Intent, r session.Result) safetext.Line {
	word := intentWord(in)
	if r.Code == "outcome-unknown" || r.Code == "unreadable" {
		word = words.T("Uncertain") // "not sent" would be a claim
	}
	if strings.HasPrefix(r.Error, word) {
		return safetext.MakeLine(r.Error)
	}
	return line("%s: %s", word, r.Error)
}

// say shows a line of the window's own among the notices.
func (w *Window) say(l safetext.Line) {
	w.notices.add(l, false)
	w.settle()
}

// sayAfter shows a line in place of the one that said what was going on.
func (w *Window) sayAfter(going, l safetext.Line) {
	w.notices.drop(going)
	w.say(l)
}

// writing says where a file is being written.
func writing(path string) safetext.Line { return line("Writing %s…", path) }

// sayNow shows a line about the state that holds; it goes with that.
func (w *Window) sayNow(l safetext.Line) {
	w.notices.add(l, true)
	w.settle()
}

func (w *Window) stop() {
	// "Sent once per turn" (ruling 13): the core refuses a second one as well.
	if t := w.snap.Thread; t != nil && !t.Stopping {
		w.ask(session.Stop{})
	}
}

func (w *Window) expand() {
	if h := w.snap.History; h != nil && len(h.Rows) > 0 {
		w.ask(session.Expand{Turn: h.Rows[0].Key.Turn})
	}
}

func (w *Window) reloadThreads() {
	t := w.snap.Threads
	w.ask(session.ListThreads{Search: t.Search, Archived: t.Archived})
}

func (w *Window) toggleArchived() {
	w.ask(session.ListThreads{Archived: !w.snap.Threads.Archived})
}

func setVisible(o fyne.CanvasObject, on bool) {
	switch {
	case on && !o.Visible():
		o.Show()
	case !on && o.Visible():
		o.Hide()
	}
}

// intentWord says what was wanted, for the line that says it failed.
func intentWord(in session.Intent) string {
	if k, ok := intentWords[fmt.Sprintf("%T", in)]; ok {
		return k.String()
	}
	return words.T("Not done")
}

var intentWords = map[string]words.Key{
	"session.Select": "Not opened", "session.NewThread": "Not started", "session.Join": "Not joined",
	"session.Send": "Not sent", "session.Enqueue": "Not queued", "session.Steer": "Not sent", "session.Stop": "Not stopped",
	"session.SetDraft": "Not kept", "session.Older": "Not loaded", "session.Newer": "Not loaded",
	"session.Expand": "Not loaded", "session.Fold": "Not folded", "session.Refresh": "Not refreshed", "session.ListThreads": "List not read",
	"session.Fork": "Not forked", "session.Rename": "Not renamed", "session.Archive": "Not archived",
	"session.Unarchive": "Not unarchived", "session.Delete": "Not deleted", "session.Compact": "Not compacted",
	"session.EditQueue": "Queue not changed", "session.Answer": "Not answered", "session.Reconnect": "Not connected",
	"session.ApplyProfile": "Not switched", "session.Revert": "Not cut off", "session.Retry": "Not sent",
	"session.StartReview": "Not started", "session.Export": "Not saved", "session.SignIn": "Not signed in", "session.SignOut": "Not signed out", "session.Confirm": "Not confirmed",
	"session.ListAttachments": "Attachments not read", "session.Whole": "Not read",
	"session.Restore": "Not restored", "session.Discard": "Not discarded", "session.Review": "Not done",
}
