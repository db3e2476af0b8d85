// Package rpc carries requests, notifications and server requests over one link
// and says, of every failed request, whether any byte of it may have reached the
// server. It owns request IDs, the bound on what is in flight, the overload
// retry of queries, and the verdict on bad frames. It never reconnects, never
// decides what a failure means for the user, and never sends a mutation twice.
//
// # Decisions
//
// 2026-11-30 A result is decoded while its frame comes in, once the ID is known.
// Instead of: reading the frame, then decoding it.
// Because: the server writes the ID first, and a page can be 100 MiB; only an
// answer in another order is held whole.
//
// 2026-11-30 An answer that breaks off in its result is ErrUnreadable, an error
// answer that breaks off is a bad frame.
// Instead of: one rule for both.
// Because: a result, however bad, says that the request was carried out (ruling
// 35); of a broken refusal we do not know that much.
//
// 2026-11-30 An error member of any shape is a refusal.
// Instead of: ErrUnreadable for one that does not decode.
// Because: "answered, unreadable" would claim that it was carried out.
//
// 2026-11-30 A late answer has a function of its own (Outcome.Late).
// Instead of: calling done a second time.
// Because: "exactly once" is what callers build on.
//
// 2026-11-30 A known server request that does not decode is counted as a fault
// and handed on as an unknown one.
// Instead of: dropping it.
// Because: the turn waits for an answer, and the user can only refuse what is
// shown.
//
// 2026-11-30 A request whose deadline passes gives up its place in flight.
// Instead of: holding it until the answer.
// Because: some requests are never answered (trap 18), and 64 of them would stop
// everything.
//
// 2026-11-30 Nothing but a result that is decoded as it comes in is held beyond
// 32 MiB; what is longer is a fault, or an answer that cannot be read.
// Instead of: holding any frame up to 512 MiB.
// Because: a held value costs several times its length.
//
// 2026-11-30 A result that is wanted as it is goes to its reader straight from
// the frame, past the decoder, and the frame ends with it.
// Instead of: a value that is held, or a decoder that gives long strings in parts.
// Because: one string can be 100 MB, and the decoder holds a string whole.
package rpc
