//go:build unix

package transport

import "syscall"

var (
	refusedErrors     = []error{syscall.ECONNREFUSED}
	resetErrors       = []error{syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE}
	unreachableErrors = []error{syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.EHOSTDOWN, syscall.ENETDOWN, syscall.EADDRNOTAVAIL}
	timedOutErrors    = []error{syscall.ETIMEDOUT}
)
