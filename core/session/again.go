package session

import (
	"slices"
	"strings"

	"holdfast/core/history"
	"holdfast/core/ledger"
	"holdfast/core/protocol"
	"holdfast/core/recovery"
	"holdfast/core/words"
)

// mayTurn says why no turn may begin or be cut off now, for what depends on more
// than the state.
func (l *loop) mayTurn() *Result {
	f := l.facts()
	s := f.status()
	var x Result
	switch {
	case !f.rec.Connected():
		x = refuse("not-connected", words.T("There is no connection. Nothing was sent."))
	case !f.selected:
		x = refuse("no-selection", words.T("No conversation is selected."))
	case f.joined && f.running:
		x = refuse("turn-running", words.T("A turn is running. Stop it first, or wait for its end."))
	case s.State != Ready:
		x = refuse("not-now", words.T("Not possible now. %s", s.Text))
	case !f.joined:
		x = refuse("not-joined", words.T("This conversation is read, not joined. Join it first."))
	case l.turnOnItsWay(l.view.thread):
		x = refuse("busy", words.T("The server has not answered what was sent before. Nothing was sent."))
	default:
		return nil
	}
	return &x
}

// turnOnItsWay says that something was sent that may begin a turn, or cut one
// off, and is not answered: a key that is pressed twice asks for one thing.
func (l *loop) turnOnItsWay(thread string) bool {
	kinds := []string{
		protocol.TurnStart.Method, protocol.ReviewStart.Method, protocol.ThreadRevert.Method, protocol.ThreadCompactStart.Method,
	}
	_, found := l.ledger.Find(func(r *ledger.Record) bool {
		return r.Thread == thread && r.State == ledger.InFlight && slices.Contains(kinds, r.Kind)
	})
	return found
}

// messageOf is the message that a turn of the window began with.
func (l *loop) messageOf(turn string) (protocol.Item, bool) {
	for _, r := range l.view.window.View().Rows {
		if _, is := r.Item.Body.(protocol.UserMessage); is && r.Key.Turn == turn {
			return r.Item, true
		}
	}
	return protocol.Item{}, false
}

// cutting is where a revert of ours stands: its notification can come before its
// answer or after it, and the window has to be read anew after both.
type cutting uint8

const (
	notCutting cutting = iota
	cutSent
	cutSeen // notified, not answered
	cutDone // answered, not notified
)

// revert cuts off a turn and all later ones. It is sent once, as every mutation
// (LED-3); what the turn began with goes back into the composer once the server
// has cut it off, and not before.
func (l *loop) revert(in Revert, done func(Result)) {
	if why := l.mayTurn(); why != nil {
		l.finish(done, *why)
		return
	}
	v := l.view
	j := l.joined[v.thread]
	it, found := l.messageOf(in.Turn)
	switch {
	case v.info.HistoryMode == history.Legacy:
		l.finish(done, refuse("legacy", words.T("The server cannot cut this conversation: it is of an older kind. Fork it instead.")))
		return
	case !found:
		l.finish(done, refuse("no-turn", words.T("There is no such message in the window.")))
		return
	}
	content := recovery.Content{Text: textIn(it)}
	j.cutting = cutSent
	p := protocol.ThreadRevertParams{ThreadID: v.thread, BeforeTurnID: in.Turn}
	op := mutate(l, protocol.ThreadRevert, p, sending[protocol.ThreadRevertResult]{
		entry: ledger.Entry{Thread: v.thread, Turn: in.Turn, Text: content.Text}, at: l.fence.Current().OwnerOnly(),
		got: func(l *loop, _ protocol.ThreadRevertResult) {
			j.cutting = j.cutting.next(cutDone)
			l.board.back(v.thread, content)
			l.readAnew(v)
		},
		failed: func(*loop, error) { j.cutting = notCutting },
	})
	l.wait(waiter{done: done, op: op, connBound: true})
}

// next is where a revert stands when one of its two ends has come; it is over
// with the other.
func (c cutting) next(came cutting) cutting {
	if c == cutSent {
		return came
	}
	return notCutting
}

// ownRevert reads the conversation anew that a revert of ours cut. One of
// another client is said to be stale, and is read when the user asks for it.
func (l *loop) ownRevert(thread string) {
	j := l.joined[thread]
	if j.cutting == notCutting {
		return
	}
	j.cutting = j.cutting.next(cutSeen)
	l.readAnew(l.view)
}

// readAnew refreshes the view of a conversation that was cut, if it is shown.
func (l *loop) readAnew(v *view) {
	if v != nil && v == l.view && l.joined[v.thread] != nil {
		l.refresh(nil)
	}
}

// retry sends the message of a failed turn again, as a message of its own. What
// cannot be sent exactly as it was is not sent.
func (l *loop) retry(done func(Result)) {
	if why := l.mayTurn(); why != nil {
		l.finish(done, *why)
		return
	}
	v := l.view
	w := v.window.View()
	it, found := l.messageOf(w.Newest)
	m, _ := it.Body.(protocol.UserMessage)
	switch {
	case w.Turns[w.Newest].Status != protocol.Failed:
		l.finish(done, refuse("not-failed", words.T("The newest turn did not fail. Nothing was sent.")))
		return
	case !found:
		l.finish(done, refuse("no-message", words.T("The message of the failed turn is not in the window. Load older, then try again.")))
		return
	case len(it.Cuts) > 0 || !sendable(m.Content):
		l.finish(done, refuse("not-whole", words.T("The message cannot be sent again as it was: it holds more than is shown here. Write it again.")))
		return
	}
	clientID := l.cfg.NewID()
	s := &submission{thread: v.thread, want: Send{}}
	op := mutate(l, protocol.TurnStart, protocol.TurnStartParams{ThreadID: v.thread, Input: m.Content, ClientUserMessageID: clientID},
		sending[protocol.TurnStartResult]{
			entry: ledger.Entry{Thread: v.thread, ClientID: clientID, Text: textIn(it), After: w.Newest}, at: l.link.stamp(),
			turn: func(r protocol.TurnStartResult) string { return r.Turn.ID },
			got:  func(l *loop, r protocol.TurnStartResult) { l.began(s, r.Turn.ID) },
		})
	l.wait(waiter{done: done, op: op})
}

// sendable says that a message's parts are all there: the data of an image or of
// audio is never kept.
func sendable(parts []protocol.UserInput) bool {
	for _, in := range parts {
		if in.Type == "image" || in.Type == "audio" || in.Media != "" {
			return false
		}
	}
	return len(parts) > 0
}

// reviewKinds are what can be reviewed, and whether it needs a value.
var reviewKinds = map[string]bool{"uncommittedChanges": false, "baseBranch": true, "commit": true, "custom": true}

// startReview begins a review as a turn of the selected conversation.
func (l *loop) startReview(in StartReview, done func(Result)) {
	if why := l.mayTurn(); why != nil {
		l.finish(done, *why)
		return
	}
	needs, known := reviewKinds[in.Kind]
	if value := strings.TrimSpace(in.Value); !known || needs && value == "" {
		l.finish(done, refuse("bad-review", words.T("A review is of uncommittedChanges, or of a named baseBranch or commit, or custom with instructions.")))
		return
	}
	thread, value := l.view.thread, strings.TrimSpace(in.Value)
	p := protocol.ReviewStartParams{ThreadID: thread, Target: protocol.ReviewTarget{Type: in.Kind, Value: value}}
	// The turn that the answer names is the one that ends; another one is said to
	// start, and never to end (0.155.1 and 0.159.1).
	op := mutate(l, protocol.ReviewStart, p, sending[protocol.ReviewStartResult]{
		entry: ledger.Entry{Thread: thread, Text: value}, at: l.link.stamp(),
		got: func(l *loop, r protocol.ReviewStartResult) {
			if j := l.joined[thread]; j != nil && !j.isOver(r.Turn.ID) {
				j.review = r.Turn.ID
			}
		},
	})
	l.wait(waiter{done: done, op: op})
}

// textIn is the text of a message, without what was attached to it.
func textIn(it protocol.Item) string {
	m, _ := it.Body.(protocol.UserMessage)
	var out []string
	for _, in := range m.Content {
		if in.Type == "text" {
			out = append(out, in.Text)
		}
	}
	return strings.Join(out, "\n")
}
