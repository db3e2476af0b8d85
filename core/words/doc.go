// Package words holds what the window says, in the languages it speaks. The
// English text in the code is the key; a catalogue for each other language
// (ja.toml, zh.toml) gives its words. It owns the language in use, the plurals
// and the dates. It never translates what a server, a file or the user said,
// and nothing here knows who shows the words.
//
// A text with something in it is a format: T("Saved %s.", name). A translation
// may order what it is given: "%[2]s %[1]d".
//
// # Decisions
//
// 2026-11-30: the language is the process's, chosen once before anything
// speaks; without a choice it is English. Instead of: one for each window, or
// one that is switched live. Because there is one window, what the core says is
// composed where it is known, and drive, the tests and the log stay English by
// themselves.
//
// 2026-11-30: the English text is the key. Instead of: names for texts. Because
// the code is then read as what it says, and a text without a translation is
// still a text.
//
// 2026-11-30: a catalogue of our own, in TOML. Instead of: Fyne's lang package
// with go-i18n. Because core speaks too and never imports the toolkit, and that
// package takes its language from the system and from nothing else.
//
// 2026-11-30: a test reads the source and compares it with the catalogues: no
// text lacks, none is left over, and what goes into it agrees. Instead of:
// extracting by hand. Because a text is otherwise forgotten.
package words
