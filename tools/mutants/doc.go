// Command mutants proves that the tests of requirements can fail. For each testdata/mutants/ID.patch it breaks the rule in a
// copy of the tree and runs the one test that ID.test names ("./package TestName"): it must pass before and fail after.
// It never writes to the tree itself.
//
// # Decisions
//
// 2026-11-30: one copy of the files git knows, each patch applied and taken back in turn.
// Instead of a copy for each mutant, because only the packages that a patch touches are then compiled again.
//
// 2026-11-30: a mutant that does not compile or does not apply is a failure, not a kill.
// Instead of any exit status but zero, because such a patch proves nothing about the test.
package main
