// Package arch holds the tests of who may import whom. It has no code of its own and imports nothing of ours.
//
// # Decisions
//
// 2026-11-30: one table from package to the packages of ours that its code and its tests may import.
// Instead of rules with exceptions, because a table is read in one look and a package that is missing may import nothing.
// The linter's depguard rules say why, this test says what; it also works where the linter is not installed.
package arch
