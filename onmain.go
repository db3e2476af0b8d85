package main

import "runtime"

// onMain reports whether the caller runs on the main goroutine, which is always
// number 1. After the toolkit's loop has drained, fyne.Do runs a function where
// it was called: window code must not run there, and quitting twice would crash.
func onMain() bool {
	const first = "goroutine 1 ["
	var head [len(first)]byte
	n := runtime.Stack(head[:], false)
	return string(head[:n]) == first
}
