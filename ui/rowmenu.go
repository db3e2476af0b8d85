package ui

import (
	"fmt"
	"strings"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/stamp"
	"holdfast/widgets"
	"holdfast/widgets/transcript"
)

// openRowMenu lists what can be done with the row of the transcript that the
// keyboard acts on.
func (w *Window) openRowMenu() {
	r := w.trans.KeyRow()
	if r == nil {
		w.sayNow(safetext.Trusted("There is no message here."))
		return
	}
	items := append(w.copyItems(r), w.rowActions(r)...)
	items = append(items, w.againItems()...)
	w.menu("row", rowName(r), items)
}

// againItems offer to go back to the row's message, where that is possible, and
// to try a turn again that failed.
func (w *Window) againItems() []menuItem {
	var items []menuItem
	for _, c := range w.commands {
		if (c.id == "revert" || c.id == "retry") && w.enabled(c) {
			items = append(items, menuItem{row: widgets.Row{ID: c.id, Title: labelOf(c), Badge: safetext.MakeLine(c.keyText())}, run: func() { w.runCommand(c) }})
		}
	}
	return items
}

// rowName is what a row is called: its head, or who said it.
func rowName(r *transcript.Row) safetext.Line {
	if r.Head.Empty() {
		return safetext.Join(" ", r.Who, r.When)
	}
	return safetext.MakeLineMax(r.Head.String(), 80)
}

// copyItems are the ways to copy a row.
func (w *Window) copyItems(r *transcript.Row) []menuItem {
	items := []menuItem{w.copyItem("text", safetext.Trusted("Copy as text"), r.Text)}
	items[0].row.Badge = safetext.Trusted("Ctrl+C")
	h := w.historyRow(r.Key)
	if h == nil {
		return items
	}
	items = append(items, w.copyItem("markdown", safetext.Trusted("Copy as Markdown"), func() string {
		return markdownOf(h.Item, partOf(w.from.prefix, r.Key))
	}))
	if c, ok := h.Item.Body.(protocol.CommandExecution); ok {
		items = append(items, w.copyItem("code", safetext.Trusted("Copy the command"), func() string { return safetext.Text(c.Command) }))
		if c.Output != "" && h.Cut == history.CutNone {
			items = append(items, w.copyItem("output", safetext.Trusted("Copy the output"), safetext.ANSI(c.Output).Plain))
		}
	} else {
		items = append(items, w.codeItems(r)...)
	}
	if h.Cut == history.CutLocal && h.State == history.Final {
		items = append(items, w.wholeItem(h))
	}
	return items
}

// mostSnippets is how many blocks of code are offered one by one.
const mostSnippets = 12

// codeItems offer each block of code of a row, and all of them.
func (w *Window) codeItems(r *transcript.Row) []menuItem {
	code := r.Code()
	switch len(code) {
	case 0:
		return nil
	case 1:
		return []menuItem{w.copyItem("code", safetext.Trusted("Copy the code"), func() string { return code[0].Text })}
	}
	var items []menuItem
	all := make([]string, len(code))
	for i, c := range code {
		all[i] = c.Text
		if i < mostSnippets {
			first, _, _ := strings.Cut(strings.TrimSpace(c.Text), "\n")
			it := w.copyItem(fmt.Sprint("code", i), line("Copy code %d", i+1), func() string { return c.Text })
			it.row.Sub = safetext.MakeLineMax(first, 80)
			items = append(items, it)
		}
	}
	return append(items, w.copyItem("code", safetext.Trusted("Copy all the code"), func() string { return strings.Join(all, "\n\n") }))
}

func (w *Window) copyItem(id string, label safetext.Line, text func() string) menuItem {
	return menuItem{row: widgets.Row{ID: id, Title: label}, run: func() { w.app.Clipboard().SetContent(text()) }}
}

// wholeItem copies what is not held here: it is read from the server.
func (w *Window) wholeItem(h *history.Row) menuItem {
	at := w.snap.At
	it := menuItem{
		row: widgets.Row{ID: "whole", Title: safetext.Trusted("Copy the full output"), Badge: safetext.MakeLine(bytesWord(h.Bytes))},
		run: func() { w.copyWhole(at, h.Key, w.say) },
	}
	if h.Bytes > mostCopied {
		it.row.Off, it.row.Sub = true, safetext.Trusted("Too long for the clipboard. Show all, and save it to a file.")
	}
	return it
}

// copyWhole reads a row whole and puts it on the clipboard, and only if it is
// whole. It is made harmless first: it may be pasted into a terminal.
func (w *Window) copyWhole(at stamp.Stamp, key history.Key, say func(safetext.Line)) {
	k := &keeper{most: mostCopied}
	say(safetext.Trusted("Copying…"))
	w.core.Do(at, session.Whole{Row: key, To: k}, func(r session.Result) {
		w.opts.Go(func() {
			text, all := k.whole()
			if r.OK && all {
				text = safetext.Text(text)
			}
			w.opts.Do(func() {
				switch {
				case !r.OK:
					say(line("Not copied. %s", r.Error))
				case !all:
					say(line("Not copied: %s is too long for the clipboard. Save it to a file.", bytesWord(k.size())))
				default:
					w.app.Clipboard().SetContent(text)
					say(safetext.Trusted("Copied."))
				}
			})
		})
	})
}

// rowActions are what else a row offers: its notes, its links, its fold.
func (w *Window) rowActions(r *transcript.Row) []menuItem {
	var items []menuItem
	for i, n := range r.Notes {
		if n.Action != "" && !n.Do.Empty() {
			items = append(items, menuItem{
				row: widgets.Row{ID: fmt.Sprint("note", i), Title: n.Do, Sub: n.Text},
				run: func() { w.rowAction(r.Key, n.Action) },
			})
		}
	}
	for i, l := range r.Links() {
		if i == mostSnippets {
			break
		}
		items = append(items, menuItem{
			row: widgets.Row{ID: fmt.Sprint("link", i), Title: line("Open the link “%s”…", safetext.MakeLineMax(l.Shown, 60)), Sub: safetext.MakeLineMax(l.URL, 80)},
			run: func() { w.openLink(l.URL, l.Shown) },
		})
	}
	if r.Form.Folds() {
		items = append(items, menuItem{row: widgets.Row{ID: "fold", Title: safetext.Trusted("Open or close it"), Badge: safetext.Trusted("Space")}, run: func() { w.trans.Toggle(r.Key) }})
	}
	return items
}

// historyRow is the row of the history that a transcript row shows, nil for one
// of the window's own.
func (w *Window) historyRow(key string) *history.Row {
	k := rowKey(w.from.prefix, key)
	if h := w.snap.History; h != nil && k.Item != "" {
		for _, r := range h.Rows {
			if r.Key == k {
				return r
			}
		}
	}
	return nil
}
