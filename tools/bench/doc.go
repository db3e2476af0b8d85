// Command bench runs the measures that have a bound and prints one line for each: name, value, unit, bound, such as
// "window_usable 0.62 s <=0.8". A measure that misses its bound is run again, three times at most; when all three miss
// it, bench exits with 1.
//
// # Decisions
//
// 2026-11-30: a measure is an ordinary Go benchmark that reports a metric; this program only runs it and judges.
// Instead of measures in this program, because a benchmark can use the kit of the tests and be run and profiled alone.
//
// 2026-11-30: the line shows the best of the runs.
// Instead of the mean, because other load on the machine only ever makes a run worse.
package main
