// Package itemtext copies the whole text of one item out of a page, as the page
// comes in. It holds no value: a text of 100 MB passes through in pieces, so
// that what the transcript shows shortened can still be had whole (ruling 9).
//
// It knows where in an item text stands, and nothing else about items; what it
// copies is the server's and untrusted.
//
// # Decisions
//
// 2026-11-30: a scanner of its own, which reads JSON byte by byte. Instead of the
// decoder of pages, because that one holds a string before it gives it, and
// bounds it for that reason.
//
// 2026-11-30: an item's ID has to come before its text, as both servers write it
// (0.155.1 and 0.159.1); where it does not, the caller reads the page twice and
// names the place. Instead of holding the text back until the ID comes, because
// the bound of that would be a bound of the text.
//
// 2026-11-30: pieces of an item are copied in the server's order, a line end
// between them. Instead of the order of the row's plain text, because that would
// need the whole.
package itemtext
