package profile

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"holdfast/core/transport"
)

// Flags are the command line's; the window, drive and doctor take the same.
type Flags struct {
	Connect, TokenFile, Codex, CodexHome, Cwd, Profile, Thread string
	// Timing divides every delay, for tests.
	Timing int
}

// Register defines the flags.
func (f *Flags) Register(fs *flag.FlagSet) {
	fs.StringVar(&f.Connect, "connect", "", "`how` to reach the server: stdio, ws://…, wss://…, unix://…, or cmd:… in shell words")
	fs.StringVar(&f.TokenFile, "token-file", "", "`file` with the bearer token")
	fs.StringVar(&f.Codex, "codex", "", "the codex `program` to start")
	fs.StringVar(&f.CodexHome, "codex-home", "", "CODEX_HOME `folder` of that program")
	fs.StringVar(&f.Cwd, "cwd", "", "`folder` that new conversations begin in")
	fs.StringVar(&f.Profile, "profile", "", "`name` of the profile to use")
	fs.StringVar(&f.Thread, "thread", "", "`conversation` to select at the first connection")
	fs.IntVar(&f.Timing, "timing", 1, "divide every delay by `N` (for tests)")
}

// A Resolved is what file and flags come to.
type Resolved struct {
	Profile  Profile // Name is "" when flags alone decide
	Settings Settings
	// Transport is where to connect.
	Transport transport.Target
	// SharedFiles says that client and server see the same files.
	SharedFiles bool
	// Cwd is where new conversations begin, as the server names it; "" leaves
	// it to the server.
	Cwd string
	// Thread is selected at the first connection only.
	Thread string
	// Scale divides every delay.
	Scale int
}

// Apply lays the flags over the file.
func (f Flags) Apply(file File) (Resolved, error) {
	if f.Timing < 0 {
		return Resolved{}, errors.New("--timing must be 1 or more")
	}
	var p Profile
	var err error
	if f.Connect != "" && f.Profile == "" {
		p = builtin()
	} else if p, err = file.Find(f.Profile); err != nil {
		return Resolved{}, fmt.Errorf("choose a profile: %w", err)
	}
	return f.lay(file, p)
}

// Choose is Apply for another profile of the file, at the user's word: the
// flags that say where to connect no longer count.
func (f Flags) Choose(file File, name string) (Resolved, error) {
	p, err := file.Find(name)
	if err != nil {
		return Resolved{}, fmt.Errorf("choose a profile: %w", err)
	}
	return Flags{Cwd: f.Cwd, Timing: f.Timing}.lay(file, p)
}

func (f Flags) lay(file File, p Profile) (Resolved, error) {
	here, err := os.Getwd()
	if err != nil {
		here = "" // it was removed: relative paths stay as they are
	}
	if f.Connect != "" {
		if p.Connect, err = ParseConnect(f.Connect); err != nil {
			return Resolved{}, fmt.Errorf("--connect: %w", err)
		}
		p.Connect.Path = absolute(here, p.Connect.Path)
	}
	p.TokenFile = or(absolute(here, f.TokenFile), p.TokenFile)
	p.Codex = or(program(here, f.Codex), p.Codex)
	p.CodexHome = or(absolute(here, f.CodexHome), p.CodexHome)
	r := Resolved{
		Profile: p, Settings: file.Settings, SharedFiles: p.SharedFiles(), Cwd: f.Cwd, Thread: f.Thread, Scale: max(1, f.Timing),
	}
	childCwd := ""
	if r.SharedFiles { // otherwise the path is the server's, and not ours to complete
		r.Cwd = or(absolute(here, f.Cwd), here)
		childCwd = r.Cwd
	}
	r.Transport = p.Target(childCwd)
	return r, nil
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
