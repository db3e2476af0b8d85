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
// 2026-11-30: at a loss every composer freezes to a recovery draft, and a text
// that was typed onto a frozen one becomes a draft too. Instead of keeping
// composers over a reconnect, because the account may be another (DRF-4).
//
// 2026-11-30: a profile that is edited in its file asks for a confirmation while
// connected and ends an episode's next attempt; an attempt that was asked for
// goes where the applied profile says. Instead of taking the edit over, because
// applying a profile is a choice.
//
// 2026-11-30: requests beyond 200 cards, or 16 MiB of their text, are left out
// and said to be. Instead of refusing them, because nothing is answered by
// itself; instead of keeping them all, because a server can ask without end.
//
// 2026-11-30: an answer that names another conversation than the one asked for
// is trouble of the view. Instead of believing it, because the window would
// show one conversation under the name of another.
//
// 2026-11-30: a conversation with a preview whose two lists are empty without
// an error is stale, not broken: its history database was lost, and only the
// join that stays allowed repairs it. Instead of History refresh required,
// because no refresh helps.
//
// 2026-11-30: a recencyAt later than the newest completed turn says nothing.
// Instead of a mark, because a fork before its first turn and a reverted
// conversation look the same on both servers (0.155.1 and 0.159.1).
//
// 2026-11-30: a row that was shortened is read whole from the server again, each
// time, straight into what the surface gives. Instead of keeping it, because the
// window's bounds hold at every moment; instead of a file of ours, because text
// becomes a file only where the user says (ruling 20).
//
// 2026-11-30: Load newer without any cursor that leads there is a refresh.
// Instead of a refusal, because the newest page is where it leads in the end.
//
// 2026-11-30: the models are read for each connection, and a message with
// choices of its own waits for that, instead of being checked against what an
// earlier server offered, because the server takes any word (trap 17, DRF-6).
//
// 2026-11-30: a message is queued as it is sent: from the composer, with all
// that goes along with it, and back there when it is refused. Instead of: its
// text alone. Because what was attached may not be lost.
//
// 2026-11-30: a key that carries an earlier revision is an edit of what its
// surface had then, and that edit is done to the text of now (Onto, here and in
// the window). Instead of adding the whole text, because many keys can be late.
//
// 2026-11-30: the files that a search found go to who asked. Instead of: into
// the snapshot. Because each key asks, and no other surface wants them.
//
// 2026-11-30: a path that was chosen after @ is words of the message, which is
// sent as it is written. Instead of a check at Send, because the server reads no
// file for it, the folder is the server's, and @property or an address is none.
//
// 2026-11-30: what waits for the loop is bounded by what it holds, 8 MiB, and a
// connection's reader waits. Instead of a count alone, because 4,096 notifications
// of 0.8 MB are 3 GB; instead of dropping some, because each may matter.
//
// 2026-11-30: a list that failed, or has a row that could not be read, is said by
// the status and by a notice that lasts as long as it holds. Instead of by the
// window alone, because drive says the same things.
//
// 2026-11-30: what is in flight off screen has one bound over all, 16 MiB; beyond
// it the conversation that was looked at the longest ago is given up and read anew
// when it is shown. Instead of a bound for each, because eight of them add up;
// instead of the newest, because it is the likeliest to be shown next.
//
// 2026-11-30: reading a file is left behind when it does not answer in time.
// Instead of waiting for it, because a network folder can be gone and nothing
// ends such a read; it may hold neither a message nor the end of the program.
//
// 2026-11-30: a turn that a read of an idle conversation does not show is over.
// Instead of waiting for its turn/completed, because an event can be lost and
// Send would be refused for ever.
//
// 2026-11-30: a request under the ID of an open one that asks something else is
// a card of its own, and the old one is gone. Instead of one card for both,
// because the answer to what was read would go out as one to what was not.
//
// 2026-11-30: a change during a read marks it, as one after it does. Instead of
// trusting the page, because nobody can tell which came first.
//
// 2026-11-30: when another history mode is said than the one a window reads in,
// it is read anew. Instead of going on, because the other listing lacks items.
//
// 2026-11-30: a ninth conversation is not joined while eight are busy, and
// nothing is sent. Instead of nine, because DRIVE.md says at most eight; instead
// of leaving a busy one, because its turn and its requests would go unseen.
//
// 2026-11-30: what comes back after its owner or connection is gone is a
// recovery draft of that owner. Instead of the composer, because that is
// somebody else's by then (REC-15).
//
// 2026-11-30: what depends on a turn or a kind of conversation (revert, retry, a
// review) is no action of the state; each says itself why not. Instead of:
// actions that are offered and then refused. Because the state does not know
// which turn is meant.
//
// 2026-11-30: a revert of ours is followed by a fresh read, once its answer and
// once its notification came, in either order; one of another client makes the
// view stale, and is read when the user asks. Instead of: reading after either.
// Because what one reads must not jump at somebody else's word.
//
// 2026-11-30: a failed turn is tried again by a new turn with the same parts,
// and not where a part is not held whole. Instead of: from the composer. Because
// what is being typed there is something else.
//
// 2026-11-30: an export reads from the first message on, past the window, and
// writes each page off the loop before it asks for the next. Instead of: the
// window's rows, or its pages from the newest. Because all of it then passes in
// order, with one page in memory.
package session
