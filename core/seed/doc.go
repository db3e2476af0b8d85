// Package seed makes conversations on a real app-server, through the protocol
// and with a scripted model: for tests, benchmarks and the demo.
//
// It has a small client of its own, which knows nothing of the session core:
// what the tests prepare and check by it does not depend on what they test. It
// never starts or stops a process.
//
// # Decisions
//
// 2026-11-30: conversations are made by taking turns, instead of by writing
// rollout files, because the files are the server's own and differ between
// versions.
//
// 2026-11-30: a message of a big conversation is a finished item, instead of a
// streamed one, because the server then stores it without a delta for each
// word; many of them come in one answer.
//
// 2026-11-30: the client keeps every message it got, instead of handing them
// to callbacks, because a test can then ask afterwards what came, and in which
// order.
package seed
