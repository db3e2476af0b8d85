// Package fakeserver is a scripted app-server in memory, for the tests of other
// packages. A link of it is a transport.Conn with no socket and no goroutine of
// its own, so it works inside a synctest bubble. It answers methods from a
// table, says what a test tells it to say, remembers every frame it got, and can
// drop a link, fall silent or send any bytes. It knows nothing of threads and
// turns: that is what a test's handlers are for.
//
// # Decisions
//
// 2026-11-30 A handler runs on the goroutine of the client's Write.
// Instead of: a goroutine per server.
// Because: answers then come in the order of the requests, the same in each run,
// and nothing is left running when a test ends.
//
// 2026-11-30 What the server says waits in a queue without a bound.
// Instead of: a channel that blocks the test.
// Because: a test must be able to say a thousand things before anybody reads.
package fakeserver
