// Package measure holds the measures that need the built programs and a real server, as benchmarks that report a metric
// each. They judge nothing: bench compares with the bounds.
//
// # Decisions
//
// 2026-11-30: the programs are the built ones, seen from outside: their output, their window, their memory.
// Instead of calls into the packages, because what a bound promises is what a person waits for.
package measure
