//go:build !unix

package start

// straight is nothing more where a file has no such modes: what was opened is
// compared with what was looked at.
const straight = 0
