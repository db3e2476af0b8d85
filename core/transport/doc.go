// Package transport opens links to app-servers and moves whole frames over
// them: JSON lines over the stdio of a child, or WebSocket over TCP, TLS or a
// unix socket. It owns the children it starts, the token file, the heartbeat
// and the one classification of failures. It never looks into a frame, never
// retries and never starts or stops a server that is not its own child.
//
// # Decisions
//
// 2026-11-30 A frame is a reader, not a byte slice.
// Instead of: []byte per frame.
// Because: a page of items can be 100 MiB in one frame; only its decoder knows
// how little of it must be held at once.
//
// 2026-11-30 The idle deadline is set when we begin to wait for bytes.
// Instead of: 40 s since the last whole frame.
// Because: a large frame on a slow line is a sign of life, and a reader of ours
// that was busy must not make a healthy peer look dead. The same bound holds for
// a peer that takes none of our bytes.
//
// 2026-11-30 Close lets the reader drain: stdout until its end, a WebSocket for
// at most a second after our close frame.
// Instead of: dropping the socket at once.
// Because: a definitive answer resolves its operation even on a retired link
// (ruling 28); those bytes are often already on the way.
//
// 2026-11-30 502 and 504 at the handshake count as unavailable, like 503.
// Instead of: unknown, which nobody retries.
// Because: that is what a proxy says while the server behind it restarts.
//
// 2026-11-30 A binary frame is handed over as a reader that fails.
// Instead of: ending the link, or dropping the frame here.
// Because: bad frames are dropped and counted in one place (ruling 35), and that
// place is rpc.
//
// 2026-11-30 No proxy and no compression for WebSocket links.
// Instead of: the environment's proxy.
// Because: the token would be shown to a party the profile does not name.
package transport
