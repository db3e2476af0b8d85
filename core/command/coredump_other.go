//go:build !unix

package command

// NoCoreDumps has nothing to do: a Go program tells Windows that it wants no
// error report, so no dump of it is written (DRF-2).
func NoCoreDumps() {}
