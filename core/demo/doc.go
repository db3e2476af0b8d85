// Package demo sets a whole Holdfast up without an account and without a
// network: a real app-server on a CODEX_HOME of its own, a scripted model
// inside this process, and conversations to read and to go on with.
//
// It never touches the user's own CODEX_HOME, and never opens a window: it
// gives the target to connect to, and cleans up.
//
// # Decisions
//
// 2026-11-30: the home has one place in the user's cache folder and is made
// anew at each start, instead of being kept, because a demo that begins as the
// last one ended explains nothing; one lock keeps a second demo out. What was
// made is kept beside it and copied at the next start, because making it takes
// seconds.
//
// 2026-11-30: the scripted model looks for a word in what was typed ("command",
// "change", "plan" …), instead of exact phrases, because people try their own.
//
// 2026-11-30: the server is as careful as it comes, read-only and asking,
// because approvals are what there is to see.
package demo
