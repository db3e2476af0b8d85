// Package e2e drives the real window on a real display by the keyboard alone:
// the built program, a real app-server with a scripted model, a window manager.
// Its tests carry the build tag e2e and need a display; run.sh gives them one.
//
// # Decisions
//
// 2026-11-30: a test reads what the window shows from its state file, instead
// of recognizing pixels, because pixels differ with fonts; the screenshots in
// out/e2e are for people.
package e2e
