package transport

import "golang.org/x/sys/windows"

var (
	refusedErrors     = []error{windows.WSAECONNREFUSED}
	resetErrors       = []error{windows.WSAECONNRESET, windows.WSAECONNABORTED, windows.ERROR_BROKEN_PIPE, windows.ERROR_NO_DATA}
	unreachableErrors = []error{windows.WSAEHOSTUNREACH, windows.WSAENETUNREACH, windows.WSAEHOSTDOWN, windows.WSAENETDOWN}
	timedOutErrors    = []error{windows.WSAETIMEDOUT}
)
