package ui

import (
	"io"
	"time"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/stamp"
	"holdfast/core/words"
	"holdfast/widgets/text"
)

// Core takes what the user wants. It never blocks; done, which may be nil, runs
// on a goroutine of its own choice.
type Core interface {
	Do(at stamp.Stamp, in session.Intent, done func(session.Result))
}

// Options are what the window needs from outside.
type Options struct {
	// Do runs a function on the window's goroutine, Go one off it.
	Do, Go func(func())
	Now    func() time.Time
	Fonts  *text.Fonts
	// Product and Version name the program.
	Product, Version string
	Settings         Settings
	// SaveSettings keeps changed settings; nil keeps none.
	SaveSettings func(Settings) error
	// OpenLink hands a checked target to the system.
	OpenLink func(target string) error
	// Links says which links may be opened at all.
	Links safetext.LinkPolicy
	// StateFile is where WriteState describes the window, for tests; "" for
	// nowhere.
	StateFile string
	// Cwd is the folder offered for a new conversation, Config the path of the
	// configuration file, shown where profiles are mentioned.
	Cwd, Config string
	// Diagnostics writes a bundle for who looks for a fault; server and state are
	// what the window knows of the server. nil makes none.
	Diagnostics func(to io.Writer, server, state string) error
	// Broken is told where a defect of the window's own code is; nil tells nobody.
	Broken func(stack []byte)
	// Close ends the program after the window was allowed to close.
	Close func()
}

// Settings are the user's choices about the window.
type Settings struct {
	// Language is the one of the next start; "" is the system's.
	Language words.Language
	// Theme is system, light, dark or hc.
	Theme string
	// TextSize is in percent, 90 to 200.
	TextSize int
	// EnterSends swaps Enter and Ctrl+Enter in the composer (ruling 18).
	EnterSends bool
	// AutoLoad loads older and newer messages by scrolling near an end (ruling 31).
	AutoLoad bool
}
