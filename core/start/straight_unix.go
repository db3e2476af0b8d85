//go:build unix

package start

import "syscall"

// straight opens a file without following a link in its place, and without
// waiting for the other end of a pipe.
const straight = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
