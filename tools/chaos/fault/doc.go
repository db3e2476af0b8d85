// Package fault is a proxy that breaks connections on purpose. It stands
// between the product and an app-server on loopback, moves bytes and knows
// nothing of what they say: it can hold, slow, tear and reset them, refuse the
// next connections in several ways, and close its port.
//
// A server that speaks over stdio is put behind the same proxy by Relay, a
// small program that the product starts as its command.
//
// # Decisions
//
// 2026-11-30: stdio goes through the TCP proxy too. Instead of a second proxy
// for pipes, because each fault is then written once.
//
// 2026-11-30: bytes that are held are delivered later or lost with their
// connection, never left out. Instead of dropping some, because neither TCP nor
// a pipe loses bytes in the middle.
package fault
