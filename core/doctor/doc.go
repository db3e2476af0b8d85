// Package doctor looks at everything Holdfast needs and says, one line each,
// what it found and what to do: the Codex command line and its version, the
// endpoint, the token file, CODEX_HOME, the display, fonts, D-Bus, the settings,
// the log and the sandbox's tool. It needs no window system. It repairs nothing,
// changes no setting, starts nothing but a child of ours for the endpoint check,
// and prints no secret.
//
// # Decisions
//
// 2026-11-30 What only the window needs (display, fonts, D-Bus) warns.
// Instead of: failing.
// Because: drive works without, and the exit status is for scripts.
//
// 2026-11-30 That a folder can be written is found out by writing.
// Instead of: reading its mode.
// Because: a read-only disk, a quota and an access list do not show in it.
//
// 2026-11-30 A check that does not end in time is left behind, and is a finding.
// Instead of: waiting for it.
// Because: nothing ends the reading of a pipe, or of a network folder that is gone.
package doctor
