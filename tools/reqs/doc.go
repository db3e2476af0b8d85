// Command reqs lists, for each area of core/REQUIREMENTS.md, how many rows a test names and which none does.
//
// # Decisions
//
// 2026-11-30: a row is named by a comment "// req: ID, ID" in a test file.
// Instead of names of test functions, because one test may prove several rows and a table's case one of them.
// The rows that need a mutant carry an M in the table, so that the list stands in one place.
package main
