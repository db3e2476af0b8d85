// Package history holds one conversation's window of rows: what was read, what
// streams in, and how the two are merged. It performs no I/O.
package history
