// Package profile holds what the user set: profiles that say how to reach an
// app-server, and the settings of the window. It reads and writes one TOML file
// in the system's configuration folder, and lays the command line's flags over
// it. It never connects, never reads a token, and never writes over a file that
// it could not read whole.
//
// The file, with every key and what holds without it:
//
//	profile    = ""            # the profile to use; the first one without it
//	language   = "system"      # or en, ja, zh; at the next start
//	theme      = "system"      # or light, dark, high-contrast
//	text_size  = 100           # percent, 90 to 200
//	send_key   = "ctrl-enter"  # or enter (ruling 18)
//	auto_load  = false         # load older messages by scrolling (ruling 31)
//
//	[[profiles]]
//	name       = "work"
//	connect    = "stdio"       # or ws://…, wss://…, unix:///PATH, cmd:PROGRAM …,
//	                           # or a list: ["ssh", "host", "codex", "app-server"]
//	files      = "same"        # or separate; without it: same for stdio and unix (ruling 36)
//	roots      = [{ local = "/home/me/src", server = "/srv/src" }]
//	token_file = ""            # for ws:// and wss://, read again for each attempt
//	experimental_api = true    # ruling 19
//	codex      = ""            # the program, for stdio
//	codex_home = ""            # its CODEX_HOME
//
// # Decisions
//
// 2026-11-30 The file is read into plain values and checked key by key.
// Instead of: decoding into structs.
// Because: every complaint can then name file, line and key in words of ours,
// and all of them at once.
//
// 2026-11-30 A change is made to what the file says at that moment (Update).
// Instead of: writing what was loaded at start.
// Because: the user may have edited the file since.
//
// 2026-11-30 A change writes the keys that changed into the text that is there,
// and what comes out is read and compared; profiles in one line, or roots in
// tables of their own that change, are written anew, without comments.
// Instead of: encoding the file each time. Because: the TOML library keeps no
// comments, and people's comments say why a server is set up as it is.
//
// 2026-11-30 A profile that is typed in a form is checked by the reader of the
// file. Instead of: rules of the form. Because: both then refuse the same.
//
// 2026-11-30 --connect without --profile leaves the profiles alone.
// Instead of: laying it over the first one.
// Because: another server's roots and token are not this one's.
//
// 2026-11-30 The file is replaced by a rename of our own.
// Instead of: a module for it.
// Because: the one at hand does not build on Windows.
package profile
