// Package session is the chat surface without a window. One loop goroutine
// owns every machine and all state; it runs their effects, takes intents and
// publishes immutable snapshots. The window and drive are two surfaces of it.
//
// It never blocks on the network, a file or a surface, never lets a value in
// that its fence has not opened, and never sends a mutation twice.
//
// # Decisions
//
// 2026-11-30: what crosses into the loop is a stamped func(*loop), not a union
// of events. Instead of an event type for each answer, because the compiler
// then ties each answer to its handler; the fence still opens it or nobody does.
//
// 2026-11-30: an answer to a mutation and the proof it carries are one
// delivery: the proof always reaches the ledger, the rest only through the
// fence (ruling 28). Instead of two lanes, because two could be reordered.
//
// 2026-11-30: composers are kept by conversation over reconnects, until
// recovery drafts take their place. Instead of freezing them, because nothing
// could give them back yet.
//
// 2026-11-30: requests beyond 200 cards, or 16 MiB of their text, are left out
// and said to be. Instead of refusing them, because nothing is answered by
// itself; instead of keeping them all, because a server can ask without end.
//
// 2026-11-30: an answer that names another conversation than the one asked for
// is trouble of the view. Instead of believing it, because the window would
// show one conversation under the name of another.
package session
