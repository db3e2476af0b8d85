package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets"
	"holdfast/widgets/transcript"
)

// mayTurn is what a turn needs that is not the message's.
func mayTurn(w *Window) (bool, safetext.Line) {
	s := w.snap
	switch t := s.Thread; {
	case t == nil:
		return false, w.reason(session.ActJoin)
	case s.Status.State != session.Ready:
		return false, safetext.MakeLine(s.Status.Text)
	case !t.Joined:
		return false, line("Join first (%s).", w.keyOf(session.ActJoin))
	case t.TurnStatus == protocol.InProgress:
		return false, safetext.Trusted("A turn is running.")
	}
	return true, safetext.Line{}
}

func mayRetry(w *Window) (bool, safetext.Line) {
	ok, why := mayTurn(w)
	if ok && w.snap.Thread.TurnStatus != protocol.Failed {
		return false, safetext.Trusted("The newest turn did not fail.")
	}
	return ok, why
}

// cutAt is the turn whose message the keyboard is on, "" where it is on none.
func (w *Window) cutAt(r *transcript.Row) (turn string, message *history.Row) {
	if r == nil {
		return "", nil
	}
	h := w.historyRow(r.Key)
	if h == nil {
		return "", nil
	}
	for _, x := range w.snap.History.Rows {
		if _, asked := x.Item.Body.(protocol.UserMessage); asked && x.Key.Turn == h.Key.Turn {
			return h.Key.Turn, x
		}
	}
	return "", nil
}

func mayRevert(w *Window) (bool, safetext.Line) {
	ok, why := mayTurn(w)
	turn, _ := w.cutAt(w.trans.KeyRow())
	switch {
	case !ok:
		return false, why
	case w.snap.Thread.Mode == history.Legacy:
		return false, safetext.Trusted("The server cannot cut a conversation of this older kind. Fork it instead.")
	case turn == "":
		return false, safetext.Trusted("Go to a message of yours first.")
	}
	return true, safetext.Line{}
}

// openRevert asks before a message and all that follows it are cut off, to be
// written anew.
func (w *Window) openRevert() {
	turn, message := w.cutAt(w.trans.KeyRow())
	if message == nil {
		return
	}
	at, after := w.snap.At, 0
	seen := map[string]bool{}
	for _, r := range w.snap.History.Rows {
		if seen[turn] && r.Key.Turn != turn && !seen[r.Key.Turn] {
			after++
		}
		seen[r.Key.Turn] = true
	}
	more := []safetext.Line{
		line("“%s”", safetext.MakeLineMax(protocol.PlainText(message.Item), 120)),
		safetext.Trusted("The server cuts off this message and all that follows it, for good. Its text comes back to be edited; nothing is sent by that. Files on disk stay as they are."),
	}
	if after > 0 {
		more = append(more, line("Turns that follow it and go too: %d.", after))
	}
	if message.Cut != history.CutNone {
		more = append(more, safetext.Trusted("The message is longer than what is held here: only a part of it comes back."))
	}
	w.confirm("revert", safetext.Trusted("Edit and send again from here?"), safetext.Trusted("Cut off and edit"), func() {
		w.toWrite(at, session.Revert{Turn: turn})
	}, more...)
}

// openReview asks what is to be reviewed.
func (w *Window) openReview() {
	at := w.snap.At
	var m *widgets.Modal
	value := widgets.NewField(safetext.Line{})
	value.Name, value.Says = "what", safetext.Trusted("Branch, commit or instructions")
	wrong := errorText()
	asks := widgets.Labelled(value.Says, value)
	kinds := radio("kind", safetext.Trusted("What is reviewed"), []widgets.Row{
		{ID: "uncommittedChanges", Title: safetext.Trusted("What is not committed yet")},
		{ID: "baseBranch", Title: safetext.Trusted("All since a branch")},
		{ID: "commit", Title: safetext.Trusted("One commit")},
		{ID: "custom", Title: safetext.Trusted("What I say")},
	}, "uncommittedChanges", func() {})
	show := func() {
		setVisible(asks, kinds.Current().ID != "uncommittedChanges")
		if m != nil {
			m.Refresh()
		}
	}
	kinds.OnMove = func(widgets.Row) { show() }
	show()
	start := func() {
		in := session.StartReview{Kind: kinds.Current().ID, Value: strings.TrimSpace(value.Text)}
		if in.Kind != "uncommittedChanges" && in.Value == "" {
			setError(wrong, safetext.Trusted("This is missing."))
			m.Refresh()
			w.win.Canvas().Focus(value)
			return
		}
		m.Close()
		w.askAt(at, in)
	}
	kinds.OnOpen = func(widgets.Row) { start() }
	value.OnEnter = func(string) { start() }
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, nil)
	ok := widgets.NewButton(safetext.Trusted("Review"), widgets.Primary, start)
	ok.Name = "start"
	m = widgets.NewModal("review", safetext.Trusted("Review"), []fyne.CanvasObject{
		kinds, asks, widgets.Inset(wrong), dim(safetext.Trusted("The review is a turn of this conversation.")),
	}, cancel, ok)
	w.dialog(m, kinds)
}

// diffOf is all that the newest turn changed: as the server told it, else what
// its file changes in the window come to.
func (w *Window) diffOf() (text string, whole bool) {
	t, h := w.snap.Thread, w.snap.History
	if t == nil {
		return "", true
	}
	if d := t.Diff; d != nil && d.Turn == t.Turn {
		return d.Text, d.Bytes <= int64(len(d.Text))
	}
	if h == nil {
		return "", true
	}
	whole = true
	var out []string
	for _, r := range h.Rows {
		if c, is := r.Item.Body.(protocol.FileChange); is && r.Key.Turn == t.Turn {
			whole = whole && r.Cut == history.CutNone
			for _, u := range c.Changes {
				out = append(out, u.Kind+" "+u.Path, strings.TrimRight(u.Diff, "\n"))
			}
		}
	}
	return strings.Join(out, "\n"), whole
}

func mayDiff(w *Window) (bool, safetext.Line) {
	if text, _ := w.diffOf(); text == "" {
		return false, safetext.Trusted("The newest turn changed no file that is known here.")
	}
	return true, safetext.Line{}
}

// openDiff shows all that the newest turn changed.
func (w *Window) openDiff() {
	text, whole := w.diffOf()
	doc := safetext.Diff("update", text)
	code := widgets.NewCode(doc)
	code.Rows = max(int((w.win.Canvas().Size().Height-260)/22), 5)
	words := line("+%d −%d", doc.Added(), doc.Removed())
	if !whole {
		words = safetext.Join(" · ", words, safetext.Trusted("shortened: this is not all of it"))
	}
	var m *widgets.Modal
	ok := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
	cp := widgets.NewButton(safetext.Trusted("Copy all"), widgets.Plain, func() { w.app.Clipboard().SetContent(safetext.Text(text)) })
	cp.Name = "copy"
	m = widgets.NewModal("diff", safetext.Trusted("All changes of the turn"), []fyne.CanvasObject{dim(words), code}, ok, cp)
	m.Wide = viewerWidth
	w.dialog(m, ok)
	if !code.Disabled() {
		w.win.Canvas().Focus(code)
	}
}

func mayServers(w *Window) (bool, safetext.Line) {
	if !connected(w.snap) {
		return false, safetext.MakeLine(w.snap.Status.Text)
	}
	return true, safetext.Line{}
}

// openServers lists the MCP servers with what they offer.
func (w *Window) openServers() {
	note := dim(safetext.Trusted("Reading…"))
	list := widgets.NewRowList("servers", safetext.Trusted("MCP servers"))
	list.Hide()
	var m *widgets.Modal
	ok := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
	m = widgets.NewModal("servers", safetext.Trusted("MCP servers"), []fyne.CanvasObject{note, widgets.NewColumn(0, list)}, ok)
	w.dialog(m, ok)
	show := func(found []session.MCPServer, r session.Result) {
		if widgets.Top(w.win.Canvas()) != m {
			return
		}
		list.SetRows(serverRows(found))
		setVisible(list, len(found) > 0)
		switch {
		case !r.OK:
			note.Set(safetext.MakeLine(r.Error))
		case len(found) == 0:
			note.Set(safetext.Trusted("No MCP server is configured. Codex keeps them in its own configuration."))
		default:
			note.Set(safetext.Trusted("As the server says. Codex keeps them in its own configuration."))
			w.win.Canvas().Focus(list)
		}
		m.Refresh()
		w.WriteState()
	}
	var found []session.MCPServer
	w.core.Do(w.snap.At.ConnOnly(), session.ListServers{To: func(s []session.MCPServer) { found = s }}, func(r session.Result) {
		w.opts.Do(func() { show(found, r) })
	})
}

func serverRows(found []session.MCPServer) []widgets.Row {
	var rows []widgets.Row
	for _, s := range found {
		row := widgets.Row{ID: s.Name, Title: safetext.MakeLine(s.Name), Sub: line("tools: %d", s.ToolCount), Badge: authWord(s.Auth)}
		if len(s.Tools) > 0 {
			row.Sub = safetext.Join(" · ", row.Sub, safetext.MakeLineMax(strings.Join(s.Tools, ", "), 200))
		}
		if s.Problem != "" {
			row.Sub, row.Warn = safetext.MakeLineMax(s.Problem, 200), true
		}
		rows = append(rows, row)
	}
	return rows
}

func authWord(auth string) safetext.Line {
	switch auth {
	case "notLoggedIn":
		return safetext.Trusted("not signed in")
	case "bearerToken":
		return safetext.Trusted("token")
	case "oAuth":
		return safetext.Trusted("signed in")
	}
	return safetext.Line{}
}
