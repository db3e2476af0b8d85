// Command hostile is an app-server that misbehaves, and a client's trial by it.
//
// "hostile serve CASE" serves one case on a WebSocket, a unix socket or its own
// stdio; "hostile try [CASE...]" runs drive against each case and says whether
// it hung, crashed, lied, lost text, sent something twice or grew; "hostile
// list" names the cases. It owns the cases and what is true in all of them; it
// knows nothing of how the client is built.
//
// # Decisions
//
// 2026-11-30 A case is a difference from a server that behaves.
// Instead of: a script of frames per case.
// Because: only then does the client get far enough to be hurt, and a new case
// is a few lines.
//
// 2026-11-30 What must hold is checked from outside, on the lines drive writes.
// Instead of: looking into the session.
// Because: what no surface says is no lie, and text is lost only if none has it.
package main
