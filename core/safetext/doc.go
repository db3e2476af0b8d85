// Package safetext is the only way from untrusted text to the screen or the
// log: widgets take a [Doc] or a [Line], and only this package makes them
// (HIS-9). It never fetches, opens or runs anything; the one thing it asks of
// the outside is where a symbolic link leads, when a file link is about to be
// opened.
//
// # What a surface may rely on
//
// The text of a [Line] is one line. The text of a [Span] holds no control
// character but these: a line break ("\n") inside paragraphs, headings, list
// items and notices; a tab inside code lines, so that copied code is the code.
// Neither ever holds a bidi control, an invisible format character but the
// joiners, more than eight combining marks in a row, or invalid UTF-8. No block
// holds more than [ChunkBytes] of source text: what is longer goes on in blocks
// marked Continued.
//
// # Decisions
//
// 2026-11-30 Trusted and Join's separator take constants only: the type of the
// parameter is not exported.
// Instead of: a string and a promise.
// Because: then the compiler finds the place where server text is called ours.
//
// 2026-11-30 A control or bidi override becomes a visible U+FFFD; what shows
// nothing (zero widths, marks of direction, tags) is dropped.
// Instead of: dropping all.
// Because: a command to be approved must not look cleaner than it is.
//
// 2026-11-30 Tabs stay in code lines and become spaces everywhere else.
// Instead of: expanding all.
// Because: a copied Makefile must still be a Makefile.
//
// 2026-11-30 Code is coloured by one small lexer of our own, a table of words
// for each language.
// Instead of: chroma.
// Because: 30 KB of one digit kept its Makefile lexer busy for 39 s, of spaces
// and line breaks its Java lexer for 15 s; ours looks at each byte once or twice.
//
// 2026-11-30 HTML is shown as it is written, muted.
// Instead of: stripping its tags.
// Because: nothing is lost, nothing is interpreted, and no HTML parser is needed.
//
// 2026-11-30 A Markdown text is parsed in pieces of at most 16 KB, cut where
// blocks end, or through a block that goes on in the next piece; a paragraph
// with over 2,000 special characters is plain text; a table wider than 64
// columns, or far larger than its text, is text; below 32 lists and quotes their
// markers are text.
// Instead of: a time limit.
// Because: the parser's cost grows with the square of what these bound, and the
// same text must always look the same. A link to a definition in another piece
// of a text over 16 KB stays text.
//
// 2026-11-30 A link shows its target unless its words are the target; hosts are
// shown and opened in their ASCII form; mailto is text.
// Instead of: showing the target when asked.
// Because: words can look like another address, and letters like others.
package safetext
