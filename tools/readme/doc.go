// Package readme holds the test of README.md: its commands run, its settings load, and the targets it names exist.
//
// # Decisions
//
// 2026-11-30: every line of a "sh" block is run in a copy of the tree and must succeed; a table lists the few that are run
// otherwise, and why.
// Instead of a list of commands in the test, because a command that is added to the README is then run without a thought.
package readme
