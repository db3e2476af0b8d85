// Package widgets holds the small controls of the window: button, field,
// composer, list, dialog, banner, code view, request card, and the layouts that
// ask for a height at a width. They take properties and raise callbacks; they
// know nothing of the session, and show server text only as safetext.
//
// # Decisions
//
// 2026-11-30: controls leave Ring around themselves and draw their own focus
// ring there. Instead of: one ring drawn by the window. Because a ring then
// moves with its control, in scrolled areas and dialogs too.
//
// 2026-11-30: heights are asked for at a width (Tall). Instead of: Fyne's
// MinSize. Because wrapped text has no height before it has a width, and the
// window must lay out at 320 px in one pass.
//
// 2026-11-30: a key activates a button once for each key-down, under the label
// it had then. Instead of: on every TypedKey. Because a held key repeats, and
// what it repeats on may have become another action (UI-5).
//
// 2026-11-30: choices are lists with one Tab stop. Instead of: Fyne's Select
// and RadioGroup. Because those open menus without Home, End and type size.
//
// 2026-11-30: text too long for an entry is handed to OnLong, which makes it a
// block. Instead of: clipping it. Because text is never lost.
package widgets
