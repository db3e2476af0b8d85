// Package text is a small text engine for what the window draws itself: it
// measures, shapes and draws text into an image. It owns the faces, the table
// of advances and the cache of glyph masks. It never breaks simple text into
// lines (the transcript does that), never touches the screen, and takes text as
// it is: what may be shown is decided by safetext.
//
// Simple scripts (Latin, Greek, Cyrillic, CJK, Hangul syllables) are measured
// with a table of advances; complex ones (right to left, Indic, combining
// marks, emoji) go through HarfBuzz.
//
// # Decisions
//
// 2026-11-30: an engine of our own. Instead of: canvas.Text. Because Fyne draws
// each new string outline by outline (1 ms a line) and wraps in quadratic time;
// a mask cache and an advance table need 20 µs.
//
// 2026-11-30: glyphs stand at quarters of a pixel. Instead of: whole pixels.
// Because at scale 1 rounding every advance makes words look uneven.
//
// 2026-11-30: faces are parsed when a rune first needs them, and the system's
// fonts are looked for at the first rune that no bundled face has. Instead of:
// at start. Because the first frame must not wait for fonts it does not use.
//
// 2026-11-30: simple text is not kerned. Instead of: shaping everything.
// Because shaping costs a hundred times more and the eye hardly sees it.
package text
