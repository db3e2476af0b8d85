package session

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"holdfast/core/history"
	"holdfast/core/ledger"
	"holdfast/core/recovery"
	"holdfast/core/stamp"
	"holdfast/core/words"
)

// A loop is the state of a session. Only the goroutine of Session.Run touches
// it, but for what is posted into its mailbox.
type loop struct {
	ctx context.Context //nolint:containedctx // the loop's own life, given to every effect
	s   *Session
	cfg *Config
	wg  sync.WaitGroup

	fence  stamp.Fence
	rec    recovery.State
	target Target
	link   *link // the attempt or the connection
	first  bool  // no connection was made yet
	stale  int   // deliveries the fence refused
	// ownerUsed says that the current owner generation had a connection.
	ownerUsed bool

	// confirmed is false after a change of target or account, until the user
	// confirms; confirmedByUser says that this connection was confirmed.
	confirmed, confirmedByUser bool
	// changed says how the target changed while connected, "" if it did not.
	changed string
	// seenChange is what the newest look at the target found, accepted what of
	// that the user confirmed.
	seenChange, accepted Change
	// afterTurn is what is known of the turn that ran at the loss (ruling 12).
	afterTurn string
	watch     watch
	checking  atomic.Bool // a look at the target is not over
	server    serverFacts
	account   accountFacts
	signingIn bool // a login of our own is under way: its signal is not a change

	threads   threadList
	joined    map[string]*joinedThread
	joinedRev int   // counts changes of who is joined
	view      *view // the selected conversation
	// kept is what was on screen at the loss: it stays, stale, until the next
	// selection.
	kept   *history.View
	board  board // composers
	drafts recovery.Drafts
	// frozenAt is the board's revision at the last freeze, frozenOwner whose
	// composers were frozen then.
	frozenAt    uint64
	frozenOwner stamp.Stamp
	late        map[string]lateText // by conversation, since the last freeze
	ledger      ledger.Ledger
	waiters     []waiter
	backs       []giveBack
	requests    requestDesk
	queue       *Queue
	notices     noticeBoard
	secrets     *secrets
	catalog     *Catalog
	// modelsOf is the connection whose models the catalogue holds, skillsOf the
	// view whose skills; later waits for either to be read.
	modelsOf, skillsOf stamp.Stamp
	later              []func()
	// The reads that signals of the server ask for.
	accounts, models, skills, queues poll

	pub publisher
}

func newLoop(ctx context.Context, s *Session) *loop {
	l := &loop{
		ctx: ctx, s: s, cfg: &s.cfg, target: s.cfg.Target, first: true, confirmed: true,
		joined: map[string]*joinedThread{}, board: newBoard(), late: map[string]lateText{}, catalog: &Catalog{},
	}
	l.secrets = &secrets{}
	l.notices.mask = l.secrets.mask
	l.pub.publish = s.cfg.Publish
	l.fence.NextOwner()
	l.fence.NextView()
	return l
}

// start makes the first connection: one attempt (DRIVE.md).
func (l *loop) start() { l.step(recovery.Connect{}) }

// step moves the coordinator and performs what it asks for.
func (l *loop) step(ev recovery.Event) {
	next, effects := recovery.Step(l.rec, ev, recovery.Env{
		Now: time.Now(), Scale: l.cfg.Scale, Unit: l.unit(), Target: l.changed, Ending: l.link.ending(),
	})
	l.rec = next
	for _, e := range effects {
		switch e.(type) {
		case recovery.Dial:
			l.dial()
		case recovery.Abandon:
			l.abandon()
		case recovery.ListThreads:
			l.listFirst()
		}
	}
	l.dirty()
}

// receive applies one delivery: its proof always, its event if it is current.
func (l *loop) receive(d delivery) {
	if d.proof != nil {
		l.prove(*d.proof)
	}
	ev, ok := d.event.Open(&l.fence)
	if !ok {
		l.stale++
		return
	}
	if ev != nil {
		ev(l)
		l.dirty()
	}
}

// post brings an event into the loop from elsewhere.
func (l *loop) post(at stamp.Stamp, ev event) {
	l.s.box.put(delivery{event: stamp.At(at, ev)}, false)
}

// postInOrder is post for a connection's reader, which may be made to wait for
// what holds that much.
func (l *loop) postInOrder(at stamp.Stamp, size int, ev event) {
	l.s.box.put(delivery{event: stamp.At(at, ev), size: size}, true)
}

// after runs an event later, unless the link was given up by then; another owner
// on it changes nothing. It is for deadlines that no machine owns.
func (l *loop) after(d time.Duration, k *link, ev event) {
	ctx := l.ctx
	l.wg.Go(func() {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-ctx.Done():
		case <-t.C:
			l.post(k.stamp(), ev)
		}
	})
}

// unit is uniform in [0,1), for the jitter of waits.
func (l *loop) unit() float64 {
	if l.cfg.Jitter == nil {
		return 0.5
	}
	return l.cfg.Jitter()
}

func (l *loop) tick() {
	if w := l.rec.Wake(); !w.IsZero() && !time.Now().Before(w) {
		l.step(recovery.Tick{})
	}
}

// untilWake is how long the loop may sleep.
func (l *loop) untilWake() time.Duration {
	d := time.Hour
	for _, w := range []time.Time{l.rec.Wake(), l.pub.wake()} {
		if !w.IsZero() {
			d = min(d, max(time.Until(w), 0))
		}
	}
	return d
}

// turnOver ends a turn of the loop: waiters whose time has come are answered
// after the snapshot that shows why.
func (l *loop) turnOver() {
	l.settle()
	l.traceMessages()
	l.trimJoined("")
	l.returnContents()
	l.finishWaiters()
	l.maybePublish()
}

// shut ends the connection and waits for every effect.
func (l *loop) shut() {
	if l.link != nil {
		l.link.cancel()
	}
	l.wg.Wait()
	l.failWaiters(func(waiter) bool { return true }, Result{Code: "ended", Error: words.T("Holdfast is closing.")})
	l.maybePublish()
	l.pub.flushDone()
}
