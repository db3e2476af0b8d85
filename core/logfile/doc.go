// Package logfile is the program's log: slog records, through the redactor of
// safetext, into one file that is rotated by size, below the system's folder for
// state. It owns the file and the goroutine that writes it. It never stops or
// slows the program: on a full, read-only or hanging disk records are lost and
// counted, and writing is tried again with the next one.
//
// What people wrote or read is no matter for a log: log methods, IDs, counts,
// sizes and states, as attributes. Never the text of a message, a draft, an
// answer, a command or its output.
//
// # Decisions
//
// 2026-11-30 Records go through a bounded queue to one writing goroutine.
// Instead of: writing where they are made.
// Because: a disk that hangs would hang the window.
//
// 2026-11-30 A record that does not fit into the queue is dropped and counted.
// Instead of: waiting, or an unbounded queue.
// Because: the log serves the program, and the next line says how many are
// missing.
package logfile
