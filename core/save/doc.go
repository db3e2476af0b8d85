// Package save writes text to a file that the user named: whole, or not at all.
// It never overwrites, and never chooses a place by itself.
//
// # Decisions
//
// 2026-11-30: a file that exists is refused. Instead of asking to overwrite,
// because a wrong name would cost what cannot be had again.
//
// 2026-11-30: the text goes into the named file from the start, and the file is
// removed when the text does not come whole. Instead of a second name that is
// moved at the end, because a move can replace a file that appeared meanwhile.
package save
