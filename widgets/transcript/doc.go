// Package transcript is the conversation as one widget: rows under keys, of
// which only what is visible is laid out and drawn, into one raster. It owns
// where the reader is, what is folded, what is selected and which row has the
// focus. It never decides what a row says, never opens a link and never shows
// text that did not come through safetext (HIS-9).
//
// All of it belongs to the UI goroutine.
//
// # Decisions
//
// 2026-11-30: the reader's place is an anchor, the part of a row at the top of
// the viewport and its distance from the top in device pixels. Instead of: an
// offset into all of it. Because what comes, goes or grows above then moves
// nothing, and most heights are only estimates.
//
// 2026-11-30: a row is laid out in parts of at most 16 KiB: its head, pieces of
// its body, its notes. Instead of: whole. Because a frame then costs the same
// beside a giant row, and a streamed word costs one part.
//
// 2026-11-30: a layout names paints (ink, dim, link ...), not colours. Instead
// of: colours. Because a change of theme is then one repaint.
//
// 2026-11-30: the space above a row depends on that row alone. Instead of: on
// its neighbour too. Because rows that come or go at an end would then move the
// others.
//
// 2026-11-30: opening or closing a fold may leave empty space above the first
// row or below the last one, until the reader scrolls or rows fill it. Instead
// of: sliding to fill it. Because the row's head stays under the eye.
//
// 2026-11-30: few rows stand at the lower edge. Instead of: at the upper one.
// Because a banner that comes or goes above then moves nothing.
//
// 2026-11-30: copying the row with the focus takes all of it, folded or not;
// copying a selection takes what is seen. Instead of: one rule for both.
// Because a row is copied to have its text, a selection to have those words.
//
// 2026-11-30: Enter opens a closed fold; on an open one it does the row's one
// action, and without an action closes it. Space, Left and Right only fold.
// Instead of: a key of its own for actions. Because no one would find it.
//
// 2026-11-30: a search counts in the rows, part by part, and a part's matches
// are looked up again when it is drawn. Instead of: a list of all places.
// Because a letter occurs a million times in 16 MiB, and only what is in view
// has places at all.
//
// 2026-11-30: a fold with a match is opened when the reader comes to it.
// Instead of: all of them at the first letter. Because what is read must not
// jump at each key.
//
// 2026-11-30: the line over the first new row is drawn in the space over every
// row. Instead of: room of its own. Because it then comes and goes without
// moving a pixel.
//
// 2026-11-30: the next and the previous message count from the top of the
// viewport. Instead of: from the row with the focus. Because each key then moves
// what is seen, also while the keyboard is in the message.
package transcript
