package session

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"holdfast/core/protocol"
	"holdfast/core/recovery"
	"holdfast/core/rpc"
	"holdfast/core/stamp"
	"holdfast/core/transport"
	"holdfast/core/words"
)

// A link is one attempt and, when it succeeds, the connection it made. Its
// context is its life: cancelling it closes whatever is open, and ended closes
// when nothing of it is left.
type link struct {
	// at is the connection's stamp; it changes once more when another owner
	// appears on the same connection.
	at     atomic.Pointer[stamp.Stamp]
	was    []stamp.Stamp // every stamp it had, at included
	cancel context.CancelFunc
	ended  chan struct{}
	rpc    *rpc.Conn // nil until it is up
	kind   transport.Kind
}

// hello is what an attempt learned.
type hello struct {
	rpc     *rpc.Conn
	info    transport.Info
	init    protocol.InitializeResult
	account protocol.AccountReadResult
	version string
	noExp   bool // experimentalApi was refused
}

// dial starts an attempt. Its generation begins before it dials, so nothing of
// an earlier one can be taken for its own (REC-4, REC-8).
func (l *loop) dial() {
	before := l.link
	if l.ownerUsed {
		l.ownerUsed = false
		l.fence.NextOwner() // continuity of the account is unproven (REC-14)
	}
	ctx, cancel := context.WithCancel(l.ctx)
	k := &link{cancel: cancel, ended: make(chan struct{}), kind: l.target.Transport.Kind}
	k.restamp(l.fence.NextConn())
	l.fence.NextView()
	l.link = k
	l.server.Endpoint, l.server.PID = "", 0
	target, unchanged := l.target, l.unchanged()
	l.wg.Go(func() {
		defer l.over(k)
		defer cancel()
		if before != nil {
			<-before.ended // the child ends before the next starts
		}
		if err := unchanged(ctx); err != nil {
			l.post(k.stamp(), failed(err))
			return
		}
		conn, err := l.cfg.Dial(ctx, target.Transport)
		if err != nil {
			l.post(k.stamp(), failed(err))
			return
		}
		if c, has := conn.(interface{ Secret() string }); has {
			l.secrets.add(c.Secret())
		}
		l.serve(ctx, k, target, conn)
	})
}

// over ends a link. An attempt may be due that waited for that.
func (l *loop) over(k *link) {
	close(k.ended)
	l.post(k.stamp(), func(l *loop) {
		if l.rec.Held {
			l.step(recovery.Tick{})
		}
	})
}

// ending reports whether something of the link is left.
func (k *link) ending() bool {
	if k == nil {
		return false
	}
	select {
	case <-k.ended:
		return false
	default:
		return true
	}
}

// unchanged looks at the target once more before an attempt of an episode. One
// that was asked for goes where it was asked to go.
func (l *loop) unchanged() func(context.Context) error {
	check, target, accepted := l.cfg.CheckTarget, l.target, l.accepted
	if check == nil || l.rec.Max == 1 {
		return func(context.Context) error { return nil }
	}
	limit := l.cfg.scaled(patience)
	return func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		found, err := patient(ctx, func() Change { return check(target) })
		if err != nil {
			return &transport.Error{Kind: transport.TargetChanged, Text: words.T("the settings or the token file do not answer"), Err: err}
		}
		if found.Why != "" && found != accepted {
			return &transport.Error{Kind: transport.TargetChanged, Text: found.Why}
		}
		return nil
	}
}

func (k *link) stamp() stamp.Stamp { return *k.at.Load() }

func (k *link) restamp(at stamp.Stamp) {
	k.at.Store(&at)
	k.was = append(k.was, at)
}

// serve runs one connection to its end, and closes it.
func (l *loop) serve(ctx context.Context, k *link, target Target, conn transport.Conn) {
	c := rpc.New(conn, rpc.Handler{
		Notification: func(n protocol.Notification) {
			l.postInOrder(k.stamp(), protocol.Size(n), func(l *loop) { l.notified(n) })
		},
		Request: func(r protocol.ServerRequest) {
			l.postInOrder(k.stamp(), protocol.Size(r), func(l *loop) { l.asked(r) })
		},
		Fault: func(f rpc.Fault) {
			l.postInOrder(k.stamp(), protocol.Size(f.Thread), func(l *loop) { l.faulted(f) })
		},
	}, rpc.Options{Scale: l.cfg.Scale, Jitter: l.cfg.Jitter})
	lost := make(chan error, 1)
	go func() { lost <- c.Serve() }()
	greeted := make(chan event, 1)
	go func() { greeted <- l.greeting(ctx, c, conn.Info(), target) }()
	select {
	case ev := <-greeted:
		l.post(k.stamp(), ev)
		greeted = nil
	case err := <-lost: // the handshake says so too
		lost <- err
	case <-ctx.Done():
	}
	greeting := func() {
		if greeted != nil {
			l.post(k.stamp(), <-greeted)
		}
	}
	select {
	case err := <-lost:
		greeting() // first: what was never adopted cannot be lost
		e := l.secrets.classify(err)
		l.post(k.stamp(), func(l *loop) { l.lost(e) })
		_ = conn.Close() // which may take as long as a child takes to end
	case <-ctx.Done():
		_ = conn.Close()
		<-lost //nolint:errcheck // it was given up: how it ended does not matter
		greeting()
	}
}

// greeting makes the handshake, and gives what follows from it.
func (l *loop) greeting(ctx context.Context, c *rpc.Conn, info transport.Info, t Target) event {
	h, err := greet(ctx, c, info, l.cfg, t)
	if err != nil {
		return failed(err)
	}
	return func(l *loop) { l.adopt(h) }
}

// greet is the handshake: initialize, initialized, account/read.
func greet(ctx context.Context, c *rpc.Conn, info transport.Info, cfg *Config, t Target) (hello, error) {
	h := hello{rpc: c, info: info}
	params := protocol.InitializeParams{
		ClientInfo:   protocol.ClientInfo{Name: "holdfast", Title: cfg.Product, Version: cfg.Version},
		Capabilities: protocol.Capabilities{ExperimentalAPI: t.Experimental},
	}
	var err error
	if h.init, err = blocking(func(done func(protocol.InitializeResult, error)) {
		rpc.Look(ctx, c, protocol.Initialize, params, done)
	}); err != nil {
		return h, handshakeFailure("initialize", err)
	}
	if h.version, err = checkVersion(h.init.UserAgent); err != nil {
		return h, err
	}
	if err := c.Notify(ctx, protocol.Initialized, nil); err != nil {
		return h, handshakeFailure("initialized", err)
	}
	if h.account, err = blocking(func(done func(protocol.AccountReadResult, error)) {
		rpc.Ask(ctx, c, protocol.AccountRead, protocol.AccountReadParams{}, done)
	}); err != nil {
		return h, handshakeFailure(words.T("reading the account"), err)
	}
	return h, nil
}

// handshakeFailure says at which step a server that does answer gave a wrong
// answer. That is no failure of the link, and never tried again (REC-12).
func handshakeFailure(step string, err error) error {
	var refused *rpc.ServerError
	if errors.As(err, &refused) || errors.Is(err, rpc.ErrUnreadable) {
		return &transport.Error{Kind: transport.Unknown, Text: words.T("%s failed: %s", step, clause(textOf(err))), Err: err}
	}
	return fmt.Errorf("%s: %w", step, err)
}

// blocking waits for a call of an effect's own goroutine.
func blocking[R any](call func(done func(R, error))) (R, error) {
	type answer struct {
		r   R
		err error
	}
	ch := make(chan answer, 1)
	call(func(r R, err error) { ch <- answer{r, err} })
	a := <-ch
	return a.r, a.err
}

// checkVersion takes the server's version from its user agent: the only place
// that has it. An unknown newer one is fine.
func checkVersion(userAgent string) (string, error) {
	v, ok := protocol.ServerVersion(userAgent)
	ver, parsed := protocol.ParseVersion(v)
	if !ok || !parsed {
		return "", &transport.Error{Kind: transport.ServerIdentity, Text: words.T("The server did not say which version it is, so it cannot be used.")}
	}
	if ver.Less(protocol.Minimum) {
		return "", &transport.Error{Kind: transport.ServerIdentity, Text: words.T(
			"Codex %s is too old. Holdfast needs %s or newer.", v, protocol.Minimum)}
	}
	return v, nil
}

func failed(err error) event {
	return func(l *loop) {
		e := l.secrets.classify(err)
		l.step(recovery.Fail{Cause: causeOf(e.Kind), Why: e.Text})
	}
}

// causeOf says where a failure leads. The set of kinds is closed (REC-12).
func causeOf(k transport.FailKind) recovery.Cause {
	switch {
	case k.Temporary():
		return recovery.CauseTemporary
	case k == transport.Auth:
		return recovery.CauseAuth
	case k == transport.TargetChanged, k == transport.InvalidProfile, k == transport.ServerIdentity:
		return recovery.CauseTarget
	case k == transport.Cancelled:
		return recovery.CauseCancelled
	}
	return recovery.CauseOther
}

// adopt makes an attempt's connection the current one.
func (l *loop) adopt(h hello) {
	if l.rec.Phase != recovery.Connecting {
		return
	}
	k := l.link
	k.rpc = h.rpc
	identity := h.init.CodexHome + "\x00" + h.init.PlatformOS
	l.noteIdentity(identity, h)
	l.server.Version, l.server.Endpoint, l.server.PID = h.version, h.info.Endpoint, h.info.PID
	l.server.Platform, l.server.CodexHome = h.init.PlatformOS, h.init.CodexHome
	l.server.Experimental = l.target.Experimental && !h.noExp
	l.noteAccount(accountOf(h.account))
	l.ownerUsed, l.afterTurn, l.changed = true, "", ""
	l.seenChange, l.accepted = Change{}, Change{}
	l.freeze() // what was typed while there was no connection
	if l.view != nil && l.view.window != nil {
		l.kept = l.view.window.View()
	}
	l.forgetOwner()
	if k.kind == transport.Stdio {
		l.requests.given = nil // another process numbers its requests anew
	}
	if v, parsed := protocol.ParseVersion(h.version); parsed && protocol.NewestKnown.Less(v) {
		l.notices.say("newer-server", words.T("Codex %s is newer than any version Holdfast was tried with.", h.version))
	}
	l.watch = watch{}
	l.watchNext()
	l.step(recovery.Up{})
}

// noteIdentity asks for a confirmation when another server answers at the same
// target (ruling 38).
func (l *loop) noteIdentity(identity string, h hello) {
	if l.server.identity != "" && l.server.identity != identity {
		l.confirmed = false
		l.notices.say("server-changed", words.T("Another server answers at %s now.", h.info.Endpoint))
	}
	l.server.identity = identity
}

// forgetOwner drops what one owner's generation held: selection, joins,
// requests (REC-15).
func (l *loop) forgetOwner() {
	l.closeView()
	l.joined = map[string]*joinedThread{}
	l.joinedRev++
	l.requests.drop()
	l.queue, l.later = nil, nil
}

// abandon ends whatever link there is and everything that depended on it.
func (l *loop) abandon() {
	if l.link != nil {
		l.link.cancel()
		l.link.rpc = nil
	}
	l.server.PID = 0
	l.finishWaiters() // whose record says more than "lost"
	l.failWaiters(func(w waiter) bool { return w.viewBound || w.connBound }, refuse("lost", words.T("The connection ended.")))
	l.requests.freeze()
	l.threads.loading = false
	l.threads.rev++
}

// lost is a connection's end. In one turn: its operations become uncertain,
// its requests cannot be answered, its history is stale (ARCHITECTURE: no
// surface can see one of these without the others).
func (l *loop) lost(e *transport.Error) {
	if !l.rec.Connected() {
		return // the handshake's own failure says more
	}
	for _, at := range l.link.was {
		l.ledger.Lose(at)
	}
	l.freeze()
	l.confirmedByUser = false
	l.afterTurn = l.evidence(e)
	l.step(recovery.Lost{Cause: causeOf(e.Kind), Why: e.Text})
	if l.view != nil {
		l.view.lose(words.T("the connection was lost"))
	}
	for _, j := range l.joined {
		j.lost = true
	}
	l.joinedRev++
}

// evidence says what became of a turn that ran, only from what is known
// (ruling 12).
func (l *loop) evidence(e *transport.Error) string {
	if !l.anyTurnRuns() {
		return ""
	}
	switch l.link.kind {
	case transport.Stdio:
		return words.T(" The running turn was interrupted with it.")
	case transport.WebSocket, transport.Unix:
		if e.Kind != transport.ProcessExit {
			return words.T(" The turn may still be running on the server.")
		}
	case transport.Command:
	}
	return words.T(" Whether the turn still runs cannot be told.")
}

func (l *loop) anyTurnRuns() bool {
	for _, j := range l.joined {
		if j.turn != "" {
			return true
		}
	}
	return false
}

func (l *loop) reconnect(done func(Result)) {
	if l.silent() { // Restart: the user said so
		l.lost(&transport.Error{Kind: transport.Cancelled, Text: words.T("Codex was restarted")})
	}
	if l.rec.Phase == recovery.Connecting {
		l.finish(done, refuse("busy", words.T("An attempt is already running.")))
		return
	}
	if l.rec.Connected() {
		l.finish(done, refuse("connected", words.T("The connection is up. Nothing was done.")))
		return
	}
	l.step(recovery.Connect{})
	l.waitConnected(done)
}

func (l *loop) waitConnected(done func(Result)) {
	l.wait(waiter{done: done, settled: func() (bool, Result) {
		switch l.rec.Phase {
		case recovery.Online:
			return true, ok()
		case recovery.Offline:
			return true, refuse("not-connected", words.T("Not connected: %s", l.rec.Why))
		case recovery.Waiting, recovery.Connecting, recovery.Listing:
		}
		return false, Result{}
	}})
}

// deadline is the context of one request (ruling 14).
func (l *loop) deadline(method string) (context.Context, context.CancelFunc) {
	return context.WithTimeout(l.ctx, l.cfg.scaled(protocol.Deadline(method)))
}
