// Package export writes a conversation as Markdown, item by item, in the order
// in which it is given them. It holds nothing of what it wrote, knows no server
// and no file, and decides nothing about what belongs into a conversation.
//
// # Decisions
//
// 2026-11-30: messages are written as they are, and everything of a machine in a
// fence that is longer than any in it. Instead of: escaping. Because what a
// person wrote stays as they wrote it, and no output can end its fence.
//
// 2026-11-30: text is made harmless as what is copied is (safetext.Text).
// Instead of: the raw bytes. Because the file is read in terminals too.
//
// 2026-11-30: what was shortened on the way says so where it stands, with its
// length. Instead of: leaving it out, because a file that looks whole and is not
// is a false one.
package export
