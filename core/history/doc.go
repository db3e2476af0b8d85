// Package history holds one conversation's window of rows: what was read, what
// streams in, and how the two are merged. It performs no I/O and knows no
// clock: it says which pages it wants ([Fetch]), takes their answers and the
// thread's notifications, and gives an immutable [View].
//
// It never asks for a whole history, never shows an incomplete transcript as
// complete, and never holds more than its bounds (HIS-6, HIS-8).
//
// # The life of a Window
//
// A Window belongs to one generation of one selected conversation; another
// selection or connection makes another Window. [Window.Open] reads it without
// joining. A join is [Window.Hold], the resume, and [Window.Rejoin] with the
// answer's cursors. From Hold, Open, Rejoin or Refresh on the thread's events
// are buffered; when the last first page is merged they are applied in order.
// [Window.Busy] says that such a read is open. [Window.Park] is for a joined
// conversation off screen: only what is in flight stays.
//
// # Decisions
//
// 2026-11-30: a cursor lives in a walk, which builds the requests of its own
// listing. Instead of checking (thread, method, turn, direction, generation)
// at each use, because a cursor nobody else can hold cannot be misused (trap
// 10). Dropping the walk drops the cursor and every answer still under way.
//
// 2026-11-30: over a bound rows go at the end that is not being paged, or that
// is farther from the anchor, and never the anchor. Instead of always the
// oldest, because what the user looks at must not move or vanish (HIS-6).
//
// 2026-11-30: the cursors of every page stay at the row or turn where they
// begin, nextCursor for the page's own direction and backwardsCursor for the
// other; a walk begins at the mark nearest to its end. Instead of cursors for
// the two ends only, because rows go one by one and pages come by the hundred;
// what both servers answer to each was measured (0.155.1 and 0.159.1 alike).
//
// 2026-11-30: over the bound on turns those without rows go that are farthest
// from the rows. Instead of the oldest, because on a walk through a thousand
// turns these are the ones that the next page needs.
//
// 2026-11-30: while the newest rows are given up, rows in flight and what the
// running turn completed are kept aside, in a quarter of the bounds, and join
// the page that reaches the end. Instead of a buffer of events or of nothing,
// because the server lists an item only by the time its turn ends. When even
// that is too much, the newest dropped completion is remembered, and the end
// is not reached before the server lists it.
//
// 2026-11-30: what both servers answer (0.155.1 and 0.159.1 alike): every cursor
// is taken in either direction, of items and of turns; backwardsCursor includes
// its row, nextCursor does not; the last page towards the newest has none, and
// its backwardsCursor lists what came since. Used only as said above, because
// the protocol promises no more.
//
// 2026-11-30: a join while the newest rows are given up shows the newest page.
// Instead of staying where the user is, because live rows must follow what is
// shown. A refresh is the way to the end at once.
//
// 2026-11-30: an item in flight that is pushed out stays out until it is
// completed, and then returns at the new end, where the server's order has it.
// Instead of a row above a gap, because rows have no gaps.
//
// 2026-11-30: a refresh begins at the newest page and drops what was paged in
// before; a join keeps older rows if the page it reads touches them, and drops
// them if it cannot prove that. Instead of guessing, because a gap in the
// middle cannot be seen.
//
// 2026-11-30: items a gapless live window knows of a running turn survive a
// re-read that does not list them. Instead of the page alone, because the
// server lists an item only by the time its turn ends, and one in flight never.
//
// 2026-11-30: a first read whose items reach back further than its turns asks
// for those turns as well. Instead of rows whose turn is unknown, because only
// the turns' own listing tells their order and how they ended.
//
// 2026-11-30: an expansion of the cut turn walks its items from the newest on,
// over those that are here. Instead of the item anchor, because the regression
// version has none and a walk from the turn's start would leave a gap.
//
// 2026-11-30: folding a turn of a paginated thread marks it and keeps its rows.
// Instead of freeing them, because the window has no gaps, and what would bring
// them back reads the thread from there on anew.
//
// 2026-11-30: a legacy turn folds to its first user message and its last agent
// message, which is what both servers list as its summary. Instead of reading
// that again, because folding needs no server.
//
// 2026-11-30: while the window is out of sync, events change nothing (their
// client IDs are still noted). Instead of applying what can be applied,
// because half of a stream is shown as whole too easily.
//
// 2026-11-30: a running turn of a legacy thread takes a buffered completion for
// a row that was read when the client ID of a user message, or the text of an
// agent message or of a user message without such an ID, is the same. Instead of two rows, because its item IDs are
// made up; only at that seam, because elsewhere equal text proves nothing.
//
// 2026-11-30: turns with rows stand in the order of the pages of items, and a
// listing of turns that lags or leaves some out moves none of them. Instead of
// the listing's word, because only item pages make rows; where both say
// nothing, what began during the read is the newest.
//
// 2026-11-30: what is in flight and was given up, at a bound or after a gap,
// makes the view say that it is not all, until it is completed or its turn
// ends. Instead of a fresh read as the cure, because the server lists nothing
// that is in flight.
package history
