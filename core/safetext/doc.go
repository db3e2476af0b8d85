// Package safetext is the only way from untrusted text to the screen or the
// log: widgets take a [Doc] or a [Line], and only this package makes them
// (HIS-9). It never fetches, opens or runs anything; the one thing it asks of
// the outside is where a symbolic link leads, when a file link is about to be
// opened.
//
// # What a surface may rely on
//
// The text of a Line is one line. The text of a [Span] holds no control
// character but these: a line break ("\n") inside paragraphs, headings, list
// items and notices; a tab inside code lines, so that copied code is the code.
// Neither ever holds a bidi control, an invisible format character but the
// joiners, more than eight combining marks in a row, or invalid UTF-8. No block
// holds more than [ChunkBytes] of source text: what is longer goes on in blocks
// marked Continued.
//
// # Decisions
//
//	2026-11-30  Trusted takes constants only: its parameter's type is not exported.
//	  instead of a string and a promise,
//	  because then the compiler finds the place where server text is called ours.
//
//	2026-11-30  A control or bidi override becomes a visible U+FFFD.
//	  instead of dropping it,
//	  because a command to be approved must not look cleaner than it is.
//
//	2026-11-30  Tabs stay in code lines and become spaces everywhere else.
//	  instead of expanding all,
//	  because a copied Makefile must still be a Makefile.
package safetext
