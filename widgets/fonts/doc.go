// Package fonts holds the font files that come with the window for what the
// toolkit's own faces lack: Japanese, Chinese and Korean, Hebrew, Arabic and
// newer emoji. It owns the choice between the forms of Han characters. It never
// looks at the system's fonts and draws nothing.
//
// LICENSE is the licence of the files; tools/fonts makes them.
//
// # Decisions
//
// 2026-11-30: one merged font for each form of Han characters. Instead of: one
// for each script. Because the toolkit asks a theme for a single font, and its
// labels and the message have to show every script too.
//
// 2026-11-30: the merged fonts have no layout tables; joined Arabic letters are
// characters of their own there. Instead of: those of Noto. Because the toolkit
// shapes a label anew at each change, and a key in 2,000 characters would take
// seconds.
//
// 2026-11-30: the files are embedded as they are. Instead of: compressed.
// Because the first text of the window would wait for them, and they would be
// in memory twice.
//
// 2026-11-30: they hold one weight; bold Han characters are not bolder. Instead
// of: two. Because that is 7 MB more for headings.
package fonts
