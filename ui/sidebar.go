package ui

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/stamp"
	"holdfast/core/words"
	"holdfast/widgets"
	"holdfast/widgets/theme"
)

// moreRow is the ID of the row that asks for the next page.
const moreRow = "\x00more"

// A target is a conversation that a dialog is about, and the stamp of the
// snapshot in which it was chosen.
type target struct {
	at       stamp.Stamp
	id       string
	title    safetext.Line
	archived bool
}

// sidebar is the list of conversations with what belongs to it.
type sidebar struct {
	w       *Window
	box     *fyne.Container
	name    *widgets.Text
	create  *widgets.Button
	filter  *widgets.Field
	hint    *widgets.Text
	list    *widgets.RowList
	archive *widgets.Button
	ops     *widgets.Button
	foot    *widgets.Text

	rows map[string]*listRow // by conversation; see rowOf
	all  []*listRow          // those of the list of, as it was said at minute
	of   *session.Threads
	// minute counts from 1970. made are the rows in the list, spare those before.
	minute      int64
	made, spare []widgets.Row
	asked       *session.Threads // the list whose next page was asked for by scrolling
}

func newSidebar(w *Window) *sidebar {
	b := &sidebar{w: w, rows: map[string]*listRow{}}
	small := widgets.Style{Size: theme.SizeSmall, Color: theme.ColorDim}
	b.name = widgets.NewText(safetext.MakeLine(w.opts.Product), widgets.Style{Bold: true, Lines: 1})
	b.create = widgets.NewButton(safetext.Trusted("New"), widgets.Plain, func() { w.run("new") })
	b.create.Name = "new"
	b.filter = widgets.NewField(safetext.Trusted("Filter conversations"))
	b.filter.Name = "filter"
	b.filter.OnChanged = func(string) { b.showRows(); w.settle() }
	b.filter.OnEnter = b.search
	b.filter.OnDown = w.focusList
	b.hint = widgets.NewText(safetext.Line{}, small)
	b.list = widgets.NewRowList("conversations", safetext.Trusted("Conversations"))
	b.list.OnOpen = b.open
	b.list.OnMenu = b.menu
	b.list.OnEnd = b.atEnd
	b.archive = widgets.NewButton(safetext.Trusted("Archived"), widgets.Quiet, func() { w.run("archived") })
	b.archive.Name = "archived"
	b.ops = widgets.NewButton(safetext.Trusted("Operations"), widgets.Quiet, w.openOperations)
	b.ops.Name = "operations"
	b.foot = widgets.NewText(safetext.Line{}, small)
	b.box = container.New(sideLayout{b}, b.name, b.create, b.filter, b.hint, b.list, b.archive, b.ops, b.foot)
	return b
}

// run runs a command of the table by its name.
func (w *Window) run(id string) {
	for _, c := range w.commands {
		if c.id == id {
			w.runCommand(c)
			return
		}
	}
}

func (b *sidebar) show(old, s *session.Snapshot) {
	b.create.SetEnabled(s.Status.Allows(session.ActNew))
	b.archive.SetEnabled(s.Status.Allows(session.ActThreads))
	if s.Threads.Archived {
		b.archive.SetLabel(safetext.Trusted("Current"))
	} else {
		b.archive.SetLabel(safetext.Trusted("Archived"))
	}
	if old.Threads != s.Threads || old.Requests != s.Requests {
		b.showRows()
	}
	if s.Thread != nil {
		b.list.Choose(s.Thread.ID)
	} else {
		b.list.Choose("")
	}
	label, uncertain := operationsLabel(s.Operations)
	b.ops.SetLabel(label)
	b.ops.SetWarn(uncertain > 0)
	b.foot.Set(footer(s)...)
}

// showRows shows the loaded conversations that match what was typed.
func (b *sidebar) showRows() {
	t := b.w.snap.Threads
	typed := strings.ToLower(strings.TrimSpace(b.filter.Text))
	all := typed == "" || typed == strings.ToLower(t.Search)
	b.made, b.spare = b.spare[:0], b.made // the list still looks at the other
	for _, x := range b.allRows(t) {
		if all || strings.Contains(x.text, typed) {
			b.made = append(b.made, x.row)
		}
	}
	rows := b.made
	b.hint.Set(b.hintText(len(rows), typed))
	if t.More {
		more := widgets.Row{ID: moreRow, Title: safetext.Trusted("Load more")}
		if t.Loading {
			more.Title = safetext.Trusted("Loading…")
		}
		rows = append(rows, more)
	}
	b.made = rows
	onMore, at := b.list.Current().ID == moreRow, b.list.Place()
	b.list.SetRows(rows)
	if onMore && at < len(rows) {
		b.list.MoveTo(rows[at].ID) // what came stands where it was asked for
	}
}

// WatchClock shows how old the conversations are by now at every tick, until ctx ends.
func (w *Window) WatchClock(ctx context.Context, ticks <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			w.opts.Do(func() {
				if w.snap.Threads != nil {
					w.side.showRows()
				}
			})
		}
	}
}

// allRows gives a row of each conversation. While the list and the minute are the
// same it is the same.
func (b *sidebar) allRows(t *session.Threads) []*listRow {
	now := b.w.opts.Now()
	if minute := now.Unix() / 60; b.of != t || b.minute != minute {
		b.of, b.minute, b.all = t, minute, b.all[:0]
		for _, r := range t.Rows {
			b.all = append(b.all, b.rowOf(r, now))
		}
		if len(b.rows) > 2*len(t.Rows)+100 {
			b.rows = map[string]*listRow{} // most of them are of conversations that are gone
		}
	}
	return b.all
}

// A listRow is what the list shows of a conversation, made once: there may be
// 10,000 of them, and every key in the filter looks at all.
type listRow struct {
	of     *session.ThreadRow
	minute int64 // when its time was said
	row    widgets.Row
	text   string // what the filter looks at
}

func (b *sidebar) rowOf(r *session.ThreadRow, now time.Time) *listRow {
	x, known := b.rows[r.ID]
	minute := now.Unix() / 60
	switch {
	case !known || x.of != r:
		x = &listRow{of: r, minute: minute, row: b.row(r), text: strings.ToLower(r.Title + " " + r.Cwd + " " + r.Branch)}
		b.rows[r.ID] = x
	case x.minute != minute:
		x.minute, x.row.Right = minute, safetext.MakeLine(ago(now, r.RecencyAt))
	}
	return x
}

// atEnd asks for the next page when the list is scrolled to its end (ruling 10).
func (b *sidebar) atEnd() {
	if t := b.w.snap.Threads; t.More && !t.Loading && t != b.asked && b.w.snap.Status.Allows(session.ActThreads) {
		b.asked = t
		b.w.ask(session.ListThreads{More: true, Search: t.Search, Archived: t.Archived})
	}
}

func (b *sidebar) row(r *session.ThreadRow) widgets.Row {
	where := safetext.Join(" · ", safetext.MakeLine(folder(r.Cwd)), safetext.MakeLine(r.Branch))
	if r.Parent != "" {
		where = safetext.Join(" · ", safetext.Trusted("sub-agent"), where)
	}
	out := widgets.Row{ID: r.ID, Title: title(r.Title), Sub: where, Right: safetext.MakeLine(ago(b.w.opts.Now(), r.RecencyAt))}
	switch {
	case r.Asks:
		out.Badge, out.Warn = safetext.Trusted("asks"), true
	case r.Ended:
		out.Badge, out.Warn = safetext.Trusted("ended"), true
	case r.Status == "systemError":
		out.Badge, out.Warn = safetext.Trusted("error"), true
	case r.Status == "active" && r.Joined:
		out.Badge = safetext.Trusted("working")
	case r.Status == "active":
		out.Badge = safetext.Trusted("in use?")
	case r.Joined:
		out.Badge = safetext.Trusted("joined")
	}
	return out
}

// hintText says what the list shows: which part of it, and who filtered.
func (b *sidebar) hintText(shown int, typed string) safetext.Line {
	t := b.w.snap.Threads
	switch {
	case t.Problem != "":
		return line("The list could not be read. %s", t.Problem)
	case t.Unread > 0 && typed == "":
		return safetext.MakeLine(words.N(t.Unread, "The list is not complete: 1 entry could not be read.", "The list is not complete: %d entries could not be read."))
	case typed != "" && typed == strings.ToLower(t.Search):
		return line("%s found by the server for “%s”.", words.N(len(t.Rows), "1 conversation", "%d conversations"), t.Search)
	case typed != "" && t.Search != "":
		return line("%d of the %d found for “%s”. Enter searches all conversations.", shown, len(t.Rows), t.Search)
	case typed != "" && t.More:
		return line("%d of the %d loaded. Enter searches all of them.", shown, len(t.Rows))
	case typed != "":
		return line("%d of %s.", shown, words.N(len(t.Rows), "1 conversation", "%d conversations"))
	case t.Search != "":
		return line("Found for “%s”. Enter in the empty field shows all.", t.Search)
	case t.Loading && len(t.Rows) == 0:
		return safetext.Trusted("Reading the list…")
	case len(t.Rows) == 0 && t.Archived:
		return safetext.Trusted("Nothing is archived.")
	case t.Archived:
		return safetext.Trusted("Archived conversations.")
	}
	return safetext.Line{}
}

func (b *sidebar) search(text string) {
	t := b.w.snap.Threads
	b.w.ask(session.ListThreads{Search: strings.TrimSpace(text), Archived: t.Archived})
}

func (b *sidebar) open(r widgets.Row) {
	t := b.w.snap.Threads
	switch {
	case r.ID == moreRow && t.Loading:
	case r.ID == moreRow:
		b.w.ask(session.ListThreads{More: true, Search: t.Search, Archived: t.Archived})
	default:
		b.w.ask(session.Select{Thread: r.ID})
		if b.w.shell.drawer {
			b.w.closeDrawer()
			b.w.focus(b.w.trans)
		}
	}
}

// menu offers what can be done with one conversation.
func (b *sidebar) menu(r widgets.Row) {
	if r.ID == moreRow || r.ID == "" {
		return
	}
	w, s := b.w, b.w.snap
	t := target{at: s.At, id: r.ID, title: r.Title, archived: s.Threads.Archived}
	w.openMenu(t)
}

// footer says which server this is, and as whom.
func footer(s *session.Snapshot) []safetext.Line {
	var out []safetext.Line
	if s.Server.Version != "" {
		out = append(out, line("Codex %s · %s", s.Server.Version, s.Server.Endpoint))
	}
	switch a := s.Account; {
	case !a.Known:
	case a.SignedIn && a.Email != "":
		out = append(out, line("Signed in as %s", a.Email))
	case a.SignedIn:
		out = append(out, line("Signed in (%s)", a.Kind))
	case a.Needed:
		out = append(out, safetext.Trusted("Signed out"))
	}
	return out
}

// sideLayout puts the name and New in one line, and gives the list the rest.
type sideLayout struct{ b *sidebar }

func (sideLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 200) }

func (l sideLayout) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	b := l.b
	const pad = theme.Space12
	in := s.Width - 2*pad
	bw := b.create.MinSize()
	place(b.name, pad, pad+6, in-bw.Width, 24)
	place(b.create, s.Width-pad-bw.Width+widgets.Ring, 7, bw.Width, bw.Height)
	y := 7 + bw.Height + 2
	h := b.filter.MinSize().Height
	place(b.filter, pad-widgets.Ring, y, in+2*widgets.Ring, h)
	y += h
	if b.hint.String() != "" {
		hh := b.hint.HeightAt(in)
		place(b.hint, pad, y, in, hh)
		y += hh
	} else {
		place(b.hint, pad, y, in, 0)
	}
	foot := float32(0)
	if b.foot.String() != "" {
		foot = b.foot.HeightAt(in)
	}
	place(b.foot, pad, s.Height-foot-8, in, foot)
	a := b.archive.MinSize()
	o := b.ops.MinSize()
	bottom := s.Height - foot - 8 - o.Height
	if a.Width+o.Width > s.Width { // below each other, as Tab goes
		place(b.ops, 0, bottom, min(o.Width, s.Width), o.Height)
		bottom -= a.Height
	} else {
		place(b.ops, a.Width, bottom, o.Width, o.Height)
	}
	place(b.archive, 0, bottom, min(a.Width, s.Width), a.Height)
	place(b.list, 4, y+4, s.Width-8, max(bottom-y-8, 0))
}
