// Package judge decides whether a run kept its promises. It records every
// frame at the connection (Wire), folds what drive says (Watch), keeps what the
// user did (Script), and compares the three afterwards. It knows the contract
// and the protocol, and nothing of how the session works.
//
// # Decisions
//
// 2026-11-30: frames are recorded where the session hands them over, instead of
// in the proxy, because a claim such as "nothing was sent" is about that point.
//
// 2026-11-30: operations are matched with frames by kind, conversation and
// text, in groups. Instead of by an ID in the snapshot, because the ledger's
// own IDs never leave and a client message ID is not shown.
//
// 2026-11-30: the messages of a conversation that was deleted, or may have been,
// count as kept. Instead of asking the user's script which ones they are, because
// only the wire knows what was in it.
package judge
