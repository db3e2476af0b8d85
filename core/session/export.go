package session

import (
	"holdfast/core/export"
	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/stamp"
	"holdfast/core/words"
)

// Pages of an export: the texts of one page are held, and no more.
const (
	exportItems = 50
	exportTurns = 5 // of a legacy conversation, with all of their items
	// maxExport bounds the walk, whatever cursors the server invents.
	maxExport = 100_000
)

// An exporting conversation is read from its first message on, past the window.
// Each page is written on a goroutine of its own: the loop waits for no file.
type exporting struct {
	at     stamp.Stamp
	thread string
	legacy bool
	to     *export.Writer
	walked trail
	limit  int // of items a page: halved where a page is too long (ruling 9)
	unread int
	over   bool
	result Result
}

// export writes the selected conversation.
func (l *loop) export(in Export, done func(Result)) {
	v := l.view
	switch {
	case in.To == nil:
		l.finish(done, refuse("nowhere", words.T("Nothing says where the conversation goes.")))
		return
	case v == nil || v.window == nil:
		l.finish(done, refuse("no-selection", words.T("No conversation is selected.")))
		return
	case !l.rec.Connected():
		l.finish(done, refuse("not-connected", words.T("There is no connection. Nothing was read.")))
		return
	case v.info.Ephemeral:
		l.finish(done, refuse("ephemeral", words.T("The server keeps no history of this conversation.")))
		return
	}
	x := &exporting{at: l.fence.Current(), thread: v.thread, limit: exportItems, legacy: v.info.HistoryMode == history.Legacy}
	if x.legacy {
		x.limit = exportTurns
	}
	head := export.Head{Title: v.info.Title(), Folder: v.info.Cwd, Model: v.info.Model, Product: l.cfg.Product, At: l.cfg.wall()}
	l.written(x, func() { x.to = export.New(in.To, head) }, func(l *loop) { l.exportPage(x, "") })
	l.wait(waiter{done: done, viewBound: true, connBound: true, settled: func() (bool, Result) { return x.over, x.result }})
}

// written writes off the loop, and goes on on it.
func (l *loop) written(x *exporting, write func(), then func(*loop)) {
	l.wg.Go(func() {
		write()
		l.post(x.at, func(l *loop) {
			if x.to.Err() != nil {
				x.end(refuse("not-written", words.T("The conversation could not be written where it goes. It is not complete.")))
				return
			}
			then(l)
		})
	})
}

// exportPage reads one page, from the oldest on.
func (l *loop) exportPage(x *exporting, cursor string) {
	if x.legacy {
		p := protocol.ThreadTurnsListParams{ThreadID: x.thread, Cursor: cursor, Limit: x.limit, SortDirection: "asc", ItemsView: "full"}
		ask(l, x.at, protocol.ThreadTurnsList, p, func(l *loop, r protocol.ThreadTurnsListResult, err error) {
			if err == nil && l.exportLess(x, cursor, r.Over, &r.Unread) {
				return
			}
			for _, t := range r.Data {
				r.Unread += t.Over
			}
			l.exported(x, cursor, err, exportPage{r.NextCursor, r.Unread, func() {
				for _, t := range r.Data {
					for _, it := range t.Items {
						x.to.Item(t.ID, it)
					}
				}
			}})
		})
		return
	}
	p := protocol.ThreadItemsListParams{ThreadID: x.thread, Limit: x.limit, SortDirection: "asc"}
	if cursor != "" {
		p.Cursor = protocol.PageCursor(cursor)
	}
	ask(l, x.at, protocol.ThreadItemsList, p, func(l *loop, r protocol.ThreadItemsListResult, err error) {
		if err == nil && l.exportLess(x, cursor, r.Over, &r.Unread) {
			return
		}
		l.exported(x, cursor, err, exportPage{r.NextCursor, r.Unread, func() {
			for _, e := range r.Data {
				x.to.Item(e.TurnID, e.Item)
			}
		}})
	})
}

// exportLess asks again for less of a page that was too long. What is too long
// alone is not read.
func (l *loop) exportLess(x *exporting, cursor string, over bool, unread *int) bool {
	if over && x.limit > 1 {
		x.limit /= 2
		l.exportPage(x, cursor)
		return true
	}
	if over {
		*unread++
	}
	return false
}

// An exportPage is what a page came to: where the next one is, how much of it
// could not be read, and what writes it.
type exportPage struct {
	next   *string
	unread int
	write  func()
}

// exported takes a page: it is written, and the next one is read.
func (l *loop) exported(x *exporting, from string, err error, p exportPage) {
	if err != nil {
		why := words.T("Not all could be read. %s", textOf(err))
		if linkEnded(err) {
			why = words.T("The connection ended.")
		}
		l.written(x, func() { x.to.Note(words.T("This is not all of the conversation. %s", why)) }, func(*loop) {
			x.end(refuse("incomplete", why+words.T(" What was written is not complete.")))
		})
		return
	}
	x.unread += p.unread
	cursor, leads := x.walked.next(from, p.next)
	if !leads || cursor != nil && x.walked.pages() >= maxExport {
		x.unread++
		cursor = nil
	}
	l.written(x, p.write, func(l *loop) {
		if cursor != nil {
			l.exportPage(x, *cursor)
			return
		}
		l.exportEnd(x)
	})
}

// exportEnd says whether it is whole.
func (l *loop) exportEnd(x *exporting) {
	why := ""
	switch {
	case x.unread > 0:
		why = words.T("The server's list holds something that could not be read.")
	case l.facts().running:
		why = words.T("A turn is running: what it has not finished is not in it.")
	case x.to.Cut > 0:
		why = words.T("%d long texts are shortened in it, and say so.", x.to.Cut)
	}
	if why == "" {
		x.end(ok())
		return
	}
	l.written(x, func() { x.to.Note(words.T("This is not all of the conversation. %s", why)) }, func(*loop) {
		x.end(refuse("incomplete", why))
	})
}

func (x *exporting) end(r Result) { x.over, x.result = true, r }
