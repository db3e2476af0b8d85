// Package protocol holds the wire types of the Codex app-server: methods by
// kind, parameters and results, notifications, server requests and items, and
// how they are decoded and bounded. It does no I/O and keeps no state.
//
// The method values ([ThreadRead], [TurnStart] …) carry the types of their
// parameters and results, so that neither can be sent or read as something
// else. What is decoded is untrusted text.
//
// # Bounds
//
// Pages are decoded item by item. User and agent text is kept whole to 1 MiB,
// every other string to 128 KiB, an item to 2 MiB and 10,000 parts a list; a
// [Cut] says what was left out. Data URLs and generated images are never kept,
// only their length. A string longer than anything that is kept loses its
// middle before the decoder sees it: see [NewDecoder].
//
// # Contract
//
// app-server-contract.json lists every method this package declares, and the
// tests compare it with the source and with the schemas that the pinned
// binaries write (CON-2 to CON-4). testdata/wire holds frames that they sent.
//
// # Decisions
//
// 2026-11-30: an item with a field of the wrong JSON type becomes an
// [UnknownItem] that names the field, instead of failing its page, because one
// such item must not hide a history. What cannot be told apart cannot be merged:
// an item without ID, type or turn is left out and counted (ruling 35).
//
// 2026-11-30: items are read from tokens by hand, results and small
// notifications by struct tags, instead of one way for all, because reflection
// was too slow for pages, and by hand is too much code for the rest.
//
// 2026-11-30: a string of 200 MiB goes through a filter that drops its middle,
// instead of into the decoder's buffer, because that took 770 to 970 MiB; with
// the filter it takes about 40 MiB, for any length.
//
// 2026-11-30: text is cut with a mark in its place that says the true length,
// instead of in silence, because a reader must not take the two ends for one
// text (ruling 9).
//
// 2026-11-30: values that must always be sent are types with one value,
// instead of fields to fill in, because excludeTurns, recency_at, refreshToken
// and forceReload must never be forgotten (rulings 4 and 10, REC-13).
//
// 2026-11-30: an attachment that breaks a bound or its shape is kept as
// metadata with what is wrong, instead of failing its page, because one such
// record must not hide the others; a payload is measured and dropped as it is
// read, instead of being kept for a reader, because no public client writes a
// type whose payload could be cited (ATT-2 to ATT-4).
//
// 2026-11-30: schemas are written by the pinned binaries when the tests run,
// instead of being committed, because a copy can be wrong; a missing binary
// fails the test.
//
// 2026-11-30: a server's cut of a command's output is known by its mark at the
// place and length where servers put it, instead of anywhere, because a command
// may print the same words.
//
// 2026-11-30: full access asks nobody ("never"), the other two words ask
// ("on-request"), instead of a policy of its own, because a surface has one
// word for both.
//
// 2026-11-30 A page without its list, and an answer without its thread or turn,
// cannot be read ([Missing]).
// Instead of: an empty page, a thread with no ID.
// Because: "there is nothing" would be a claim that the server never made.
//
// 2026-11-30 A page is read row by row: a row that cannot be read is left out and
// counted, and the list is then not complete. An item of a turn leaves a placeholder.
// Instead of: a page that fails with one row of it, or a silent gap.
// Because: one bad row hid a whole list, and a list with a hole must not look whole.
//
// 2026-11-30 What is kept per thread, model, skill and account is cut to what can
// be shown, 1 KiB for a name and 4 KiB for a path, and an ID over 1 KiB is none.
// Instead of: 128 KiB for each text, as in an item.
// Because: 10,000 threads are kept at once, and 9.4 GiB were measured.
//
// 2026-11-30 A list has at most 10,000 elements and 20 MiB, a page 1,000 rows; of
// a longer page of items the rest is left out and it is asked again, smaller.
// Instead of: as many as come.
// Because: ten bytes of JSON make hundreds in memory, and no page has over 100.
//
// 2026-11-30 A sign-in with an API key has the deadline of every mutation.
// Instead of: none, as a login in a browser has until it is cancelled (ruling 14).
// Because: the server answers a key at once, and nothing here could cancel it.
package protocol
