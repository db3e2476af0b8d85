package session

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"holdfast/core/ledger"
	"holdfast/core/protocol"
	"holdfast/core/rpc"
	"holdfast/core/words"
)

// A card is one request of the server, from its arrival to its end.
type card struct {
	id     string // ours, never reused
	req    protocol.ServerRequest
	thread string
	made   time.Time
	live   bool
	op     string // the answer's operation, "" before
	size   int    // what it holds
}

// A requestDesk holds the open requests, oldest first.
type requestDesk struct {
	cards []*card
	next  int
	rev   int // counts changes
	// given are those that were answered and then dropped with their owner or
	// connection: the server may still say what became of the answer.
	given []*card
}

func (d *requestDesk) get(id string) *card {
	for _, c := range d.cards {
		if c.id == id {
			return c
		}
	}
	return nil
}

func (d *requestDesk) remove(c *card) {
	d.rev++
	d.cards = slices.DeleteFunc(d.cards, func(x *card) bool { return x == c })
}

// asks reports whether a conversation has an unanswered request.
func (d *requestDesk) asks(thread string) bool {
	return slices.ContainsFunc(d.cards, func(c *card) bool { return c.thread == thread && c.live && c.op == "" })
}

// open is how many requests can be answered.
func (d *requestDesk) open() int {
	n := 0
	for _, c := range d.cards {
		if c.live && c.op == "" {
			n++
		}
	}
	return n
}

// freeze makes every request unanswerable: its connection is gone.
func (d *requestDesk) freeze() {
	d.rev++
	for i, c := range d.cards {
		x := *c
		x.live = false
		d.cards[i] = &x
	}
}

// drop forgets them: nothing of one owner is shown in another (REC-15). Of an
// answer that is still open it is remembered, within the bounds of the cards,
// what it was given to.
func (d *requestDesk) drop() {
	for _, c := range d.cards {
		if c.op != "" {
			d.given = append(d.given, c)
		}
	}
	for len(d.given) > maxCards || weight(d.given) > maxCardBytes {
		d.given = d.given[1:]
	}
	d.cards = nil
	d.rev++
}

// settle finds what an answer was given to, and forgets that.
func (d *requestDesk) settle(match func(protocol.ServerRequest) bool) (op string) {
	d.given = slices.DeleteFunc(d.given, func(c *card) bool {
		if op != "" || !match(c.req) {
			return false
		}
		op = c.op
		return true
	})
	return op
}

// asked takes a server request. Machine requests are answered by a closed
// table; everything else becomes a card, and nothing is answered by itself
// (ruling 33).
func (l *loop) asked(r protocol.ServerRequest) {
	switch r.Params.(type) {
	case protocol.CurrentTimeRead:
		l.reply(r.ID, protocol.CurrentTimeAnswer{CurrentTimeAt: time.Now().Unix()})
		return
	case protocol.AttestationGenerate, protocol.TokensRefresh:
		c, id := l.link.rpc, r.ID
		l.effect(func(ctx context.Context) { _ = c.Refuse(ctx, id, notSupported, "not supported") })
		return
	default: // for the user to answer
	}
	if tooMuch(r) {
		r = emptied(r)
	}
	if l.askedBefore(r) {
		return // shown already; a join of ours only repeats it
	}
	c := &card{req: r, thread: r.Params.ThreadID(), made: time.Now(), live: true}
	c.size = weigh(c.req, l.describe(c))
	if len(l.requests.cards) >= maxCards || l.requests.size()+c.size > maxCardBytes {
		// Nothing is answered by itself, so nothing makes room either.
		l.notices.say("requests-full", words.T("The server asks more than can be shown. What is not shown is not answered; it comes again when the conversation is joined after a reconnect."))
		return
	}
	l.requests.next++
	l.requests.rev++
	c.id = fmt.Sprintf("r%d", l.requests.next)
	l.requests.cards = append(l.requests.cards, c)
}

// askedBefore looks for an open request with the same ID. The same question
// again is the card that stands there, unless that was answered: then its answer
// did not count (ruling 34). Another question under that ID takes its place: an
// answer to what was read must not go out as one to what was not.
func (l *loop) askedBefore(r protocol.ServerRequest) bool {
	same := func(x protocol.ServerRequest) bool {
		return x.ID == r.ID && x.Method == r.Method && reflect.DeepEqual(x.Params, r.Params)
	}
	if op := l.requests.settle(same); op != "" { // over another connection, or of another owner
		l.became(op, ledger.Outcome{Event: ledger.Refused, Proof: ledger.ProofAskedAgain})
	}
	i := slices.IndexFunc(l.requests.cards, func(c *card) bool { return c.live && c.req.ID == r.ID })
	if i < 0 {
		return false
	}
	c := l.requests.cards[i]
	switch {
	case same(c.req) && c.op == "":
		return true
	case same(c.req):
		l.became(c.op, ledger.Outcome{Event: ledger.Refused, Proof: ledger.ProofAskedAgain})
	default:
		if c.op != "" { // nobody can tell which of them the answer was taken for
			l.became(c.op, ledger.Outcome{Event: ledger.Lost})
		}
		l.notices.say("request-replaced", words.T("The server asks something else under the number of a request that was open. Its card is gone; read the new one before you answer."))
	}
	l.requests.remove(c)
	return false
}

// became takes what the server showed of an answer, as long as nobody knows it.
func (l *loop) became(op string, o ledger.Outcome) {
	r, found := l.ledger.Get(op)
	if found && (r.State == ledger.InFlight || r.State == ledger.OutcomeUnknown) {
		l.note(l.ledger.Resolve(op, o))
	}
}

// Bounds of the cards that are open at once, and of what they hold.
const (
	maxCards     = 200
	maxCardBytes = 16 << 20
)

func (d *requestDesk) size() int { return weight(d.cards) }

func weight(cards []*card) (n int) {
	for _, c := range cards {
		n += c.size
	}
	return n
}

// fieldWeight is what a question, a choice or a decision costs besides its text,
// on a surface too.
const fieldWeight = 512

// weigh is how much a card holds: what it shows, with each of its fields, and
// the request itself, from which it is made.
func weigh(req protocol.ServerRequest, r *Request) int {
	fields, text := len(r.Decisions), len(r.Text)+len(r.Reason)+len(r.Diff)+len(r.Cwd)
	for _, q := range r.Questions {
		fields += 1 + len(q.Options)
		text += len(q.ID) + len(q.Header) + len(q.Text) + len(q.Default)
		for _, o := range q.Options {
			text += len(o.Value) + len(o.Label) + len(o.Text)
		}
	}
	return fields*fieldWeight + max(text, protocol.Size(req)) // most text is both, and there once
}

// notSupported is the code of what we never declared.
const notSupported = -32601

// reply answers a machine request: its result is the same whenever it is given.
func (l *loop) reply(id protocol.RequestID, result any) {
	c := l.link.rpc
	l.effect(func(ctx context.Context) { _ = c.Reply(ctx, id, result) })
}

// effect runs something off the loop, for at most a mutation's deadline.
func (l *loop) effect(f func(context.Context)) {
	ctx, cancel := context.WithTimeout(l.ctx, l.cfg.scaled(protocol.MutationDeadline))
	l.wg.Go(func() {
		defer cancel()
		f(ctx)
	})
}

// resolved closes a request's card, whoever answered it.
func (l *loop) resolved(n protocol.RequestResolved) {
	for _, c := range l.requests.cards {
		if c.req.ID != n.Request || !c.live {
			continue
		}
		if c.op != "" {
			l.became(c.op, closed)
		}
		l.requests.remove(c)
		return
	}
	l.became(l.requests.settle(func(r protocol.ServerRequest) bool {
		return r.ID == n.Request && r.Params.ThreadID() == n.Thread
	}), closed)
}

var closed = ledger.Outcome{Event: ledger.Accepted, Proof: ledger.ProofClosed}

// unanswered lets a request be answered again whose answer provably did not
// leave (LED-6).
func (l *loop) unanswered(op string) {
	if r, found := l.ledger.Get(op); !found || r.State != ledger.NotSent {
		return
	}
	for _, c := range l.requests.cards {
		if c.op == op {
			l.setOp(c, "")
			return
		}
	}
}

// answer gives an answer, once. It is InFlight when written, Confirmed when
// the server says that the request is closed (ruling 34).
func (l *loop) answer(in Answer, done func(Result)) {
	c := l.requests.get(in.Request)
	switch {
	case c == nil:
		l.finish(done, refuse("no-request", words.T("There is no such request.")))
		return
	case !c.live:
		l.finish(done, refuse("not-live", words.T("This request came over a connection that is gone. Join the conversation; the server asks again if it still waits.")))
		return
	case c.op != "":
		l.finish(done, refuse("answered", words.T("It was answered already. Nothing was sent again.")))
		return
	}
	result, err := answerOf(c.req, in)
	if err != nil {
		l.finish(done, refuse("no-decision", err.Error()))
		return
	}
	if l.link == nil || l.link.rpc == nil {
		l.finish(done, refuse("not-connected", words.T("Nothing was sent: there is no connection.")))
		return
	}
	l.secrets.typed(questions(c.req), in.Answers)
	op := l.ledger.Begin(ledger.Entry{Kind: c.req.Method, Thread: c.thread, Turn: in.Decision, Made: time.Now()})
	l.note(l.ledger.Dispatch(op, l.link.stamp()))
	l.setOp(c, op)
	l.write(c, op, result)
	l.wait(waiter{done: done, op: op, connBound: true})
}

// setOp keeps cards immutable for whoever holds one.
func (l *loop) setOp(c *card, op string) {
	i := slices.Index(l.requests.cards, c)
	x := *c
	x.op = op
	l.requests.rev++
	l.requests.cards[i] = &x
}

// write sends the answer off the loop.
func (l *loop) write(c *card, op string, result answerBody) {
	k, id := l.link, c.req.ID
	conn := k.rpc
	l.effect(func(ctx context.Context) {
		var err error
		if result.refuse != "" {
			err = conn.Refuse(ctx, id, notSupported, result.refuse)
		} else {
			err = conn.Reply(ctx, id, result.value)
		}
		if err == nil {
			return
		}
		o := ledger.Outcome{Event: ledger.Lost}
		if errors.Is(err, rpc.ErrNotBegun) {
			o = ledger.Outcome{Event: ledger.NotBegun, Proof: ledger.ProofNotBegun}
		}
		l.s.box.put(delivery{proof: &proof{op: op, outcome: o}}, false)
	})
	l.after(l.cfg.scaled(protocol.MutationDeadline), k, func(l *loop) {
		if r, found := l.ledger.Get(op); found && r.State == ledger.InFlight {
			l.note(l.ledger.Resolve(op, ledger.Outcome{Event: ledger.Lost}))
		}
	})
}
