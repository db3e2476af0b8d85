// Package singleinstance keeps one window for each place (ruling 38): the first
// process holds a lock, and a later one asks it to come to the front. It never
// decides what a place is.
//
// # Decisions
//
// 2026-11-30: a file lock says who is first, a unix socket beside it carries the
// request. Instead of: the socket alone. Because a socket file outlives its
// process, and a lock does not.
//
// 2026-11-30: file names are a hash of the place. Instead of: the place itself.
// Because a socket's path may have 107 bytes.
package singleinstance
