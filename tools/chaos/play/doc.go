// Package play makes one run of the fault harness: a home with a real
// app-server and a scripted model, a fault proxy before it, drive before that,
// and a user who does not care what is allowed. A seed decides kind, faults and
// commands. It judges nothing itself.
//
// # Decisions
//
// 2026-11-30: drive runs in this process. Instead of the built program, because
// the connection can then be recorded where the session hands a frame over, and
// goroutines and files that are left show. The built program's own process is
// covered by the tests of core/command.
//
// 2026-11-30: each step draws from a generator of its own, made of the seed and
// the step's number. Instead of one for the run, so that a step does not depend
// on how many numbers an earlier one happened to need.
//
// 2026-11-30: a fault at a step of an operation is a trap at the recorded
// connection. Instead of a time, because a run then hits the same step again.
// 2026-11-30: the user signs in with API keys only. Instead of with a browser,
// because the server asks the network for that; a key it takes unseen.
//
// 2026-11-30: a token that is replaced is taken by the server at its next start.
// Instead of at once, because the app-server reads its file then; between the two
// the product is refused although its file is the newest.
package play
