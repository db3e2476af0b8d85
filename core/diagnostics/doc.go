// Package diagnostics makes a bundle of what helps to find a fault: versions, the
// settings without secrets, the end of the log and what doctor finds. It never
// holds a draft, a message, a token, an address's query or a command's arguments,
// and it goes nowhere but where it is written to.
//
// # Decisions
//
// 2026-11-30: the settings are said anew, field by field. Instead of: the file
// with what looks secret taken out. Because what is not known cannot be left out.
//
// 2026-11-30: of a log record the known fields are kept, and redacted once more.
// Instead of: the lines. Because a program that we start may write anything.
package diagnostics
