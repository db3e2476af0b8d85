// Package protocol holds the wire types of the Codex app-server: methods by
// kind, parameters and results, notifications, server requests and items, and
// how they are decoded. It does no I/O.
package protocol
