package session

import (
	"errors"
	"io"
	"slices"

	"holdfast/core/history"
	"holdfast/core/itemtext"
	"holdfast/core/protocol"
	"holdfast/core/rpc"
	"holdfast/core/stamp"
	"holdfast/core/words"
)

// A wholeRead reads one row whole, past the window: what comes goes straight to
// its sink, and nothing of it is kept here (ruling 9).
type wholeRead struct {
	at     stamp.Stamp
	search *history.Whole
	row    history.Key
	to     io.Writer
	page   protocol.ThreadItemsListParams // the page that is read
	over   bool
	result Result
}

// whole looks for the row in the server's listing, page by page.
func (l *loop) whole(in Whole, done func(Result)) {
	switch {
	case in.To == nil:
		l.finish(done, refuse("nowhere", words.T("Nothing says where the text goes.")))
		return
	case l.view == nil || l.view.window == nil:
		l.finish(done, refuse("no-selection", words.T("No conversation is selected.")))
		return
	case !l.rec.Connected():
		l.finish(done, refuse("not-connected", words.T("There is no connection. Nothing was read.")))
		return
	}
	search, err := l.view.window.Whole(in.Row)
	if err != nil {
		l.finish(done, refuse("no-row", whyNotWhole(err)))
		return
	}
	w := &wholeRead{at: l.fence.Current(), search: search, row: in.Row, to: in.To}
	l.readWhole(w)
	l.wait(waiter{done: done, viewBound: true, connBound: true, settled: func() (bool, Result) { return w.over, w.result }})
}

func whyNotWhole(err error) string {
	if errors.Is(err, history.ErrGrowing) {
		return words.T("This row is still being written. It can be read whole when its turn has ended.")
	}
	return words.T("There is no such row in the window.")
}

// readWhole makes the next read.
func (l *loop) readWhole(w *wholeRead) {
	r, more := w.search.Next()
	switch {
	case !more:
		w.end(refuse("not-listed", words.T("The server does not list this row now. A row of a running turn is listed when the turn has ended.")))
	case !r.Copy:
		ask(l, w.at, protocol.ThreadTurnsList, *r.Turns, func(l *loop, page protocol.ThreadTurnsListResult, err error) {
			if err != nil {
				w.failed(err)
				return
			}
			w.search.Passed(page.Data, page.NextCursor)
			l.readWhole(w)
		})
	case r.Items != nil:
		w.page = *r.Items
		stream(l, w, protocol.ThreadItemsList, w.page, func(from io.Reader) (itemtext.Page, error) {
			return itemtext.FromItems(from, w.row.Turn, w.row.Item, w.to)
		})
	default:
		stream(l, w, protocol.ThreadTurnsList, *r.Turns, func(from io.Reader) (itemtext.Page, error) {
			return itemtext.FromTurn(from, w.row.Turn, r.Index, w.to)
		})
	}
}

// byPlace reads a page again whose items say their text before their ID: as a
// page, to learn where in it the row is, and then to copy what is there.
func (l *loop) byPlace(w *wholeRead) {
	ask(l, w.at, protocol.ThreadItemsList, w.page, func(l *loop, r protocol.ThreadItemsListResult, err error) {
		at := slices.IndexFunc(r.Data, func(e protocol.Entry) bool { return e.TurnID == w.row.Turn && e.Item.ID == w.row.Item })
		switch {
		case err != nil:
			w.failed(err)
		case r.Unread > 0: // so a place in it says nothing
			w.end(refuse("read-failed", words.T("The row could not be read whole: the page it is in holds something that cannot be read.")))
		case at < 0:
			w.search.Copied(r.NextCursor)
			l.readWhole(w)
		default:
			stream(l, w, protocol.ThreadItemsList, w.page, func(from io.Reader) (itemtext.Page, error) {
				return itemtext.FromItemsAt(from, at, w.to)
			})
		}
	})
}

// stream sends a read whose answer may hold the row. The copying happens on the
// connection's reader; what it found is looked at on the loop.
func stream[P, R any](l *loop, w *wholeRead, q protocol.Query[P, R], p P, copied func(io.Reader) (itemtext.Page, error)) {
	if l.link == nil || l.link.rpc == nil {
		w.failed(errOffline)
		return
	}
	ctx, cancel := l.deadline(q.Method)
	var page itemtext.Page
	rpc.Stream(ctx, l.link.rpc, q, p, rpc.Raw{
		Read: func(r io.Reader) (err error) {
			page, err = copied(r)
			return err
		},
		Done: func(err error) {
			cancel()
			err = l.secrets.veil(err)
			var got itemtext.Page
			if err == nil {
				got = page
			}
			l.post(w.at, func(l *loop) {
				l.answered(err)
				l.gotWhole(w, got, err)
			})
		},
	})
}

func (l *loop) gotWhole(w *wholeRead, page itemtext.Page, err error) {
	switch {
	case errors.Is(err, itemtext.ErrOrder) && w.page.ThreadID != "":
		l.byPlace(w)
	case err != nil:
		w.failed(err)
	case page.Found:
		w.end(ok())
	default:
		w.search.Copied(page.Next)
		l.readWhole(w)
	}
}

func (w *wholeRead) failed(err error) {
	switch {
	case linkEnded(err):
		w.end(refuse("lost", words.T("The connection ended. The text is not complete.")))
	case errors.Is(err, itemtext.ErrSink):
		w.end(refuse("not-written", words.T("The text could not be written where it goes. It is not complete.")))
	default:
		w.end(refuse("read-failed", words.T("The row could not be read whole. %s", textOf(err))))
	}
}

func (w *wholeRead) end(r Result) { w.over, w.result = true, r }
