// Package transport moves whole frames to and from an app-server: a child of
// ours over stdio, a command, a WebSocket, a unix socket. It classifies what
// went wrong, and owns the processes it started.
package transport
