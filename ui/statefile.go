package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"time"

	"fyne.io/fyne/v2"

	"holdfast/core/protocol"
	"holdfast/widgets"
)

// shownState is what the state file says: what a person sees, for tests that
// drive the real window.
type shownState struct {
	Seq      uint64 `json:"seq"`
	State    string `json:"state"`
	Code     string `json:"code"`
	Title    string `json:"title"`
	Banner   string `json:"banner"`
	Header   string `json:"header"`
	Draft    string `json:"draft"`
	Drafts   int    `json:"drafts"`
	Unsure   int    `json:"unsure"`
	Thread   string `json:"thread"`
	Joined   bool   `json:"joined"`
	Live     bool   `json:"live"`
	Access   string `json:"access"`
	Turn     string `json:"turn"`
	Threads  int    `json:"threads"`
	Listed   string `json:"listed"`
	ListedAt int    `json:"listedAt"`
	Rows     int    `json:"rows"`
	LastRow  string `json:"lastRow"`
	LastHash string `json:"lastHash"`
	Composer int    `json:"composer"`
	Main     string `json:"main"`
	Cards    int    `json:"cards"`
	Card     string `json:"card"`
	Answered bool   `json:"answered"`
	Dialog   string `json:"dialog"`
	Focus    string `json:"focus"`
	// Attached is how many attachments are listed, or says that there may be more.
	Attached string `json:"attached"`
	// Stale is why the history may not be complete, Note what the row that is
	// shown whole is said to be.
	Stale   string `json:"stale"`
	Note    string `json:"note"`
	Notices []string
	// Find is what the find bar counts, "" while it is closed or empty.
	Find string `json:"find"`
	// News is how many rows came below that were not looked at.
	News int `json:"news"`
	// Queued is how many messages wait, Offered how many files are.
	Queued  int     `json:"queued"`
	Offered int     `json:"offered"`
	Theme   string  `json:"theme"`
	Width   float32 `json:"width"`
	Height  float32 `json:"height"`
	Narrow  bool    `json:"narrow"`
	Drawer  bool    `json:"drawer"`
}

// WatchState keeps the state file up to date at every tick until ctx ends: a
// move of the focus alone is no change that would. At most one look waits for the window:
// more than it has time for would keep a snapshot waiting behind them (UI-3).
func (w *Window) WatchState(ctx context.Context, ticks <-chan time.Time) {
	look := NewPoster(w.opts.Do, func(*struct{}) { w.WriteState() })
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			look.Publish(&struct{}{})
		}
	}
}

// WriteState writes the state file when it would change.
func (w *Window) WriteState() {
	if w.opts.StateFile == "" || w.comp == nil || w.mention == nil {
		return
	}
	data, err := json.Marshal(w.shown())
	if err != nil || string(data) == w.lastState {
		return
	}
	// A reader sees the old or the new state whole. Nothing is flushed to the disk, which would hold the window meanwhile:
	// nobody reads the file after a crash of the machine.
	next := w.opts.StateFile + ".next"
	if os.WriteFile(next, append(data, '\n'), 0o600) == nil && os.Rename(next, w.opts.StateFile) == nil {
		w.lastState = string(data)
	}
}

func (w *Window) shown() shownState {
	s := w.snap
	out := shownState{
		Seq: s.Seq, State: s.Status.State.String(), Code: s.Status.Code, Header: w.head.title.String(), Drafts: len(s.Drafts.Rows), Title: w.title(), Threads: len(s.Threads.Rows),
		Listed: w.side.list.Current().Title.String(), ListedAt: w.side.list.Place(), Composer: len(w.comp.entry.Text), Main: w.comp.main.Label(),
		Cards: len(w.cards.column.Objects), Focus: w.focusName(), Theme: w.settings.Theme,
		Width: w.root.Size().Width, Height: w.root.Size().Height, Narrow: w.shell.narrow, Drawer: w.shell.drawer,
	}
	if w.banner.Visible() {
		out.Banner = w.banner.Words()
	}
	if w.drafts.bar.Visible() {
		out.Draft = w.drafts.bar.Words()
	}
	out.News = w.trans.News()
	_, out.Queued = queueLabel(s)
	out.Offered = len(w.mention.files)
	if w.find.open {
		out.Find = w.find.count.String()
	}
	_, out.Unsure = operationsLabel(s.Operations)
	for _, n := range w.notices.all() {
		out.Notices = append(out.Notices, n.Text)
	}
	if m := widgets.Top(w.win.Canvas()); m != nil {
		out.Dialog = m.Name
		if w.viewer != nil && m == w.viewer.modal {
			out.Note = w.viewer.status.String()
		}
	}
	w.shownThread(&out)
	for _, r := range s.Requests.Cards {
		if showsHere(s, r) {
			out.Card, out.Answered = r.Kind, r.Answered
			break
		}
	}
	return out
}

func (w *Window) shownThread(out *shownState) {
	if t := w.snap.Thread; t != nil {
		out.Thread, out.Joined, out.Live, out.Access, out.Turn = t.ID, t.Joined, t.Live, string(t.Access), t.TurnStatus
	}
	if a := w.snap.Attachments; a != nil {
		out.Attached = attachmentsCount(a)
	}
	if h := w.snap.History; h != nil {
		out.Rows, out.Stale = len(h.Rows), h.Stale
		if len(h.Rows) > 0 {
			last := h.Rows[len(h.Rows)-1]
			text := protocol.PlainText(last.Item)
			sum := fnv.New64a()
			_, _ = sum.Write([]byte(text)) // a hash takes everything
			out.LastRow, out.LastHash = last.Item.Type, fmt.Sprintf("%x", sum.Sum64())
		}
	}
}

// focusName names what has the keyboard.
func (w *Window) focusName() string {
	c := w.win.Canvas()
	switch f := c.Focused().(type) {
	case nil:
		return ""
	case *widgets.Button:
		if f.Name != "" {
			return f.Name
		}
		return f.Label()
	case *widgets.Field:
		return f.Name
	case *widgets.RowList:
		return f.Name
	case *widgets.Code:
		return f.Name
	case *widgets.Composer:
		return f.Name
	case fyne.Focusable:
		if f == fyne.Focusable(w.trans) {
			return "transcript"
		}
		return fmt.Sprintf("%T", f)
	}
	return ""
}
