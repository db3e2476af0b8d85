// Package recovery decides what the connection is doing and what follows: one
// attempt at a time, and where each kind of failure leads (REC-1, REC-12). It
// performs nothing: Step maps a state and an event to the next state and the
// effects to run.
//
// # Decisions
//
// 2026-11-30: a phase and the cause that ended it, from which the eight
// user-visible states are computed. Instead of eight sets of flags, because a
// combination that cannot be named cannot be shown.
package recovery
