// Package realserver is the test kit around real Codex command lines: it finds
// the pinned ones, makes a CODEX_HOME with a scripted model for each test, and
// starts app-servers that are gone when the test ends.
//
// It never uses a codex from PATH, never the user's own CODEX_HOME, and never
// skips a test: a missing command line is a failure that names `make tools`.
//
// # Decisions
//
// 2026-11-30: stdio children are started by core/transport, which the kit only
// gives a target, instead of here, because starting and stopping them in order
// is what is under test. Servers with a listener are started here: to the
// client they are remote.
//
// 2026-11-30: a listener takes port 0 and the address is read from what the
// server prints, instead of choosing a free port first, because no other
// process can then take it in between.
//
// 2026-11-30: it is not under an internal folder, because benchmarks and
// end-to-end runs outside core use it, too.
//
// 2026-11-30: a giant's rollout is one that the server wrote, stretched while no
// server runs and read anew by a resume, instead of turns taken one by one,
// because each turn sends all of it to the model once more: 500 MB take hours.
package realserver
