package session

import (
	"holdfast/core/ledger"
	"holdfast/core/protocol"
	"holdfast/core/recovery"
	"holdfast/core/words"
)

// accountFacts is what account/read said. Continuity of the owner cannot be
// proven from it (0.155.1 and 0.159.1 give no owner ID).
type accountFacts struct {
	known, signedIn, needed bool
	kind, email, user       string
}

func accountOf(r protocol.AccountReadResult) accountFacts {
	a := accountFacts{known: true, needed: r.Required != nil && *r.Required, user: r.UserID}
	if r.Account != nil {
		a.signedIn, a.kind, a.email = true, r.Account.Type, r.Account.Email
	}
	return a
}

// owner is what counts as an account signal when it changes (ruling 38).
func (a accountFacts) owner() [3]string { return [3]string{a.kind, a.email, a.user} }

func (l *loop) accountSection() *Account {
	a := l.account
	return &Account{Known: a.known, SignedIn: a.signedIn, Kind: a.kind, Needed: a.needed, Email: a.email}
}

// accountNotified reads the account again when it may be another one.
func (l *loop) accountNotified(n protocol.Notification) {
	switch n := n.(type) {
	case protocol.AccountUpdated:
		l.readAccount()
	case protocol.LoginCompleted:
		if !n.Success && l.signingIn {
			l.signingIn = false
			l.notices.say("sign-in-failed", words.T("Signing in failed. %s", n.Error))
		}
	default: // not about the account
	}
}

func (l *loop) readAccount() {
	if !l.accounts.begin(l.link.stamp()) {
		return
	}
	ask(l, l.link.stamp(), protocol.AccountRead, protocol.AccountReadParams{},
		func(l *loop, r protocol.AccountReadResult, err error) {
			if l.accounts.end() {
				l.readAccount()
				return // the newer answer counts
			}
			if err != nil {
				return // what was known stays; the next signal asks again
			}
			l.accountIs(accountOf(r))
		})
}

// accountIs takes in a changed account. Somebody else's owner generation
// begins, unless the change is our own sign-in (ruling 38); either way the
// conversations are listed and chosen anew.
func (l *loop) accountIs(a accountFacts) {
	was, own := l.account, l.signingIn
	l.account, l.signingIn = a, false
	if !was.known || was.owner() == a.owner() {
		return
	}
	l.freeze() // the old owner's drafts stay apart (DRF-1)
	l.fence.NextOwnerKeepConn()
	l.link.restamp(l.fence.Current())
	l.forgetOwner()
	// What the old owner's reads would have told nobody hears any more.
	l.failWaiters(func(w waiter) bool { return w.op == "" && w.connBound },
		refuse("replaced", words.T("Another account is signed in on the server now.")))
	l.kept = nil
	if !own {
		l.confirmed = false
		l.sayAccountChanged(a)
	}
	l.rec.Phase = recovery.Listing
	l.listFirst()
}

// noteAccount compares the account of a new connection with that of the last:
// a change must be confirmed, whatever it means (REC-9).
func (l *loop) noteAccount(a accountFacts) {
	if l.account.known && l.account.owner() != a.owner() {
		l.confirmed = false
		l.sayAccountChanged(a)
	}
	l.account = a
}

// sayAccountChanged says what is true of the account now, in place of what was.
func (l *loop) sayAccountChanged(a accountFacts) {
	who := words.T("Another account is signed in on the server now.")
	if !a.signedIn {
		who = words.T("No account is signed in on the server any more.")
	}
	l.notices.replace("account-changed", who+words.T(" Confirm the connection before you go on."))
}

// signIn sends an API key, which is kept for nothing but to be masked where the
// server quotes it.
func (l *loop) signIn(key Secret, done func(Result)) {
	l.secrets.add(string(key))
	l.signingIn = true
	op := mutate(l, protocol.AccountLoginStart, protocol.AccountLoginStartParams{APIKey: string(key)},
		sending[protocol.AccountLoginStartResult]{
			entry: ledger.Entry{}, at: l.link.stamp(),
			got:    func(l *loop, _ protocol.AccountLoginStartResult) { l.readAccount() },
			failed: func(l *loop, _ error) { l.signingIn = false },
		})
	l.wait(waiter{done: done, op: op, connBound: true})
}

func (l *loop) signOut(done func(Result)) {
	l.signingIn = true // our own: its signal is no stranger
	op := mutate(l, protocol.AccountLogout, protocol.AccountLogoutParams{}, sending[protocol.Empty]{
		at:     l.link.stamp(),
		got:    func(l *loop, _ protocol.Empty) { l.readAccount() },
		failed: func(l *loop, _ error) { l.signingIn = false },
	})
	l.wait(waiter{done: done, op: op, connBound: true})
}
