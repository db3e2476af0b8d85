// Package theme owns the look: the colours, spaces, corners and type sizes of
// the three themes (light, dark, high contrast) as one fyne.Theme, under names
// that every widget shares. It never draws, and it never reads settings: the
// owner makes a Theme and hands it to Fyne.
//
// # Decisions
//
// 2026-11-30: the tokens are one struct per theme, and Fyne's colour names are
// a table over that struct. Instead of: a map of colours per theme. Because a
// token that a theme forgets is then a compile error in the table's user, and
// the contrast test walks the same fields that are drawn.
//
// 2026-11-30: the text size setting is part of the Theme, so that every size
// Fyne asks for is already scaled. Instead of: a global next to it. Because one
// SetTheme then changes everything at once.
//
// 2026-11-30: Fyne's own focus colour is the colour of the control it lies on.
// Instead of: a tint. Because the ring (3 px, 2 px away) is what shows focus,
// drawn by the controls themselves in Tokens.Focus.
//
// 2026-11-30: the light accent is one step darker than first drawn (0a5565).
// Instead of: lighter grounds. Because a link must reach 7:1 on all of them.
package theme
