// Package ledger records what is known about each mutation (LED-1 to LED-8).
// It lives in memory only and puts nothing on the wire; it sends nothing and
// repeats nothing.
//
// # Decisions
//
// 2026-11-30: five states and a table of edges; how a state is known and
// whether the message was seen are fields. Instead of more states, because
// ruling 2 keeps five and a proof may come after a loss.
package ledger
