// Command testsum runs go test and says what ran: one line for each package, every failure in full, and how many
// tests passed, failed and were skipped.
//
//	testsum [-tally FILE] -- go test arguments...   runs go test -json, prints the summary, adds it to the tally
//	testsum -total FILE                             prints the sum of the tally
//
// # Decisions
//
// 2026-11-30: every named test and subtest counts as one, as go test -json reports them.
// Instead of top-level functions alone, because most of the tests are cases of a table.
// Skipped tests are listed by name, so that a reason to skip cannot go unnoticed.
package main
