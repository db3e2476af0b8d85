// Package drive is the chat surface as JSON lines: the same session core as the
// window, for automation, diagnosis and tests. DRIVE.md is its contract, number
// 19. It decides nothing and keeps nothing but what it wrote last.
//
// # Decisions
//
// 2026-11-30: text is written exactly as it came, with control and bidi
// characters as JSON escapes. Instead of sanitizing it, because a program needs
// the bytes and a terminal sees no raw control.
//
// 2026-11-30: row with a file writes the row's whole text there, also what the
// window shortened, and the row event says where and how much. Instead of a row
// event with the whole text, because a line of 100 MB is nobody's to hold.
package drive
