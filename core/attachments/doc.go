// Package attachments holds the list of one conversation's stored attachments:
// what was read page by page, what the server says of it meanwhile, and how the
// two are merged. It performs no I/O and knows no clock: it says which page it
// wants ([Fetch]), takes its answer and the thread's notifications, and gives an
// immutable [View].
//
// It never shows a list as complete that may not be, never brings back what was
// deleted, and never holds, parses or interprets a payload: it sees none.
//
// # The life of a List
//
// A List belongs to one generation of one selected conversation; another
// selection or connection makes another List (ATT-7). It takes notifications
// from the moment it is made, before the first page is asked for (ATT-5).
// [List.Refresh] reads it in passes, each from the first page to the last: a
// creation during a pass asks for one more, up to [MaxPasses].
//
// # Decisions
//
// 2026-11-30: no type is recognized, and every row says "type not known".
// Instead of a guess at a payload, because no public client writes one that
// could be cited (ATT-3, ATT-4).
//
// 2026-11-30: a deletion changes the rows at once and asks for no further pass,
// a creation does the opposite. Instead of a pass for both, because a tombstone
// says all of a deletion, and a creation says nothing of what was created.
//
// 2026-11-30: a first pass shows its rows as they come; later ones show the old
// rows until they are whole. Instead of rows that vanish and return, because a
// reader must be able to look at the list while it is read again.
//
// 2026-11-30: a stale list reads nothing by itself. Instead of another scan at
// the next creation, because a server that never stops changing would then be
// asked without end (ATT-6).
//
// 2026-11-30: a record whose type or key breaks its bounds is a row by its ID.
// Instead of a row by what is left of its key, because two such keys may look
// the same.
//
// 2026-11-30: when there are more tombstones than are kept, the pass begins
// anew and they are dropped. Instead of dropping the oldest, because the page
// under way might hold just that one; a page that is asked for afterwards
// cannot.
package attachments
